#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace padlint {

/// One `key=value` of a connection string; the offsets are bytes of the string, from the key to the value's end.
struct Keyword {
  std::string key;
  std::string value;
  std::size_t begin = 0;
  std::size_t end = 0;
};

struct Keywords {
  std::vector<Keyword> entries;
  std::optional<std::size_t> error; // where the string stops to be one; the entries before it are good
};

/// How a value writes a quote: PgBouncer doubles it inside single quotes, libpq puts a backslash before it.
enum class Quoting { doubled, backslash };

/// Reads `host=db port=5432 dbname='a b'`.
/// Source: PgBouncer's loader.c, cstr_get_pair; libpq's fe-connect.c, conninfo_parse.
Keywords read_keywords(std::string_view text, Quoting quoting);

/// One past the template expression that begins at `at` (`{{ }}`, `{% %}`, `<% %>`, `${ }`); `at` when none does.
std::size_t template_end(std::string_view text, std::size_t at);

/// Whether a template expression stands anywhere in the text.
bool has_template(std::string_view text);

} // namespace padlint
