#include "analyzer/walk/ignore.h"

#include <gtest/gtest.h>
#include <string_view>

namespace padlint {
namespace {

struct Case {
  std::string_view patterns;
  std::string_view path; // a folder has a '/' at the end
  char verdict;          // 'i'gnored, 'k'ept, '-' nothing said
};

TEST(IgnoreFile, LastFittingPatternDecides) {
  const Case cases[] = {
      {"a", "a", 'i'},
      {"a", "a/", 'i'},
      {"a", "x/y/a", 'i'},
      {"a", "A", '-'},
      {"a/", "a", '-'},
      {"a/", "a/", 'i'},
      {"a/", "x/a/", 'i'},
      {"/a", "a", 'i'},
      {"/a", "x/a", '-'},
      {"/a/", "a", '-'},
      {"x/a", "x/a", 'i'},
      {"x/a", "y/x/a", '-'},
      {"/x/a", "x/a", 'i'},
      {"**/x/a", "y/x/a", 'i'},
      {"x/**", "x/a", 'i'},
      {"x/**", "x/", '-'},
      {"*.o", "x/a.o", 'i'},
      {"*.o", "a.oo", '-'},
      {"*.o", "a.b.o", 'i'},
      {"*.a.o", "b.a.o", 'i'},
      {"*.[ao]", "a.o", 'i'},
      {"/*.o", "x/a.o", '-'},
      {"*.o\n!a.o", "a.o", 'k'},
      {"*.o\n!a.o", "b.o", 'i'},
      {"!a.o\n*.o", "a.o", 'i'},
      {"*\n!*/\n!*.c", "a.c", 'k'},
      {"*\n!*/\n!*.c", "x/", 'k'},
      {"*\n!*/\n!*.c", "a.h", 'i'},
      {"a/\n!a", "a/", 'k'},
      {"a\n!a/", "a", 'i'},
      {"# a", "# a", '-'},
      {"#a", "#a", '-'},
      {R"(\#a)", "#a", 'i'},
      {R"(\!a)", "!a", 'i'},
      {"!", "a", '-'},
      {"/", "a/", '-'},
      {"a ", "a", 'i'},
      {"a  ", "a ", '-'},
      {R"(a\ )", "a ", 'i'},
      {R"(a\  )", "a ", 'i'},
      {R"(a\\ )", R"(a\)", 'i'},
      {"a b", "a b", 'i'},
      {" a", " a", 'i'},
      {" a", "a", '-'},
      {"a\t", "a", '-'},
      {"a\r\nb\r\n", "a", 'i'},
      {"a\r\r\n", "a", '-'},
      {"a\rb", "a\rb", 'i'},
      {"\xEF\xBB\xBF"
       "a",
       "a", 'i'},
      {"\n\n\na", "a", 'i'},
      {R"(a\)", "a", '-'},
      {"a**/b", "ab", 'i'}, // git takes the plain `a` off first
      {"x/a**b", "x/a/b", '-'},
      {std::string_view("a\0b", 3), "a", 'i'},
  };
  for (const Case& test : cases) {
    const bool folder = test.path.ends_with('/');
    const auto verdict =
        IgnoreFile(test.patterns).judge(test.path.substr(0, test.path.size() - (folder ? 1 : 0)), folder);
    const char letter = verdict == IgnoreFile::Verdict::ignored ? 'i'
                        : verdict == IgnoreFile::Verdict::kept  ? 'k'
                                                                : '-';
    EXPECT_EQ(letter, test.verdict) << test.patterns << " : " << test.path;
  }
}

TEST(IgnoreScope, TheInnermostFileThatSaysAnythingDecides) {
  const auto outer = std::make_shared<const IgnoreScope>(nullptr, 0, IgnoreFile("*.log\n/in/a.c"));
  const IgnoreScope inner{outer, 3, IgnoreFile("!keep.log\n/b.c")};
  const std::pair<std::string_view, bool> cases[] = {
      {"in/x.log", true}, {"in/keep.log", false}, {"in/a.c", true}, {"in/b.c", true}, {"in/x/b.c", false},
  };
  for (const auto& [path, expected] : cases)
    EXPECT_EQ(ignored(&inner, path, false), expected) << path;
  EXPECT_FALSE(ignored(nullptr, "a", false));
}

} // namespace
} // namespace padlint
