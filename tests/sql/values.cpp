#include "tests/sql/sql_test.h"

#include <gtest/gtest.h>

namespace padlint {
namespace {

struct Case {
  const char* sql; // the argument of a lock call
  const char* value;
};

class Values : public testing::TestWithParam<Case> {};

TEST_P(Values, Printed) {
  EXPECT_EQ(arguments(std::string("SELECT pg_advisory_lock(") + GetParam().sql + ")"), GetParam().value);
}

const Case cases[] = {
    {"42", "42"},
    {"0", "0"},
    {"-5", "-5"},
    {"- 5", "-5"},
    {"9223372036854775807", "9223372036854775807"},
    {"9223372036854775808", "?"},
    {"1.5", "?"},
    {"7, 42", "7\n42"},
    {"null", "null"},
    {"true", "true"},
    {"'a''b'", "\"a'b\""},
    {"''", "\"\""},
    {R"(E'a\nb\'\x41\u00e9')", "\"a\\nb'A\xC3\xA9\""},
    {"$$x'y$$", "\"x'y\""},
    {"$2", "$2"},
    {"id", "name(id)"},
    {"T.\"Id\"", "name(t.Id)"},
    {"hashtext(name)", "call(name(hashtext), name(name))"},
    {"pg_catalog.hashtext(name)", "call(name(hashtext), name(name))"},
    {"my.key(1)", "call(name(my.key), 1)\n1"},
    {"5::bigint", "5::bigint"},
    {"CAST(5 AS pg_catalog.int8)", "5::int8"},
    {"int '5'", "\"5\"::int"},
    {"('x' || substr(md5(k), 1, 16))::bit(64)::bigint",
     "(\"x\" || call(name(substr), call(name(md5), name(k)), 1, 16))::bit(64)::bigint"},
    {"x::double precision", "name(x)::double precision"},
    {"x::int[]", "name(x)::int[]"},
    {"'t'::regclass::int, id", "\"t\"::regclass::int\nname(id)"},
    {"(7::bigint << 32) | 42", "((7::bigint << 32) | 42)"},
    {"a % 8", "(name(a) % 8)"},
    {"-a", "(- name(a))"},
    {"NOT a AND b OR c", "(((not name(a)) and name(b)) or name(c))"},
    {"a IN (1, 2)", "(name(a) in [1, 2])"},
    {"a IS NOT NULL", "(is not null name(a))"},
    {"COALESCE(a, 0)", "call(name(coalesce), name(a), 0)"},
    {"LEAST(a, b), GREATEST(a, b)", "call(name(least), name(a), name(b))\ncall(name(greatest), name(a), name(b))"},
    {"nullif(a, 1)", "call(name(nullif), name(a), 1)"},
    {"CASE WHEN a THEN 1 ELSE 2 END", "choice(1, 2)"},
    {"CASE WHEN a THEN 1 END", "choice(1, null)"},
    {"(SELECT max(id) FROM t)", "(call(name(max), name(id)) select ?)"},
    {"ARRAY[1, 2]", "[1, 2]"},
    {"keys[1]", "name(keys)[1]"},
    {"(r).id", "name(r).id"},
    {"new.id", "name(new.id)"},
    {"key => 1", "key=1"},
    {"sqlc.arg(lock_id)", ":lock_id"},
    {"@lock_id", ":lock_id"},
    {"extract(epoch FROM d)::int", "call(name(extract), \"epoch\", name(d))::int"},
    {"current_date - d", "(call(name(current_date)) - name(d))"},
};

INSTANTIATE_TEST_SUITE_P(Arguments, Values, testing::ValuesIn(cases));

/// The text under the spans of a call, of its name and of its arguments.
std::string spans(std::string_view source) {
  std::vector<std::string> lines;
  for (const Statement& statement : read(source).statements)
    for (const SqlCall& call : statement.calls) {
      lines.push_back(under(source, call.span));
      lines.push_back("  " + under(source, call.name_span));
      for (const Value& argument : call.arguments)
        lines.push_back("  " + under(source, argument.span));
    }
  return joined(lines);
}

TEST(Spans, CoverTheWholeExpression) {
  EXPECT_EQ(spans("SELECT 1, pg_catalog . pg_advisory_lock ( ('x' || f(y))::bit(64)::bigint , -5 ) FROM t"),
            "pg_catalog . pg_advisory_lock ( ('x' || f(y))::bit(64)::bigint , -5 )\n"
            "  pg_advisory_lock\n"
            "  ('x' || f(y))::bit(64)::bigint\n"
            "  -5\n"
            "f(y)\n"
            "  f\n"
            "  y");
  EXPECT_EQ(spans("SELECT \"pg_advisory_lock\"(CAST(a + (b) AS bigint))"),
            "\"pg_advisory_lock\"(CAST(a + (b) AS bigint))\n"
            "  \"pg_advisory_lock\"\n"
            "  CAST(a + (b) AS bigint)");
  EXPECT_EQ(spans("SELECT pg_advisory_lock(CASE WHEN a THEN 1 ELSE 2 END, f(ARRAY[1])) /* ) */"),
            "pg_advisory_lock(CASE WHEN a THEN 1 ELSE 2 END, f(ARRAY[1]))\n"
            "  pg_advisory_lock\n"
            "  CASE WHEN a THEN 1 ELSE 2 END\n"
            "  f(ARRAY[1])\n"
            "f(ARRAY[1])\n"
            "  f\n"
            "  ARRAY[1]");
}

TEST(Spans, CountBytesBehindOtherText) {
  EXPECT_EQ(spans("\xEF\xBB\xBF-- \xC3\xA4\xE2\x82\xAC\r\nSELECT '\xC3\xA4',\r\n  pg_advisory_lock(\r\n7)"),
            "pg_advisory_lock(\r\n7)\n"
            "  pg_advisory_lock\n"
            "  7");
}

TEST(Spans, LeadFromDecodedTextToTheSource) {
  const std::string_view source = "SELECT pg_advisory_lock(hashtext('it''s'))";
  const Statement statement = read(source).statements.at(0);
  const Value& text = statement.calls.at(0).arguments.at(0).parts.at(1);
  EXPECT_EQ(text.text, "it's");
  ASSERT_FALSE(text.steps.empty());
  EXPECT_EQ(source.substr(text.steps.front().source, 2), "it");
  EXPECT_EQ(text.steps.back().text, 3U);
  EXPECT_EQ(source.substr(text.steps.back().source, 2), "s'");
}

TEST(Spans, LeadThroughTheEscapesOfAHost) {
  // The host wrote: "SELECT\n pg_advisory_lock(\x37)" with two escapes, and a hole behind.
  const std::string_view source = R"~("SELECT\n pg_advisory_lock(\x37, " + key + ")")~";
  SqlText text;
  const std::vector<OffsetStep> steps{{0, 1}, {6, 7}, {7, 9}, {25, 27}, {26, 31}};
  text.append("SELECT\n pg_advisory_lock(7, ", 0, steps);
  text.append_hole(make_name("key", {0, 37, 40}));
  const std::vector<OffsetStep> tail{{0, 44}};
  text.append(")", 0, tail);
  const SqlReading reading = read_sql(text, {});
  ASSERT_EQ(reading.statements.size(), 1U);
  EXPECT_EQ(to_text(reading.statements[0]), "select select_list pg_advisory_lock(7, $hole1)");
  const SqlCall& call = reading.statements[0].calls.at(0);
  EXPECT_EQ(under(source, call.arguments.at(0).span), "\\x37");
  EXPECT_EQ(under(source, call.arguments.at(1).span), "key");
  EXPECT_EQ(under(source, call.name_span), "pg_advisory_lock");
  EXPECT_EQ(under(source, call.span), R"~(pg_advisory_lock(\x37, " + key + "))~");
}

TEST(Spans, StayInTheFirstFile) {
  SqlText text;
  const std::vector<OffsetStep> here{{0, 10}};
  const std::vector<OffsetStep> there{{0, 500}};
  text.append("SELECT pg_advisory_lock(", 1, here);
  text.append("7)", 2, there);
  EXPECT_EQ(text.source(7, 25), (Span{1, 17, 34}));
  EXPECT_EQ(text.source(24, 26), (Span{2, 500, 502}));
}

TEST(Holes, InsideAQuotedLiteralMakeAConcat) {
  SqlText text;
  const std::vector<OffsetStep> steps{{0, 0}};
  text.append("SELECT pg_advisory_lock(hashtext('job:", 0, steps);
  text.append_hole(make_name("job", {0, 40, 43}));
  text.append(":x'))", 0, std::vector<OffsetStep>{{0, 50}});
  const SqlReading reading = read_sql(text, {});
  EXPECT_EQ(to_text(reading.statements.at(0).calls.at(0).arguments.at(0)),
            "call(name(hashtext), concat(\"job:\", $hole1, \":x\"))");
}

TEST(Holes, WhereAClauseStandsAreLeftOut) {
  SqlText text;
  const std::vector<OffsetStep> steps{{0, 0}};
  text.append("SELECT pg_try_advisory_lock(id) FROM t WHERE a = 1 ", 0, steps);
  text.append_hole(make_name("order", {0, 60, 65}));
  text.append(" LIMIT 5", 0, std::vector<OffsetStep>{{0, 70}});
  const SqlReading reading = read_sql(text, {});
  EXPECT_EQ(to_text(reading.statements.at(0)),
            "select select_list pg_try_advisory_lock(id) rows=from,limit reads=t works");
}

} // namespace
} // namespace padlint
