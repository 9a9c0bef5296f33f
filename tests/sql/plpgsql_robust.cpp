#include "analyzer/sql/plpgsql.h"

#include <gtest/gtest.h>

#include <random>

// Bad input is the normal case while somebody types: it must neither crash nor hang, and every event must name a
// statement, every edge a block.

namespace padlint {
namespace {

void read(std::string_view body) {
  const SqlText source = whole_file(0, body);
  Routine routine{.form = RoutineForm::sql_function, .name = "f"};
  std::vector<Statement> statements;
  std::vector<Notice> notices;
  read_plpgsql_body(source, 0, static_cast<std::uint32_t>(body.size()), routine, statements, notices);
  for (const Block& block : routine.flow.blocks) {
    for (const Event& event : block.events)
      ASSERT_TRUE(event.kind != EventKind::sql || event.number < statements.size()) << body;
    for (const Edge& edge : block.edges)
      ASSERT_TRUE(is_exit(edge.target) || edge.target < routine.flow.blocks.size()) << body;
  }
  for (const Statement& statement : statements)
    ASSERT_LE(statement.span.end, body.size()) << body;
}

constexpr std::string_view samples[] = {
    R"(<<o>> DECLARE v boolean := pg_try_advisory_lock(1); c CURSOR (n int) FOR SELECT id FROM t WHERE id = n;
BEGIN
  IF NOT v OR (SELECT count(*) FROM t) > 3 THEN RAISE EXCEPTION 'a %', own(1) USING ERRCODE = 'P0001'; END IF;
  FOR r IN c(5) LOOP EXIT o WHEN r.id IS NULL; CONTINUE; END LOOP;
EXCEPTION WHEN query_canceled OR SQLSTATE '22012' THEN PERFORM pg_advisory_unlock(1); RAISE; WHEN OTHERS THEN NULL;
END o;)",
    R"(BEGIN
  CASE x WHEN 1, 2 THEN SELECT a, b INTO STRICT p, q.z FROM t; ELSE ASSERT f(x), 'm'; END CASE;
  EXECUTE format('SELECT pg_advisory_lock(hashtext(%L), $1)', 'a''b' || x) INTO v USING 1, x;
  WHILE a[1].b LOOP x.y[2] := 3; GET STACKED DIAGNOSTICS m = MESSAGE_TEXT; END LOOP;
  FOREACH e SLICE 1 IN ARRAY arr LOOP RETURN QUERY EXECUTE $q$SELECT 1$q$ USING e; END LOOP;
  FOR i IN REVERSE 10..1 BY 2 LOOP OPEN c NO SCROLL FOR EXECUTE q; FETCH NEXT FROM c INTO z; CLOSE c; END LOOP;
END)"};

TEST(PlpgsqlRobust, CutAtEveryByte) {
  for (const std::string_view sample : samples)
    for (std::size_t size = 0; size <= sample.size(); ++size)
      read(sample.substr(0, size));
}

TEST(PlpgsqlRobust, WithoutOneByte) {
  for (const std::string_view sample : samples)
    for (std::size_t at = 0; at < sample.size(); ++at)
      read(std::string(sample.substr(0, at)) + std::string(sample.substr(at + 1)));
}

TEST(PlpgsqlRobust, AnyTokensInAnyOrder) {
  constexpr std::string_view tokens[] = {"BEGIN",
                                         "END",
                                         "IF",
                                         "THEN",
                                         "ELSE",
                                         "ELSIF",
                                         "LOOP",
                                         "WHILE",
                                         "FOR",
                                         "IN",
                                         "CASE",
                                         "WHEN",
                                         "EXIT",
                                         "x",
                                         ":=",
                                         "=",
                                         ";",
                                         ";",
                                         ";",
                                         "(",
                                         ")",
                                         "[",
                                         "]",
                                         ",",
                                         ".",
                                         "..",
                                         "SELECT",
                                         "INTO",
                                         "FROM",
                                         "PERFORM",
                                         "RETURN",
                                         "RAISE",
                                         "EXECUTE",
                                         "USING",
                                         "DECLARE",
                                         "<<",
                                         ">>",
                                         "'t'",
                                         "$1",
                                         "EXCEPTION",
                                         "OTHERS",
                                         "CURSOR",
                                         "OPEN",
                                         "FETCH",
                                         "GET",
                                         "FOREACH",
                                         "ASSERT",
                                         "1",
                                         "f(1)",
                                         "NULL",
                                         "NOT",
                                         "AND",
                                         "OR",
                                         "END IF;",
                                         "END LOOP;",
                                         "pg_try_advisory_lock(1)",
                                         "$q$ SELECT 1 $q$",
                                         "format('%s', x)"};
  std::mt19937 random(20240229);
  for (int round = 0; round < 2000; ++round) {
    std::string body = "BEGIN ";
    for (std::size_t i = random() % 60; i > 0; --i)
      body += std::string(tokens[random() % std::size(tokens)]) + " ";
    read(body);
  }
}

TEST(PlpgsqlRobust, SizesAreBounded) {
  std::string handlers = "BEGIN ";
  for (int i = 0; i < 2000; ++i)
    handlers += "IF a THEN CALL b(); END IF; ";
  handlers += "EXCEPTION ";
  for (int i = 0; i < 5000; ++i)
    handlers += "WHEN unique_violation THEN NULL; ";
  read(handlers + "END");

  std::string conditions = "BEGIN CALL a(); EXCEPTION WHEN unique_violation ";
  for (int i = 0; i < 20'000; ++i)
    conditions += "OR no_data_found ";
  read(conditions + "THEN NULL; END");

  std::string operand = "BEGIN CASE f(1";
  for (int i = 0; i < 2000; ++i)
    operand += ", 1";
  operand += ") ";
  for (int i = 0; i < 2000; ++i)
    operand += "WHEN 1 THEN NULL; ";
  read(operand + "END CASE; END");

  std::string tests = "BEGIN IF true";
  for (int i = 0; i < 40; ++i) {
    tests += " AND (false";
    for (int j = 0; j < 40; ++j)
      tests += " OR own(1)";
    tests += ")";
  }
  read(tests + " THEN NULL; END IF; END");

  std::string opens = "DECLARE c CURSOR FOR SELECT 1 FROM t";
  for (int i = 0; i < 2000; ++i)
    opens += ", own(1)";
  opens += "; BEGIN ";
  for (int i = 0; i < 2000; ++i)
    opens += "OPEN c; ";
  read(opens + "END");

  read("BEGIN " + std::string(50'000, '(') + "; END");
  std::string chain = "BEGIN x := a";
  for (int i = 0; i < 5000; ++i)
    chain += " || 'b'";
  read(chain + "; EXECUTE 'SELECT 1'" + std::string(2000, ';') + " END");
}

} // namespace
} // namespace padlint
