#include "tests/sql/sql_test.h"

#include <gtest/gtest.h>
#include <pthread.h>

namespace padlint {
namespace {

struct Case {
  const char* sql;
  const char* printed;
};

class Statements : public testing::TestWithParam<Case> {};

TEST_P(Statements, Printed) { EXPECT_EQ(statements(GetParam().sql), GetParam().printed); }

const Case cases[] = {
    // transactions and settings
    {"BEGIN; COMMIT; END; ROLLBACK; ABORT", "begin\ncommit\ncommit\nrollback\nrollback"},
    {"START TRANSACTION ISOLATION LEVEL REPEATABLE READ", "begin"},
    {"SAVEPOINT a; ROLLBACK TO a; RELEASE a", "savepoint a\nrollback_to a\nrelease_savepoint a"},
    {"PREPARE TRANSACTION 'g'", "other prepare transaction=g"},
    {"SET LOCAL Lock_Timeout = '5S'", "set lock_timeout=5s local"},
    {"SET statement_timeout TO 0", "set statement_timeout=0"},
    {"SET search_path = a, B", "set search_path=a, b"},
    {"SELECT set_config('lock_timeout', '5s', true)", "select lock_timeout=5s local"},
    {"RESET lock_timeout", "set lock_timeout=default"},
    {"SET TRANSACTION ISOLATION LEVEL SERIALIZABLE", "set transaction=serializable"},
    // tables
    {"INSERT INTO s.T VALUES (1)", "insert writes=s.t works"},
    {"SELECT * FROM a JOIN b USING (id), \"C\"", "select reads=a,b,C works"},
    {"WITH x AS (SELECT * FROM a) DELETE FROM b USING x", "delete reads=a writes=b works"},
    {"TRUNCATE a, b", "other writes=a,b works"},
    {"CREATE TABLE a (id int)", "create_table a writes=a works"},
    {"CREATE TABLE a AS SELECT lock_all() FROM b",
     "create_table a select_list lock_all() rows=from reads=b writes=a works"},
    {"ALTER TABLE a ADD b int DEFAULT f(1)", "other writes=a works"},
    {"CREATE INDEX CONCURRENTLY i ON a (b)", "create_index i=concurrently writes=a works"},
    {"DROP TABLE a.b", "other writes=a.b works"},
    {"COPY a FROM STDIN", "copy writes=a works"},
    {"COPY (SELECT f(1)) TO STDOUT", "copy select_list f(1)"},
    {"LOCK TABLE a", "other reads=a works"},
    {"CREATE TRIGGER t BEFORE INSERT ON a FOR EACH ROW EXECUTE FUNCTION s.fn()", "create_trigger s.fn=row writes=a"},
    {"LISTEN jobs", "listen jobs"},
    {"DROP FUNCTION s.f(int)", "drop_function s.f=1"},
    // which calls count
    {"SELECT count(*), now(), hashtext('a'), pg_sleep(1)", "select"},
    {"SELECT take(1), S.take(2)", "select select_list take(1), select_list s.take(2)"},
    {"SELECT PG_ADVISORY_LOCK(1), pg_catalog.pg_advisory_unlock_all()",
     "select select_list pg_advisory_lock(1), select_list pg_advisory_unlock_all()"},
    {"SELECT pg_advisory_xact_unlock(1)", "select select_list pg_advisory_xact_unlock(1)"},
    {"CALL s.work(1)", "call work other s.work(1)"},
    {"EXECUTE p(f(1))", "execute p other f(1)"},
    {"PREPARE p AS SELECT pg_advisory_lock(1)", "prepare p"},
    {"DECLARE c CURSOR FOR SELECT pg_advisory_lock(1)", "other"},
    {"CREATE VIEW v AS SELECT pg_advisory_lock(1)", "other"},
    {"VALUES (pg_try_advisory_lock(1)), (pg_try_advisory_lock(2))",
     "select values pg_try_advisory_lock(1) rows=from, values pg_try_advisory_lock(2) rows=from"},
    {"UPDATE t SET a = pg_try_advisory_lock(1) WHERE id = 5",
     "update set_clause pg_try_advisory_lock(1) rows=from,unique_lookup writes=t works"},
    // keys that the text itself declares
    {"CREATE TABLE t (code text UNIQUE); SELECT pg_advisory_lock(n) FROM t WHERE code = $1",
     "create_table t writes=t works\n"
     "select select_list pg_advisory_lock(n) rows=from,unique_lookup reads=t works"},
    {"SELECT pg_advisory_lock(n) FROM t WHERE code = $1",
     "select select_list pg_advisory_lock(n) rows=from reads=t works"},
    // what does not parse costs only itself
    {"SELECT FROM WHERE; SELECT pg_advisory_lock(7", "select unparsed\n"
                                                     "select other pg_advisory_lock() unparsed"},
    {"SELECT pg_advisory_lock(hashtext('a'), f(1, 2)) FORM t ORDER; SELECT 1",
     "select other pg_advisory_lock(hashtext('a'), f(1, 2)) unparsed\n"
     "select"},
    {"INSERT INTO s.\"T\" (a, b) VALUES (1, 2)) FROM x", "insert reads=x writes=s.T works unparsed"},
    {"-- SELECT pg_advisory_lock(1)\n/* pg_advisory_lock(2) */ 'pg_advisory_lock(3)'", "other unparsed"},
};

INSTANTIATE_TEST_SUITE_P(Kinds, Statements, testing::ValuesIn(cases));

TEST(Reading, SaysWhetherTheTextIsSql) {
  EXPECT_TRUE(read("SELECT 1").sql);
  EXPECT_FALSE(read("could not take pg_advisory_lock(5)").sql);
  EXPECT_FALSE(read("").sql);
}

TEST(Reading, NotesAnAdvisoryLockThatDoesNotParse) {
  const SqlReading reading = read("SELECT FROM ORDER; SELECT pg_advisory_lock(1) FORM t ORDER");
  ASSERT_EQ(reading.notices.size(), 1U);
  EXPECT_EQ(reading.notices[0].id, "sql-not-parsed");
  EXPECT_EQ(reading.notices[0].span, reading.statements[1].span);
}

TEST(Reading, SplitsByTokens) {
  const std::string_view source = "SELECT ';' ; ; DO $x$ a; $$b;$$ $x$;\nSELECT E'\\';' /* ; /* ; */ ; */ ;"
                                  "CREATE FUNCTION f() RETURNS int BEGIN ATOMIC SELECT CASE WHEN true THEN 1 END; "
                                  "SELECT 2; END; SELECT \"a;\"";
  std::vector<std::string> parts;
  const SqlReading reading = read(source);
  for (std::size_t i = 0; i < reading.top_level; ++i)
    parts.push_back(under(source, reading.statements[i].span));
  EXPECT_EQ(joined(parts),
            "SELECT ';'\n"
            "DO $x$ a; $$b;$$ $x$\n"
            "SELECT E'\\';'\n"
            "CREATE FUNCTION f() RETURNS int BEGIN ATOMIC SELECT CASE WHEN true THEN 1 END; SELECT 2; END\n"
            "SELECT \"a;\"");
}

struct Placed {
  const char* style;
  const char* sql;
  const char* printed;
};

class Placeholders : public testing::TestWithParam<Placed> {};

TEST_P(Placeholders, Printed) { EXPECT_EQ(statements(GetParam().sql, {GetParam().style}), GetParam().printed); }

const Placed placed[] = {
    {"%s", "SELECT f(%s, %s), '%s'", "select select_list f($1, $2)"},
    {"%s", "SELECT f(a %% 8, %s)", "select select_list f(a % 8, $1)"},
    {"%s", "SELECT f(%(key)s, %(other)s)", "select select_list f(:key, :other)"},
    {"%s", "SELECT f(%1$s, %ld)", "select select_list f($1, $1)"},
    {"%s", "SELECT f(1) WHERE a>=%s", "select select_list f(1)"},
    {"%s", "DO $$ BEGIN PERFORM pg_advisory_lock(%s); END $$", "do\nselect select_list pg_advisory_lock($1)"},
    {":name", "SELECT f(:lockId::bigint, a[1:2], :b) WHERE x=:c", "select select_list f(:lockId::bigint, a[?], :b)"},
    {":name", "SELECT f(a::int, ':b')", "select select_list f(a::int, ':b')"},
    {"?", "SELECT f(?, ?) WHERE a=? LIMIT ?", "select select_list f($1, $2) rows=limit"},
    {"?", "SELECT f(?) FROM t WHERE data ? 'k' AND data ?| ARRAY['a']",
     "select select_list f($1) rows=from reads=t works"},
    {"?", "SELECT f(?2, ?1)", "select select_list f($2, $1)"},
    {"{}", "SELECT f({}, {0}, {name})", "select select_list f($1, $1, :name)"},
    {"$n", "SELECT @extschema@.f(1)", "select select_list padlint_hole_0.f(1)"},
    {"$n", "SELECT f($1, @key) WHERE a @> b", "select select_list f($1, :key)"},
};

INSTANTIATE_TEST_SUITE_P(Styles, Placeholders, testing::ValuesIn(placed));

TEST(PlaceholderSpans, LeadToThePlaceholder) {
  const std::string_view source = "SELECT pg_advisory_lock(%(a)s, %s) -- %s";
  const std::vector<std::string> styles{"%s"};
  const SqlReading reading = read_sql(whole_file(0, source), styles);
  const SqlCall& call = reading.statements.at(0).calls.at(0);
  EXPECT_EQ(under(source, call.span), "pg_advisory_lock(%(a)s, %s)");
  EXPECT_EQ(under(source, call.arguments.at(0).span), "%(a)s");
  EXPECT_EQ(under(source, call.arguments.at(1).span), "%s");
}

/// Reads on a thread with the stack that the callers of this layer give it.
std::string on_a_reader_thread(std::string source) {
  struct Job {
    std::string source;
    std::string printed;
  } job{std::move(source), {}};
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, std::size_t{16} << 20);
  pthread_t thread{};
  const auto run = [](void* argument) -> void* {
    Job& work = *static_cast<Job*>(argument);
    work.printed = statements(work.source);
    return nullptr;
  };
  EXPECT_EQ(pthread_create(&thread, &attributes, run, &job), 0);
  pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
  return job.printed;
}

std::string repeated(std::string_view part, int times) {
  std::string result;
  for (int i = 0; i < times; ++i)
    result += part;
  return result;
}

TEST(Limits, LongAndDeepTextsAreReadByTokens) {
  const std::string lock = "SELECT pg_advisory_lock(7)";
  const std::string unparsed = "select other pg_advisory_lock(7) unparsed";
  EXPECT_EQ(on_a_reader_thread(lock + repeated(", 1", 20'000)), unparsed);
  EXPECT_EQ(on_a_reader_thread(lock + " WHERE " + repeated("(", 5'000) + "1" + repeated(")", 5'000)), unparsed);
  EXPECT_EQ(on_a_reader_thread(lock + " WHERE " + repeated("NOT ", 9'000) + "a"), unparsed);
  EXPECT_EQ(on_a_reader_thread(lock + ", '" + std::string(std::size_t{1} << 20, 'x') + "'"), unparsed);
}

TEST(Limits, ChainsDoNotOverflow) {
  const std::string lock = "SELECT pg_advisory_lock(7)";
  const std::string read_whole = "select select_list pg_advisory_lock(7)";
  for (const char* link : {" + 1", " || 'a'", "::int", " - - 1", " IS NULL", " AND true"})
    EXPECT_EQ(on_a_reader_thread(lock + ", a" + repeated(link, 4'900)), read_whole) << link;
  EXPECT_EQ(on_a_reader_thread(lock + repeated(" UNION ALL SELECT 1", 4'900)), "select other pg_advisory_lock(7)");
}

TEST(Limits, EveryPrefixIsRead) {
  const std::string source = "WITH q AS (SELECT id FROM t WHERE a = E'\\'' LIMIT 3) SELECT CASE WHEN x THEN (SELECT "
                             "pg_try_advisory_lock(q.id, -5)) END::bit(3)[1], $a$ x $a$ FROM q JOIN u ON true /* c */";
  for (std::size_t size = 0; size <= source.size(); ++size)
    EXPECT_LE(read(std::string_view(source).substr(0, size)).statements.size(), 1U);
}

TEST(Limits, BytesThatAreNoText) {
  const std::string_view source("SELECT '\0\xFF\xC3', pg_advisory_lock(1)", 33);
  EXPECT_EQ(statements(source), "select select_list pg_advisory_lock(1)");
}

} // namespace
} // namespace padlint
