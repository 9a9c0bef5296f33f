#include "analyzer/core/file_facts.h"

#include "analyzer/core/handle.h"

#include <gtest/gtest.h>

namespace padlint {
namespace {

Value name(std::string text) { return make_name(std::move(text), {}); }

TEST(FileFacts, PrintsALineEach) {
  FileFacts facts{.path = "jobs/sync.src", .language = "example", .traits = {.test = true}};
  facts.imports = {{.local = "pool", .module = "app.db", .name = "pool"}, {.local = "db", .module = ".db"}};
  facts.routines.push_back({.form = RoutineForm::file});
  facts.routines.push_back({
      .form = RoutineForm::function,
      .name = "run",
      .owner = "Job",
      .generator = true,
      .parameters = {{.name = "self"},
                     {.name = "key", .type = name("int"), .initial = make_integer(7, {0, 1, 2})},
                     {.name = "limit", .initial = make_opaque({0, 4, 5})}},
      .annotations = {name("atomic")},
      .result_type = name("Row"),
      .bindings = {{.name = "conn", .role = BindingRole::scoped, .value = name("pool")},
                   {.name = "row", .role = BindingRole::iterated, .value = name("rows"), .type = name("Row")}},
      .reads = {"pool", "rows"},
      .returns = {name("row")},
      .flow = {.blocks = {{.edges = {{}}}}},
  });
  facts.routines.push_back({.form = RoutineForm::sql_function,
                            .sql = {.schema = "app",
                                    .name = "take",
                                    .language = "plpgsql",
                                    .volatility = "volatile",
                                    .returns = "void",
                                    .argument_types = {"bigint", "text"},
                                    .strict = true}});
  facts.classes = {{.name = "Job",
                    .bases = {name("Base"), name("Mixin")},
                    .bindings = {{.name = "KEY", .value = make_integer(41, {})}},
                    .fields = {{.name = "db", .value = name("pool")}}}};
  facts.statements = {{.kind = StatementKind::begin}};
  facts.configs = {
      {.kind = "pgbouncer", .section = "databases", .target = "app", .setting = "pool_mode", .value = "session"},
      {.kind = "env", .setting = "PGPASSWORD", .value = "hunter2", .environment = "test"},
      {.kind = "env", .setting = "URL", .value = "postgres://app:hunter2@db/app"}};
  facts.suppressions = {{.rules = {"session-lock", "hashtext-key"}, .reason = "one worker"}, {}};
  facts.notices = {{.id = "syntax-error", .path = "jobs/sync.src", .text = "not understood"}};
  EXPECT_EQ(to_text(facts), R"(jobs/sync.src example test
import app.db:pool as pool
import .db as db
class Job of name(Base), name(Mixin)
  KEY = 41
  self.db = name(pool)
file
function Job.run(self, key: name(int) = 7, limit = ?) -> name(Row) generator
  @name(atomic)
  conn =with name(pool)
  row: name(Row) =in name(rows)
  reads pool, rows
  returns name(row)
  0: -> next return
sql_function app.take (bigint, text) returns void plpgsql volatile strict
statement 0: begin
config pgbouncer [databases] app pool_mode = session
config env PGPASSWORD = *** (test)
config env URL = postgres://app:***@db/app
suppression [session-lock, hashtext-key] one worker
suppression []
warning: jobs/sync.src: not understood [syntax-error]
)");
}

TEST(Handle, PrintsWhatIsKnown) {
  const std::pair<Handle, std::string_view> cases[] = {
      {{}, "unknown"},
      {{.kind = HandleKind::pool, .text = "self.db", .type = "asyncpg.Pool", .autocommit = Answer::yes},
       "pool asyncpg.Pool self.db autocommit=yes"},
      {{.kind = HandleKind::pinned,
        .from_caller = true,
        .ambient = true,
        .commit_returns = true,
        .on_return = OnReturn::unlocks,
        .confidence = Confidence::likely},
       "pinned from_caller ambient commit_returns on_return=unlocks likely"},
      {{.kind = HandleKind::pool,
        .pool_size = 1,
        .endpoints = {{.host = "db", .port = "6432", .database = "app", .user = "web", .environment = "production"},
                      {.host = "other", .confidence = Confidence::possible}}},
       "pool pool_size=1 to web@db:6432/app [production] to other:?/? possible"},
      {{.kind = HandleKind::transaction, .pool_size_unresolved = true}, "transaction pool_size=?"},
  };
  for (const auto& [handle, text] : cases)
    EXPECT_EQ(to_text(handle), text);
}

TEST(Notice, PrintsItsPathWhenItHasOne) {
  EXPECT_EQ(
      to_text(Notice{.kind = NoticeKind::error, .id = "unreadable-file", .path = "a.sql", .text = "no permission"}),
      "error: a.sql: no permission [unreadable-file]");
  EXPECT_EQ(to_text(Notice{.kind = NoticeKind::note, .id = "truncated", .text = "cut"}), "note: cut [truncated]");
}

} // namespace
} // namespace padlint
