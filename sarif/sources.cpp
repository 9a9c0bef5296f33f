#include "sarif/sources.h"

#include "sarif/unicode.h"

#include <algorithm>

namespace padlint {

namespace {

/// From 1; `line` is what stands before the column.
std::uint32_t column_after(std::string_view line, ColumnUnit unit) {
  if (unit == ColumnUnit::byte)
    return static_cast<std::uint32_t>(line.size()) + 1;
  std::uint32_t column = 1;
  for (std::size_t at = 0; at < line.size();) {
    const char32_t code_point = decode(line, at);
    column += unit == ColumnUnit::utf16 ? utf16_length(code_point) : 1;
  }
  return column;
}

} // namespace

LineIndex::LineIndex(std::string_view text) : whole(text) {
  begins.push_back(text.starts_with(byte_order_mark) ? static_cast<std::uint32_t>(byte_order_mark.size()) : 0);
  for (std::size_t at = text.find('\n'); at != std::string_view::npos; at = text.find('\n', at + 1))
    begins.push_back(static_cast<std::uint32_t>(at) + 1);
}

std::uint32_t LineIndex::line_at(std::uint32_t offset) const {
  const auto after = std::ranges::upper_bound(begins, offset);
  return std::max(static_cast<std::uint32_t>(after - begins.begin()), 1U);
}

std::string_view LineIndex::line(std::uint32_t number) const {
  const std::uint32_t begin = begins[number - 1];
  std::string_view line =
      whole.substr(begin, number < begins.size() ? begins[number] - 1 - begin : std::string_view::npos);
  if (number < begins.size() && line.ends_with('\r'))
    line.remove_suffix(1);
  return line;
}

Region LineIndex::region(const Span& span, ColumnUnit unit) const {
  const auto column = [&](std::uint32_t number, std::uint32_t offset) {
    const std::uint32_t begin = begins[number - 1];
    return column_after(line(number).substr(0, offset > begin ? offset - begin : 0), unit);
  };
  Region region{.line = line_at(span.begin)};
  // A span that takes in the end of its last line ends there, not at the beginning of the next.
  region.end_line = span.end > span.begin ? line_at(span.end - 1) : region.line;
  region.column = column(region.line, span.begin);
  region.end_column = column(region.end_line, span.end);
  return region;
}

const LineIndex* IndexedSources::index(FileId file) {
  if (const auto found = lines.find(file); found != lines.end())
    return &found->second;
  const std::string* text = sources.text(file);
  return text == nullptr ? nullptr : &lines.emplace(file, LineIndex(*text)).first->second;
}

Region IndexedSources::region(const Span& span, ColumnUnit unit) {
  const LineIndex* lines_of_file = index(span.file);
  return lines_of_file == nullptr ? Region{} : lines_of_file->region(span, unit);
}

} // namespace padlint
