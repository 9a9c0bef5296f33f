#include "sarif/sources.h"
#include "sarif/frame.h"
#include "sarif/unicode.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace padlint {
namespace {

/// `line:column-end_line:end_column` of the first place of `marked`.
std::string region(std::string_view text, std::string_view marked, ColumnUnit unit) {
  const std::size_t at = text.find(marked);
  const Span span{.begin = static_cast<std::uint32_t>(at), .end = static_cast<std::uint32_t>(at + marked.size())};
  const Region region = LineIndex(text).region(span, unit);
  return fmt::format("{}:{}-{}:{}", region.line, region.column, region.end_line, region.end_column);
}

TEST(Sources, ColumnsInEachUnit) {
  const std::string_view text = "a\n\xC3\xA9\xF0\x9F\x94\x92\tlock()\n";
  EXPECT_EQ(region(text, "lock()", ColumnUnit::code_point), "2:4-2:10");
  EXPECT_EQ(region(text, "lock()", ColumnUnit::utf16), "2:5-2:11");
  EXPECT_EQ(region(text, "lock()", ColumnUnit::byte), "2:8-2:14");
}

TEST(Sources, LineEnds) {
  EXPECT_EQ(region("a\r\nlock\r\n", "lock", ColumnUnit::utf16), "2:1-2:5");
  EXPECT_EQ(region("a\r\nlock\r\n", "lock\r\n", ColumnUnit::utf16), "2:1-2:5");
  EXPECT_EQ(region("a\rlock", "lock", ColumnUnit::utf16), "1:3-1:7");
  EXPECT_EQ(region("a\nlock", "lock", ColumnUnit::utf16), "2:1-2:5");
  EXPECT_EQ(region("f(\n  1)\n", "f(\n  1)", ColumnUnit::utf16), "1:1-2:5");
  EXPECT_EQ(region("", "", ColumnUnit::utf16), "1:1-1:1");
  EXPECT_EQ(region("a\n", "", ColumnUnit::utf16), "1:1-1:1");
}

TEST(Sources, ByteOrderMarkHasNoWidth) {
  for (const ColumnUnit unit : {ColumnUnit::code_point, ColumnUnit::utf16, ColumnUnit::byte})
    EXPECT_EQ(region("\xEF\xBB\xBFlock\n", "lock", unit), "1:1-1:5");
  EXPECT_EQ(LineIndex("\xEF\xBB\xBFlock\n").line(1), "lock");
  EXPECT_EQ(region("\xEF\xBB\xBFlock\n", "\xEF\xBB\xBFlock", ColumnUnit::utf16), "1:1-1:5");
}

TEST(Sources, SpansBeyondTheTextStayInIt) {
  const Region region = LineIndex("ab\ncd").region({.begin = 4, .end = 900}, ColumnUnit::utf16);
  EXPECT_EQ(region, (Region{.line = 2, .column = 2, .end_line = 2, .end_column = 3}));
}

TEST(Unicode, InvalidBytesAreReplacedPartByPart) {
  EXPECT_EQ(valid_utf8("a\xFF"
                       "b\xE2\x82"
                       "c\xF0\x9F\x94"),
            "a\uFFFD"
            "b\uFFFD"
            "c\uFFFD");
  EXPECT_EQ(valid_utf8("\xED\xA0\x80"), "\uFFFD\uFFFD\uFFFD"); // a surrogate
  EXPECT_EQ(valid_utf8("\xC0\x80"), "\uFFFD\uFFFD");           // overlong
  EXPECT_EQ(valid_utf8("\xF4\x90\x80\x80"), "\uFFFD\uFFFD\uFFFD\uFFFD");
  EXPECT_EQ(valid_utf8("\u00E9\u20AC\U0001F512"), "\u00E9\u20AC\U0001F512");
  EXPECT_EQ(valid_utf8("\u00E9\u20AC\U0001F512", 2), "\u00E9\u20AC");
}

TEST(Unicode, ControlsAreEscaped) {
  EXPECT_EQ(printable("a\x1b[31mb\n\x7f\u202e\u0085"), "a\\x1b[31mb\\x0a\\x7f\\u202e\\x85");
}

/// The line, and under it its mark.
std::string frame(std::string_view line, std::string_view marked) {
  const std::size_t at = line.find(marked);
  const FrameLine frame = frame_line(line, at, at + marked.size());
  return fmt::format("{}\n{}{}", frame.text, std::string(frame.mark_begin, ' '),
                     std::string(frame.mark_end - frame.mark_begin, '^'));
}

TEST(Frame, MarksTheSpan) {
  EXPECT_EQ(frame("db.lock(1)", "lock"), "db.lock(1)\n   ^^^^");
  EXPECT_EQ(frame("lock", "lock"), "lock\n^^^^");
  EXPECT_EQ(frame("", ""), "\n^");
  EXPECT_EQ(frame_line("ab", 2, 2).mark_begin, 2U);
}

TEST(Frame, CountsCells) {
  EXPECT_EQ(frame("\tlock", "lock"), "    lock\n    ^^^^");
  EXPECT_EQ(frame("ab\tlock", "lock"), "ab  lock\n    ^^^^");
  EXPECT_EQ(frame("\U0001F512 lock", "lock"), "\U0001F512 lock\n   ^^^^");
  EXPECT_EQ(frame("\u9396 lock", "lock"), "\u9396 lock\n   ^^^^");
  EXPECT_EQ(frame("e\u0301 lock", "lock"), "e\u0301 lock\n  ^^^^");
  EXPECT_EQ(frame("\u9396", "\u9396"), "\u9396\n^^");
  EXPECT_EQ(frame("\x1b lock", "lock"), "\\x1b lock\n     ^^^^");
  EXPECT_EQ(frame("\xFF lock", "lock"), "\uFFFD lock\n  ^^^^");
}

TEST(Frame, MasksSecrets) {
  EXPECT_EQ(frame("c('postgres://u:secret@h').lock()", "lock"),
            "c('postgres://u:***@h').lock()\n                        ^^^^");
  EXPECT_EQ(frame("password='abcdef' x", "cd"), "password='***' x\n          ^^^");
}

TEST(Frame, CutsLongLines) {
  const std::string line = std::string(500, 'a') + "lock" + std::string(500, 'b');
  EXPECT_EQ(frame(line, "lock"),
            "…" + std::string(80, 'a') + "lock" + std::string(156, 'b') + "…\n" + std::string(81, ' ') + "^^^^");
  const std::string wide = std::string(100, 'a') + "password=x" + std::string(5000, 'y') + " lock";
  EXPECT_FALSE(frame(wide, "lock").contains('y'));
}

} // namespace
} // namespace padlint
