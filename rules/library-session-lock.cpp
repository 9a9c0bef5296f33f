#include "analyzer/core/rule.h"
#include "analyzer/facts/project_facts.h"

#include <fmt/format.h>

namespace padlint {
namespace {

// The review flag for locks that the project does not write itself. A tool that migrates does so on a connection of its
// own, which is right as long as no pooler stands in the way: without one there is nothing to look at.
void check(const ProjectFacts& project, Report& report) {
  for (const LibraryLock& lock : project.library_locks) {
    if (lock.level != Level::session || lock.off || (lock.tool && !project.has_pooler()))
      continue;
    Finding finding = about(project, "library-session-lock", FindingLevel::note, lock);
    finding.message =
        fmt::format("{} takes a session-level advisory lock here (`{}`): it belongs to the connection and "
                    "outlives COMMIT and ROLLBACK",
                    lock.library, lock.taker);
    finding.advice = lock.transaction_level;
    report.add(std::move(finding));
  }
}

} // namespace

extern const Rule library_session_lock{
    .id = "library-session-lock",
    .summary = "A library takes a session-level lock on the project's behalf.",
    .level = FindingLevel::note,
    .replaces = {"session-lock"},
    .check = check,
};

} // namespace padlint
