#pragma once

#include "analyzer/sql/sql.h"

#include <string>
#include <string_view>
#include <vector>

// What the tests of this folder share: they speak the printed forms, and look at spans through the text under them.

namespace padlint {

inline std::string under(std::string_view source, Span span) {
  return std::string(source.substr(span.begin, span.end - span.begin));
}

inline std::string joined(const std::vector<std::string>& lines) {
  std::string result;
  for (const std::string& line : lines)
    result += (result.empty() ? "" : "\n") + line;
  return result;
}

inline SqlReading read(std::string_view source, std::vector<std::string> placeholders = {}) {
  return read_sql(whole_file(0, source), placeholders);
}

/// The printed statements of a text, a line each.
inline std::string statements(std::string_view source, std::vector<std::string> placeholders = {}) {
  std::vector<std::string> lines;
  for (const Statement& statement : read(source, std::move(placeholders)).statements)
    lines.push_back(to_text(statement));
  return joined(lines);
}

/// The arguments of all calls of a text, as Values.
inline std::string arguments(std::string_view source, std::vector<std::string> placeholders = {}) {
  std::vector<std::string> values;
  for (const Statement& statement : read(source, std::move(placeholders)).statements)
    for (const SqlCall& call : statement.calls)
      for (const Value& argument : call.arguments)
        values.push_back(to_text(argument));
  return joined(values);
}

} // namespace padlint
