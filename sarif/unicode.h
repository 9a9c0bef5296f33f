#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace padlint {

constexpr char32_t replacement_character = 0xFFFD;
constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

/// The code point at byte `at`, which moves behind it. Bytes that are no UTF-8 give U+FFFD, one for each maximal part
/// of a sequence, as browsers and the Unicode standard (chapter 3.9, table 3-11) do it.
char32_t decode(std::string_view text, std::size_t& at);

void append_utf8(std::string& text, char32_t code_point);

/// UTF-16 code units of a code point.
constexpr std::uint32_t utf16_length(char32_t code_point) { return code_point > 0xFFFF ? 2 : 1; }

/// Cells of a terminal: 0 for combining marks, 2 for East Asian wide characters and emoji.
std::uint32_t cell_width(char32_t code_point);

/// Whether a character would move the cursor, or reorder or hide text, where it is shown.
bool is_control(char32_t code_point);

/// Appends the character in a form that is safe to show: a control as `\x1b` or `\u202e`.
void append_printable(std::string& text, char32_t code_point);

/// The text as valid UTF-8 on one line, each character in its safe form.
std::string printable(std::string_view text);

/// The text as valid UTF-8, cut to at most `limit` code points.
std::string valid_utf8(std::string_view text, std::size_t limit = std::string_view::npos);

} // namespace padlint
