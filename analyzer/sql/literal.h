#pragma once

#include "analyzer/core/value.h"
#include "analyzer/sql/sql.h"
#include "analyzer/sql/tokens.h"

#include <optional>
#include <string_view>
#include <vector>

namespace padlint {

/// The stretch between the quotes of a string or dollar string token.
struct Content {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  bool escapes = false; // E'': backslashes
  bool doubled = false; // a doubled quote is one
};
Content literal_content(std::string_view text, const Token& token);

/// The value of a literal: text whose steps lead back to the source file, or a concat where holes stand in it.
Value literal_value(const SqlText& text, const Token& token);

/// The decoded literal as a text of its own, which still knows the places and holes of `text`.
SqlText literal_text(const SqlText& text, const Token& token);

/// The number in `padlint_hole_3` if that is the whole word and the text has that hole.
std::optional<std::size_t> hole_index(const SqlText& text, std::string_view word);

/// What stands for a hole or a placeholder: a parameter.
Value hole_value(const SqlText& text, std::size_t index, Span span);

/// Appends text.text[begin, end) with its places. `to.holes` must be those of `text`.
void append_range(SqlText& to, const SqlText& text, std::uint32_t begin, std::uint32_t end);

} // namespace padlint
