#include "analyzer/core/span.h"

#include <algorithm>
#include <fmt/format.h>

namespace padlint {

namespace {

constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

bool continues_code_point(char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U; }

} // namespace

Position position_at(std::string_view text, std::uint32_t offset) {
  const std::string_view before = text.substr(0, std::min<std::size_t>(offset, text.size()));
  Position position;
  position.line += static_cast<std::uint32_t>(std::ranges::count(before, '\n'));

  std::size_t at = before.rfind('\n') + 1; // npos + 1 is 0: the first line
  if (at == 0 && text.starts_with(byte_order_mark))
    at = byte_order_mark.size();

  // An offset inside a code point, or between "\r" and "\n", is where that code point or line end begins.
  std::size_t end = before.size();
  while (end > at && end < text.size() && continues_code_point(text[end]))
    --end;
  if (end > at && end < text.size() && text[end] == '\n' && text[end - 1] == '\r')
    --end;
  for (; at < end; ++at)
    position.column += continues_code_point(text[at]) ? 0U : 1U;
  return position;
}

std::string to_text(const Span& span, std::string_view text) {
  const Position begin = position_at(text, span.begin);
  const Position end = position_at(text, span.end);
  return fmt::format("{}:{}-{}:{}", begin.line, begin.column, end.line, end.column);
}

} // namespace padlint
