#include "analyzer/sql/named_query.h"

#include <algorithm>

namespace padlint {

namespace {

constexpr std::string_view blanks = " \t\r";

/// Cuts `word` off the front, with the blanks before it.
bool take(std::string_view& line, std::string_view word) {
  line.remove_prefix(std::min(line.find_first_not_of(blanks), line.size()));
  if (!line.starts_with(word))
    return false;
  line.remove_prefix(word.size());
  return true;
}

/// sqlc: `:exec`, `:execrows`, `:batchexec` ... give no rows; aiosql and HugSQL: `name!`, `name#`, `:!`. `<!` returns.
bool gives_rows(std::string_view mark) {
  if (mark.find("exec") != std::string_view::npos || mark.find("copyfrom") != std::string_view::npos)
    return false;
  const std::size_t sign = mark.find_first_of("!#");
  return sign == std::string_view::npos || (sign > 0 && mark[sign - 1] == '<');
}

std::optional<NamedQuery> on_line(std::string_view line, std::uint32_t offset) {
  std::string_view rest = line;
  if (!take(rest, "--") && !take(rest, "/*"))
    return std::nullopt;
  if (take(rest, ":name")) {
    if (rest.empty() || blanks.find(rest.front()) == std::string_view::npos)
      return std::nullopt;
  } else if (!take(rest, "name") || !take(rest, ":")) {
    return std::nullopt;
  }
  rest.remove_prefix(std::min(rest.find_first_not_of(blanks), rest.size()));
  const std::size_t size = std::min(rest.find_first_of(" \t\r:!#$^<*("), rest.size());
  if (size == 0)
    return std::nullopt;
  const auto begin = offset + static_cast<std::uint32_t>(rest.data() - line.data());
  return NamedQuery{.name = std::string(rest.substr(0, size)),
                    .place = {begin, begin + static_cast<std::uint32_t>(size)},
                    .rows = gives_rows(rest.substr(size))};
}

} // namespace

std::optional<NamedQuery> named_query(std::string_view text, std::uint32_t begin, std::uint32_t end) {
  std::optional<NamedQuery> found;
  while (begin < end) {
    const auto stop = static_cast<std::uint32_t>(std::min<std::size_t>(text.find('\n', begin), end));
    if (auto query = on_line(text.substr(begin, stop - begin), begin))
      found = std::move(query);
    begin = stop + 1;
  }
  return found;
}

} // namespace padlint
