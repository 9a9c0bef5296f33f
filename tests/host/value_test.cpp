#include "tests/host/sample.h"

#include <gtest/gtest.h>

namespace padlint {
namespace {

/// The value that `x` is bound to in `x = <expression>`.
Value value_of(const std::string& expression) {
  const FileFacts facts = read_sample("x = " + expression + "\n");
  return facts.routines[0].bindings.empty() ? Value{} : facts.routines[0].bindings.back().value;
}

struct Case {
  std::string source;
  std::string printed;
};

TEST(HostValue, Constants) {
  const Case cases[] = {
      {"None", "null"},
      {"True", "true"},
      {"False", "false"},
      {"7", "7"},
      {"-7", "-7"},
      {"261_055_410", "261055410"},
      {"0xFF", "255"},
      {"0X_ff", "255"},
      {"0o17", "15"},
      {"0b101", "5"},
      {"9223372036854775807", "9223372036854775807"},
      {"-9223372036854775808", "-9223372036854775808"},
      {"9223372036854775808", "?"},
      {"1.5", "?"},
      {"3j", "?"},
      {"...", "?"},
      {"(((7)))", "7"},
  };
  for (const Case& entry : cases)
    EXPECT_EQ(to_text(value_of(entry.source)), entry.printed) << entry.source;
}

TEST(HostValue, Texts) {
  const Case cases[] = {
      {R"('a"b')", R"("a\"b")"},
      {R"("""a
b""")",
       R"("a\nb")"},
      {R"("a\tb\x41\u00e9\N{BULLET}\101")", "\"a\\x09bAé\xef\xbf\xbd"
                                            "A\""},
      {R"("\d\'")", R"("\\d'")"},
      {R"(r"\d\n")", R"("\\d\\n")"},
      {R"(b"SELECT 1")", R"("SELECT 1")"},
      {R"("a\
b")",
       R"("ab")"},
      {R"("")", R"("")"},
      {R"("a" "b")", R"(concat("a", "b"))"},
      {R"("a" + b + "c" + "d")", R"(concat("a", name(b), "c", "d"))"},
      {R"(a + b)", "(name(a) + name(b))"},
      {R"(1 + 2 - 3)", "((1 + 2) - 3)"},
      {R"(f"a{b}c{d.e!r:>{w}}")", R"(concat("a", name(b), "c", name(d).e))"},
      {R"(f"a{{b}}")", R"("a{b}")"},
      {R"("a{{b}}")", R"("a{{b}}")"},
      {R"(rf"\d{b}")", R"(concat("\\d", name(b)))"},
      {R"("a" f"b{c}" "d")", R"(concat("a", "b", name(c), "d"))"},
      {R"("%s" % x)", R"(("%s" % name(x)))"},
      {R"("{}".format(x, k=1))", R"(call("{}".format, name(x), k=1))"},
      {R"(", ".join(["a", b]))", R"(call(", ".join, ["a", name(b)]))"},
      {R"(textwrap.dedent("a"))", R"(call(name(textwrap).dedent, "a"))"},
  };
  for (const Case& entry : cases)
    EXPECT_EQ(to_text(value_of(entry.source)), entry.printed) << entry.source;
}

TEST(HostValue, Collections) {
  const Case cases[] = {
      {"[1, a]", "[1, name(a)]"},
      {"(1, a)", "[1, name(a)]"},
      {"1, a", "[1, name(a)]"},
      {"{1, a}", "[1, name(a)]"},
      {"()", "[]"},
      {R"({"k": 1, b: 2})", "{k: 1, : 2}"},
      {R"({**a, "k": 1})", "{: *name(a), k: 1}"},
      {"[*a, 1]", "[*name(a), 1]"},
      {"a[0]", "name(a)[0]"},
      {R"(a.b["c"])", R"(name(a).b["c"])"},
      {"a[1, 2]", "name(a)[[1, 2]]"},
      {"a[1:2]", "name(a)[(1 : 2)]"},
      {"a[:n]", "name(a)[(null : name(n))]"},
      {"a[8:]", "name(a)[(8 : null)]"},
      {"a[::2]", "name(a)[?]"},
      {"[i for i in f()]", "?"},
  };
  for (const Case& entry : cases)
    EXPECT_EQ(to_text(value_of(entry.source)), entry.printed) << entry.source;
}

TEST(HostValue, CallsAndOperations) {
  const Case cases[] = {
      {"f()", "call(name(f))"},
      {"a.b(1, k=c, *d, **e)", "call(name(a).b, 1, k=name(c), *name(d), *name(e))"},
      {"await a.b(1)", "call(name(a).b, 1)"},
      {"f(i for i in a)", "call(name(f), ?)"},
      {"a.b().c", "call(name(a).b).c"},
      {"[lambda: 1]", "[function#1]"},
      {"a if b else c", "choice(name(a), name(c))"},
      {"a if b else c if d else e", "choice(name(a), name(c), name(e))"},
      {"1 if a else 2 if b else 3 if c else 4 if d else 5", "?"},
      {"not a", "(not name(a))"},
      {"-a", "(- name(a))"},
      {"a is None", "(name(a) is null)"},
      {"a is not None", "(name(a) is not null)"},
      {"a not in b", "(name(a) not in name(b))"},
      {"a == b != c", "((name(a) == name(b)) and (name(b) != name(c)))"},
      {"a and b and c or d", "((name(a) and name(b) and name(c)) or name(d))"},
      {"a << 32 | b", "((name(a) << 32) | name(b))"},
      {"(y := f())", "call(name(f))"},
  };
  for (const Case& entry : cases)
    EXPECT_EQ(to_text(value_of(entry.source)), entry.printed) << entry.source;
}

// A value that is too deep keeps its outside; the calls inside it are events with their own full values.
TEST(HostValue, DepthIsBounded) {
  std::string deep = "conn.execute('SELECT 1')";
  for (int i = 0; i < 40; ++i)
    deep += ".where()";
  const FileFacts facts = read_sample("x = " + deep + "\n");
  const std::vector<Event>& events = facts.routines[0].flow.blocks[0].events;
  ASSERT_EQ(events.size(), 42U);
  EXPECT_EQ(to_text(events[0].value), "call(name(conn).execute, \"SELECT 1\")");
  EXPECT_TRUE(to_text(events[40].value).starts_with("call(call(call("));
  EXPECT_NE(to_text(events[40].value).find("?"), std::string::npos);
}

TEST(HostValue, LongListsAreCutAndLongTextsAreJoined) {
  std::string list = "[0";
  std::string text = "'a'";
  for (int i = 1; i < 100; ++i) {
    list += ", " + std::to_string(i);
    text += " 'b'";
  }
  EXPECT_EQ(value_of(list + "]").parts.size(), max_value_parts);
  const Value joined = value_of(text);
  ASSERT_EQ(joined.parts.size(), 1U);
  EXPECT_EQ(joined.parts[0].text, "a" + std::string(99, 'b'));
}

} // namespace
} // namespace padlint
