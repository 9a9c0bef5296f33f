#include "analyzer/core/rule.h"
#include "analyzer/facts/project_facts.h"

#include <fmt/format.h>

namespace padlint {
namespace {

// The review flag: a session-level lock is right in few places, and somebody should look at each. A call of one of the
// project's own SQL routines is not flagged again: the routine is.
void check(const ProjectFacts& project, Report& report) {
  for (const LockCall& lock : project.locks) {
    if (lock.level() != Level::session || lock.wrapped)
      continue;
    Finding finding = about(project, "session-lock", FindingLevel::note, lock);
    finding.message = fmt::format(
        "session-level advisory lock `{}`: it outlives COMMIT and ROLLBACK, until an unlock or the end of the session",
        lock.function->name);
    finding.advice =
        fmt::format("where the work is one transaction, `{}` frees itself", rewritten(lock, Level::transaction));
    report.add(std::move(finding));
  }
}

} // namespace

extern const Rule session_lock{
    .id = "session-lock",
    .summary = "A session-level advisory lock is taken.",
    .level = FindingLevel::note,
    .check = check,
};

} // namespace padlint
