#include "analyzer/sql/tokens.h"

#include <algorithm>
#include <array>

// PostgreSQL's scan.l in small: enough to know where a token, a literal and a comment end, also in text that no parser
// takes. Source: PostgreSQL manual, "Lexical Structure".

namespace padlint {

namespace {

constexpr std::string_view operator_characters = "~!@#^&|`?+-*/%<>=";

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_word_start(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || static_cast<unsigned char>(c) >= 0x80;
}
bool is_word_part(char c) { return is_word_start(c) || is_digit(c) || c == '$'; }
bool is_operator(char c) { return operator_characters.find(c) != std::string_view::npos; }

/// A cursor over the text; reading past the end gives NUL, which is no part of any token.
struct Cursor {
  std::string_view text;
  std::size_t position;
  std::size_t end;

  [[nodiscard]] char at(std::size_t ahead = 0) const { return position + ahead < end ? text[position + ahead] : '\0'; }
  [[nodiscard]] bool done() const { return position >= end; }
  void skip_while(bool (*wanted)(char)) {
    while (!done() && wanted(text[position]))
      ++position;
  }
};

void skip_comment_block(Cursor& cursor) {
  int depth = 0;
  do {
    if (cursor.at() == '/' && cursor.at(1) == '*') {
      ++depth;
      cursor.position += 2;
    } else if (cursor.at() == '*' && cursor.at(1) == '/') {
      --depth;
      cursor.position += 2;
    } else {
      ++cursor.position;
    }
  } while (depth > 0 && !cursor.done());
  cursor.position = std::min(cursor.position, cursor.end);
}

void skip_space(Cursor& cursor) {
  while (!cursor.done()) {
    if (is_space(cursor.at()))
      ++cursor.position;
    else if (cursor.at() == '-' && cursor.at(1) == '-')
      cursor.position = std::min(cursor.text.find('\n', cursor.position), cursor.end);
    else if (cursor.at() == '/' && cursor.at(1) == '*')
      skip_comment_block(cursor);
    else
      break;
  }
}

/// From the opening quote on; a doubled quote is one of the text, a backslash takes the next byte with it in E''.
void skip_quoted(Cursor& cursor, char quote, bool escapes) {
  ++cursor.position;
  while (!cursor.done()) {
    const char c = cursor.at();
    if (c == '\\' && escapes) {
      cursor.position += 2;
    } else if (c != quote) {
      ++cursor.position;
    } else if (cursor.at(1) == quote) {
      cursor.position += 2;
    } else {
      ++cursor.position;
      return;
    }
  }
  cursor.position = cursor.end;
}

/// `$tag$ ... $tag$` from its first `$` on; false when no such literal begins here.
bool skip_dollar_string(Cursor& cursor) {
  std::size_t tag_end = cursor.position + 1;
  if (tag_end < cursor.end && is_digit(cursor.text[tag_end]))
    return false;
  while (tag_end < cursor.end && is_word_part(cursor.text[tag_end]) && cursor.text[tag_end] != '$')
    ++tag_end;
  if (tag_end >= cursor.end || cursor.text[tag_end] != '$')
    return false;
  const std::string_view tag = cursor.text.substr(cursor.position, tag_end + 1 - cursor.position);
  const std::size_t close = cursor.text.substr(0, cursor.end).find(tag, tag_end + 1);
  cursor.position = close == std::string_view::npos ? cursor.end : close + tag.size();
  return true;
}

void skip_number(Cursor& cursor) {
  cursor.skip_while(is_digit);
  if (cursor.at() == '.' && cursor.at(1) != '.') { // 1..10 is a range of PL/pgSQL's FOR
    ++cursor.position;
    cursor.skip_while(is_digit);
  }
  if (cursor.at() == 'e' || cursor.at() == 'E') {
    const std::size_t sign = cursor.at(1) == '+' || cursor.at(1) == '-' ? 1 : 0;
    if (is_digit(cursor.at(1 + sign))) {
      cursor.position += 1 + sign;
      cursor.skip_while(is_digit);
    }
  }
}

/// The longest match, which ends before a comment, and gives back a trailing + or - unless it has one of ~!@#^&|`?%.
void skip_operator(Cursor& cursor) {
  const std::size_t begin = cursor.position;
  while (is_operator(cursor.at())) {
    const bool comment = (cursor.at() == '-' && cursor.at(1) == '-') || (cursor.at() == '/' && cursor.at(1) == '*');
    if (comment && cursor.position > begin)
      break;
    ++cursor.position;
  }
  const std::string_view found = cursor.text.substr(begin, cursor.position - begin);
  if (found.find_first_of("~!@#^&|`?%") == std::string_view::npos)
    while (cursor.position > begin + 1 &&
           (cursor.text[cursor.position - 1] == '-' || cursor.text[cursor.position - 1] == '+'))
      --cursor.position;
}

TokenKind skip_word(Cursor& cursor) {
  const char first = static_cast<char>(cursor.at() | 0x20);
  const bool one_letter = first == 'e' || first == 'b' || first == 'x' || first == 'n';
  if (one_letter && cursor.at(1) == '\'') {
    ++cursor.position;
    skip_quoted(cursor, '\'', first == 'e');
    return TokenKind::string;
  }
  if (first == 'u' && cursor.at(1) == '&' && (cursor.at(2) == '\'' || cursor.at(2) == '"')) {
    const char quote = cursor.at(2);
    cursor.position += 2;
    skip_quoted(cursor, quote, false);
    return quote == '"' ? TokenKind::quoted : TokenKind::string;
  }
  cursor.skip_while(is_word_part);
  return TokenKind::word;
}

TokenKind skip_token(Cursor& cursor) {
  constexpr std::array<std::string_view, 4> pairs{"::", ":=", "..", "=>"};
  const char c = cursor.at();
  if (is_word_start(c))
    return skip_word(cursor);
  if (is_digit(c) || (c == '.' && is_digit(cursor.at(1)))) {
    skip_number(cursor);
    return TokenKind::number;
  }
  if (c == '\'' || c == '"') {
    skip_quoted(cursor, c, false);
    return c == '"' ? TokenKind::quoted : TokenKind::string;
  }
  if (c == '$' && is_digit(cursor.at(1))) {
    ++cursor.position;
    cursor.skip_while(is_digit);
    return TokenKind::parameter;
  }
  if (c == '$' && skip_dollar_string(cursor))
    return TokenKind::dollar_string;
  const std::string_view pair =
      cursor.text.substr(cursor.position, std::min<std::size_t>(2, cursor.end - cursor.position));
  if (std::ranges::find(pairs, pair) != pairs.end() && (pair != "=>" || !is_operator(cursor.at(2))))
    cursor.position += 2;
  else if (is_operator(c))
    skip_operator(cursor);
  else
    ++cursor.position;
  return TokenKind::punctuation;
}

/// Words after which an operand may begin: a hole behind one of them is an operand, not a clause.
constexpr std::string_view before_operand[] = {
    "all",       "and",      "any",    "as",      "between", "by",        "call",   "case",  "delete", "distinct",
    "do",        "else",     "except", "execute", "fetch",   "from",      "having", "ilike", "in",     "insert",
    "intersect", "interval", "into",   "is",      "join",    "like",      "limit",  "not",   "of",     "offset",
    "on",        "only",     "or",     "order",   "perform", "returning", "select", "set",   "table",  "then",
    "to",        "union",    "update", "using",   "values",  "when",      "where",  "with",
};

} // namespace

Token next_token(std::string_view text, std::uint32_t position, std::uint32_t end) {
  Cursor cursor{text, position, std::min<std::size_t>(end, text.size())};
  skip_space(cursor);
  if (cursor.done())
    return {.kind = TokenKind::punctuation, .begin = end, .end = end};
  Token token{.begin = static_cast<std::uint32_t>(cursor.position)};
  token.kind = skip_token(cursor);
  token.end = static_cast<std::uint32_t>(std::min(cursor.position, cursor.end));
  return token;
}

std::vector<Token> scan(std::string_view text, std::uint32_t begin, std::uint32_t end) {
  std::vector<Token> tokens;
  end = static_cast<std::uint32_t>(std::min<std::size_t>(end, text.size()));
  for (Token token = next_token(text, begin, end); token.begin < token.end; token = next_token(text, token.end, end))
    tokens.push_back(token);
  return tokens;
}

bool is_word(std::string_view text, const Token& token, std::string_view folded) {
  return token.kind == TokenKind::word && token.end - token.begin == folded.size() &&
         std::ranges::equal(text_of(text, token), folded, [](char c, char expected) {
           return c == expected || (c >= 'A' && c <= 'Z' && c + ('a' - 'A') == expected);
         });
}

bool is_punctuation(std::string_view text, const Token& token, std::string_view expected) {
  return token.kind == TokenKind::punctuation && text_of(text, token) == expected;
}

std::string fold(std::string_view text) {
  std::string result(text);
  for (char& c : result)
    if (c >= 'A' && c <= 'Z')
      c = static_cast<char>(c + ('a' - 'A'));
  return result;
}

std::string identifier(std::string_view text, const Token& token) {
  std::string_view written = text_of(text, token);
  if (token.kind != TokenKind::quoted)
    return fold(written);
  written.remove_prefix(written.find('"') + 1);
  if (written.ends_with('"'))
    written.remove_suffix(1);
  std::string result;
  for (std::size_t i = 0; i < written.size(); ++i) {
    result += written[i];
    if (written[i] == '"' && i + 1 < written.size() && written[i + 1] == '"')
      ++i;
  }
  return result;
}

std::size_t closing(std::string_view text, const std::vector<Token>& tokens, std::size_t open) {
  int depth = 0;
  for (std::size_t i = open; i < tokens.size(); ++i) {
    if (tokens[i].kind != TokenKind::punctuation)
      continue;
    const std::string_view bracket = text_of(text, tokens[i]);
    if (bracket == "(" || bracket == "[")
      ++depth;
    else if ((bracket == ")" || bracket == "]") && --depth == 0)
      return i;
  }
  return tokens.size();
}

bool ends_operand(std::string_view text, const Token& token) {
  if (token.kind == TokenKind::punctuation) {
    const std::string_view written = text_of(text, token);
    return written == ")" || written == "]";
  }
  return token.kind != TokenKind::word ||
         std::ranges::find(before_operand, fold(text_of(text, token))) == std::end(before_operand);
}

} // namespace padlint
