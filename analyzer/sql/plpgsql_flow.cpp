#include "analyzer/sql/plpgsql_flow.h"

#include "analyzer/sql/plpgsql_lowering.h"

#include <algorithm>
#include <utility>

// Lowers blocks and control flow. A block with handlers is a sub-transaction: what fails in its body goes to a handler
// after the sub-transaction is rolled back, what fails in its declarations or in a handler goes outwards.
// Source: PostgreSQL manual, "Trapping Errors".

namespace padlint {

void PlLowering::run(const std::vector<PlStatement>& nodes) {
  for (const PlStatement& node : nodes)
    run(node);
}

void PlLowering::run(const PlStatement& node) {
  switch (node.kind) {
  case PlKind::block: return block(node);
  case PlKind::if_then:
  case PlKind::case_when: return branches(node);
  case PlKind::loop:
  case PlKind::while_loop:
  case PlKind::for_range:
  case PlKind::for_query:
  case PlKind::for_cursor:
  case PlKind::foreach: return loop(node);
  default: return run_simple(node);
  }
}

void PlLowering::declare(const PlDeclaration& declaration) {
  declared.insert(declaration.name);
  if (declaration.form == PlDeclaration::cursor) {
    cursors[declaration.name] = {declaration.initial, std::nullopt};
    return;
  }
  Binding binding{.name = declaration.name, .span = reader.span(declaration.range)};
  if (!declaration.type.empty()) {
    const Span span = reader.span(declaration.type);
    binding.type = types[declaration.name] = make_name(fold(reader.text(declaration.type)), span);
  }
  if (!declaration.initial.empty()) {
    const Span span = reader.span({declaration.range.begin, declaration.initial.end});
    binding.value = evaluate(declaration.initial, ResultUse::stored, span, declaration.name);
    if (declaration.form == PlDeclaration::variable)
      graph.add({.kind = EventKind::assign, .span = span, .value = binding.value, .target = declaration.name});
  }
  routine.bindings.push_back(std::move(binding));
}

void PlLowering::block(const PlStatement& node) {
  for (const PlDeclaration& declaration : node.declarations)
    declare(declaration);
  PlFrame frame{.label = node.label, .behind = graph.add_block(), .span = reader.span(node.range)};
  frame.guarded = !node.handlers.empty();
  for (const PlHandler& handler : node.handlers)
    frame.catchers.push_back({handler.conditions, graph.add_block()});
  if (frame.guarded) {
    graph.begin_sub_transaction(frame.span);
    const std::uint32_t body = graph.add_block();
    graph.jump(body);
    graph.start(body);
  }
  graph.frames.push_back(frame);
  run(node.body);
  if (graph.reachable()) {
    graph.commit_sub_transaction(frame);
    graph.jump(frame.behind);
  }
  graph.frames.back().guarded = false;
  graph.frames.back().catchers.clear();
  for (std::size_t i = 0; i < node.handlers.size(); ++i) {
    graph.frames.back().caught = node.handlers[i].conditions;
    graph.start(frame.catchers[i].block);
    graph.roll_back_sub_transaction(frame);
    run(node.handlers[i].body);
    if (graph.reachable())
      graph.jump(frame.behind);
  }
  graph.frames.pop_back();
  graph.start(frame.behind);
}

/// IF and CASE. A CASE with an operand compares it with each WHEN; one that no WHEN and no ELSE takes is an error.
void PlLowering::branches(const PlStatement& node) {
  const std::uint32_t behind = graph.add_block();
  const bool compares = node.kind == PlKind::case_when && !node.expression.empty();
  const Value operand = compares ? bounded(evaluate(node.expression, ResultUse::tested)) : Value{};
  for (const PlBranch& branch : node.branches) {
    const std::uint32_t body = graph.add_block();
    for (const PlRange& range : branch.conditions) {
      PlExpression condition = reader.expression(range);
      if (compares)
        condition.value = make_operation("=", {operand, std::move(condition.value)}, condition.statement.span);
      const std::uint32_t next = graph.add_block();
      test(condition, body, next);
      graph.start(next);
    }
    const std::uint32_t next = graph.add_block();
    graph.jump(next);
    graph.start(body);
    run(branch.body);
    if (graph.reachable())
      graph.jump(behind);
    graph.start(next);
  }
  if (node.has_otherwise || node.kind == PlKind::if_then) {
    run(node.otherwise);
    if (graph.reachable())
      graph.jump(behind);
  } else {
    graph.raise({.kind = PlRaised::exception, .condition = "case_not_found", .span = reader.span(node.range)});
  }
  graph.start(behind);
}

void PlLowering::loop(const PlStatement& node) {
  run_query(node);
  PlFrame frame{.loop = true, .label = node.label, .behind = graph.add_block(), .again = graph.add_block()};
  const std::uint32_t body = node.kind == PlKind::loop ? frame.again : graph.add_block();
  graph.jump(frame.again);
  graph.start(frame.again);
  if (node.kind == PlKind::while_loop)
    test(reader.expression(node.expression), body, frame.behind);
  else if (node.kind != PlKind::loop)
    graph.branch(make_opaque(reader.span(node.targets[0].range)), body, frame.behind);
  graph.start(body);
  graph.frames.push_back(frame);
  run(node.body);
  if (graph.reachable())
    graph.jump(frame.again);
  graph.frames.pop_back();
  graph.start(frame.behind);
}

/// What a FOR loop runs once, before its first round. A query's rows are fetched while the loop runs.
void PlLowering::run_query(const PlStatement& node) {
  Value elements = make_opaque(reader.span(node.expression));
  const std::string target = node.targets.size() == 1 ? node.targets[0].name : std::string();
  switch (node.kind) {
  case PlKind::for_range: {
    std::vector<Value> bounds;
    for (const PlRange& range : node.arguments)
      bounds.push_back(bounded(evaluate(range, ResultUse::operand)));
    elements = make_operation("..", std::move(bounds), reader.span(node.arguments[0]));
    break;
  }
  case PlKind::foreach: elements = bounded(evaluate(node.expression, ResultUse::iterated)); break;
  case PlKind::for_cursor:
    evaluate_all(node.arguments, ResultUse::passed);
    open(node.word, target);
    break;
  case PlKind::for_query:
    if (node.dynamic)
      run_dynamic(node, ResultUse::iterated);
    else
      add(reader.query(node.expression), ResultUse::iterated, target);
    break;
  default: return;
  }
  for (const PlTarget& variable : node.targets)
    bind(variable, BindingRole::iterated, elements);
}

namespace {

void note_labels(const std::vector<PlStatement>& nodes, PlReader& reader) {
  for (const PlStatement& node : nodes) {
    if (!node.label.empty())
      reader.labels.insert(node.label);
    note_labels(node.body, reader);
    note_labels(node.otherwise, reader);
    for (const PlBranch& branch : node.branches)
      note_labels(branch.body, reader);
    for (const PlHandler& handler : node.handlers)
      note_labels(handler.body, reader);
  }
}

/// Variables and parameters among the names that were read. A name that is assigned to and declared nowhere in the body
/// is an OUT parameter or a column of RETURNS TABLE: what it holds at the end is the result.
std::vector<std::string> variables_read(const PlLowering& lowering) {
  std::set<std::string> result;
  std::set<std::string> known = lowering.declared;
  known.insert({"new", "old"});
  for (const Parameter& parameter : lowering.routine.parameters)
    known.insert(parameter.name);
  for (const Binding& binding : lowering.routine.bindings) {
    known.insert(binding.name);
    if (binding.role == BindingRole::assigned &&
        !lowering.declared.contains(binding.name.substr(0, binding.name.find('.')))) {
      result.insert(binding.name);
    }
  }
  std::ranges::set_intersection(known, lowering.reader.read, std::inserter(result, result.end()));
  return {result.begin(), result.end()};
}

/// A declaration without a default says only the type, which the assignments have as well.
void drop_bare_declarations(std::vector<Binding>& bindings) {
  std::set<std::string> assigned;
  for (const Binding& binding : bindings)
    if (!binding.value.span.empty())
      assigned.insert(binding.name);
  std::erase_if(bindings,
                [&](const Binding& binding) { return binding.value.span.empty() && assigned.contains(binding.name); });
}

} // namespace

void plpgsql_flow(const PlBody& body, PlReader& reader, Routine& routine, std::vector<Statement>& statements) {
  reader.labels.insert(routine.name);
  note_labels(body.block, reader);
  PlLowering lowering{reader, routine, statements};
  lowering.run(body.block);
  if (lowering.graph.reachable())
    lowering.graph.leave_routine({});
  routine.reads = variables_read(lowering);
  drop_bare_declarations(routine.bindings);
  routine.flow = std::move(lowering.graph).finish();
}

} // namespace padlint
