#include "analyzer/core/statement.h"

#include <gtest/gtest.h>

namespace padlint {
namespace {

TEST(Statement, Prints) {
  const SqlCall try_lock{.name = "pg_try_advisory_lock",
                         .arguments = {make_name("id", {})},
                         .position = SqlPosition::where,
                         .rows = {.from_rows = true, .limit = true, .ordered = true}};
  const SqlCall wrapper{.schema = "app", .name = "take", .arguments = {make_integer(7, {})}};
  const std::pair<Statement, std::string_view> cases[] = {
      {{.kind = StatementKind::select, .calls = {try_lock}},
       "select where pg_try_advisory_lock(id) rows=from,limit,ordered"},
      {{.kind = StatementKind::select, .calls = {wrapper, try_lock}, .reads = {"jobs", "app.users"}, .works = true},
       "select select_list app.take(7), where pg_try_advisory_lock(id) rows=from,limit,ordered reads=jobs,app.users "
       "works"},
      {{.kind = StatementKind::set, .name = "lock_timeout", .value = "5s", .local = true}, "set lock_timeout=5s local"},
      {{.kind = StatementKind::rollback_to, .name = "a"}, "rollback_to a"},
      {{.kind = StatementKind::delete_rows, .writes = {"jobs"}, .into = true}, "delete writes=jobs into"},
      {{.kind = StatementKind::do_block}, "do"},
      {{.kind = StatementKind::other, .parsed = false}, "other unparsed"},
  };
  for (const auto& [statement, text] : cases)
    EXPECT_EQ(to_text(statement), text);
}

TEST(RowShape, NamesWhatIsTrue) {
  EXPECT_EQ(to_text(RowShape{}), "");
  EXPECT_EQ(to_text(RowShape{.from_rows = true, .unique_lookup = true, .unread_cte = true}),
            "from,unique_lookup,unread_cte");
}

} // namespace
} // namespace padlint
