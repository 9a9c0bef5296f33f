#include "analyzer/core/value.h"

#include <fmt/format.h>
#include <span>

// Two printed forms. to_text says exactly what a value is, for tests. to_sql is for people: messages and keys.

namespace padlint {

namespace {

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\')
      out += {'\\', c};
    else if (c == '\n')
      out += "\\n";
    else if (static_cast<unsigned char>(c) < 0x20)
      out += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    else
      out += c;
  }
  return out + '"';
}

std::string joined(const SharedList<Value>& parts, std::string_view separator = ", ") {
  std::string out;
  for (const Value& part : parts)
    out += (&part == parts.data() ? "" : std::string(separator)) + to_text(part);
  return out;
}

std::string part_text(const Value& value, std::size_t index) {
  return index < value.parts.size() ? to_text(value.parts[index]) : "?";
}

std::string operation_text(const Value& value) {
  if (value.text.starts_with("::"))
    return part_text(value, 0) + value.text;
  if (value.parts.size() == 1)
    return fmt::format("({} {})", value.text, part_text(value, 0));
  return fmt::format("({})", joined(value.parts, fmt::format(" {} ", value.text)));
}

std::string map_text(const Value& value) {
  std::string out = "{";
  for (const Value& part : value.parts) {
    Value unlabelled = part;
    unlabelled.label.clear();
    out += fmt::format("{}{}: {}", &part == value.parts.data() ? "" : ", ", part.label, to_text(unlabelled));
  }
  return out + "}";
}

std::string parameter_text(const Value& value) {
  if (!value.label.empty())
    return ":" + value.label;
  return fmt::format("${}{}", value.text, value.number + 1);
}

std::string bare_text(const Value& value) {
  switch (value.kind) {
  case ValueKind::opaque: return "?";
  case ValueKind::null: return "null";
  case ValueKind::boolean: return value.number != 0 ? "true" : "false";
  case ValueKind::integer: return std::to_string(value.number);
  case ValueKind::text: return quoted(value.text);
  case ValueKind::concat: return fmt::format("concat({})", joined(value.parts));
  case ValueKind::list: return fmt::format("[{}]", joined(value.parts));
  case ValueKind::map: return map_text(value);
  case ValueKind::name: return fmt::format("name({})", value.text);
  case ValueKind::member: return fmt::format("{}.{}", part_text(value, 0), value.text);
  case ValueKind::index: return fmt::format("{}[{}]", part_text(value, 0), part_text(value, 1));
  case ValueKind::call: return fmt::format("call({})", joined(value.parts));
  case ValueKind::operation: return operation_text(value);
  case ValueKind::choice: return fmt::format("choice({})", joined(value.parts));
  case ValueKind::function: return fmt::format("function#{}", value.number);
  case ValueKind::parameter: return parameter_text(value);
  case ValueKind::spread: return "*" + part_text(value, 0);
  }
  return "?";
}

std::string sql_text(const Value& value, bool inner);

std::string sql_list(std::span<const Value> parts, std::string_view separator, bool inner) {
  std::string out;
  for (std::size_t i = 0; i < parts.size(); ++i)
    out += (i == 0 ? "" : std::string(separator)) + sql_text(parts[i], inner);
  return out;
}

/// A value as SQL would write it; `inner`: it stands inside an operation, so one of its own needs parentheses.
std::string sql_text(const Value& value, bool inner) {
  const std::span<const Value> parts = value.parts;
  const auto grouped = [&](std::string text) { return inner ? fmt::format("({})", text) : text; };
  switch (value.kind) {
  case ValueKind::name: return value.text;
  case ValueKind::text: {
    std::string text = "'";
    for (const char c : value.text)
      text += c == '\'' ? std::string("''") : std::string(1, c);
    return text + "'";
  }
  case ValueKind::concat: return grouped(sql_list(parts, " || ", true));
  case ValueKind::member: return parts.empty() ? "?" : sql_text(parts[0], true) + "." + value.text;
  case ValueKind::index:
    return parts.size() < 2 ? "?" : fmt::format("{}[{}]", sql_text(parts[0], true), sql_text(parts[1], false));
  case ValueKind::list: return fmt::format("({})", sql_list(parts, ", ", false));
  case ValueKind::call:
    return parts.empty() ? "?"
                         : fmt::format("{}({})", sql_text(parts[0], true), sql_list(parts.subspan(1), ", ", false));
  case ValueKind::operation:
    if (value.text.starts_with("::"))
      return sql_list(parts, " ", true) + value.text;
    if (value.text == "select") // a sub-select: which row it selects is not known
      return fmt::format("(SELECT {} ...)", sql_text(parts[0], false));
    if (parts.size() == 1)
      return grouped(value.text + (value.text.size() > 1 ? " " : "") + sql_text(parts[0], true));
    return grouped(sql_list(parts, fmt::format(" {} ", value.text), true));
  case ValueKind::choice: return grouped(sql_list(parts, " or ", true));
  default: return bare_text(value); // reads the same in both forms: numbers, null, $1, ?
  }
}

} // namespace

std::string to_text(const Value& value) {
  const bool labelled = !value.label.empty() && !value.is(ValueKind::parameter);
  return labelled ? value.label + "=" + bare_text(value) : bare_text(value);
}

std::string to_sql(const Value& value) { return sql_text(value, false); }

} // namespace padlint
