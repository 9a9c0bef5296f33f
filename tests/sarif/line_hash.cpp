#include "sarif/line_hash.h"

#include <gtest/gtest.h>

namespace padlint {
namespace {

using Hashes = std::vector<std::string>;

// The values are those of GitHub's own code.
TEST(LineHash, IsGitHubs) {
  EXPECT_EQ(line_hashes(""), Hashes{"c129715d7a2bc9a3:1"});
  EXPECT_EQ(line_hashes("one\n"), (Hashes{"f24741a93d04f387:1", "c129715d7a2bc9a3:1"}));
  EXPECT_EQ(line_hashes("import queue_lib\n\ndef grab(cur):\n\tcur.execute(\"SELECT pg_advisory_lock(9107)\")\n"
                        "    # caf\xC3\xA9 \xF0\x9F\x94\x92 note\n"),
            (Hashes{"b4d9de7b9d553003:1", "c8d4de0859886f5b:1", "ea3f12ef19785bd:1", "ccb2efe2be7d20c7:1",
                    "fdfe0c6f877be44c:1", "c129715d7a2bc9a3:1"}));
}

TEST(LineHash, ByteOrderMarkCounts) {
  EXPECT_EQ(line_hashes("\xEF\xBB\xBF"
                        "BEGIN;\r\nSELECT pg_try_advisory_lock(11, 4);\r\nCOMMIT;\r\n"),
            (Hashes{"2108df2230474b77:1", "12ce090755fac7ee:1", "48a713b58bc07d29:1", "c129715d7a2bc9a3:1"}));
}

TEST(LineHash, InvalidUtf8AndLoneCarriageReturns) {
  EXPECT_EQ(line_hashes("x \xFF\xFE bad \xE2\x82 y\nsame\nsame\nsame\n\xF0\x9F\x94\x92 line\r\rlast"),
            (Hashes{"dda88b579af6617f:1", "b8eaa2e1defee6ea:1", "d8d3fc4c0fcc6eaa:1", "a1eddc069217e16a:1",
                    "35fc6f40e205db2a:1", "2bafa474670c5ca1:1", "58429ecce5a8d0db:1"}));
}

TEST(LineHash, EqualLinesWithEqualSurroundingsGetOrdinals) {
  std::string text;
  for (int i = 0; i < 200; ++i)
    text += "a\n";
  const Hashes hashes = line_hashes(text);
  EXPECT_EQ(hashes[1].substr(0, hashes[1].find(':')), hashes[0].substr(0, hashes[0].find(':')));
  EXPECT_TRUE(hashes[1].ends_with(":2"));
  EXPECT_EQ(line_hashes("\r \n").size(), 3U);
  EXPECT_EQ(line_hashes("\r\n").size(), 2U);
}

} // namespace
} // namespace padlint
