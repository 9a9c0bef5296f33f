#include "sarif/sources.h"

#include "analyzer/core/mask.h"
#include "sarif/frame.h"
#include "sarif/line_hash.h"
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
    if (static_cast<unsigned char>(line[at]) < 0x80) { // nearly all
      ++at;
      ++column;
      continue;
    }
    const char32_t code_point = decode(line, at);
    column += unit == ColumnUnit::utf16 ? utf16_length(code_point) : 1;
  }
  return column;
}

} // namespace

Sources whole_sources(std::function<std::string_view(FileId)> path, std::function<const std::string*(FileId)> text) {
  auto hashes = [text](FileId file) {
    const std::string* whole = text(file);
    return whole == nullptr ? std::vector<std::string>() : line_hashes(*whole);
  };
  return {.path = std::move(path), .text = std::move(text), .line_hashes = std::move(hashes)};
}

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

std::string IndexedSources::line_hash(FileId file, std::uint32_t line) {
  const auto [known, is_new] = hashes.try_emplace(file);
  if (is_new)
    known->second = sources.line_hashes(file);
  return line <= known->second.size() ? known->second[line - 1] : "";
}

std::string marked_text(std::string_view text, const Span& span) {
  std::string marked;
  const std::size_t end = std::min<std::size_t>(span.end, text.size());
  std::size_t at = std::min<std::size_t>(span.begin, end);
  for (std::uint32_t line = 0; line < most_marked_lines && at < end; ++line) {
    // Secrets are found in whole lines, but for those of minified files.
    const std::size_t line_end = std::min(text.find('\n', at), text.size());
    const std::size_t stop = std::min(line_end + 1, end);
    std::size_t begin = at > secret_context ? at - secret_context : 0;
    if (const std::size_t before = text.substr(begin, at - begin).rfind('\n'); before != std::string_view::npos)
      begin += before + 1;
    const std::string_view around = text.substr(begin, std::min(line_end, stop + secret_context) - begin);
    marked += veiled(around).substr(at - begin, stop - at);
    if (stop > line_end)
      marked += '\n';
    at = stop;
  }
  return marked;
}

} // namespace padlint
