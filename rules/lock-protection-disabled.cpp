#include "analyzer/core/rule.h"
#include "analyzer/facts/project_facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace padlint {
namespace {

bool behind_pooler(const ProjectFacts& project, const LibraryLock& lock) {
  return lock.seems_pooled || std::ranges::any_of(project.pooled_routes(project.handle(lock)),
                                                  [](const auto& route) { return route.mode != PoolMode::session; });
}

// A library's own lock is what keeps two runs apart: with it switched off nothing does. Behind a pooler in transaction
// mode the lock would be of no use, and switching it off is the known remedy; something else must then keep two runs
// apart. One switch that many connections share is one finding.
void check(const ProjectFacts& project, Report& report) {
  std::set<Span> reported;
  for (const LibraryLock& lock : project.library_locks) {
    if (!lock.off || !reported.insert(lock.decided).second)
      continue;
    const bool remedy = behind_pooler(project, lock);
    Finding finding =
        about(project, "lock-protection-disabled", remedy ? FindingLevel::note : FindingLevel::warning, lock);
    finding.quiet("a deployment runs it from one place", lock.single_run.empty() ? Answer::no : Answer::yes);
    finding.primary = lock.decided;
    std::erase_if(finding.related, [&](const Related& each) { return each.span == lock.decided; });
    if (!lock.decided.contains(lock.span))
      finding.relate(lock.span, fmt::format("what {} would lock for", lock.library));
    finding.message = fmt::format("the lock of {} (`{}`) is switched off: nothing stops two runs at the same time",
                                  lock.library, lock.taker);
    finding.advice = remedy ? "right behind a pooler in transaction mode, when the tool runs from one step of the "
                              "deployment only"
                            : "leave the lock on, or run the tool from one step of the deployment only";
    report.add(std::move(finding));
  }
}

} // namespace

extern const Rule lock_protection_disabled{
    .id = "lock-protection-disabled",
    .summary = "The lock that keeps two runs of a tool apart is switched off.",
    .level = FindingLevel::warning,
    .replaces = {"library-session-lock"},
    .check = check,
};

} // namespace padlint
