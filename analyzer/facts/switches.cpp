#include "analyzer/facts/linked_project.h"

#include <algorithm>

// Arguments of library calls that switch something.

namespace padlint {
namespace {

/// Whether a name stands anywhere in an expression, the body of a function that is handed over included.
bool mentions(const LinkedProject& project, const Value& value, std::string_view name, int depth = 0) {
  if (depth > max_value_depth)
    return false;
  if ((value.is(ValueKind::name) || value.is(ValueKind::member)) && value.text == name)
    return true;
  if (value.is(ValueKind::function)) {
    const Routine& routine = project.routine({value.span.file, static_cast<std::uint32_t>(value.number)});
    for (const Value& returned : routine.returns)
      if (mentions(project, returned, name, depth + 1))
        return true;
    for (const Block& block : routine.flow.blocks)
      for (const Event& event : block.events)
        if (mentions(project, event.value, name, depth + 1))
          return true;
    return false;
  }
  return std::ranges::any_of(value.parts, [&](const Value& part) { return mentions(project, part, name, depth + 1); });
}

} // namespace

const Value* find_argument(const Value& call, const ApiArgument& wanted) {
  for (const std::string& keyword : wanted.keywords)
    if (const Value* value = argument(call, -1, keyword))
      return value;
  return wanted.position >= 0 ? argument(call, wanted.position, {}) : nullptr;
}

Value connection_chained(const LinkedProject& project, const Execution& execution) {
  Value found;
  Span at = execution.span;
  for_each_call(project.routine(execution.routine), [&](const Event& event) {
    const Value& callee = event.value.parts.empty() ? event.value : event.value.parts[0];
    if (!callee.is(ValueKind::member) || callee.parts[0].span != at || event.value.parts.size() < 2)
      return;
    if (has(execution.sends->connection_methods, callee.text))
      found = Value(event.value.parts[1]);
    else
      at = event.span;
  });
  return found;
}

bool has_unread_map(const LinkedProject& project, const Value& call, Scope scope) {
  const Apis* apis = project.apis(scope.file);
  const auto unread = [&](const Value& value, auto&& self, int depth) -> bool {
    const Value known = fold(project, value, scope);
    if (known.is(ValueKind::map))
      return depth < max_value_depth && std::ranges::any_of(
                                            known.parts,
                                            [&](const Value& entry) {
                                              return entry.is(ValueKind::spread) && !entry.parts.empty() &&
                                                     self(entry.parts[0], self, depth + 1);
                                            });
    return known.is(ValueKind::name) || known.is(ValueKind::member) || known.is(ValueKind::call) ||
           known.is(ValueKind::index);
  };
  constexpr std::ptrdiff_t callee_and_first = 2;
  return apis != nullptr && apis->map_arguments && call.parts.size() > callee_and_first &&
         std::any_of(call.parts.begin() + callee_and_first, call.parts.end(),
                     [&](const Value& value) { return unread(value, unread, 0); });
}

std::optional<Answer> switched(const LinkedProject& project, const ApiSwitch& option, const Value& call, Scope scope) {
  if (!option.mentions.empty()) {
    for (std::size_t i = 1; i < call.parts.size(); ++i)
      if (mentions(project, call.parts[i], option.mentions))
        return Answer::yes;
    return std::nullopt;
  }
  const Value* value = find_argument(call, option.argument);
  if (value == nullptr)
    return std::nullopt;
  Value known = fold(project, *value, scope);
  if (!option.argument.inside.empty()) {
    if (!known.is(ValueKind::map))
      return Answer::unknown;
    const Value* entry = nullptr;
    for (const Value& part : known.parts)
      if (part.label == option.argument.inside)
        entry = &part;
    if (entry == nullptr)
      return std::nullopt;
    known = Value(*entry);
  }
  if (auto text = constant_text(known))
    return *text == option.value ? Answer::yes : Answer::no;
  if (known.is(ValueKind::null))
    return std::nullopt;
  const std::string name = external_name(project, known, scope);
  return name == option.value ? Answer::yes : name.empty() ? Answer::unknown : Answer::no;
}

} // namespace padlint
