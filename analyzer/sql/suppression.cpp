#include "analyzer/sql/suppression.h"

#include "analyzer/sql/literal.h"
#include "analyzer/sql/tokens.h"

namespace padlint {

namespace {

constexpr std::string_view mark = "padlint:";

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos)
    return {};
  return text.substr(first, text.find_last_not_of(" \t\r") + 1 - first);
}

/// ` ignore[rule, rule] reason` behind the mark, up to the end of its comment or line.
bool read_mark(std::string_view text, Suppression& suppression) {
  text = trimmed(text);
  constexpr std::string_view word = "ignore";
  if (!text.starts_with(word))
    return false;
  text.remove_prefix(word.size());
  if (text.starts_with('[')) {
    const std::size_t close = text.find(']');
    if (close == std::string_view::npos)
      return false;
    std::string_view rules = text.substr(1, close - 1);
    text.remove_prefix(close + 1);
    while (!rules.empty()) {
      const std::size_t comma = rules.find(',');
      if (const std::string_view rule = trimmed(rules.substr(0, comma)); !rule.empty())
        suppression.rules.emplace_back(rule);
      rules.remove_prefix(comma == std::string_view::npos ? rules.size() : comma + 1);
    }
  }
  suppression.reason = trimmed(text);
  return true;
}

/// Looks for marks in text[begin, end), which holds comments and space only.
void read_gap(FileId file, std::string_view text, std::size_t begin, std::size_t end, std::vector<Suppression>& found) {
  for (std::size_t at = text.find(mark, begin); at < end; at = text.find(mark, at + 1)) {
    std::size_t stop = std::min(text.find('\n', at), end);
    stop = std::min(text.find("*/", at), stop);
    Suppression suppression{.span = {file, static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(stop)}};
    if (read_mark(text.substr(at + mark.size(), stop - at - mark.size()), suppression))
      found.push_back(std::move(suppression));
  }
}

void read_range(FileId file, std::string_view text, std::uint32_t begin, std::uint32_t end,
                std::vector<Suppression>& found) {
  for (Token token = next_token(text, begin, end);; token = next_token(text, begin, end)) {
    read_gap(file, text, begin, token.begin, found);
    if (token.begin >= token.end)
      return;
    if (token.kind == TokenKind::dollar_string) {
      const Content content = literal_content(text, token);
      read_range(file, text, content.begin, content.end, found);
    }
    begin = token.end;
  }
}

} // namespace

std::vector<Suppression> read_suppressions(FileId file, std::string_view text) {
  std::vector<Suppression> found;
  if (text.find(mark) != std::string_view::npos)
    read_range(file, text, 0, static_cast<std::uint32_t>(text.size()), found);
  return found;
}

} // namespace padlint
