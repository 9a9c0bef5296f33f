#include "analyzer/host/suppression.h"

namespace padlint::host {

namespace {

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blank = " \t\r";
  const std::size_t first = text.find_first_not_of(blank);
  return first == std::string_view::npos ? std::string_view()
                                         : text.substr(first, text.find_last_not_of(blank) + 1 - first);
}

} // namespace

std::optional<Suppression> read_suppression(std::string_view text, Span span) {
  constexpr std::string_view word = "ignore";
  text = trimmed(text.substr(0, text.find('\n')).substr(suppression_mark.size()));
  if (!text.starts_with(word))
    return std::nullopt;
  text.remove_prefix(word.size());
  Suppression out{.span = span};
  if (text.starts_with('[')) {
    const std::size_t close = text.find(']');
    if (close == std::string_view::npos)
      return std::nullopt;
    for (std::string_view rules = text.substr(1, close - 1); !rules.empty();) {
      const std::size_t comma = rules.find(',');
      if (const std::string_view rule = trimmed(rules.substr(0, comma)); !rule.empty())
        out.rules.emplace_back(rule);
      rules.remove_prefix(comma == std::string_view::npos ? rules.size() : comma + 1);
    }
    text.remove_prefix(close + 1);
  } else if (!text.empty() && text[0] != ' ' && text[0] != '\t') {
    return std::nullopt; // another word
  }
  out.reason = trimmed(text);
  return out;
}

} // namespace padlint::host
