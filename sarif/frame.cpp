#include "sarif/frame.h"

#include "analyzer/core/mask.h"
#include "sarif/unicode.h"

#include <algorithm>

namespace padlint {

namespace {

constexpr std::size_t longest_line = 240; // bytes; of a longer line only a part is shown
constexpr std::size_t shown_before = 80;  // the mark
constexpr std::size_t shown_after = 160;  // the mark's beginning
constexpr std::string_view cut = "…";
constexpr std::size_t tab_width = 4;

std::size_t character_begin(std::string_view line, std::size_t at) {
  while (at > 0 && at < line.size() && (static_cast<unsigned char>(line[at]) & 0xC0U) == 0x80U)
    --at;
  return std::min(at, line.size());
}

struct FrameWriter {
  FrameLine frame;
  std::size_t cells = 0;

  void put(char32_t code_point) {
    if (code_point == '\t') {
      const std::size_t width = tab_width - cells % tab_width;
      frame.text.append(width, ' ');
      cells += width;
    } else {
      const std::size_t before = frame.text.size();
      append_printable(frame.text, code_point);
      cells += is_control(code_point) ? frame.text.size() - before : cell_width(code_point);
    }
  }

  void put_cut() {
    frame.text.append(cut);
    ++cells;
  }
};

} // namespace

FrameLine frame_line(std::string_view line, std::size_t begin, std::size_t end) {
  begin = std::min(begin, line.size());
  end = std::clamp(end, begin, line.size());
  std::size_t from = 0;
  std::size_t to = line.size();
  if (line.size() > longest_line) {
    from = character_begin(line, begin > shown_before ? begin - shown_before : 0);
    to = character_begin(line, std::min(begin + shown_after, line.size()));
  }
  const std::size_t context = from > secret_context ? from - secret_context : 0;
  const std::vector<Secret> secrets = secrets_in(line.substr(context, to - context + secret_context));

  FrameWriter writer;
  if (from > 0)
    writer.put_cut();
  auto secret = secrets.begin();
  std::size_t mark_end = 0;
  for (std::size_t at = from; at < to;) {
    if (at <= begin)
      writer.frame.mark_begin = writer.cells;
    while (secret != secrets.end() && context + secret->end <= at)
      ++secret;
    const bool hidden = secret != secrets.end() && context + secret->begin <= at;
    if (hidden) {
      for (const char c : secret_mask)
        writer.put(static_cast<char32_t>(c));
      at = std::min(context + secret->end, to);
    } else {
      writer.put(decode(line.substr(0, to), at));
    }
    if (at <= end || mark_end <= writer.frame.mark_begin)
      mark_end = writer.cells;
  }
  if (begin >= to)
    writer.frame.mark_begin = writer.cells;
  if (to < line.size())
    writer.put_cut();
  writer.frame.mark_end = std::max(mark_end, writer.frame.mark_begin + 1);
  return writer.frame;
}

} // namespace padlint
