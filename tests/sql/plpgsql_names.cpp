#include "analyzer/sql/plpgsql.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

namespace padlint {
namespace {

struct Case {
  std::string_view name;
  std::string_view body;
  std::string_view names; // bindings, names that are read, values that are returned
};

Routine read(const SqlText& source, std::uint32_t begin, std::vector<Statement>& statements) {
  Routine routine{.form = RoutineForm::sql_function, .name = "own_lock"};
  routine.parameters = {{.name = "p"}, {.name = "k"}};
  std::vector<Notice> notices;
  read_plpgsql_body(source, begin, static_cast<std::uint32_t>(source.text.size()), routine, statements, notices);
  return routine;
}

std::string names(std::string_view body) {
  std::vector<Statement> statements;
  const Routine routine = read(whole_file(0, body), 0, statements);
  std::string out = "\n";
  for (const Binding& binding : routine.bindings) {
    const char* role = binding.role == BindingRole::iterated ? "in" : "=";
    const std::string type = binding.type.is(ValueKind::opaque) ? "" : " " + binding.type.text;
    out += fmt::format("{}{} {} {}\n", binding.name, type, role, to_text(binding.value));
  }
  out += fmt::format("reads {}\n", fmt::join(routine.reads, " "));
  for (const Value& value : routine.returns)
    out += fmt::format("returns {}\n", to_text(value));
  return out;
}

const Case cases[] = {
    {"a variable that nothing reads", R"(DECLARE v boolean; BEGIN v := pg_try_advisory_lock(1); RETURN FOUND; END)", R"(
v boolean = call(name(pg_try_advisory_lock), 1)
reads 
returns name(found)
)"},
    {"declarations",
     R"(DECLARE a int := 1; b numeric(10, 2); c ALIAS FOR $1; d CONSTANT text DEFAULT 'x' || k;
BEGIN b = a; END)",
     R"(
a int = 1
c = $1
d text = ("x" || name(k))
b numeric(10, 2) = name(a)
reads a k
)"},
    {"a declaration without a value", "DECLARE a int; BEGIN RETURN a; END", R"(
a int = ?
reads a
returns name(a)
)"},
    {"INTO",
     R"(DECLARE a int; r record; BEGIN
  SELECT f(p), (k) AS x INTO a, r.n FROM t;
  SELECT DISTINCT x, y INTO a FROM t;
  EXECUTE 'SELECT $1, 2' INTO a, r USING k + 1;
  GET DIAGNOSTICS a = ROW_COUNT;
  r.n[1] := 2;
END)",
     R"(
a int = call(name(f), name(p))
r.n = name(k)
a int = ?
a int = (name(k) + 1)
r record = 2
a int = name(row_count)
reads k p
)"},
    {"loops",
     R"(BEGIN
  FOR i IN 1..p LOOP NULL; END LOOP;
  FOR r IN SELECT id FROM t LOOP PERFORM r.id; END LOOP;
  FOREACH x IN ARRAY p LOOP NULL; END LOOP;
END)",
     R"(
i in (1 .. name(p))
r in ?
x in name(p)
reads p r
)"},
    {"a variable behind a label, a column of that name behind a table",
     R"(<<b>> DECLARE v int := 1; w int := 2; BEGIN PERFORM t.v, b.w FROM t; END)", R"(
v int = 1
w int = 2
reads w
)"},
    {"what is assigned and not declared is an OUT parameter, and so is NEW",
     "BEGIN NEW.n := 1; got := pg_try_advisory_lock(1); END", R"(
new.n = 1
got = call(name(pg_try_advisory_lock), 1)
reads got new.n
)"},
    {"the target of INTO is not read",
     "DECLARE v int; w int; BEGIN SELECT 1 INTO v; INSERT INTO t VALUES (w) RETURNING id INTO v; END", R"(
w int = ?
v int = 1
v int = ?
reads w
)"},
};

TEST(PlpgsqlNames, BindingsReadsAndReturns) {
  for (const Case& one : cases)
    EXPECT_EQ(names(one.body), one.names) << one.name;
}

/// A body in a plain literal: two quotes in the file are one in the body.
TEST(PlpgsqlNames, PlacesLeadThroughDoubledQuotes) {
  const std::string_view file = "AS 'BEGIN PERFORM pg_advisory_lock(hashtext(''a'' || p)); END'";
  SqlText source;
  for (std::uint32_t i = 4; i + 1 < file.size(); ++i) {
    const OffsetStep step{.text = 0, .source = i};
    source.append(file.substr(i, 1), 0, std::span(&step, 1));
    i += file.substr(i, 2) == "''" ? 1 : 0;
  }
  std::vector<Statement> statements;
  read(source, 0, statements);
  ASSERT_EQ(statements.size(), 1U);
  const auto at = [&](Span span) { return file.substr(span.begin, span.end - span.begin); };
  EXPECT_EQ(at(statements[0].span), "PERFORM pg_advisory_lock(hashtext(''a'' || p))");
  EXPECT_EQ(at(statements[0].calls[0].span), "pg_advisory_lock(hashtext(''a'' || p))");
}

TEST(PlpgsqlNames, PlacesInDynamicSqlAreInItsLiterals) {
  const std::string_view file = "BEGIN EXECUTE format('SELECT pg_advisory_lock(%L, hashtext(''a''))', p); END";
  std::vector<Statement> statements;
  read(whole_file(0, file), 0, statements);
  ASSERT_EQ(statements.size(), 1U);
  const Span span = statements[0].calls[0].span;
  EXPECT_EQ(file.substr(span.begin, span.end - span.begin), "pg_advisory_lock(%L, hashtext(''a''))");
  EXPECT_EQ(to_text(statements[0]), "select select_list pg_advisory_lock(p, hashtext('a'))");
}

/// A call in a condition has one place in the condition, in its statement and in the file.
TEST(PlpgsqlNames, ConditionsAreTheCallsOfTheirStatements) {
  std::vector<Statement> statements;
  const Routine routine = read(
      whole_file(0, "BEGIN IF p AND (pg_try_advisory_lock(1)) IS NOT TRUE THEN RETURN 1; END IF; END"), 0, statements);
  ASSERT_EQ(statements.size(), 1U);
  EXPECT_EQ(routine.flow.blocks.at(1).condition.span, statements[0].calls.at(0).span);
}

TEST(PlpgsqlNames, LeavingEdgesHaveThePlaceOfTheirStatement) {
  const std::string_view body = "BEGIN IF p THEN RETURN 1; ELSIF k THEN RAISE EXCEPTION 'no'; END IF; END";
  std::vector<Statement> statements;
  const Routine routine = read(whole_file(0, body), 0, statements);
  std::vector<std::string_view> places;
  for (const Block& block : routine.flow.blocks)
    for (const Edge& edge : block.edges)
      if (is_exit(edge.target))
        places.push_back(body.substr(edge.span.begin, edge.span.end - edge.span.begin));
  EXPECT_EQ(places, (std::vector<std::string_view>{"RETURN 1", "", "RAISE EXCEPTION 'no'"}));
}

} // namespace
} // namespace padlint
