#include "analyzer/core/rule.h"
#include "analyzer/facts/project_facts.h"

#include <fmt/format.h>

namespace padlint {
namespace {

// A request runs in a transaction of its own, on whatever connection the service has free for it: what it locks for the
// session stays on that connection, what it locks for the transaction is free when it has answered.
void check(const ProjectFacts& project, Report& report) {
  for (const LockCall& lock : project.locks) {
    const bool session = lock.level() == Level::session;
    if (!project.sent_as_request(lock) || (!session && !lock.lone))
      continue;
    Finding finding = about(project, "lock-over-rpc", FindingLevel::error, lock);
    finding.decided_by(project.handle(lock).steps);
    finding.message =
        session ? fmt::format("`{}` over `{}` is a request of its own: the lock stays on whichever connection answered "
                              "it, and no later request can release it for certain",
                              lock.function->name, project.handle(lock).text)
                : fmt::format("`{}` over `{}` is a request, and a transaction, of its own: the lock is free again "
                              "before the next request",
                              lock.function->name, project.handle(lock).text);
    for (const LockRelease* release : project.releases_for(lock))
      finding.relate(release->span, "the unlock, another request");
    finding.advice = "take a transaction-level lock inside the function that does the work, or use a connection of "
                     "your own";
    report.add(std::move(finding));
  }
}

} // namespace

extern const Rule lock_over_rpc{
    .id = "lock-over-rpc",
    .summary = "A lock is taken by a request of its own.",
    .level = FindingLevel::error,
    .replaces = {"session-lock-on-pool-handle", "xact-lock-outside-transaction", "session-lock"},
    .check = check,
};

} // namespace padlint
