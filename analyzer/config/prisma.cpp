#include "analyzer/config/reader.h"

#include <fmt/format.h>

#include <algorithm>

// The datasource of a Prisma schema: `url` and `directUrl` are texts, or variables of the environment (`env("NAME")`).
// Source: Prisma schema reference, "datasource"; Prisma's configuration reference.

namespace padlint {
namespace {

/// `"text"` as it is, `env("NAME")` as `${NAME}`; anything else is not known.
std::string value_of(std::string_view text) {
  const bool variable = text.starts_with("env(");
  if (variable)
    text.remove_prefix(4);
  if (!text.starts_with('"'))
    return "${}";
  const std::size_t end = text.find('"', 1);
  if (end == std::string_view::npos)
    return "${}";
  return variable ? fmt::format("${{{}}}", text.substr(1, end - 1)) : std::string(text.substr(1, end - 1));
}

bool is_word(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'; }

} // namespace

void read_prisma(ConfigReader& reader) {
  std::string source; // name of the datasource that the line is in
  for (std::size_t begin = 0; begin < reader.text.size();) {
    const std::size_t end = std::min(reader.text.find('\n', begin), reader.text.size());
    std::size_t at = begin;
    const std::string_view line = trimmed(reader.text.substr(begin, end - begin), at);
    begin = end + 1;
    if (line.starts_with("datasource ")) {
      std::size_t name_begin = at + 11;
      std::string_view name = trimmed(line.substr(11), name_begin);
      name = name.substr(0, name.find_first_of(" {"));
      source = name;
      reader.fact("datasource", source, {}, {}, reader.span(at, name_begin + name.size()));
    } else if (line.starts_with('}')) {
      source.clear();
    } else if (!source.empty()) {
      const std::size_t word =
          std::min(static_cast<std::size_t>(std::ranges::find_if_not(line, is_word) - line.begin()), line.size());
      const std::size_t equals = line.find('=', word);
      if (word == 0 || equals == std::string_view::npos)
        continue;
      std::size_t value_begin = at + equals + 1;
      const std::string_view value = trimmed(line.substr(equals + 1), value_begin);
      reader.fact("datasource", source, line.substr(0, word), value_of(value),
                  reader.span(at, value_begin + value.size()));
    }
  }
}

} // namespace padlint
