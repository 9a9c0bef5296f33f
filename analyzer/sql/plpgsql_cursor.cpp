#include "analyzer/sql/plpgsql_cursor.h"

#include <algorithm>

namespace padlint {

PlCursor::PlCursor(std::string_view body, const std::vector<Token>& body_tokens)
    : text(body), tokens(body_tokens), partner(body_tokens.size()) {
  std::vector<std::size_t> open;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    partner[i] = i;
    if (is_punctuation(text, tokens[i], "(") || is_punctuation(text, tokens[i], "[")) {
      open.push_back(i);
    } else if ((is_punctuation(text, tokens[i], ")") || is_punctuation(text, tokens[i], "]")) && !open.empty()) {
      partner[open.back()] = i;
      open.pop_back();
    }
  }
}

bool PlCursor::is(std::string_view expected, std::size_t ahead) const {
  return at + ahead < tokens.size() &&
         (is_punctuation(text, tokens[at + ahead], expected) || is_word(text, tokens[at + ahead], expected));
}

bool PlCursor::is_any(PlStops expected, std::size_t ahead) const {
  return std::ranges::any_of(expected, [&](std::string_view one) { return is(one, ahead); });
}

bool PlCursor::is(TokenKind kind, std::size_t ahead) const {
  return at + ahead < tokens.size() && tokens[at + ahead].kind == kind;
}

bool PlCursor::is_name(std::size_t ahead) const {
  return is(TokenKind::word, ahead) || is(TokenKind::quoted, ahead) || is(TokenKind::parameter, ahead);
}

bool PlCursor::accept(std::string_view expected) {
  const bool found = is(expected);
  at += found ? 1 : 0;
  return found;
}

std::size_t PlCursor::distance(PlStops stops) const {
  std::size_t ahead = 0;
  while (at + ahead < tokens.size() && !is(";", ahead) && !is_any(stops, ahead))
    ahead = partner[at + ahead] - at + 1;
  return ahead;
}

PlRange PlCursor::range(std::size_t first, std::size_t last) const {
  const std::size_t behind = std::min(last, tokens.size());
  if (first < behind)
    return {tokens[first].begin, tokens[behind - 1].end};
  const std::uint32_t here = first < tokens.size() ? tokens[first].begin : static_cast<std::uint32_t>(text.size());
  return {here, here};
}

PlRange PlCursor::take(PlStops stops) {
  const std::size_t first = at;
  at += distance(stops);
  return range(first, at);
}

std::vector<PlRange> PlCursor::take_list(PlStops stops) {
  std::vector<PlRange> list;
  do {
    const std::size_t first = at;
    while (!done() && !is(";") && !is(",") && !is_any(stops))
      at = partner[at] + 1;
    list.push_back(range(first, at));
  } while (accept(","));
  if (list.front().empty())
    list.clear();
  return list;
}

std::string PlCursor::take_name() { return is_name() ? identifier(text, tokens[at++]) : std::string(); }

bool PlCursor::take_target(PlTarget& target) {
  const std::size_t first = at;
  target.name = take_name();
  if (target.name.empty())
    return false;
  while (!done()) {
    if (is(".") && is_name(1)) {
      ++at;
      target.name += (target.element ? "" : "." + identifier(text, tokens[at]));
      ++at;
    } else if (is("[") && partner[at] != at) {
      target.element = true;
      at = partner[at] + 1;
    } else {
      break;
    }
  }
  target.range = range(first, at);
  return true;
}

bool PlCursor::take_targets(std::vector<PlTarget>& targets) {
  do {
    PlTarget target;
    if (!take_target(target))
      return false;
    targets.push_back(std::move(target));
  } while (accept(","));
  return true;
}

void PlCursor::skip_statement() {
  at += distance({});
  accept(";");
}

} // namespace padlint
