#include "analyzer/core/lock.h"

#include <gtest/gtest.h>

namespace padlint {
namespace {

TEST(LockFunction, TheElevenNames) {
  struct Case {
    std::string_view name;
    LockFunction::Effect effect;
    Level level;
    bool shared;
    bool waits;
  };
  const Case cases[] = {
      {"pg_advisory_lock", LockFunction::acquire, Level::session, false, true},
      {"pg_advisory_lock_shared", LockFunction::acquire, Level::session, true, true},
      {"pg_try_advisory_lock", LockFunction::acquire, Level::session, false, false},
      {"pg_try_advisory_lock_shared", LockFunction::acquire, Level::session, true, false},
      {"pg_advisory_xact_lock", LockFunction::acquire, Level::transaction, false, true},
      {"pg_advisory_xact_lock_shared", LockFunction::acquire, Level::transaction, true, true},
      {"pg_try_advisory_xact_lock", LockFunction::acquire, Level::transaction, false, false},
      {"pg_try_advisory_xact_lock_shared", LockFunction::acquire, Level::transaction, true, false},
      {"pg_advisory_unlock", LockFunction::release, Level::session, false, false},
      {"pg_advisory_unlock_shared", LockFunction::release, Level::session, true, false},
      {"pg_advisory_unlock_all", LockFunction::release_all, Level::session, false, false},
  };
  for (const Case& c : cases) {
    const LockFunction* function = lock_function(c.name);
    ASSERT_NE(function, nullptr) << c.name;
    EXPECT_EQ(function->name, c.name);
    EXPECT_EQ(function->effect, c.effect) << c.name;
    EXPECT_EQ(function->level, c.level) << c.name;
    EXPECT_EQ(function->shared, c.shared) << c.name;
    EXPECT_EQ(function->waits, c.waits) << c.name;
  }
}

TEST(LockFunction, NoOtherName) {
  for (const std::string_view name : {"", "pg_advisory", "pg_advisory_xact_unlock", "PG_ADVISORY_LOCK", "pg_sleep"})
    EXPECT_EQ(lock_function(name), nullptr) << name;
}

Key bigint(Value value) { return {KeyForm::bigint, {std::move(value)}}; }
Key pair(Value first, Value second) { return {KeyForm::two_int4, {std::move(first), std::move(second)}}; }

TEST(Key, Prints) {
  const Value name = make_name("name", {});
  const std::pair<Key, std::string_view> cases[] = {
      {{}, "?"},
      {bigint(make_integer(41, {})), "41"},
      {bigint(name), "name"},
      {bigint(make_call(make_name("hashtext", {}), {name}, {})), "hashtext(name)"},
      {bigint({.kind = ValueKind::parameter, .number = 1}), "$2"},
      {bigint(make_operation("+", {name, make_integer(1, {})}, {})), "name + 1"},
      {bigint(make_opaque({})), "?"},
      {pair(make_integer(7, {}), make_name("id", {})), "(7, id)"},
  };
  for (const auto& [key, text] : cases)
    EXPECT_EQ(to_text(key), text);
}

TEST(Lock, Prints) {
  const Key key = bigint(make_integer(41, {}));
  LockCall lock{.function = lock_function("pg_try_advisory_lock"), .key = key, .result = TryResult::dropped};
  EXPECT_EQ(to_text(lock), "lock session exclusive try bigint 41 rows=one result=dropped");

  lock = {.function = lock_function("pg_advisory_xact_lock_shared"),
          .key = pair(make_integer(1, {}), make_name("id", {})),
          .rows = {.from_rows = true},
          .lone = false,
          .confidence = Confidence::likely};
  EXPECT_EQ(to_text(lock), "lock transaction shared int4 (1, id) rows=from with-work likely");

  EXPECT_EQ(to_text(LockRelease{.function = lock_function("pg_advisory_unlock"), .key = key}),
            "unlock session exclusive bigint 41");
  EXPECT_EQ(to_text(LockRelease{.function = lock_function("pg_advisory_unlock_all")}), "unlock all");
}

} // namespace
} // namespace padlint
