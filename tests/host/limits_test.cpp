#include "tests/host/sample.h"

#include <gtest/gtest.h>

namespace padlint {
namespace {

std::string repeated(std::string_view text, int times) {
  std::string out;
  for (int i = 0; i < times; ++i)
    out += text;
  return out;
}

bool noted(const FileFacts& facts, std::string_view id) {
  return std::ranges::find(facts.notices, id, &Notice::id) != facts.notices.end();
}

// None of these may crash, whatever else comes out.
TEST(HostLimits, DeepNestingIsOpaque) {
  constexpr int many = 20'000;
  const std::string nested[] = {
      repeated("(", 5 * many) + "1" + repeated(")", 5 * many),
      repeated("[", many) + "1" + repeated("]", many),
      repeated("f(", many) + "1" + repeated(")", many),
      repeated("not ", many) + "x",
      repeated("-", many) + "x",
      repeated("lambda: ", many) + "x",
      "x" + repeated(".f()", many),
      "x" + repeated("[0]", many),
      "x" + repeated(" * x", many),
      "x" + repeated(" + x", many),
      "x" + repeated(" and x", many),
      "x" + repeated(" if x else x", many),
      "'a'" + repeated(" + 'a'", many),
      "[x" + repeated(" for x in x", many) + "]",
      repeated("x = ", many) + "1",
  };
  for (const std::string& expression : nested) {
    const FileFacts facts = read_sample("before = 1\nif " + expression + ": pass\ny = " + expression + "\nafter = 2\n");
    EXPECT_FALSE(facts.routines[0].bindings.empty()) << expression.substr(0, 20) << to_text(facts);
  }
}

TEST(HostLimits, DeepStatementsAreLeftOut) {
  std::string source;
  for (int i = 0; i < 900; ++i)
    source += std::string(static_cast<std::size_t>(i), ' ') + "if x:\n";
  source += std::string(900, ' ') + "a()\n";
  EXPECT_TRUE(noted(read_sample(source), "too-deep"));
  std::string items = "with a";
  for (int i = 0; i < 10'000; ++i)
    items += ", a";
  EXPECT_TRUE(noted(read_sample(items + ":\n    pass\n"), "too-deep"));
}

// Chains that the grammar nests but people write in rows keep every part.
TEST(HostLimits, LongRowsAreRead) {
  constexpr int many = 5000;
  const std::string texts = "x = 'a'" + repeated(" + 'b'", many) + "\n";
  EXPECT_EQ(read_sample(texts).routines[0].bindings[0].value.parts[0].text.size(), many + 1U);
  std::string branches = "if x:\n    a()\n" + repeated("elif y:\n    b()\n", 500);
  const FileFacts facts = read_sample(branches);
  EXPECT_TRUE(facts.notices.empty());
  EXPECT_GT(facts.routines[0].flow.blocks.size(), 1000U);
}

TEST(HostLimits, FlowsEndAtTheirLimit) {
  std::string source = "def f():\n";
  std::string indent = "    ";
  for (int i = 0; i < 12; ++i) { // each level is copied for each way out of the levels around it
    source += indent + "try:\n" + indent + "    if x: return a()\n" + indent + "finally:\n";
    indent += "    ";
  }
  const FileFacts facts = read_sample(source + indent + "b()\n");
  EXPECT_TRUE(noted(facts, "routine-too-large"));
  EXPECT_LE(facts.routines[1].flow.blocks.size(), 2000U);
}

TEST(HostLimits, LargeFilesAreNotParsed) {
  const FileFacts facts = read_sample(std::string((2 << 20) + 1, '\n'));
  EXPECT_TRUE(noted(facts, "too-large"));
  EXPECT_EQ(facts.routines.size(), 1U);
}

TEST(HostLimits, AnyBytesAreRead) {
  const std::string sources[] = {
      "",
      "\n",
      "\xef\xbb\xbf",
      std::string("\0x = 1\0", 7),
      "\xff\xfe x = '\xff\\",
      "x = f'{",
      "x = '''",
      "def",
      "class K(",
      "x = f'{a!r:{b",
      "match x:\n case",
      "try:\n",
      "with",
      "for x in",
      "@",
      "import",
      "from . import",
      "x = \\",
      "if x:",
      "lambda",
      "x[",
      "x = {",
      "except:",
      "return",
      "yield",
      "raise",
      "assert",
      "a if",
      "f(*",
      "global",
  };
  for (const std::string& source : sources)
    EXPECT_FALSE(read_sample(source).routines.empty()) << source;
}

TEST(HostLimits, SameInputSameFacts) {
  const std::string source = "class K:\n    def f(self):\n        with a() as self.b: return [c(d) for d in e]\n";
  EXPECT_EQ(to_text(read_sample(source)), to_text(read_sample(source)));
}

} // namespace
} // namespace padlint
