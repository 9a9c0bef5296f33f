#include "analyzer/host/walker.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace padlint::host {

namespace {

bool is_text(const Value& value) { return value.is(ValueKind::text) || value.is(ValueKind::concat); }

/// Around both: a text that stands behind the line of its mark comes later than what follows the mark.
Span around(Span one, Span other) { return {one.file, std::min(one.begin, other.begin), std::max(one.end, other.end)}; }

/// Texts that follow each other become one.
void merge_texts(std::vector<Value>& parts) {
  std::vector<Value> merged;
  for (Value& part : parts) {
    if (!part.is(ValueKind::text) || merged.empty() || !merged.back().is(ValueKind::text)) {
      merged.push_back(std::move(part));
      continue;
    }
    Value& before = merged.back();
    const auto offset = static_cast<std::uint32_t>(before.text.size());
    for (const OffsetStep& step : part.steps)
      before.steps.push_back({step.text + offset, step.source});
    before.text += part.text;
    before.span = around(before.span, part.span);
  }
  parts = std::move(merged);
}

/// What `op` makes of values that are evaluated already; a text among them makes it text put together.
Value combine(std::vector<Value> operands, const Operator& op, Span span) {
  if (op.kind == OperatorKind::join && std::ranges::any_of(operands, is_text))
    return make_concat(std::move(operands), span);
  if (operands.size() > max_value_parts)
    return make_opaque(span);
  Value value = std::move(operands[0]);
  for (std::size_t i = 1; i < operands.size(); ++i) {
    Value outer{.kind = ValueKind::operation, .span = around(value.span, operands[i].span), .text = op.name};
    outer.parts.push_back(std::move(value));
    outer.parts.push_back(std::move(operands[i]));
    value = std::move(outer);
  }
  return value;
}

} // namespace

Value make_concat(std::vector<Value> parts, Span span) {
  Value value{.kind = ValueKind::concat, .span = span};
  for (Value& part : parts) {
    if (part.is(ValueKind::concat))
      std::ranges::copy(part.parts, std::back_inserter(value.parts));
    else
      value.parts.push_back(std::move(part));
  }
  if (value.parts.size() > max_value_parts)
    merge_texts(value.parts.edit());
  return value.parts.size() > max_value_parts ? make_opaque(span) : value;
}

Action make_test(Actions computed, const Value& value) {
  Action action = make_action(ActionKind::test, std::move(computed));
  action.event.value = bounded(value);
  return action;
}

bool happens_nothing(const Action& condition) {
  return condition.kind == ActionKind::test ? condition.parts.empty()
                                            : std::ranges::all_of(condition.parts, happens_nothing);
}

const Operator& Walker::operator_of(const Children& parts) const {
  static const Operator unknown{.name = "?"};
  for (std::size_t i = 0; i < parts.size(); ++i)
    if (const TSSymbol symbol = ts_node_symbol(parts.node(i)); !parts.named(i) && symbol < language.operators.size())
      return language.operators[symbol];
  return unknown;
}

/// The operands of a chain of operators of one kind, which the grammar nests to the left however long it is.
std::vector<TSNode> Walker::operands(TSNode node, OperatorKind kind) {
  std::vector<TSNode> out;
  for (;;) {
    const Children parts = children(node);
    const std::vector<TSNode> named = parts.all_named();
    if (language.role(node) != Role::operation || named.size() != 2 || operator_of(parts).kind != kind)
      break;
    out.push_back(named[1]);
    node = named[0];
  }
  out.push_back(node);
  std::ranges::reverse(out);
  return out;
}

TSNode Walker::addressed(TSNode node) {
  if (language.address_of.empty() || language.role(node) != Role::operation)
    return no_node;
  const Children parts = children(node);
  const TSNode operand = parts.named_at(0);
  const bool address = operator_of(parts).name == language.address_of && !exists(parts.named_at(1));
  return address && language.role(operand) == Role::name ? operand : no_node;
}

Value Walker::operation(TSNode node, const Use& use) {
  const Children parts = children(node);
  const std::vector<TSNode> named = parts.all_named();
  const Operator& op = operator_of(parts);
  if (named.size() == 1)
    return unary(op, named[0], span(node));
  if (named.size() > 2)
    return chain(parts, span(node));
  if (named.empty())
    return make_opaque(span(node));
  if (op.kind == OperatorKind::logical_and || op.kind == OperatorKind::logical_or)
    return logical(operands(node, op.kind), op, use, span(node));
  std::vector<Value> values;
  const std::vector<TSNode> combined = op.kind == OperatorKind::join ? operands(node, op.kind) : named;
  for (const TSNode operand : combined)
    values.push_back(expression(operand));
  // A text that grows where it stands, or a method of whatever stands on the left.
  const bool appends = !language.append.empty() && op.name == language.append && values.size() == 2;
  Value call{.kind = ValueKind::call, .span = span(node)};
  if (appends)
    call.parts = {make_member(values[0], language.append, span(node)), values[1]};
  Value value = combine(std::move(values), op, span(node));
  if (!appends || !value.is(ValueKind::concat))
    return value;
  happened(std::move(call), use);
  if (use.use == ResultUse::dropped && language.role(combined[0]) == Role::local && value.parts[0].is(ValueKind::name))
    bind(combined[0], value, {}, BindingRole::assigned);
  return value;
}

Value Walker::unary(const Operator& op, TSNode operand, Span whole) {
  Value value = expression(operand);
  const bool place = op.name == language.address_of && (value.is(ValueKind::name) || value.is(ValueKind::member));
  if (op.name == language.dereference || (op.name == language.address_of && !place))
    return value;
  if (op.name == "-" && language.role(operand) == Role::integer)
    return value.is(ValueKind::integer)
               ? make_integer(-value.number, whole)
               : decode_integer("-" + std::string(text_of(operand)), language.integer_separator, whole);
  if (op.kind == OperatorKind::join && is_text(value))
    return value;
  Value out{.kind = ValueKind::operation, .span = whole, .text = op.name};
  out.parts.push_back(std::move(value));
  return out;
}

/// `a < b < c`: each pair, joined by "and".
Value Walker::chain(const Children& parts, Span whole) {
  Value out{.kind = ValueKind::operation, .span = whole, .text = "and"};
  std::vector<Value> values;
  TSNode before = no_node;
  std::string op = "?";
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (!parts.named(i)) {
      const TSSymbol symbol = ts_node_symbol(parts.node(i));
      op = symbol < language.operators.size() ? language.operators[symbol].name : "?";
      continue;
    }
    const TSNode left_node = std::exchange(before, parts.node(i));
    values.push_back(expression(before));
    if (values.size() < 2 || out.parts.size() >= max_value_parts)
      continue;
    const Value& left = values[values.size() - 2];
    // The places of the nodes: what stands for an error has none.
    Value pair{.kind = ValueKind::operation, .span = around(span(left_node), span(before)), .text = op};
    pair.parts = {left, values.back()};
    out.parts.push_back(std::move(pair));
  }
  return out;
}

/// Each operand is evaluated only if those before it leave the answer open.
Value Walker::logical(const std::vector<TSNode>& nodes, const Operator& op, const Use& use, Span whole) {
  Value value{.kind = ValueKind::operation, .span = whole, .text = op.name};
  std::vector<Actions> computed;
  for (const TSNode node : nodes) {
    const bool last = computed.size() + 1 == nodes.size();
    computed.push_back(
        collect([&] { value.parts.push_back(expression(node, last ? use : Use{ResultUse::tested, {}})); }));
  }
  Actions rest = std::move(computed.back());
  for (std::size_t i = nodes.size() - 1; i-- > 0;) {
    Actions here = std::move(computed[i]);
    if (!rest.empty()) {
      Action test = make_test({}, value.parts[i]);
      if (op.kind == OperatorKind::logical_or)
        test = make_action(ActionKind::negate, {std::move(test)});
      here.push_back(
          make_action(ActionKind::branch, {std::move(test), make_action(ActionKind::sequence, std::move(rest))}));
    }
    rest = std::move(here);
  }
  std::ranges::move(rest, std::back_inserter(*actions));
  if (value.parts.size() > max_value_parts)
    value.parts.edit().resize(max_value_parts);
  return value;
}

Action Walker::condition(TSNode node) {
  const Deeper deeper(*this);
  if (!deeper.allowed)
    return make_test({}, make_opaque(span(node)));
  node = unwrapped(node);
  if (language.role(node) == Role::operation) {
    const Children parts = children(node);
    const OperatorKind kind = operator_of(parts).kind;
    const std::vector<TSNode> tested = operands(node, kind);
    if (kind == OperatorKind::logical_not)
      return make_action(ActionKind::negate, {condition(parts.named_at(0))});
    if (tested.size() > 1 && (kind == OperatorKind::logical_and || kind == OperatorKind::logical_or)) {
      Action action = make_action(kind == OperatorKind::logical_and ? ActionKind::both : ActionKind::either);
      for (const TSNode operand : tested)
        action.parts.push_back(condition(operand));
      return action;
    }
  }
  Value value;
  Actions computed = collect([&] { value = expression(node, {ResultUse::tested, {}}); });
  return make_test(std::move(computed), value);
}

/// In a tagged template the function that is the tag gets the values of the holes: they are `bind` operations.
Value Walker::text(TSNode node, bool tagged) {
  const Children parts = children(node);
  if (parts.size() < 2)
    return make_opaque(span(node));
  const std::string_view open = text_of(parts.node(0));
  const auto prefixed = [&](const std::string& letters) { return open.find_first_of(letters) != std::string::npos; };
  const TextForm form{.raw = prefixed(language.text.raw_prefix), .holes = prefixed(language.text.template_prefix)};
  return text_between(parts, form, ts_node_end_byte(parts.node(0)), ts_node_start_byte(parts.node(parts.size() - 1)),
                      span(node), tagged);
}

/// What stands in [begin, end), with the holes among the parts.
Value Walker::text_between(const Children& parts, TextForm form, std::uint32_t begin, std::uint32_t end, Span whole,
                           bool tagged) {
  std::vector<Value> pieces;
  std::uint32_t at = begin;
  const auto piece = [&](std::uint32_t until) {
    if (until > at)
      pieces.push_back(decode_text(language.text, form, source, at, until, {facts.file, at, until}));
  };
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const TSNode child = parts.node(i);
    if (language.role(child) != Role::hole)
      continue;
    piece(ts_node_start_byte(child));
    const TSNode value = part(child, Slot::value);
    Value filled = exists(value) ? expression(value, {ResultUse::passed, {}}) : make_opaque(span(child));
    pieces.push_back(tagged ? make_operation("bind", {std::move(filled)}, span(child)) : std::move(filled));
    at = ts_node_end_byte(child);
  }
  if (pieces.empty())
    return decode_text(language.text, form, source, begin, end, whole);
  piece(end);
  return make_concat(std::move(pieces), whole);
}

/// The text that a mark stands for; its last part is the line that ends it.
Value Walker::marked_text(TSNode node) {
  const auto found = marked_texts.find(ts_node_start_byte(node));
  if (found == marked_texts.end())
    return make_opaque(span(node));
  const Children parts = children(found->second);
  if (parts.size() == 0)
    return make_opaque(span(node));
  const std::string_view mark = text_of(node);
  const bool raw = std::ranges::any_of(language.text.raw_prefix, [&](char quote) {
    return std::ispunct(static_cast<unsigned char>(quote)) != 0 && mark.find(quote) != std::string_view::npos;
  });
  const TSNode end = parts.node(parts.size() - 1);
  return text_between(parts, {.raw = raw}, ts_node_start_byte(found->second), ts_node_start_byte(end),
                      {facts.file, ts_node_start_byte(found->second), ts_node_start_byte(end)});
}

Value Walker::symbol(TSNode node) {
  const std::uint32_t colon = text_of(node).starts_with(':') ? 1 : 0;
  const std::uint32_t begin = ts_node_start_byte(node) + colon;
  return decode_text(language.text, {.raw = true}, source, begin, ts_node_end_byte(node), span(node));
}

Value Walker::joined_texts(TSNode node) {
  std::vector<Value> values;
  for (const TSNode child : named_children(node))
    values.push_back(expression(child));
  return make_concat(std::move(values), span(node));
}

} // namespace padlint::host
