#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace padlint {

enum class TokenKind : std::uint8_t {
  word,   // unquoted identifier or keyword
  quoted, // "identifier", quotes included
  number,
  string,        // '...', E'...', B'...', X'...', N'...', U&'...', prefix and quotes included
  dollar_string, // $tag$...$tag$, both tags included
  parameter,     // $1
  punctuation,   // one of ( ) [ ] , ; . : or `::`, `:=`, `..`, `=>`, or an operator by PostgreSQL's longest match
};

/// A token of SQL or PL/pgSQL text, in bytes of that text.
struct Token {
  TokenKind kind = TokenKind::word;
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
};

/// The tokens of text[begin, end) by PostgreSQL's lexical rules (standard_conforming_strings on); comments and space
/// are dropped, comments nest. Never fails: an unclosed quote or comment reaches to `end`, an unknown byte is a token.
std::vector<Token> scan(std::string_view text, std::uint32_t begin, std::uint32_t end);

/// The next token at or after `position`; begin == end == `end` when there is none.
Token next_token(std::string_view text, std::uint32_t position, std::uint32_t end);

inline std::string_view text_of(std::string_view text, const Token& token) {
  return text.substr(token.begin, token.end - token.begin);
}

/// An unquoted word equal to `folded` (lower case), in any case.
bool is_word(std::string_view text, const Token& token, std::string_view folded);

bool is_punctuation(std::string_view text, const Token& token, std::string_view expected);

/// The identifier that a word or a quoted token names: folded to lower case, or without its quotes.
std::string identifier(std::string_view text, const Token& token);

/// The index of the bracket that closes tokens[open]; tokens.size() when nothing does.
std::size_t closing(std::string_view text, const std::vector<Token>& tokens, std::size_t open);

/// An operand may end with this token: what follows is an operator or a clause, not another operand.
bool ends_operand(std::string_view text, const Token& token);

/// The text with ASCII letters in lower case.
std::string fold(std::string_view text);

} // namespace padlint
