#include "analyzer/core/rule.h"
#include "analyzer/facts/project_facts.h"

#include <fmt/format.h>

#include <set>

namespace padlint {
namespace {

constexpr std::string_view id = "unlock-before-commit";

/// `lock` is what is released: its key, or who asked for it.
void tell(Finding finding, const EarlyRelease& early, std::string_view lock, Report& report) {
  finding.primary = early.at;
  finding.confidence = weaker(finding.confidence, early.confidence);
  finding.message = fmt::format("the session-level lock {} is released before the commit: the next holder still "
                                "reads the rows as they were",
                                lock);
  finding.decide(early.work, "not committed when the lock is released");
  report.add(std::move(finding));
}

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
      Finding finding = about(project, id, FindingLevel::warning, project.releases[*early.release]);
      finding.symbol = project.symbol(lock.routine);
      finding.confidence = weaker(finding.confidence, hold.confidence);
      finding.relate(lock.span, "the lock");
      finding.advice = fmt::format("release after the commit, or use `{}`, which the commit releases",
                                   rewritten(lock, Level::transaction));
      tell(std::move(finding), early, to_text(lock.key), report);
    }
  }
  for (const LibraryLock& lock : project.library_locks)
    if (const auto early = project.early_release(lock)) {
      Finding finding = about(project, id, FindingLevel::warning, lock);
      finding.advice = fmt::format("open the transaction inside the lock's block{}{}",
                                   lock.transaction_level.empty() ? "" : ", or ", lock.transaction_level);
      tell(std::move(finding), *early, fmt::format("of `{}`", lock.taker), report);
    }
}

} // namespace

extern const Rule unlock_before_commit{
    .id = id,
    .summary = "A session-level lock is released before the commit of what it protects.",
    .level = FindingLevel::warning,
    .check = check,
};

} // namespace padlint
