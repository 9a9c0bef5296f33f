#include "analyzer/facts/linked_project.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace padlint {
namespace {

constexpr int max_depth = 16;
constexpr std::size_t max_folded_size = 1000; // nodes

std::optional<std::int64_t> arithmetic(std::string_view op, std::int64_t left, std::int64_t right) {
  std::int64_t out = 0;
  if (op == "+" && !__builtin_add_overflow(left, right, &out))
    return out;
  if (op == "-" && !__builtin_sub_overflow(left, right, &out))
    return out;
  if (op == "*" && !__builtin_mul_overflow(left, right, &out))
    return out;
  if ((op == "//" || op == "%") && right > 0 && left >= 0)
    return op == "%" ? left % right : left / right;
  if (op == "<<" && right >= 0 && right < 63 && left >= 0 && left <= (INT64_MAX >> right))
    return left << right;
  if (op == "**" && right >= 0 && right < 63) {
    out = 1;
    for (std::int64_t i = 0; i < right; ++i)
      if (__builtin_mul_overflow(out, left, &out))
        return std::nullopt;
    return out;
  }
  if (op == ">>" && right >= 0 && right < 63)
    return left >> right;
  if (op == "|")
    return left | right;
  if (op == "&")
    return left & right;
  if (op == "^")
    return left ^ right;
  return std::nullopt;
}

/// Casts between integer types keep the number; everything else is no constant for us.
bool integer_cast(std::string_view op) {
  static const std::set<std::string_view> types = {"::bigint",  "::int8",     "::int", "::int4",
                                                   "::integer", "::smallint", "::int2"};
  return types.contains(op);
}

Value fold_operation(const LinkedProject& project, Value value, Scope scope, int depth) {
  for (Value& part : value.parts.edit())
    part = fold(project, part, scope, depth + 1);
  if (value.parts.size() == 2 && value.parts[0].is(ValueKind::integer) && value.parts[1].is(ValueKind::integer)) {
    if (auto number = arithmetic(value.text, value.parts[0].number, value.parts[1].number))
      return make_integer(*number, value.span);
  } else if (value.parts.size() == 1 && value.parts[0].is(ValueKind::integer)) {
    if (value.text == "-" && value.parts[0].number != INT64_MIN)
      return make_integer(-value.parts[0].number, value.span);
    if (value.text == "+" || integer_cast(value.text))
      return make_integer(value.parts[0].number, value.span);
  }
  return value;
}

Value fold_concat(const LinkedProject& project, Value value, Scope scope, int depth) {
  bool constant = true;
  std::string text;
  for (Value& part : value.parts.edit()) {
    part = fold(project, part, scope, depth + 1);
    if (auto known = constant_text(part))
      text += *known;
    else
      constant = false;
  }
  return constant ? make_text(std::move(text), value.span, {{0, value.span.begin}}) : value;
}

std::size_t size_of(const Value& value) {
  std::size_t size = 1;
  for (const Value& part : value.parts)
    size += size_of(part);
  return size;
}

/// The one value of a name that is bound once, or to equal constants.
std::optional<Value> bound_value(const LinkedProject& project, const Definition& found, int depth) {
  std::optional<Value> only;
  for (const Binding* binding : found.bound) {
    if (binding->role != BindingRole::assigned)
      return std::nullopt;
    if (found.bound.size() > 1 && (binding->value.is(ValueKind::opaque) || binding->value.is(ValueKind::null)))
      continue; // declared without a value
    Caches::BoundEntry& entry = project.caches.bound[binding];
    if (!entry.done) {
      if (entry.value)
        return std::nullopt; // under way: it is bound to something of itself
      entry.value = binding->value;
      Value folded = fold(project, binding->value, {found.scope.file, binding->routine}, depth + 1);
      entry.value = size_of(folded) <= max_folded_size ? std::move(folded) : make_opaque(binding->value.span);
      entry.done = true;
    }
    Value value = *entry.value;
    if (only &&
        !(only->kind == value.kind && only->text == value.text && only->number == value.number && only->constant()))
      return std::nullopt;
    only = std::move(value);
  }
  return only;
}

/// A method of the project without arguments that only gives a constant; or a constant with something done to it that
/// changes nothing: `KEY.freeze`.
std::optional<Value> constant_of_call(const LinkedProject& project, const Value& call, Scope scope, int depth) {
  const Apis* apis = project.apis(scope.file);
  if (apis == nullptr || !apis->accessors || call.parts.size() != 1)
    return std::nullopt;
  const Value& callee = call.parts[0];
  const bool keeps = callee.is(ValueKind::member) && std::ranges::any_of(apis->texts, [&](const ApiText& text) {
                       return text.form == "clause" && text.clause.empty() && has(text.methods, callee.text);
                     });
  if (keeps) {
    Value inner = fold(project, callee.parts[0], scope, depth + 1);
    const bool known = inner.constant() || inner.is(ValueKind::map) || inner.is(ValueKind::list);
    return known ? std::optional(std::move(inner)) : std::nullopt;
  }
  const Definition found = definition_of(project, callee, scope);
  constexpr int most_calls = 4;
  if (found.kind != Definition::routine || depth > most_calls || project.routine(found.target).returns.size() != 1)
    return std::nullopt;
  const Scope inside{found.target.file, found.target.index};
  Value inner = fold(project, project.routine(found.target).returns[0], inside, depth + 1);
  return inner.constant() ? std::optional(std::move(inner)) : std::nullopt;
}

} // namespace

std::optional<std::string> constant_text(const Value& value) {
  switch (value.kind) {
  case ValueKind::text: return value.text;
  case ValueKind::integer: return fmt::format("{}", value.number);
  case ValueKind::boolean: return value.number != 0 ? "true" : "false";
  default: return std::nullopt;
  }
}

Value fold(const LinkedProject& project, const Value& value, Scope scope, int depth) {
  if (depth > max_depth)
    return value;
  switch (value.kind) {
  case ValueKind::name:
  case ValueKind::member: {
    Definition found = definition_of(project, value, scope);
    if (const auto entry = entry_of(project, value, scope)) {
      Value known = fold(project, entry->first, entry->second, depth + 1);
      known.label.clear();
      return known.constant() || known.is(ValueKind::map) || known.is(ValueKind::list) ? known : value;
    }
    if (found.kind == Definition::none && value.is(ValueKind::member)) {
      // `self.KEY`, and `.value` of a constant of an enumeration.
      if (const Class* owner = own_class(project, value.parts[0], scope)) {
        auto fields = field_bindings(project, scope.file, *owner, value.text);
        if (only_filled_once(fields) && fields[0].second->role == BindingRole::assigned &&
            !fields[0].second->value.is(ValueKind::name))
          return fold(project, fields[0].second->value, fields[0].first, depth + 1);
      } else if (value.text == "value") {
        Value inner = fold(project, value.parts[0], scope, depth + 1);
        if (inner.constant())
          return inner;
      }
      return value;
    }
    if (found.kind == Definition::bindings)
      if (auto bound = bound_value(project, found, depth))
        return bound->is(ValueKind::opaque) ? value : *bound;
    return value;
  }
  case ValueKind::operation: return fold_operation(project, value, scope, depth);
  case ValueKind::concat: return fold_concat(project, value, scope, depth);
  case ValueKind::list:
  case ValueKind::map:
  case ValueKind::choice:
  case ValueKind::index:
  case ValueKind::call: {
    Value out = value;
    // The callee of a call stays a name: what it is called with is what counts.
    for (std::size_t i = value.is(ValueKind::call) ? 1 : 0; i < out.parts.size(); ++i) {
      Value part = fold(project, value.parts[i], scope, depth + 1);
      part.label = value.parts[i].label;
      out.parts.edit()[i] = std::move(part);
    }
    if (out.is(ValueKind::call))
      if (auto constant = constant_of_call(project, value, scope, depth))
        return *constant;
    // dict(a=1) is {"a": 1}.
    if (const Apis* apis = project.apis(scope.file); out.is(ValueKind::call) && out.parts[0].is(ValueKind::name) &&
                                                     apis != nullptr && has(apis->map_calls, out.parts[0].text)) {
      out.kind = ValueKind::map;
      out.parts.edit().erase(out.parts.edit().begin());
      return out;
    }
    // int64(1) is 1.
    if (const Apis* apis = project.apis(scope.file);
        out.is(ValueKind::call) && out.parts.size() == 2 && out.parts[1].is(ValueKind::integer) && apis != nullptr &&
        out.parts[0].is(ValueKind::name) && has(apis->conversions, out.parts[0].text))
      return make_integer(out.parts[1].number, out.span);
    if (out.is(ValueKind::index) && out.parts[1].is(ValueKind::integer) && out.parts[0].is(ValueKind::list)) {
      const std::int64_t at = out.parts[1].number;
      if (at >= 0 && at < static_cast<std::int64_t>(out.parts[0].parts.size()))
        return out.parts[0].parts[static_cast<std::size_t>(at)];
    }
    if (out.is(ValueKind::index) && out.parts[1].is(ValueKind::text) && out.parts[0].is(ValueKind::map))
      for (const Value& entry : out.parts[0].parts)
        if (entry.label == out.parts[1].text)
          return entry;
    return out;
  }
  default: return value;
  }
}

const Value* argument_for(const Routine& routine, const Value& call, std::uint32_t parameter) {
  if (parameter >= routine.parameters.size())
    return nullptr;
  // The object of a method call is its first parameter.
  const int position = static_cast<int>(parameter) - (routine.owner.empty() ? 0 : 1);
  if (position < 0)
    return nullptr;
  if (const Value* value = argument(call, position, routine.parameters[parameter].name))
    return value;
  const Value& initial = routine.parameters[parameter].initial;
  return initial.span.empty() ? nullptr : &initial;
}

std::vector<std::pair<Value, Scope>> arguments_for(const LinkedProject& project, RoutineRef ref,
                                                   std::uint32_t parameter) {
  std::vector<std::pair<Value, Scope>> found;
  auto callers = project.callers.find(ref);
  if (callers == project.callers.end())
    return found;
  const Routine& routine = project.routine(ref);
  for (std::size_t index : callers->second) {
    const CallSite& site = project.calls[index];
    if (!site.call.is(ValueKind::call) || found.size() >= 16)
      continue;
    const Value* value = argument_for(routine, site.call, parameter);
    if (value == nullptr)
      continue;
    const bool given = value != &routine.parameters[parameter].initial;
    found.push_back({*value, given ? Scope{site.caller.file, site.caller.index} : Scope{ref.file, ref.index}});
  }
  return found;
}

} // namespace padlint
