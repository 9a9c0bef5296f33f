#include "analyzer/sql/sql.h"
#include "tests/sql/sql_test.h"

#include <gtest/gtest.h>

namespace padlint {
namespace {

struct Case {
  const char* name;
  const char* text;
  const char* printed; // to_text of the facts, after the line with the path
};

class Files : public testing::TestWithParam<Case> {};

std::string printed(std::string_view text, std::string_view path = "a.sql", bool psql = false) {
  std::string facts = to_text(read_sql_file(3, path, text, psql));
  return "\n" + facts.substr(facts.find('\n') + 1);
}

TEST_P(Files, Printed) { EXPECT_EQ(printed(GetParam().text), GetParam().printed); }

const Case cases[] = {
    {"autocommit", "SELECT pg_advisory_xact_lock(1);\nUPDATE t SET a = 1;\n", R"(
file
  0: sql 0; sql 1 -> next return
statement 0: select select_list pg_advisory_xact_lock(1)
statement 1: update writes=t works
)"},
    {"sql_function",
     "CREATE FUNCTION s.take(name text, n int DEFAULT 5) RETURNS boolean LANGUAGE sql STABLE STRICT AS $$\n"
     "  SELECT pg_advisory_xact_lock(1);\n  SELECT pg_try_advisory_xact_lock(hashtext(name), $2);\n$$;",
     R"(
file
  0: sql 0 -> next return
sql_function s.take (text, int) returns boolean sql stable strict
  returns call(name(pg_try_advisory_xact_lock), call(name(hashtext), name(name)), $2)
  0: sql 1 dropped; sql 2 returned -> next return, error raise, cancel cancel
statement 0: create_function s.take
statement 1: select select_list pg_advisory_xact_lock(1)
statement 2: select select_list pg_try_advisory_xact_lock(hashtext(name), $2)
)"},
    {"void_function", "CREATE FUNCTION f() RETURNS void LANGUAGE sql AS 'SELECT pg_try_advisory_lock(hashtext(''a''))'",
     R"(
file
  0: sql 0 -> next return
sql_function f () returns void sql volatile
  0: sql 1 dropped -> next return, error raise, cancel cancel
statement 0: create_function f
statement 1: select select_list pg_try_advisory_lock(hashtext('a'))
)"},
    {"atomic_and_return",
     "CREATE FUNCTION f(k int) RETURNS boolean BEGIN ATOMIC SELECT 1; SELECT pg_try_advisory_lock(k); END;\n"
     "CREATE FUNCTION g(k int) RETURNS boolean RETURN pg_try_advisory_lock(k);",
     R"(
file
  0: sql 0; sql 1 -> next return
sql_function f (int) returns boolean sql volatile
  returns call(name(pg_try_advisory_lock), name(k))
  0: sql 2 dropped; sql 3 returned -> next return, error raise, cancel cancel
sql_function g (int) returns boolean sql volatile
  returns call(name(pg_try_advisory_lock), name(k))
  0: sql 4 returned -> next return, error raise, cancel cancel
statement 0: create_function f
statement 1: create_function g
statement 2: select
statement 3: select select_list pg_try_advisory_lock(k)
statement 4: select select_list pg_try_advisory_lock(k)
)"},
    {"other_language", "CREATE FUNCTION f() RETURNS int LANGUAGE plperl AS $$ pg_advisory_lock(1) $$", R"(
file
  0: sql 0 -> next return
sql_function f () returns int plperl volatile
statement 0: create_function f
)"},
    {"copy_data", "COPY t FROM stdin;\n1\tSELECT pg_advisory_lock(1);\n\\N\t'\n\\.\n\nSELECT 2;", R"(
file
  0: sql 0; sql 1 -> next return
statement 0: copy writes=t works
statement 1: select
)"},
    {"query_files", "SELECT pg_try_advisory_lock(:lockId, ?);\nSELECT pg_advisory_lock({{ key }}, ${other})", R"(
file
  0: sql 0; sql 1 -> next return
statement 0: select select_list pg_try_advisory_lock(:lockId, $1)
statement 1: select select_list pg_advisory_lock(:key, :other)
)"},
    {"named_queries",
     "-- name: TakeTick :exec\nSELECT pg_try_advisory_lock(@tick_key::bigint);\n\n"
     "/* name: take_row^ */\nSELECT pg_try_advisory_lock(@ a);\n-- :name give! :!\nSELECT pg_advisory_unlock(1);",
     R"(
file
  0: -> next return
sql_function TakeTick ()
  0: sql 0 dropped -> next return, error raise, cancel cancel
sql_function take_row ()
  0: sql 1 returned -> next return, error raise, cancel cancel
sql_function give ()
  0: sql 2 dropped -> next return, error raise, cancel cancel
statement 0: select select_list pg_try_advisory_lock(:tick_key::bigint)
statement 1: select select_list pg_try_advisory_lock(@a)
statement 2: select select_list pg_advisory_unlock(1)
)"},
    {"psql_message", "\\echo it's\nSELECT pg_advisory_xact_lock(1) \\; UPDATE t SET a = 1; SELECT 2;", R"(
file
  0: begin; sql 0; sql 1; commit; sql 2 -> next return
statement 0: select select_list pg_advisory_xact_lock(1)
statement 1: update writes=t works
statement 2: select
)"},
    {"psql_autocommit", "\\set AUTOCOMMIT off\nSELECT 1;\nUPDATE t SET a = 1;\nCOMMIT;\n\\set AUTOCOMMIT on\nSELECT 3;",
     R"(
file
  0: begin; sql 0; sql 1; sql 2; sql 3 -> next return
statement 0: select
statement 1: update writes=t works
statement 2: commit
statement 3: select
)"},
    {"psql_branches",
     "SELECT pg_try_advisory_lock(:key) AS mine \\gset job_\n\\if :job_mine\nVACUUM t;\n\\else\n\\quit\n\\endif\n"
     "SELECT pg_advisory_unlock(:'key') \\g /dev/null\n",
     R"(
file
  0: sql 0 stored(job_mine) if name(job_mine) -> true 1, false 2
  1: sql 1 -> next 4
  2: -> next return
  3: -> next 4
  4: sql 2 -> next return
statement 0: select select_list pg_try_advisory_lock(:key)
statement 1: other
statement 2: select select_list pg_advisory_unlock(:key)
)"},
};

INSTANTIATE_TEST_SUITE_P(Kinds, Files, testing::ValuesIn(cases),
                         [](const testing::TestParamInfo<Case>& test) { return std::string(test.param.name); });

TEST(Files, AreScriptsOnlyWithMetaCommands) {
  EXPECT_EQ(read_sql_file(0, "a.sql", "SELECT 1;\n\\echo a\n", false).language, "psql");
  EXPECT_EQ(read_sql_file(0, "a.sql", "COPY t FROM stdin;\n\\N\n\\.\n", false).language, "sql");
  EXPECT_EQ(read_sql_file(0, "a.sql", "SELECT 1 AS a \\gset", false).language, "psql");
  EXPECT_EQ(read_sql_file(0, "a.psql", "SELECT 1", true).language, "psql");
}

TEST(Files, KeepPlacesInBodies) {
  const std::string_view text =
      "\xEF\xBB\xBF-- \xC3\xA4\r\nCREATE FUNCTION f(k bigint) RETURNS void LANGUAGE sql AS\r\n"
      "'SELECT f(''a''), pg_advisory_lock(k)';\r\n"
      "DO 'BEGIN PERFORM pg_advisory_lock(hashtext(''x''), 5); END';";
  const FileFacts facts = read_sql_file(0, "a.sql", text, false);
  std::vector<std::string> spans;
  for (const Statement& statement : facts.statements)
    for (const SqlCall& call : statement.calls)
      spans.push_back(under(text, call.span));
  EXPECT_EQ(joined(spans), "f(''a'')\npg_advisory_lock(k)\npg_advisory_lock(hashtext(''x''), 5)");
  ASSERT_EQ(facts.routines.size(), 3U);
  EXPECT_EQ(under(text, facts.routines[1].name_span), "f");
  EXPECT_EQ(under(text, facts.routines[1].parameters.at(0).span), "k bigint");
  EXPECT_EQ(to_text(facts.routines[1].parameters.at(0).type), "name(bigint)");
  EXPECT_TRUE(under(text, facts.routines[1].span).starts_with("CREATE FUNCTION"));
  EXPECT_TRUE(under(text, facts.routines[1].span).ends_with("'"));
}

TEST(Files, KnowTheirSuppressions) {
  const std::string_view text = "-- padlint: ignore[session-lock, null-key] one at a time\n"
                                "SELECT 'padlint: ignore[no]'; /* padlint: ignore */\n"
                                "DO $$ BEGIN -- padlint: ignore[stale-snapshot]\n END $$;\n"
                                "-- padlint: something else";
  std::vector<std::string> found;
  for (const Suppression& suppression : read_sql_file(0, "a.sql", text, false).suppressions)
    found.push_back(under(text, suppression.span) + "|" + std::to_string(suppression.rules.size()) + "|" +
                    suppression.reason);
  EXPECT_EQ(joined(found), "padlint: ignore[session-lock, null-key] one at a time|2|one at a time\n"
                           "padlint: ignore |0|\n"
                           "padlint: ignore[stale-snapshot]|1|");
}

TEST(Files, OfTextsKeepTheNumbersOfBodies) {
  const SqlReading reading = read("DO $$ BEGIN PERFORM pg_advisory_lock(1); END $$; SELECT 1");
  EXPECT_EQ(reading.top_level, 2U);
  ASSERT_EQ(reading.statements.size(), 3U);
  EXPECT_EQ(to_text(reading.statements[2]), "select select_list pg_advisory_lock(1)");
  ASSERT_EQ(reading.routines.size(), 1U);
  EXPECT_EQ(reading.routines[0].form, RoutineForm::sql_do);
  EXPECT_EQ(reading.routines[0].flow.blocks.at(0).events.at(0).number, 2U);
}

} // namespace
} // namespace padlint
