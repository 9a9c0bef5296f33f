#include "tests/sql/plpgsql_test.h"

#include <gtest/gtest.h>

namespace padlint {
namespace {

const PlFlowCase cases[] = {
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
};

TEST(PlpgsqlErrors, Blocks) {
  for (const PlFlowCase& one : cases)
    EXPECT_EQ(plpgsql_flow_of(one.body), one.flow) << one.name;
}

} // namespace
} // namespace padlint
