#include "analyzer/core/rule.h"
#include "analyzer/facts/project_facts.h"

#include <fmt/format.h>

namespace padlint {
namespace {

// Behind a transaction-mode pooler the server connection changes hands at each COMMIT: the lock stays on a connection
// that somebody else gets next, and the unlock may reach another one.
void check(const ProjectFacts& project, Report& report) {
  auto judge = [&](const auto& site, std::string_view what) {
    for (const PooledRoute& route : project.pooled_routes(project.handle(site))) {
      if (route.mode == PoolMode::session)
        continue;
      Finding finding = about(project, "session-lock-behind-pooler", FindingLevel::error, site);
      finding.decided_by(Step{.text = fmt::format("the endpoint is served by the pooler's entry `{}`", route.database),
                              .span = route.endpoint_span,
                              .confidence = route.confidence});
      finding.message =
          fmt::format("session-level {} through {} in {} mode: the server connection goes to "
                      "another client after each transaction, and the lock with it",
                      what, route.pooler, route.mode == PoolMode::transaction ? "transaction" : "statement");
      finding.decide(route.mode_span, fmt::format("{} {}", route.mode_text, route.reason));
      finding.decide(route.endpoint_span, "the connection leads to that pooler");
      finding.advice = "use a transaction-level lock in one transaction, or an entry of the pooler with "
                       "`pool_mode=session` for this connection";
      return finding;
    }
    return Finding{};
  };
  for (const LockCall& lock : project.locks) {
    if (lock.level() != Level::session)
      continue;
    Finding finding = judge(lock, "advisory lock");
    if (finding.rule.empty())
      continue;
    const TransactionAnswer transaction = project.transaction_of(lock);
    bool released_inside = false;
    for (const LockRelease* release : project.releases_for(lock)) {
      finding.relate(release->span, "the unlock, perhaps on another server connection");
      released_inside = released_inside || release->routine == lock.routine;
    }
    // Acquire, work and release inside one transaction leave an orphan only when an error comes between (measured).
    if (transaction.state == TransactionState::open &&
        (transaction.explicit_block || project.handle(lock).kind == HandleKind::transaction) && released_inside)
      finding.level = FindingLevel::warning;
    report.add(std::move(finding));
  }
  for (const LockRelease& release : project.releases) {
    bool paired = false;
    for (const LockCall& lock : project.locks)
      paired = paired ||
               (lock.level() == Level::session && project.handle(lock).pool == project.handle(release).pool &&
                ProjectFacts::same_key(lock.key, release.key) != Answer::no) ||
               lock.routine == release.routine;
    if (paired)
      continue; // one cause, one finding: at the lock
    if (Finding finding = judge(release, "advisory unlock"); !finding.rule.empty())
      report.add(std::move(finding));
  }
}

} // namespace

extern const Rule session_lock_behind_pooler{
    .id = "session-lock-behind-pooler",
    .summary = "A session-level lock is taken through a pooler in transaction mode.",
    .level = FindingLevel::error,
    .replaces = {"session-lock-on-pool-handle"},
    .check = check,
};

} // namespace padlint
