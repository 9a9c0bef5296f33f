#pragma once

#include "sarif/sources.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace padlint {

/// How far around what is shown secrets are looked for: the lines of minified files have no end.
constexpr std::size_t secret_context = 8000;

/// A line of a source made ready for the terminal: tabs as blanks to the next multiple of 4, controls in their safe
/// form, secrets masked, a long line cut around the mark; and the cells, from 0, that the mark covers.
struct FrameLine {
  std::string text;
  std::size_t mark_begin = 0;
  std::size_t mark_end = 0;
};

/// `begin` and `end` are bytes of the line; the mark is at least one cell wide.
FrameLine frame_line(std::string_view line, std::size_t begin, std::size_t end);

} // namespace padlint
