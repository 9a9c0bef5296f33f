#include "analyzer/core/lock.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace padlint {

namespace {

// PostgreSQL manual, table "Advisory Lock Functions". Sorted by name.
constexpr auto functions = std::to_array<LockFunction>({
    {"pg_advisory_lock", LockFunction::acquire, Level::session, false, true},
    {"pg_advisory_lock_shared", LockFunction::acquire, Level::session, true, true},
    {"pg_advisory_unlock", LockFunction::release, Level::session, false, false},
    {"pg_advisory_unlock_all", LockFunction::release_all, Level::session, false, false},
    {"pg_advisory_unlock_shared", LockFunction::release, Level::session, true, false},
    {"pg_advisory_xact_lock", LockFunction::acquire, Level::transaction, false, true},
    {"pg_advisory_xact_lock_shared", LockFunction::acquire, Level::transaction, true, true},
    {"pg_try_advisory_lock", LockFunction::acquire, Level::session, false, false},
    {"pg_try_advisory_lock_shared", LockFunction::acquire, Level::session, true, false},
    {"pg_try_advisory_xact_lock", LockFunction::acquire, Level::transaction, false, false},
    {"pg_try_advisory_xact_lock_shared", LockFunction::acquire, Level::transaction, true, false},
});
static_assert(std::ranges::is_sorted(functions, {}, &LockFunction::name));

std::string_view form_text(KeyForm form) {
  switch (form) {
  case KeyForm::none: return "none";
  case KeyForm::bigint: return "bigint";
  case KeyForm::two_int4: return "int4";
  }
  return "";
}

std::string described(const LockFunction& function, const Key& key) {
  return fmt::format("{} {}{} {} {}", to_text(function.level), function.shared ? "shared" : "exclusive",
                     function.effect == LockFunction::acquire && !function.waits ? " try" : "", form_text(key.form),
                     to_text(key));
}

std::string_view to_text(TryResult result) {
  switch (result) {
  case TryResult::unknown: return "unknown";
  case TryResult::read: return "read";
  case TryResult::dropped: return "dropped";
  }
  return "";
}

std::string confidence_suffix(Confidence confidence) {
  return confidence == Confidence::certain ? "" : fmt::format(" {}", to_text(confidence));
}

} // namespace

const LockFunction* lock_function(std::string_view name) {
  const auto* const found = std::ranges::lower_bound(functions, name, {}, &LockFunction::name);
  return found != functions.end() && found->name == name ? found : nullptr;
}

std::string to_text(const Key& key) {
  if (key.parts.empty())
    return "?";
  if (key.parts.size() == 1)
    return to_sql(key.parts[0]);
  return fmt::format("({}, {})", to_sql(key.parts[0]), to_sql(key.parts[1]));
}

std::string to_text(const KeySource& source) {
  constexpr auto where = std::to_array<std::string_view>({"", " per process", " per call", " over time"});
  return fmt::format("{} {} bits{}{}{}{}", source.maker, source.bits,
                     where.at(static_cast<std::size_t>(source.stability)), source.packed ? " packed" : "",
                     source.closed == Answer::yes ? " closed" : "", confidence_suffix(source.confidence));
}

std::string to_text(Level level) { return level == Level::session ? "session" : "transaction"; }

std::string to_text(const LockCall& lock) {
  const std::string rows = to_text(lock.rows);
  std::string sources;
  for (const std::optional<KeySource>& source : lock.key.sources)
    sources += source ? fmt::format(" made-by=({})", to_text(*source)) : "";
  return fmt::format("lock {}{} rows={}{}{}{}", described(*lock.function, lock.key), sources,
                     rows.empty() ? "one" : rows, lock.waits() ? "" : fmt::format(" result={}", to_text(lock.result)),
                     lock.lone ? "" : " with-work", confidence_suffix(lock.confidence));
}

std::string to_text(const LockRelease& release) {
  const std::string what =
      release.function->effect == LockFunction::release_all ? "all" : described(*release.function, release.key);
  return fmt::format("unlock {}{}", what, confidence_suffix(release.confidence));
}

} // namespace padlint
