#include "analyzer/core/rule.h"
#include "analyzer/facts/project_facts.h"

#include <fmt/format.h>

namespace padlint {
namespace {

std::string message(Mismatch kind, const LockCall& lock, const LockRelease& release) {
  switch (kind) {
  case Mismatch::transaction_level:
    return fmt::format("`{}` cannot release the transaction-level lock of `{}`: only COMMIT or ROLLBACK do",
                       release.function->name, lock.function->name);
  case Mismatch::other_form:
    return fmt::format("the unlock uses {}, the lock {}: two key spaces that never overlap",
                       release.key.form == KeyForm::bigint ? "one bigint" : "two int4",
                       lock.key.form == KeyForm::bigint ? "one bigint" : "two int4");
  case Mismatch::other_mode:
    return fmt::format("the lock is {}, the unlock is for {} locks", lock.shared() ? "shared" : "exclusive",
                       lock.shared() ? "exclusive" : "shared");
  case Mismatch::other_key:
    return fmt::format("the unlock is for the key {}, the lock has {}", to_text(release.key), to_text(lock.key));
  case Mismatch::one_too_many:
    return fmt::format("the lock {} is free already when this unlock runs: one more than was taken", to_text(lock.key));
  case Mismatch::none: break;
  }
  return {};
}

// A release that matches no lock of its session answers false with a WARNING, and the lock stays (measured).
void check(const ProjectFacts& project, Report& report) {
  for (const LockRelease& release : project.releases) {
    if (release.wrapped)
      continue;
    const MismatchAnswer answer = project.mismatch(release);
    if (answer.kind == Mismatch::none)
      continue;
    const LockCall& lock = project.locks[*answer.lock];
    Finding finding = about(project, "unlock-mismatch", FindingLevel::error, release);
    finding.confidence = weaker(finding.confidence, answer.confidence);
    finding.message = message(answer.kind, lock, release);
    finding.relate(lock.span, "the lock");
    finding.advice = answer.kind == Mismatch::transaction_level ? "drop the unlock: the end of the transaction releases"
                     : answer.kind == Mismatch::one_too_many
                         ? "unlock once for each lock"
                         : fmt::format("release what was taken: key {}, {}", to_text(lock.key),
                                       lock.shared() ? "shared" : "exclusive");
    report.add(std::move(finding));
  }
}

} // namespace

extern const Rule unlock_mismatch{
    .id = "unlock-mismatch",
    .summary = "An unlock cannot match the lock.",
    .level = FindingLevel::error,
    .check = check,
};

} // namespace padlint
