#include "analyzer/facts/keys.h"

#include <algorithm>
#include <array>

namespace padlint {
namespace {

constexpr int max_depth = 8;

bool is_integer_cast(const Value& value) {
  constexpr auto casts =
      std::to_array<std::string_view>({"::bigint", "::int8", "::int4", "::int", "::integer", "::smallint", "::int2"});
  return value.is(ValueKind::operation) && value.parts.size() == 1 &&
         std::find(casts.begin(), casts.end(), value.text) != casts.end();
}

/// The digits of a quoted number; a longer text is none that fits.
bool is_number(const std::string& text) {
  const std::size_t sign = text.starts_with('-') ? 1 : 0;
  return text.size() > sign && text.size() < 19 &&
         std::all_of(
             text.begin() + static_cast<std::ptrdiff_t>(sign), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

bool is_opaque(const Value& value) {
  return value.is(ValueKind::opaque) || std::any_of(value.parts.begin(), value.parts.end(), is_opaque);
}

Value substituted_in(const Value& value, const Routine& routine, const Key& arguments, int depth = 0) {
  Value out = substituted(Key{.form = KeyForm::none, .parts = {value}}, routine, arguments).parts[0];
  if (depth < max_depth)
    for (std::size_t i = out.is(ValueKind::call) ? 1 : 0; i < out.parts.size(); ++i)
      out.parts.edit()[i] = substituted_in(out.parts[i], routine, arguments, depth + 1);
  return out;
}

Value expanded(const LinkedProject& project, const Value& value, int depth = 0) {
  if (depth > max_depth || value.parts.empty())
    return value;
  if (value.is(ValueKind::call) && value.parts[0].is(ValueKind::name))
    if (const auto named = project.routines_by_name.find(value.parts[0].text); named != project.routines_by_name.end())
      for (RoutineRef ref : named->second) {
        const Routine& routine = project.routine(ref);
        if (routine.form == RoutineForm::sql_function && routine.returns.size() == 1) {
          const Key arguments{.form = KeyForm::none, .parts = {value.parts.begin() + 1, value.parts.end()}};
          return expanded(project,
                          substituted_in(fold(project, routine.returns[0], {ref.file, ref.index}), routine, arguments),
                          depth + 1);
        }
      }
  Value out = value;
  for (std::size_t i = value.is(ValueKind::call) ? 1 : 0; i < out.parts.size(); ++i)
    out.parts.edit()[i] = expanded(project, out.parts[i], depth + 1);
  return out;
}

} // namespace

Value resolved(const LinkedProject& project, const Reading& reading, const Value& value, int depth) {
  if (value.is(ValueKind::parameter)) {
    const auto bound = bound_value(reading, value);
    if (!bound)
      return value;
    Value out = fold(project, bound->first, bound->second);
    out.label.clear();
    return out;
  }
  if (depth > max_depth || value.parts.empty())
    return value;
  Value out = value;
  for (std::size_t i = value.is(ValueKind::call) ? 1 : 0; i < out.parts.size(); ++i)
    out.parts.edit()[i] = resolved(project, reading, out.parts[i], depth + 1);
  // Placeholders are now values: arithmetic may have become constant. No name of the SQL text is looked up here.
  const bool constant =
      out.is(ValueKind::operation) &&
      std::all_of(out.parts.begin(), out.parts.end(), [](const Value& part) { return part.is(ValueKind::integer); });
  return constant ? fold(project, out, reading.scope) : out;
}

Key key_of(const LinkedProject& project, std::vector<Value> parts) {
  Key key;
  key.form = parts.size() == 1 ? KeyForm::bigint : parts.size() == 2 ? KeyForm::two_int4 : KeyForm::none;
  for (Value& part : parts) {
    part = expanded(project, part);
    while (is_integer_cast(part))
      part = Value(part.parts[0]);
    if (part.is(ValueKind::text) && is_number(part.text))
      part = make_integer(std::stoll(part.text), part.span);
  }
  key.parts = std::move(parts);
  print_parts(key);
  return key;
}

void print_parts(Key& key) {
  key.printed.clear();
  for (const Value& part : key.parts)
    key.printed.push_back(is_opaque(part) ? std::string() : to_text(Key{.form = KeyForm::bigint, .parts = {part}}));
}

Key substituted(Key key, const Routine& routine, const Key& arguments) {
  for (Value& part : key.parts)
    for (std::size_t i = 0; i < routine.parameters.size() && i < arguments.parts.size(); ++i)
      if ((part.is(ValueKind::name) && part.text == routine.parameters[i].name) ||
          (part.is(ValueKind::parameter) && part.label.empty() && part.number == static_cast<std::int64_t>(i))) {
        part = Value(arguments.parts[i]);
        break;
      }
  print_parts(key);
  return key;
}

} // namespace padlint
