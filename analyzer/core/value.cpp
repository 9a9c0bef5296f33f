#include "analyzer/core/value.h"

#include <algorithm>

namespace padlint {

namespace {

std::size_t depth(const Value& value) {
  std::size_t deepest = 0;
  for (const Value& part : value.parts)
    deepest = std::max(deepest, depth(part));
  return deepest + 1;
}

/// Cut to the bounds of value.h, so that no reader of values has to check again.
Value bounded(Value value) {
  if (value.parts.size() > max_value_parts)
    value.parts.edit().resize(max_value_parts);
  return depth(value) > max_value_depth ? make_opaque(value.span) : value;
}

} // namespace

bool Value::constant() const {
  switch (kind) {
  case ValueKind::null:
  case ValueKind::boolean:
  case ValueKind::integer:
  case ValueKind::text: return true;
  case ValueKind::concat:
  case ValueKind::list:
  case ValueKind::map:
  case ValueKind::operation: return std::ranges::all_of(parts, &Value::constant);
  default: return false;
  }
}

Value make_opaque(Span span) { return {.kind = ValueKind::opaque, .span = span}; }

Value make_name(std::string name, Span span) {
  return {.kind = ValueKind::name, .span = span, .text = std::move(name)};
}

Value make_text(std::string text, Span span, std::vector<OffsetStep> steps) {
  return {.kind = ValueKind::text, .span = span, .text = std::move(text), .steps = std::move(steps)};
}

Value make_integer(std::int64_t number, Span span) {
  return {.kind = ValueKind::integer, .span = span, .number = number};
}

Value make_member(Value object, std::string name, Span span) {
  Value value{.kind = ValueKind::member, .span = span, .text = std::move(name)};
  value.parts.push_back(std::move(object));
  return bounded(std::move(value));
}

Value make_index(Value object, Value key, Span span) {
  Value value{.kind = ValueKind::index, .span = span};
  value.parts.push_back(std::move(object));
  value.parts.push_back(std::move(key));
  return bounded(std::move(value));
}

Value make_call(Value callee, std::vector<Value> arguments, Span span) {
  arguments.insert(arguments.begin(), std::move(callee));
  return bounded({.kind = ValueKind::call, .span = span, .parts = std::move(arguments)});
}

Value make_operation(std::string op, std::vector<Value> operands, Span span) {
  return bounded({.kind = ValueKind::operation, .span = span, .text = std::move(op), .parts = std::move(operands)});
}

const Value* argument(const Value& call, int position, std::string_view keyword) {
  const Value* found = nullptr;
  int at = 0;
  bool counted = position >= 0; // behind a spread nobody knows the positions
  for (const Value& part : call.parts) {
    const bool placeholder = part.is(ValueKind::parameter); // its label is its own name
    if (&part == call.parts.data())
      continue;
    if (!part.label.empty() && !placeholder) {
      if (part.label == keyword)
        return &part;
    } else if (part.is(ValueKind::spread)) {
      counted = false;
    } else if (counted && at++ == position) {
      found = &part;
    }
  }
  return found;
}

std::string dotted(const Value& value) {
  if (value.is(ValueKind::name))
    return value.text;
  if (!value.is(ValueKind::member) || value.parts.empty())
    return {};
  const std::string object = dotted(value.parts[0]);
  return object.empty() ? object : object + "." + value.text;
}

} // namespace padlint
