#include "analyzer/sql/plpgsql_parse.h"

#include <gtest/gtest.h>

namespace padlint {
namespace {

struct Case {
  std::string_view name;
  std::string_view body;
  std::string_view tree;
};

std::string parsed(std::string_view text) {
  return "\n" + to_text(plpgsql_parse(text, scan(text, 0, static_cast<std::uint32_t>(text.size()))), text);
}

const Case cases[] = {
    {"declarations",
     R"(#variable_conflict use_column
<<outer>>
DECLARE
  v_key CONSTANT bigint NOT NULL := hashtext(p_name);
  "Odd Name" text = 'a;b';
  list numeric(10, 2)[] DEFAULT ARRAY[1, 2];
  row_of drawer%ROWTYPE;
  other ALIAS FOR $1;
  c NO SCROLL CURSOR (n int) FOR SELECT * FROM t WHERE id = n;
  d refcursor;
BEGIN
  NULL;
END outer;)",
     R"(
block outer
  variable v_key `bigint` = `hashtext(p_name)`
  variable Odd Name `text` = `'a;b'`
  variable list `numeric(10, 2)[]` = `ARRAY[1, 2]`
  variable row_of `drawer%ROWTYPE`
  alias other = `$1`
  cursor c = `SELECT * FROM t WHERE id = n`
  variable d `refcursor`
  null
)"},
    {"if",
     R"(BEGIN IF a THEN PERFORM f(1); ELSIF (SELECT CASE WHEN b THEN 1 END) = 1 THEN x := 1; ELSEIF c THEN NULL;
ELSE RETURN; END IF; END)",
     R"(
block
  if
  when `a`
    perform `f(1)`
  when `(SELECT CASE WHEN b THEN 1 END) = 1`
    assign x `1`
  when `c`
    null
  else
    return
)"},
    {"case",
     R"(BEGIN
  CASE x WHEN 1, 2 THEN y = 1; WHEN 3 THEN NULL; ELSE END CASE;
  CASE WHEN x > 1 THEN NULL; END CASE;
END)",
     R"(
block
  case `x`
  when `1`, `2`
    assign y `1`
  when `3`
    null
  else
  case
  when `x > 1`
    null
)"},
    {"loops",
     R"(BEGIN
  <<l>> LOOP EXIT l WHEN NOT FOUND; CONTINUE; EXIT; END LOOP l;
  WHILE n > 0 LOOP n := n - 1; END LOOP;
  FOR i IN REVERSE 10..1 BY 2 LOOP NULL; END LOOP;
  FOR i IN 1 .. f(2) LOOP NULL; END LOOP;
  FOR a, b IN SELECT x, y FROM t LOOP NULL; END LOOP;
  FOR r IN c(1, 2) LOOP NULL; END LOOP;
  FOR r IN c LOOP NULL; END LOOP;
  FOR r IN EXECUTE 'SELECT ' || q USING 1, v LOOP NULL; END LOOP;
  FOREACH x SLICE 1 IN ARRAY arr LOOP NULL; END LOOP;
END)",
     R"(
block
  loop l
    exit l `NOT FOUND`
    continue
    exit
  while `n > 0`
    assign n `n - 1`
  for range i with `10`, `1`, `2`
    null
  for range i with `1`, `f(2)`
    null
  for query a, b `SELECT x, y FROM t`
    null
  for cursor c r with `1`, `2`
    null
  for cursor c r
    null
  for query r dynamic `'SELECT ' || q` with `1`, `v`
    null
  foreach x `arr`
    null
)"},
    {"assignments", R"(BEGIN a := 1; b.c = 2; d[1].e := 3; $1 := 4; "X" := 5; close := 6; g := count(*) FROM t; END)",
     R"(
block
  assign a `1`
  assign b.c `2`
  assign d[] `3`
  assign $1 `4`
  assign X `5`
  assign close `6`
  assign g `count(*) FROM t`
)"},
    {"returns",
     R"(BEGIN RETURN; RETURN a + 1; RETURN NEXT r; RETURN QUERY SELECT 1; RETURN QUERY EXECUTE q USING 1; END)",
     R"(
block
  return
  return `a + 1`
  return next `r`
  return query `SELECT 1`
  return query dynamic `q` with `1`
)"},
    {"raise",
     R"(BEGIN
  RAISE;
  RAISE 'plain'
    'ly';
  RAISE NOTICE '% %', a, f(b);
  RAISE EXCEPTION 'no' USING ERRCODE = 'P0002', HINT = h || 'x';
  RAISE unique_violation USING MESSAGE = 'm';
  RAISE SQLSTATE '22012';
  RAISE EXCEPTION USING MESSAGE = m;
END)",
     R"(
block
  raise
  raise exception
  raise notice with `a`, `f(b)`
  raise exception p0002 with `'P0002'`, `h || 'x'`
  raise exception unique_violation with `'m'`
  raise exception 22012
  raise exception with `m`
)"},
    {"SQL and its INTO",
     R"(BEGIN
  SELECT pg_try_advisory_lock(1) INTO STRICT v;
  SELECT INTO a, r.b x, y FROM t;
  INSERT INTO t VALUES (1) RETURNING id INTO new_id;
  INSERT INTO t SELECT 1;
  WITH w AS (INSERT INTO t VALUES (1) RETURNING id) SELECT id INTO v FROM w;
  MERGE INTO t USING s ON true WHEN MATCHED THEN DELETE;
  CALL p(1); COMMIT AND CHAIN; ROLLBACK;
  DO $x$ BEGIN NULL; END $x$;
END)",
     R"(
block
  sql v `SELECT pg_try_advisory_lock(1) INTO STRICT v` without `INTO STRICT v`
  sql a, r.b `SELECT INTO a, r.b x, y FROM t` without `INTO a, r.b`
  sql new_id `INSERT INTO t VALUES (1) RETURNING id INTO new_id` without `INTO new_id`
  sql `INSERT INTO t SELECT 1`
  sql v `WITH w AS (INSERT INTO t VALUES (1) RETURNING id) SELECT id INTO v FROM w` without `INTO v`
  sql `MERGE INTO t USING s ON true WHEN MATCHED THEN DELETE`
  sql `CALL p(1)`
  sql `COMMIT AND CHAIN`
  sql `ROLLBACK`
  sql `DO $x$ BEGIN NULL; END $x$`
)"},
    {"dynamic SQL, cursors, diagnostics",
     R"(BEGIN
  EXECUTE 'SELECT f($1)' USING a, b INTO v;
  EXECUTE format('SELECT %L', x) INTO STRICT v USING 1;
  GET DIAGNOSTICS n = ROW_COUNT, m := PG_CONTEXT;
  GET STACKED DIAGNOSTICS t = MESSAGE_TEXT;
  OPEN c; OPEN c(1, k := 2); OPEN d NO SCROLL FOR SELECT 1; OPEN d FOR EXECUTE q USING 1;
  FETCH c INTO v; FETCH RELATIVE -2 FROM c INTO a, b; MOVE NEXT FROM c; CLOSE c;
  ASSERT v > 0, 'text';
END)",
     R"(
block
  execute v dynamic `'SELECT f($1)'` with `a`, `b`
  execute v dynamic `format('SELECT %L', x)` with `1`
  get diagnostics n, m with `ROW_COUNT`, `PG_CONTEXT`
  get diagnostics t with `MESSAGE_TEXT`
  open c
  open c with `1`, `k := 2`
  open d `SELECT 1`
  open d dynamic `q` with `1`
  fetch c v
  fetch c a, b
  close c
  close c
  assert `v > 0` with `'text'`
)"},
    {"handlers",
     R"(BEGIN
  BEGIN NULL; EXCEPTION WHEN unique_violation OR SQLSTATE 'P0001' THEN NULL; WHEN OTHERS THEN RAISE; END;
  DECLARE x int; BEGIN NULL; END;
END)",
     R"(
block
  block
    null
  handler unique_violation, p0001
    null
  handler others
    raise
  block
    variable x `int`
    null
)"},
    {"a statement that is none costs only itself",
     R"(BEGIN a := 1; <<l>; LOOP NULL; END IF; END LOOP; FOR i OF 3; IF x; b := 2; END IF; PERFORM f((1); c := 3; END)",
     R"(
block
  assign a `1`
  loop
    null
  if
  when `x`
    assign b `2`
  perform `f((1)`
  assign c `3`
error not a statement `<<l>;`
error not a statement `END IF;`
error not a statement `FOR i OF 3;`
error expected THEN `IF x;`
)"},
    {"an outer END closes what is open", R"(BEGIN IF a THEN LOOP NULL; END IF; b := 1; END)",
     R"(
block
  if
  when `a`
    loop
      null
  assign b `1`
error no END `LOOP`
)"},
    {"no block", "SELECT 1", "\nerror not a block `SELECT 1`\n"},
    {"nothing", "  -- only a comment", "\n"},
};

TEST(PlpgsqlParse, Trees) {
  for (const Case& one : cases)
    EXPECT_EQ(parsed(one.body), one.tree) << one.name;
}

TEST(PlpgsqlParse, NestingIsBounded) {
  std::string body;
  for (int i = 0; i < 10'000; ++i)
    body += "BEGIN LOOP ";
  const PlBody tree = plpgsql_parse(body, scan(body, 0, static_cast<std::uint32_t>(body.size())));
  int depth = 0;
  for (const std::vector<PlStatement>* level = &tree.block; !level->empty(); level = &level->front().body)
    ++depth;
  EXPECT_EQ(depth, max_plpgsql_depth);
  EXPECT_EQ(tree.errors.size(), 1U); // not one more for each construct that has no END then
}

} // namespace
} // namespace padlint
