#include "analyzer/walk/glob.h"

#include <chrono>
#include <gtest/gtest.h>
#include <string>

namespace padlint {
namespace {

struct Case {
  std::string_view pattern;
  std::string_view path;
  bool matches;
};

TEST(Glob, MatchesWholePaths) {
  const Case cases[] = {
      {"a", "a", true},
      {"a", "ab", false},
      {"", "", true},
      {"", "a", false},
      {"*", "", true},
      {"*", "a", true},
      {"*", "a/b", false},
      {"*.c", ".c", true},
      {"*.c", "a.c", true},
      {"*.c", "a.c.c", true},
      {"*.c", "a/b.c", false},
      {"a*b*c", "a-b-b-c", true},
      {"a*b*c", "a-c-b", false},
      {"?", "a", true},
      {"?", "/", false},
      {"?", "", false},
      {"*/c", "a/c", true},
      {"*/c", "a/b/c", false},
      {"*/*/c", "a/b/c", true},
      {"**", "a/b/c", true},
      {"**/c", "c", true},
      {"**/c", "a/c", true},
      {"**/c", "a/b/c", true},
      {"**/c", "bc", false},
      {"a/**", "a/b/c", true},
      {"a/**", "a", false},
      {"a/**/c", "a/c", true},
      {"a/**/c", "a/b/c", true},
      {"a/**/c", "a/b/b/c", true},
      {"a/**/c", "abc", false},
      {"a/**/c", "a/bc", false},
      {"a**c", "abc", true},
      {"a**c", "a/c", false},
      {"a**/c", "ab/c", true},
      {"a**/c", "a/b/c", false},
      {"**/a/**/b", "x/a/y/a/z/b", true},
      {"**/a/*/b", "a/x/c/a/y/b", true},
      {"**/*a/b", "x/ya/b", true},
      {"**/*a*b", "x/a/b/aab", true},
      {"***/c", "a/b/c", true},
      {R"(**\/c)", "a/b/c", true},
      {R"(**\/c)", "c", false},
      {R"(\*)", "*", true},
      {R"(\*)", "a", false},
      {R"(\a)", "a", true},
      {R"(a\)", "a", false},
      {R"(a\)", R"(a\)", false},
  };
  for (const Case& test : cases)
    EXPECT_EQ(Glob(test.pattern).matches(test.path), test.matches) << test.pattern << " : " << test.path;
}

TEST(Glob, SetsOfBytes) {
  const Case cases[] = {
      {"[ab]", "a", true},
      {"[ab]", "c", false},
      {"[a-c]", "b", true},
      {"[c-a]", "b", false},
      {"[!ab]", "c", true},
      {"[!ab]", "a", false},
      {"[^ab]", "c", true},
      {"[^ab]", "b", false},
      {"[!a]", "/", false},
      {"[a/]", "/", false},
      {"[]]", "]", true},
      {"[]-a]", "^", true},
      {"[!]a-]", "b", true},
      {"[!]a-]", "-", false},
      {"[a-]", "-", true},
      {"[-a]", "-", true},
      {R"([\]])", "]", true},
      {R"([a\-z])", "m", false},
      {R"([a\-z])", "-", true},
      {R"([\1-\3])", "2", true},
      {"[[:digit:]]", "7", true},
      {"[[:digit:]]", "a", false},
      {"[![:digit:]x]", "a", true},
      {"[![:digit:]x]", "x", false},
      {"[[:xdigit:][:space:]]", "F", true},
      {"[[:xdigit:][:space:]]", "\v", true},
      {"[[:punct:]]", "~", true},
      {"[[:alpha:]-z]", "-", true},
      {"[[:word:]]", "a", false},
      {"[[:]", ":", true},
      {"[[:]", "[", true},
      {"[a", "a", false},
      {"[a", "[a", false},
      {"[", "[", false},
      {"[]", "[]", false},
      {"[[:digit:", "1", false},
      {"[\xE4-\xFF]", "\xF6", true},
      {"[a-", "a", false},
  };
  for (const Case& test : cases)
    EXPECT_EQ(Glob(test.pattern).matches(test.path), test.matches) << test.pattern << " : " << test.path;
}

TEST(Glob, FitsNamesInAnyFolderWithoutASlash) {
  const Case cases[] = {
      {"test_*.x", "a/b/test_a.x", true}, {"test_*.x", "test_a.x", true},   {"test_*.x", "test_a.x/b", false},
      {"tests/**", "tests/a/b", true},    {"tests/**", "a/tests/b", false}, {"**/tests/**", "a/tests/b", true},
  };
  for (const Case& test : cases)
    EXPECT_EQ(Glob(test.pattern).fits(test.path), test.matches) << test.pattern << " : " << test.path;
}

// With a matcher that tries every way to share a text among the stars, this one would outlive the reader.
TEST(Glob, HostilePatternsEnd) {
  std::string pattern, path;
  for (int count = 0; count < 60; ++count) {
    pattern += "**/*a*a*";
    path += "aaaaaaaa/";
  }
  EXPECT_FALSE(Glob(pattern + "/b").matches(path));
  EXPECT_TRUE(Glob(pattern).matches(path + "aa"));
}

} // namespace
} // namespace padlint
