#pragma once

#include "analyzer/sql/plpgsql_tree.h"
#include "analyzer/sql/tokens.h"

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace padlint {

/// Words or punctuation that end a range.
using PlStops = std::initializer_list<std::string_view>;

/// A place in the tokens of a body, and the steps from there that all statements are read with. A range ends at its
/// stops or at a semicolon, outside of brackets, as in pl_gram.y; an opening bracket that nothing closes counts for
/// nothing, so that a lost bracket costs one statement.
struct PlCursor {
  std::string_view text;
  const std::vector<Token>& tokens;
  std::vector<std::size_t> partner; // of an opening bracket: the token that closes it; of others: themselves
  std::size_t at = 0;

  PlCursor(std::string_view body, const std::vector<Token>& body_tokens);

  [[nodiscard]] bool done() const { return at >= tokens.size(); }
  /// The token `ahead` of the current one is this word or punctuation, or one of these.
  [[nodiscard]] bool is(std::string_view expected, std::size_t ahead = 0) const;
  [[nodiscard]] bool is_any(PlStops expected, std::size_t ahead = 0) const;
  [[nodiscard]] bool is(TokenKind kind, std::size_t ahead = 0) const;
  /// An identifier, quoted or not, a keyword, or `$1`.
  [[nodiscard]] bool is_name(std::size_t ahead = 0) const;
  bool accept(std::string_view expected);

  /// How far ahead the first of `stops`, a semicolon or the end is.
  [[nodiscard]] std::size_t distance(PlStops stops) const;
  /// Bytes of tokens [first, last).
  [[nodiscard]] PlRange range(std::size_t first, std::size_t last) const;

  PlRange take(PlStops stops);
  /// Ranges with commas between them, up to `stops`; none when the first one is empty.
  std::vector<PlRange> take_list(PlStops stops);
  std::string take_name();
  /// `a.b[i].c`; false when there is none.
  bool take_target(PlTarget& target);
  bool take_targets(std::vector<PlTarget>& targets);
  /// Goes behind the next semicolon.
  void skip_statement();
};

/// Reads one statement that holds no others, up to its semicolon. False when it is none: the place is then in it.
bool plpgsql_simple_statement(PlCursor& cursor, PlStatement& node);

} // namespace padlint
