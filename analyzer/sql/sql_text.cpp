#include "analyzer/sql/sql.h"

#include <algorithm>
#include <fmt/format.h>

// A text keeps where it stands as joints. A joint is written only where the mapping changes, so that a whole file has
// one, and a host literal has one more for each escape.

namespace padlint {

namespace {

/// The longest escape sequence of one character that hosts write: `\U0001F600`, `&#x1F600;`.
constexpr std::uint32_t longest_escape = 10;

std::size_t joint_at(const SqlText& text, std::uint32_t offset) {
  auto after = std::ranges::upper_bound(text.joints, offset, {}, &SqlJoint::text);
  return after == text.joints.begin() ? 0 : static_cast<std::size_t>(after - text.joints.begin()) - 1;
}

/// Where the byte before `end` ends in the source. A character that was written as an escape has a joint of its own and
/// is longer in the source than in the text: it ends where the next joint begins.
std::uint32_t source_end(const SqlText& text, std::size_t index, std::uint32_t end) {
  const SqlJoint& joint = text.joints[index];
  if (joint.hole)
    return joint.source_end;
  std::uint32_t result = joint.source + (end - joint.text);
  if (index + 1 < text.joints.size()) {
    const SqlJoint& next = text.joints[index + 1];
    if (next.text == end && next.file == joint.file && next.source > result && !next.starts_literal &&
        next.source - result < longest_escape)
      result = next.source;
  }
  return result;
}

} // namespace

void SqlText::add_joint(const SqlJoint& joint) {
  if (!joints.empty() && !joint.hole) {
    const SqlJoint& last = joints.back();
    if (!last.hole && last.file == joint.file && last.source + (joint.text - last.text) == joint.source)
      return;
  }
  joints.push_back(joint);
}

void SqlText::append(std::string_view literal, FileId file, std::span<const OffsetStep> steps) {
  const auto base = static_cast<std::uint32_t>(text.size());
  for (const OffsetStep& step : steps)
    add_joint({.text = base + step.text, .file = file, .source = step.source, .starts_literal = step.text == 0});
  text += literal;
}

void SqlText::append_hole(Value value) {
  joints.push_back({.text = static_cast<std::uint32_t>(text.size()),
                    .file = value.span.file,
                    .source = value.span.begin,
                    .source_end = value.span.end,
                    .hole = true});
  text += hole_name(holes.size());
  holes.push_back(std::move(value));
}

Span SqlText::source(std::uint32_t begin, std::uint32_t end) const {
  if (joints.empty())
    return {};
  const std::size_t first = joint_at(*this, begin);
  const SqlJoint& joint = joints[first];
  Span span{.file = joint.file, .begin = joint.hole ? joint.source : joint.source + (begin - joint.text)};
  span.end = span.begin;
  if (begin >= end)
    return span;
  for (std::size_t last = joint_at(*this, end - 1); last >= first; --last) {
    const std::uint32_t part_end = last + 1 < joints.size() ? std::min(end, joints[last + 1].text) : end;
    const std::uint32_t stop = source_end(*this, last, part_end);
    if (joints[last].file == span.file && stop >= span.begin) {
      span.end = stop;
      break;
    }
    if (last == 0)
      break;
  }
  return span;
}

std::string hole_name(std::size_t index) { return fmt::format("padlint_hole_{}", index); }

SqlText whole_file(FileId file, std::string_view text) {
  SqlText result;
  const OffsetStep start;
  result.append(text, file, {&start, 1});
  if (text.starts_with("\xEF\xBB\xBF")) // a byte order mark would read as a letter
    result.text.replace(0, 3, "   ");
  return result;
}

} // namespace padlint
