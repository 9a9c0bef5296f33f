#include "analyzer/core/rule.h"
#include "analyzer/facts/project_facts.h"

#include <fmt/format.h>

namespace padlint {
namespace {

std::string_view what_pool_does(OnReturn on_return) {
  switch (on_return) {
  case OnReturn::unlocks: return "the pool unlocks everything when the call returns";
  case OnReturn::closes: return "the connection is closed when the call returns";
  default: return "the lock stays on a connection that somebody else gets next";
  }
}

// A pool lends any free connection to each call, so the unlock may reach another session than the lock. No PgBouncer is
// needed for this. The same happens when the connection goes back between lock and unlock: at the end of its block, or
// at the commit of a unit of work.
void check(const ProjectFacts& project, Report& report) {
  for (const LockCall& lock : project.locks) {
    if (lock.level() != Level::session)
      continue;
    const Handle& handle = project.handle(lock);
    Finding finding = about(project, "session-lock-on-pool-handle", FindingLevel::error, lock);
    finding.decided_by(handle.steps);
    if (handle.kind == HandleKind::pool) {
      finding.message =
          fmt::format("session-level lock through the pool `{}`: each call may use another connection, and {}",
                      handle.text, what_pool_does(handle.on_return));
    } else if (const Span commit = project.returned_by_commit(lock); !commit.empty()) {
      finding.message = fmt::format("session-level lock on `{}`, which gives its connection back at the commit: the "
                                    "unlock may run on another one",
                                    handle.text);
      finding.decide(commit, "the connection goes back to the pool here");
    } else if (const LockRelease* release = handle.pool.empty() ? nullptr : project.release_on_other_checkout(lock);
               release != nullptr && project.held_at_exit(lock).always_to_pool) {
      finding.message = fmt::format(
          "session-level lock stays on `{}` when it goes back to the pool, and the unlock takes another connection",
          handle.text);
      finding.decide(release->span, "the unlock, on a connection of its own");
    } else if (const LockRelease* other = handle.pool.empty() ? nullptr : project.release_on_other_checkout(lock);
               other != nullptr && other->routine == lock.routine && !project.held_at_exit(lock).release_in_routine) {
      finding.message = fmt::format(
          "session-level lock stays on `{}` when it goes back to the pool, and the unlock takes another connection",
          handle.text);
      finding.decide(other->span, "the unlock, on a connection of its own");
    } else {
      continue;
    }
    finding.quiet("a pool of one connection", ProjectFacts::single_connection_pool(handle));
    finding.quiet("the program reads through a pool that closes connections",
                  handle.on_return == OnReturn::closes && handle.kind != HandleKind::pool ? Answer::yes : Answer::no);
    for (const LockRelease* release : project.releases_for(lock))
      finding.relate(release->span, "the unlock, perhaps on another connection");
    finding.advice =
        fmt::format("take one connection for the lock, the work and the unlock, or use `{}` in a transaction",
                    rewritten(lock, Level::transaction));
    report.add(std::move(finding));
  }
  for (const LockRelease& release : project.releases) {
    const Handle& handle = project.handle(release);
    if (handle.kind != HandleKind::pool || release.function->effect == LockFunction::release_all)
      continue;
    bool paired = false;
    for (const LockCall& lock : project.locks)
      paired =
          paired || (lock.level() == Level::session && ProjectFacts::same_key(lock.key, release.key) != Answer::no &&
                     project.handle(lock).kind == HandleKind::pool);
    if (paired)
      continue; // one cause, one finding: at the lock
    Finding finding = about(project, "session-lock-on-pool-handle", FindingLevel::error, release);
    finding.decided_by(handle.steps);
    finding.quiet("a pool of one connection", ProjectFacts::single_connection_pool(handle));
    finding.message = fmt::format(
        "advisory unlock through the pool `{}`: the call may take another connection than the one that holds the lock",
        handle.text);
    finding.advice = "unlock on the connection that took the lock";
    report.add(std::move(finding));
  }
}

} // namespace

extern const Rule session_lock_on_pool_handle{
    .id = "session-lock-on-pool-handle",
    .summary = "A session-level lock is sent through a connection pool.",
    .level = FindingLevel::error,
    .replaces = {"session-lock"},
    .check = check,
};

} // namespace padlint
