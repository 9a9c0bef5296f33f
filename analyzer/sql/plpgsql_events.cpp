#include "analyzer/sql/plpgsql_lowering.h"

#include "analyzer/sql/plpgsql_dynamic.h"

#include <algorithm>
#include <iterator>
#include <utility>

// Statements and conditions become events. SQL statements always do; an expression does where it calls something or
// reads a table.

namespace padlint {

namespace {

struct Atom {
  const Value* value;
  bool negated = false;
};

bool is_boolean(const Value& value, bool wanted) {
  return value.is(ValueKind::boolean) && (value.number != 0) == wanted;
}

bool is_one_of(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::ranges::find(words, text) != words.end();
}

/// The operand of `x = false`, `true IS DISTINCT FROM x` and the like; no value where none is TRUE or FALSE.
Atom compared(const std::string& op, const Value& left, const Value& right) {
  const Value& constant = right.is(ValueKind::boolean) ? right : left;
  const Value& operand = right.is(ValueKind::boolean) ? left : right;
  const bool equal = is_one_of(op, {"=", "is not distinct from"});
  if (!constant.is(ValueKind::boolean) || (!equal && !is_one_of(op, {"<>", "!=", "is distinct from"})))
    return {nullptr};
  return {&operand, equal != is_boolean(constant, true)};
}

/// One step from `NOT x`, `x IS TRUE`, `coalesce(x, false)` to x; no value where there is none.
Atom operand(const Value& value) {
  if (value.is(ValueKind::call) && value.parts.size() == 3 && value.parts[0].text == "coalesce" &&
      is_boolean(value.parts[2], false))
    return {&value.parts[1]};
  if (!value.is(ValueKind::operation) || value.parts.empty())
    return {nullptr};
  if (is_one_of(value.text, {"not", "is not true", "is false"}))
    return {&value.parts[0], true};
  if (is_one_of(value.text, {"is true", "is not false", "::boolean", "::bool"}))
    return {&value.parts[0]};
  return value.parts.size() == 2 ? compared(value.text, value.parts[0], value.parts[1]) : Atom{nullptr};
}

/// What a condition asks in the end, and whether the condition holds when that does not.
Atom atom(const Value& value) {
  Atom result{&value};
  for (Atom next = operand(value); next.value != nullptr; next = operand(*next.value))
    result = {next.value, result.negated != next.negated};
  return result;
}

} // namespace

void PlLowering::add(Statement statement, ResultUse use, const std::string& target) {
  statements.push_back(std::move(statement));
  add(static_cast<std::uint32_t>(statements.size() - 1), use, target);
}

void PlLowering::add(std::uint32_t number, ResultUse use, const std::string& target) {
  graph.add_statement(
      {.kind = EventKind::sql, .span = statements[number].span, .number = number, .use = use, .target = target});
}

void PlLowering::open(const std::string& cursor, const std::string& target) {
  const auto declared_cursor = cursors.find(cursor);
  if (declared_cursor == cursors.end())
    return;
  auto& [range, number] = declared_cursor->second;
  if (!number) {
    number = static_cast<std::uint32_t>(statements.size());
    statements.push_back(reader.query(range));
  }
  add(*number, ResultUse::iterated, target);
}

Value PlLowering::evaluate(PlRange range, ResultUse use, std::optional<Span> span, const std::string& target) {
  PlExpression expression = reader.expression(range);
  if (expression.does_something()) {
    expression.statement.span = span.value_or(expression.statement.span);
    add(std::move(expression.statement), use, target);
  }
  return std::move(expression.value);
}

void PlLowering::evaluate_all(const std::vector<PlRange>& expressions, ResultUse use) {
  for (const PlRange& range : expressions)
    evaluate(range, use);
}

void PlLowering::bind(const PlTarget& target, BindingRole role, Value value) {
  if (target.element)
    return;
  Binding binding{.name = target.name, .role = role, .value = std::move(value), .span = reader.span(target.range)};
  if (const auto type = types.find(target.name); type != types.end())
    binding.type = type->second;
  routine.bindings.push_back(std::move(binding));
}

void PlLowering::assign(const PlTarget& target, Value value, Span span) {
  const std::string name = target.element ? target.name + "[]" : target.name;
  graph.add({.kind = EventKind::assign, .span = span, .value = value, .target = name});
  bind(target, BindingRole::assigned, std::move(value));
}

void PlLowering::test(const PlExpression& condition, std::uint32_t holds, std::uint32_t fails) {
  test(condition, condition.value, condition.statement.span, holds, fails);
}

/// `calls` is where the calls of this part stand: from it to the next part.
void PlLowering::test(const PlExpression& condition, const Value& part, Span calls, std::uint32_t holds,
                      std::uint32_t fails) {
  const Atom found = atom(part);
  if (found.negated)
    std::swap(holds, fails);
  const Value& value = *found.value;
  const bool conjunction = value.is(ValueKind::operation) && value.text == "and";
  const bool logic = conjunction || (value.is(ValueKind::operation) && value.text == "or");
  const bool placed = std::ranges::none_of(value.parts, [](const Value& one) { return one.span.empty(); });
  if (logic && placed) {
    for (std::size_t i = 0; i < value.parts.size(); ++i) {
      const bool last = i + 1 == value.parts.size();
      const Span own{calls.file, i == 0 ? calls.begin : value.parts[i].span.begin,
                     last ? calls.end : value.parts[i + 1].span.begin};
      const std::uint32_t next = last ? 0 : graph.add_block();
      test(condition, value.parts[i], own, conjunction && !last ? next : holds, conjunction || last ? fails : next);
      if (!last)
        graph.start(next);
    }
    return;
  }
  const Statement& whole = condition.statement;
  Statement statement{.kind = whole.kind, .span = calls == whole.span ? calls : part.span, .reads = whole.reads};
  statement.works = whole.works;
  statement.parsed = whole.parsed;
  std::ranges::copy_if(whole.calls, std::back_inserter(statement.calls), [&](const SqlCall& call) {
    return calls.begin <= call.span.begin && call.span.begin < calls.end;
  });
  if (!statement.calls.empty() || !statement.reads.empty())
    add(std::move(statement), ResultUse::tested);
  graph.branch(value, holds, fails);
}

std::vector<Value> PlLowering::run_dynamic(const PlStatement& node, ResultUse use) {
  const std::string target = node.targets.size() == 1 ? node.targets[0].name : std::string();
  const Value text = evaluate(node.expression, ResultUse::passed);
  std::vector<Value> arguments;
  for (const PlRange& range : node.arguments)
    arguments.push_back(evaluate(range, ResultUse::passed));
  std::vector<DynamicStatement> inner;
  if (const auto sql = dynamic_sql(text))
    inner = dynamic_statements(*sql, arguments);
  const bool into = node.kind == PlKind::execute && !node.targets.empty();
  if (inner.empty()) {
    add({.kind = StatementKind::execute, .span = reader.span(node.range), .into = into}, use, target);
    return {};
  }
  std::vector<Value> selected = std::move(inner.back().selected);
  for (DynamicStatement& one : inner) {
    one.statement.into = into;
    add(std::move(one.statement), use, target);
  }
  return selected;
}

void PlLowering::return_value(const PlStatement& node) {
  if (node.kind == PlKind::return_query) {
    if (node.dynamic)
      run_dynamic(node, ResultUse::returned);
    else
      add(reader.query(node.expression), ResultUse::returned);
    return;
  }
  const Span span = reader.span(node.range);
  if (!node.expression.empty())
    routine.returns.push_back(evaluate(node.expression, ResultUse::returned, span));
  if (node.kind == PlKind::return_value)
    graph.leave_routine(span);
}

/// EXIT and CONTINUE; without a loop or block to leave they do nothing.
void PlLowering::leave(const PlStatement& node) {
  const bool again = node.kind == PlKind::continue_loop;
  if (node.expression.empty()) {
    graph.leave(node.label, again);
    return;
  }
  const std::uint32_t leaves = graph.add_block();
  const std::uint32_t stays = graph.add_block();
  test(reader.expression(node.expression), leaves, stays);
  graph.start(leaves);
  if (!graph.leave(node.label, again))
    graph.jump(stays);
  graph.start(stays);
}

void PlLowering::raise(const PlStatement& node) {
  evaluate_all(node.arguments, ResultUse::passed);
  const Span span = reader.span(node.range);
  if (node.word.empty())
    graph.raise_again(span);
  else if (node.word == "exception")
    graph.raise({.kind = PlRaised::exception, .condition = node.condition, .span = span});
}

void PlLowering::run_sql(const PlStatement& node) {
  const bool into = !node.targets.empty();
  Statement statement = reader.statement(node);
  const Span span = statement.span;
  add(std::move(statement), into ? ResultUse::stored : ResultUse::dropped,
      node.targets.size() == 1 ? node.targets[0].name : std::string());
  const std::vector<Value> values = into ? reader.selected(node) : std::vector<Value>();
  for (std::size_t i = 0; i < node.targets.size(); ++i)
    assign(node.targets[i], values.empty() ? make_opaque(span) : values[i], span);
}

void PlLowering::run_simple(const PlStatement& node) {
  const Span span = reader.span(node.range);
  switch (node.kind) {
  case PlKind::assign: {
    Value value = evaluate(node.expression, ResultUse::stored, span, node.targets[0].name);
    return assign(node.targets[0], std::move(value), span);
  }
  case PlKind::sql:
  case PlKind::perform: return run_sql(node);
  case PlKind::return_value:
  case PlKind::return_next:
  case PlKind::return_query: return return_value(node);
  case PlKind::raise: return raise(node);
  case PlKind::execute: {
    const bool into = !node.targets.empty();
    const std::vector<Value> values = run_dynamic(node, into ? ResultUse::stored : ResultUse::dropped);
    for (std::size_t i = 0; i < node.targets.size(); ++i)
      assign(node.targets[i], values.size() == node.targets.size() ? values[i] : make_opaque(span), span);
    return;
  }
  case PlKind::exit:
  case PlKind::continue_loop: return leave(node);
  case PlKind::assertion: {
    const std::uint32_t holds = graph.add_block();
    const std::uint32_t fails = graph.add_block();
    test(reader.expression(node.expression), holds, fails);
    graph.start(fails);
    evaluate_all(node.arguments, ResultUse::passed);
    graph.raise({.kind = PlRaised::assertion, .span = span});
    return graph.start(holds);
  }
  case PlKind::get_diagnostics:
    for (std::size_t i = 0; i < node.targets.size(); ++i) {
      const PlRange item = node.arguments[i];
      assign(node.targets[i], make_name(fold(reader.text(item)), reader.span(item)), span);
    }
    return;
  case PlKind::open: {
    evaluate_all(node.dynamic ? std::vector<PlRange>() : node.arguments, ResultUse::passed);
    if (node.dynamic)
      run_dynamic(node, ResultUse::iterated);
    else if (!node.expression.empty())
      add(reader.query(node.expression), ResultUse::iterated, node.word);
    else
      open(node.word, node.word);
    return;
  }
  case PlKind::fetch:
    for (const PlTarget& target : node.targets)
      assign(target, make_opaque(span), span);
    return;
  default: return; // NULL, CLOSE
  }
}

} // namespace padlint
