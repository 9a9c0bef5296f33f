#include "tests/host/sample.h"

#include <gtest/gtest.h>

namespace padlint {
namespace {

/// The byte of the source from which each decoded byte of a text comes.
std::string sources(const Value& text, std::string_view source) {
  std::string out;
  std::size_t step = 0;
  for (std::uint32_t i = 0; i < text.text.size(); ++i) {
    while (step + 1 < text.steps.size() && text.steps[step + 1].text <= i)
      ++step;
    out += source[text.steps[step].source + (i - text.steps[step].text)];
  }
  return out;
}

struct Case {
  std::string_view what;
  std::string source;
  std::string decoded;
  std::string sources; // an escape is known by its backslash
};

TEST(HostOffsets, EachDecodedByteLeadsBack) {
  const Case cases[] = {
      {"verbatim", "x = 'abc'\n", "abc", "abc"},
      {"short escapes", R"(x = 'a\nb\'c')", "a\nb'c", "a\\b\\c"},
      {"escape first and last", R"(x = '\ta\t')", "\ta\t", "\\a\\"},
      {"hexadecimal and octal", R"(x = 'a\x41b\101c')", "aAbAc", "a\\b\\c"},
      {"wide escape", R"(x = 'a\U0001F512b')",
       "a\xf0\x9f\x94\x92"
       "b",
       "a\\U00b"},
      {"unknown escape", R"(x = 'a\db')", "a\\db", "a\\db"},
      {"raw", R"(x = r'a\nb')", "a\\nb", "a\\nb"},
      {"joined lines", "x = 'a\\\nb'\n", "ab", "ab"},
      {"doubled braces", "x = f'a{{b}}c'\n", "a{b}c", "a{b}c"},
      {"triple quotes, indented", "x = '''\n    a\n    b'''\n", "\n    a\n    b", "\n    a\n    b"},
      {"CRLF", "x = '''a\r\nb\r\nc'''\r\n", "a\nb\nc", "a\nb\nc"},
      {"byte order mark", "\xef\xbb\xbfx = 'abc'\n", "abc", "abc"},
      {"UTF-8", "x = 'ä\\tö'\n", "ä\tö", "ä\\ö"},
      {"UTF-8 before", "ä = 'ö'; x = 'b'\n", "b", "b"},
  };
  for (const Case& entry : cases) {
    const FileFacts facts = read_sample(entry.source);
    ASSERT_FALSE(facts.routines[0].bindings.empty()) << entry.what;
    const Value& value = facts.routines[0].bindings.back().value;
    EXPECT_EQ(value.text, entry.decoded) << entry.what;
    EXPECT_EQ(sources(value, entry.source), entry.sources) << entry.what;
  }
}

// The decoded byte of a two-byte escape stands at the backslash, and what follows right behind it.
TEST(HostOffsets, StepsAreExact) {
  const FileFacts facts = read_sample("x = 'ab\\ncd'\n");
  const std::vector<OffsetStep> expected = {{0, 5}, {3, 9}};
  EXPECT_EQ(facts.routines[0].bindings[0].value.steps.list(), expected);
}

TEST(HostOffsets, PiecesOfATemplateHaveTheirOwn) {
  const std::string source = "x = f'a\\t{b}cd' 'e'\n";
  const FileFacts facts = read_sample(source);
  const Value& value = facts.routines[0].bindings[0].value;
  ASSERT_EQ(value.parts.size(), 4U);
  EXPECT_EQ(sources(value.parts[0], source), "a\\");
  EXPECT_EQ(sources(value.parts[2], source), "cd");
  EXPECT_EQ(sources(value.parts[3], source), "e");
}

TEST(HostOffsets, SpansAreWhatTheSourceSays) {
  const std::string source = "def f(conn):\n    return conn.execute('a', [k]).fetchone()[0]\n";
  const FileFacts facts = read_sample(source);
  const auto said = [&](const Span& span) { return source.substr(span.begin, span.end - span.begin); };
  const Routine& routine = facts.routines[1];
  EXPECT_EQ(said(routine.name_span), "f");
  EXPECT_EQ(said(routine.parameters[0].span), "conn");
  const std::vector<Event>& events = routine.flow.blocks[0].events;
  ASSERT_EQ(events.size(), 2U);
  EXPECT_EQ(said(events[0].span), "conn.execute('a', [k])");
  EXPECT_EQ(said(events[1].span), "conn.execute('a', [k]).fetchone()");
  // The call in a value and the event of that call have one span.
  EXPECT_EQ(routine.returns[0].parts[0].span, events[1].span);
  EXPECT_EQ(said(routine.flow.blocks[0].edges.back().span), "return conn.execute('a', [k]).fetchone()[0]");
}

} // namespace
} // namespace padlint
