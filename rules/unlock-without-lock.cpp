#include "analyzer/core/rule.h"
#include "analyzer/facts/project_facts.h"

#include <fmt/format.h>

namespace padlint {
namespace {

// A release counts down whatever lock of that key the session holds, whoever of its users took it; when there is none
// it answers false with a WARNING.
void check(const ProjectFacts& project, Report& report) {
  for (const LockRelease& release : project.releases) {
    const auto without = project.without_lock(release);
    if (!without)
      continue;
    const LockCall& lock = project.locks[without->lock];
    const Handle& handle = project.handle(release);
    const bool raised = without->reason == WithoutLock::raised;
    Finding finding = about(project, "unlock-without-lock", FindingLevel::warning, release);
    finding.confidence = weaker(finding.confidence, lock.confidence);
    finding.quiet("a failed acquire on a session that nobody else uses",
                  raised && handle.fresh && !handle.from_caller ? Answer::yes : Answer::no);
    finding.message =
        raised ? fmt::format("this unlock also runs when `{}` itself ended with an error: it then frees a lock of the "
                             "same session that others rely on, or none",
                             lock.function->name)
               : fmt::format("this unlock also runs when `{}` said no: it then frees a lock of the same session that "
                             "others rely on, or none",
                             lock.function->name);
    finding.decide(lock.span, "the lock");
    finding.advice = raised ? "take the lock before the block whose end releases it"
                            : "leave before the block whose end releases it, or release only if the lock was taken";
    report.add(std::move(finding));
  }
}

} // namespace

extern const Rule unlock_without_lock{
    .id = "unlock-without-lock",
    .summary = "An unlock runs on a path on which the lock was not taken.",
    .level = FindingLevel::warning,
    .yields_to = {"unlock-mismatch"},
    .check = check,
};

} // namespace padlint
