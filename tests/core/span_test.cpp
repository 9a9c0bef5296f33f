#include "analyzer/core/span.h"

#include <gtest/gtest.h>

namespace padlint {
namespace {

TEST(Position, CountsLinesAndCodePoints) {
  struct Case {
    std::string_view text;
    std::uint32_t offset;
    std::uint32_t line;
    std::uint32_t column;
  };
  const Case cases[] = {
      {"", 0, 1, 1},
      {"abc", 2, 1, 3},
      {"abc", 3, 1, 4},
      {"abc", 99, 1, 4}, // beyond the end: the end
      {"a\nb", 1, 1, 2}, // the line end belongs to its line
      {"a\nb", 2, 2, 1},
      {"a\r\nb", 2, 1, 2}, // "\r\n" is one line end
      {"a\r\nb", 3, 2, 1},
      {"a\rb", 2, 1, 3},          // a lone "\r" ends no line
      {"é€x", 5, 1, 3},           // two and three bytes, two columns
      {"é€x", 3, 1, 2},           // inside a code point: its begin
      {"\xEF\xBB\xBFx", 3, 1, 1}, // a byte order mark has no width
      {"\xEF\xBB\xBFx\ny", 5, 2, 1},
  };
  for (const Case& c : cases) {
    const Position position = position_at(c.text, c.offset);
    EXPECT_EQ(position.line, c.line) << c.text << " at " << c.offset;
    EXPECT_EQ(position.column, c.column) << c.text << " at " << c.offset;
  }
}

TEST(Span, PrintsBothEnds) { EXPECT_EQ(to_text(Span{0, 2, 5}, "a\nbcd\n"), "2:1-2:4"); }

TEST(Span, ContainsOnlyInOneFile) {
  const Span outer{1, 0, 9};
  EXPECT_TRUE(outer.contains({1, 2, 9}));
  EXPECT_FALSE(outer.contains({1, 2, 10}));
  EXPECT_FALSE(outer.contains({2, 2, 3}));
}

} // namespace
} // namespace padlint
