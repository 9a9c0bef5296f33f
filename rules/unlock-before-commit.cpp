#include "analyzer/core/rule.h"
#include "analyzer/facts/project_facts.h"

#include <fmt/format.h>

#include <set>

namespace padlint {
namespace {

// The next holder gets the lock before the change is published: it reads the old rows, and one of two updates is lost
// (measured). The lock has to outlast the transaction.
void check(const ProjectFacts& project, Report& report) {
  std::set<Span> told;
  for (const LockCall& lock : project.locks) {
    if (lock.level() != Level::session)
      continue;
    const HoldAnswer hold = project.hold_of(lock);
    for (const EarlyRelease& early : hold.early) {
      if (!told.insert(early.at).second)
        continue;
      Finding finding = about(project, "unlock-before-commit", FindingLevel::warning, project.releases[early.release]);
      finding.primary = early.at;
      finding.symbol = project.symbol(lock.routine);
      finding.confidence = weaker(finding.confidence, weaker(hold.confidence, early.confidence));
      finding.message = fmt::format("the session-level lock {} is released before the commit: the next holder still "
                                    "reads the rows as they were",
                                    to_text(lock.key));
      finding.decide(early.work, "not committed when the lock is released");
      finding.relate(lock.span, "the lock");
      finding.advice = fmt::format("release after the commit, or use `{}`, which the commit releases",
                                   rewritten(lock, Level::transaction));
      report.add(std::move(finding));
    }
  }
}

} // namespace

extern const Rule unlock_before_commit{
    .id = "unlock-before-commit",
    .summary = "A session-level lock is released before the commit of what it protects.",
    .level = FindingLevel::warning,
    .check = check,
};

} // namespace padlint
