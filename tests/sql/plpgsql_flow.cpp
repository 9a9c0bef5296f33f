#include "analyzer/sql/plpgsql.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace padlint {
namespace {

struct Case {
  std::string_view name;
  std::string_view body;
  std::string_view flow; // blocks, then the statements that their events name
};

std::string read(std::string_view body) {
  const SqlText source = whole_file(0, body);
  Routine routine{.form = RoutineForm::sql_function, .name = "f"};
  routine.parameters = {{.name = "p"}, {.name = "k"}};
  std::vector<Statement> statements;
  std::vector<Notice> notices;
  read_plpgsql_body(source, 0, static_cast<std::uint32_t>(body.size()), routine, statements, notices);
  std::string out = "\n" + to_text(routine.flow);
  for (std::size_t i = 0; i < statements.size(); ++i)
    out += fmt::format("sql {}: {}\n", i, to_text(statements[i]));
  for (const Notice& notice : notices)
    out += "notice " + notice.text + "\n";
  return out;
}

const Case cases[] = {
    {"a call in a condition",
     R"(BEGIN
  IF NOT pg_try_advisory_xact_lock(7, p) THEN
    RETURN false;
  END IF;
  UPDATE t SET n = 1;
  RETURN true;
END)",
     R"(
0: sql 0 tested if call(name(pg_try_advisory_xact_lock), 7, name(p)) -> true 1, false 2, error raise, cancel cancel
1: sql 1 dropped -> next return, error raise, cancel cancel
2: -> next return
sql 0: select select_list pg_try_advisory_xact_lock(7, p)
sql 1: update writes=t works
)"},
    {"NOT, AND and OR are edges",
     R"(BEGIN
  IF NOT (p OR pg_try_advisory_lock(1)) AND pg_try_advisory_lock(2) THEN
    CALL a();
  ELSIF k THEN
    CALL b();
  ELSE
    CALL c();
  END IF;
END)",
     R"(
0: if name(p) -> true 1, false 4
1: if name(k) -> true 2, false 3
2: sql 3 dropped -> next return, error raise, cancel cancel
3: sql 4 dropped -> next return, error raise, cancel cancel
4: sql 0 tested if call(name(pg_try_advisory_lock), 1) -> true 1, false 5, error raise, cancel cancel
5: sql 1 tested if call(name(pg_try_advisory_lock), 2) -> true 6, false 1, error raise, cancel cancel
6: sql 2 dropped -> next return, error raise, cancel cancel
sql 0: select select_list pg_try_advisory_lock(1)
sql 1: select select_list pg_try_advisory_lock(2)
sql 2: call a other a()
sql 3: call b other b()
sql 4: call c other c()
)"},
    {"a condition that reads a table",
     R"(BEGIN
  IF (SELECT count(*) FROM members WHERE club = NEW.club) >= 30 THEN
    RAISE EXCEPTION 'club is full';
  END IF;
  RETURN NEW;
END)",
     R"(
0: sql 0 tested if (? >= 30) -> true 1, false 2, error raise, cancel cancel
1: -> error raise
2: -> next return
sql 0: select reads=members works
)"},
    {"declarations run in order, outside of their block's handlers",
     R"(DECLARE
  a int;
  b bigint := own(p);
  c boolean DEFAULT pg_try_advisory_lock(b);
BEGIN
  NULL;
EXCEPTION WHEN OTHERS THEN
  NULL;
END)",
     R"(
0: sql 0 stored(b); b = call(name(own), name(p)); sql 1 stored(c); c = call(name(pg_try_advisory_lock), name(b)); enter name(exception_block) -> next 1, error raise, cancel cancel
1: leave name(exception_block) -> next return
sql 0: select select_list own(p)
sql 1: select select_list pg_try_advisory_lock(b)
)"},
    {"assignment and INTO",
     R"(DECLARE v boolean; w int;
BEGIN
  v := pg_try_advisory_lock(1);
  SELECT pg_try_advisory_lock(2) INTO v;
  SELECT INTO STRICT v, w pg_try_advisory_lock(n), n + 1 FROM t;
  v = w > 1;
  a[1] := 2;
  INSERT INTO t VALUES (1) RETURNING id INTO w;
  RETURN v;
END)",
     R"(
0: sql 0 stored(v); v = call(name(pg_try_advisory_lock), 1); sql 1 stored(v); v = call(name(pg_try_advisory_lock), 2); sql 2 stored; v = call(name(pg_try_advisory_lock), name(n)); w = (name(n) + 1); v = (name(w) > 1); a[] = 2; sql 3 stored(w); w = ? -> next return, error raise, cancel cancel
sql 0: select select_list pg_try_advisory_lock(1)
sql 1: select select_list pg_try_advisory_lock(2) into
sql 2: select select_list pg_try_advisory_lock(n) rows=from reads=t into works
sql 3: insert writes=t into works
)"},
    {"PERFORM and RETURN",
     R"(BEGIN
  PERFORM pg_advisory_lock(id) FROM t;
  RETURN pg_try_advisory_lock(1);
END)",
     R"(
0: sql 0 dropped; sql 1 returned -> next return, error raise, cancel cancel
sql 0: select select_list pg_advisory_lock(id) rows=from reads=t works
sql 1: select select_list pg_try_advisory_lock(1)
)"},
    {"results that go on",
     R"(BEGIN
  RETURN NEXT own(1);
  RETURN QUERY SELECT id FROM t;
  RETURN QUERY EXECUTE 'SELECT pg_try_advisory_lock($1)' USING k;
  RETURN;
END)",
     R"(
0: sql 0 returned; sql 1 returned; sql 2 returned -> next return, error raise, cancel cancel
sql 0: select select_list own(1)
sql 1: select reads=t works
sql 2: select select_list pg_try_advisory_lock(k)
)"},
    {"LOOP, EXIT and CONTINUE",
     R"(BEGIN
  <<outer>>
  LOOP
    CONTINUE outer WHEN p;
    LOOP
      EXIT outer WHEN pg_try_advisory_lock(1);
      EXIT;
    END LOOP;
    PERFORM pg_sleep(1);
  END LOOP;
  CALL behind();
END)",
     R"(
0: -> next 1
1: if name(p) -> true 1, false 2
2: sql 0 tested if call(name(pg_try_advisory_lock), 1) -> true 3, false 4, error raise, cancel cancel
3: sql 2 dropped -> next return, error raise, cancel cancel
4: sql 1 dropped -> next 1, error raise, cancel cancel
sql 0: select select_list pg_try_advisory_lock(1)
sql 1: select
sql 2: call behind other behind()
)"},
    {"a loop without an end",
     R"(BEGIN
  LOOP
    DELETE FROM t;
    COMMIT;
  END LOOP;
END)",
     R"(
0: -> next 1
1: sql 0 dropped; sql 1 dropped -> next 1, error raise, cancel cancel
sql 0: delete writes=t works
sql 1: commit
)"},
    {"WHILE",
     R"(BEGIN
  WHILE NOT pg_try_advisory_lock(1) LOOP
    PERFORM pg_sleep(1);
  END LOOP;
END)",
     R"(
0: -> next 1
1: sql 0 tested if call(name(pg_try_advisory_lock), 1) -> true return, false 2, error raise, cancel cancel
2: sql 1 dropped -> next 1, error raise, cancel cancel
sql 0: select select_list pg_try_advisory_lock(1)
sql 1: select
)"},
    {"FOR and FOREACH",
     R"(DECLARE c CURSOR FOR SELECT id FROM t;
BEGIN
  FOR i IN 1..own(2) LOOP CALL a(i); END LOOP;
  FOR r IN SELECT pg_advisory_lock(id) FROM t LOOP NULL; END LOOP;
  FOR r IN c LOOP CALL b(r); END LOOP;
  FOREACH x IN ARRAY own(p) LOOP NULL; END LOOP;
  FOR r IN EXECUTE 'SELECT pg_advisory_lock(1)' LOOP NULL; END LOOP;
END)",
     R"(
0: sql 0 operand -> next 1, error raise, cancel cancel
1: if ? -> true 2, false 3
2: sql 1 dropped -> next 1, error raise, cancel cancel
3: sql 2 iterated(r) -> next 4, error raise, cancel cancel
4: if ? -> true 4, false 5
5: sql 3 iterated(r) -> next 6, error raise, cancel cancel
6: if ? -> true 7, false 8
7: sql 4 dropped -> next 6, error raise, cancel cancel
8: sql 5 iterated -> next 9, error raise, cancel cancel
9: if ? -> true 9, false 10
10: sql 6 iterated(r) -> next 11, error raise, cancel cancel
11: if ? -> true 11, false return
sql 0: select select_list own(2)
sql 1: call a other a(i)
sql 2: select select_list pg_advisory_lock(id) rows=from reads=t works
sql 3: select reads=t works
sql 4: call b other b(r)
sql 5: select select_list own(p)
sql 6: select select_list pg_advisory_lock(1)
)"},
    {"CASE",
     R"(BEGIN
  CASE pg_try_advisory_lock(1) WHEN true THEN CALL a(); WHEN false, p THEN CALL b(); END CASE;
  CASE WHEN p THEN NULL; ELSE CALL c(); END CASE;
END)",
     R"(
0: sql 0 tested if call(name(pg_try_advisory_lock), 1) -> true 1, false 4, error raise, cancel cancel
1: sql 1 dropped -> next 2, error raise, cancel cancel
2: if name(p) -> true return, false 3
3: sql 3 dropped -> next return, error raise, cancel cancel
4: if call(name(pg_try_advisory_lock), 1) -> true 5, false 6
5: if (call(name(pg_try_advisory_lock), 1) = name(p)) -> true 6, false 7
6: sql 2 dropped -> next 2, error raise, cancel cancel
7: -> error raise
sql 0: select select_list pg_try_advisory_lock(1)
sql 1: call a other a()
sql 2: call b other b()
sql 3: call c other c()
)"},
    {"WHEN OTHERS does not catch cancel",
     R"(BEGIN
  PERFORM pg_advisory_lock(1);
  CALL work();
  PERFORM pg_advisory_unlock(1);
EXCEPTION WHEN OTHERS THEN
  PERFORM pg_advisory_unlock(1);
  RAISE;
END)",
     R"(
0: enter name(exception_block) -> next 1
1: sql 0 dropped; sql 1 dropped; sql 2 dropped; leave name(exception_block) -> next return, error 2, cancel cancel
2: leave name(exception_rollback); sql 3 dropped -> next 3, error raise, cancel cancel
3: -> error raise
sql 0: select select_list pg_advisory_lock(1)
sql 1: call work other work()
sql 2: select select_list pg_advisory_unlock(1)
sql 3: select select_list pg_advisory_unlock(1)
)"},
    {"handlers of cancel, of some errors, of the rest",
     R"(BEGIN
  CALL work();
EXCEPTION
  WHEN query_canceled THEN CALL a(); RAISE;
  WHEN unique_violation OR SQLSTATE '22012' THEN CALL b();
END)",
     R"(
0: enter name(exception_block) -> next 1
1: sql 0 dropped; leave name(exception_block) -> next return, error 2, error raise, cancel 3
2: leave name(exception_rollback); sql 2 dropped -> next return, error raise, cancel cancel
3: leave name(exception_rollback); sql 1 dropped -> next 4, error raise, cancel cancel
4: -> cancel cancel
sql 0: call work other work()
sql 1: call a other a()
sql 2: call b other b()
)"},
    {"an inner block without a fitting handler lets outwards",
     R"(BEGIN
  BEGIN
    CALL work();
  EXCEPTION WHEN unique_violation THEN
    CALL a();
  END;
EXCEPTION WHEN OTHERS THEN
  CALL b();
END)",
     R"(
0: enter name(exception_block) -> next 1
1: enter name(exception_block) -> next 2
2: sql 0 dropped; leave name(exception_block) -> next 3, error 4, error 5, cancel cancel
3: leave name(exception_block) -> next return
4: leave name(exception_rollback); sql 1 dropped -> next 3, error 5, cancel cancel
5: leave name(exception_rollback); sql 2 dropped -> next return, error raise, cancel cancel
sql 0: call work other work()
sql 1: call a other a()
sql 2: call b other b()
)"},
    {"RAISE finds its handler",
     R"(BEGIN
  BEGIN
    RAISE EXCEPTION 'no';
  EXCEPTION WHEN unique_violation THEN
    CALL a();
  END;
  RAISE NOTICE '%', own(1);
  RAISE unique_violation;
EXCEPTION
  WHEN raise_exception THEN CALL b();
  WHEN unique_violation THEN CALL c();
END)",
     R"(
0: enter name(exception_block) -> next 1
1: enter name(exception_block) -> next 2
2: -> error 3
3: leave name(exception_rollback); sql 2 dropped -> next return, error raise, cancel cancel
4: leave name(exception_rollback); sql 3 dropped -> next return, error raise, cancel cancel
5: sql 1 passed -> next 6, error 3, error 4, error raise, cancel cancel
6: -> error 3, error 4
7: leave name(exception_rollback); sql 0 dropped -> next 5, error 3, error 4, error raise, cancel cancel
sql 0: call a other a()
sql 1: select select_list own(1)
sql 2: call b other b()
sql 3: call c other c()
)"},
    {"ASSERT passes WHEN OTHERS",
     R"(BEGIN
  ASSERT pg_try_advisory_lock(1), 'held';
  CALL work();
EXCEPTION WHEN OTHERS THEN
  NULL;
END)",
     R"(
0: enter name(exception_block) -> next 1
1: sql 0 tested if call(name(pg_try_advisory_lock), 1) -> true 2, false 4, error 3, cancel cancel
2: sql 1 dropped; leave name(exception_block) -> next return, error 3, cancel cancel
3: leave name(exception_rollback) -> next return
4: -> cancel cancel
sql 0: select select_list pg_try_advisory_lock(1)
sql 1: call work other work()
)"},
    {"leaving a block with handlers ends its sub-transaction",
     R"(BEGIN
  LOOP
    BEGIN
      EXIT WHEN p;
      CONTINUE WHEN k;
      CALL work();
      RETURN;
    EXCEPTION WHEN OTHERS THEN
      EXIT;
    END;
  END LOOP;
END)",
     R"(
0: -> next 1
1: enter name(exception_block) -> next 2
2: if name(p) -> true 3, false 4
3: leave name(exception_block) -> next return
4: if name(k) -> true 5, false 6
5: leave name(exception_block) -> next 1
6: sql 0 dropped; leave name(exception_block) -> next return, error 7, cancel cancel
7: leave name(exception_rollback) -> next return
sql 0: call work other work()
)"},
    {"statements behind a jump",
     R"(BEGIN
  RETURN;
  PERFORM pg_advisory_lock(1);
END)",
     R"(
0: -> next return
1: sql 0 dropped -> next return, error raise, cancel cancel
sql 0: select select_list pg_advisory_lock(1)
)"},
    {"dynamic SQL",
     R"(BEGIN
  EXECUTE 'SELECT pg_try_advisory_lock($1, $2)' INTO v USING p, k + 1;
  EXECUTE format('SELECT pg_advisory_lock(hashtext(%L), %2$s)', p, k);
  EXECUTE 'SELECT pg_advisory_lock(hashtext(''a:' || p || '''))';
  EXECUTE $q$SELECT 1; SELECT pg_advisory_unlock_all()$q$;
  EXECUTE 'SELECT own(' || quote_literal(p) || ')::int';
  EXECUTE p;
  EXECUTE own(p) USING own(k);
END)",
     R"(
0: sql 0 stored(v); v = call(name(pg_try_advisory_lock), name(p), (name(k) + 1)); sql 1 dropped; sql 2 dropped; sql 3 dropped; sql 4 dropped; sql 5 dropped; sql 6 dropped; sql 7 passed; sql 8 passed; sql 9 dropped -> next return, error raise, cancel cancel
sql 0: select select_list pg_try_advisory_lock(p, k + 1) into
sql 1: select select_list pg_advisory_lock(hashtext(p), k)
sql 2: select select_list pg_advisory_lock(hashtext('a:' || p))
sql 3: select
sql 4: select select_list pg_advisory_unlock_all()
sql 5: select select_list own(p)
sql 6: execute
sql 7: select select_list own(p)
sql 8: select select_list own(k)
sql 9: execute
)"},
    {"cursors and diagnostics",
     R"(DECLARE c CURSOR (n int) FOR SELECT pg_advisory_lock(n);
  d refcursor;
BEGIN
  OPEN c(own(1));
  OPEN d FOR SELECT id FROM t;
  FETCH d INTO v;
  CLOSE d;
  OPEN d FOR EXECUTE 'SELECT pg_advisory_lock($1)' USING 5;
  OPEN c(2);
  GET DIAGNOSTICS n = ROW_COUNT;
END)",
     R"(
0: sql 0 passed; sql 1 iterated(c); sql 2 iterated(d); v = ?; sql 3 iterated; sql 1 iterated(c); n = name(row_count) -> next return, error raise, cancel cancel
sql 0: select select_list own(1)
sql 1: select select_list pg_advisory_lock(n)
sql 2: select reads=t works
sql 3: select select_list pg_advisory_lock(5)
)"},
    {"an expression that does not parse",
     R"(BEGIN
  IF pg_try_advisory_lock(1) AND AND p THEN CALL a(); END IF;
  PERFORM pg_advisory_lock(1 1);
  v := 1 +;
END)",
     R"(
0: sql 0 tested if ? -> true 1, false 2, error raise, cancel cancel
1: sql 1 dropped -> next 2, error raise, cancel cancel
2: sql 2 dropped; v = ? -> next return, error raise, cancel cancel
sql 0: select other pg_try_advisory_lock(1) unparsed
sql 1: call a other a()
sql 2: select other pg_advisory_lock(?) unparsed
notice expression of a PL/pgSQL body not understood
notice statement of a PL/pgSQL body not understood
)"},
};

TEST(PlpgsqlFlow, Blocks) {
  for (const Case& one : cases)
    EXPECT_EQ(read(one.body), one.flow) << one.name;
}

} // namespace
} // namespace padlint
