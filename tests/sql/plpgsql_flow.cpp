#include "tests/sql/plpgsql_test.h"

#include <gtest/gtest.h>

namespace padlint {
namespace {

const PlFlowCase cases[] = {
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
    {"what only turns an answer round or fills it up is seen through",
     R"(BEGIN
  IF (pg_try_advisory_lock(1) IS TRUE) = false THEN CALL a(); END IF;
  IF coalesce(pg_try_advisory_lock(2), false)::boolean IS DISTINCT FROM true THEN CALL b(); END IF;
END)",
     R"(
0: sql 0 tested if call(name(pg_try_advisory_lock), 1) -> true 1, false 3, error raise, cancel cancel
1: sql 2 tested if call(name(pg_try_advisory_lock), 2) -> true return, false 2, error raise, cancel cancel
2: sql 3 dropped -> next return, error raise, cancel cancel
3: sql 1 dropped -> next 1, error raise, cancel cancel
sql 0: select select_list pg_try_advisory_lock(1)
sql 1: call a other a()
sql 2: select select_list pg_try_advisory_lock(2)
sql 3: call b other b()
)"},
    {"a condition that reads a table",
     R"(BEGIN
  IF (SELECT count(*) FROM members WHERE club = NEW.club) >= 30 THEN
    RAISE EXCEPTION 'club is full';
  END IF;
  RETURN NEW;
END)",
     R"(
0: sql 0 tested if ((call(name(count)) select ?) >= 30) -> true 1, false 2, error raise, cancel cancel
1: -> error raise
2: -> next return
sql 0: select reads=members works
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
  for (const PlFlowCase& one : cases)
    EXPECT_EQ(plpgsql_flow_of(one.body), one.flow) << one.name;
}

} // namespace
} // namespace padlint
