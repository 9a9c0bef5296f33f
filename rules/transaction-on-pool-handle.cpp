#include "analyzer/core/rule.h"
#include "analyzer/facts/project_facts.h"

#include <fmt/format.h>

namespace padlint {
namespace {

// BEGIN opens a transaction on whichever connection its call gets, and leaves it open there. The lock is another call:
// on another connection it stands alone, and on the same one by luck only.
void check(const ProjectFacts& project, Report& report) {
  for (const LockCall& lock : project.locks) {
    const Span begin = project.begun_through_pool(lock);
    if (begin.empty())
      continue;
    const Handle& handle = project.handle(lock);
    Finding finding = about(project, "transaction-on-pool-handle", FindingLevel::error, lock);
    finding.decided_by(handle.steps);
    finding.quiet("a pool of one connection", ProjectFacts::single_connection_pool(handle));
    finding.message = fmt::format("BEGIN and this lock are two calls of the pool `{}`: each may take another "
                                  "connection, and the lock is then outside the transaction",
                                  handle.text);
    finding.decide(begin, "BEGIN, through the pool");
    finding.advice = "take one connection for the whole transaction, or the transaction block of the library";
    report.add(std::move(finding));
  }
}

} // namespace

extern const Rule transaction_on_pool_handle{
    .id = "transaction-on-pool-handle",
    .summary = "A transaction around a lock is begun through a connection pool.",
    .level = FindingLevel::error,
    .replaces = {"xact-lock-outside-transaction"},
    .check = check,
};

} // namespace padlint
