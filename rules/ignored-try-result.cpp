#include "analyzer/core/rule.h"
#include "analyzer/facts/project_facts.h"

#include <fmt/format.h>

#include <algorithm>

namespace padlint {
namespace {

constexpr std::string_view id = "ignored-try-result";

// The try functions do not wait: false is the only sign that somebody else holds the lock.
void check(const ProjectFacts& project, Report& report) {
  for (const LockCall& lock : project.locks) {
    if (lock.waits())
      continue;
    if (lock.result == TryResult::dropped) {
      Finding finding = about(project, id, FindingLevel::error, lock);
      // A probe that takes the lock and frees it at once does not rely on it.
      finding.quiet("a probe: the lock is released at once", project.released_at_once(lock) ? Answer::yes : Answer::no);
      finding.message = fmt::format("the answer of `{}` is never read: when it is false, another session holds the "
                                    "lock and the code goes on without it",
                                    lock.function->name);
      if (lock.wrapped)
        finding.decide(project.locks[*lock.wrapped].span, "the lock inside the function");
      finding.advice = "test the answer and leave when it is false, or wait with the blocking function";
      report.add(std::move(finding));
      continue;
    }
    for (const Span& call : project.callers_dropping(lock)) {
      Finding finding = about(project, id, FindingLevel::error, lock);
      finding.primary = call;
      finding.message = fmt::format(
          "`{}` returns the answer of `{}`, and this call drops it: when it is false, another session holds the lock",
          project.symbol(lock.routine), lock.function->name);
      finding.decide(lock.span, "the lock inside the helper");
      finding.advice = "test what the helper returns";
      report.add(std::move(finding));
    }
  }
  for (const LibraryLock& lock : project.library_locks) {
    if (!lock.answers || lock.result != TryResult::dropped)
      continue;
    Finding finding = about(project, id, FindingLevel::error, lock);
    finding.message = lock.taken.empty()
                          ? fmt::format("nothing takes the lock that `{}` makes, or reads its answer: the code goes on "
                                        "without it",
                                        lock.taker)
                          : fmt::format("the answer of `{}` is never read: when it is false, another session holds the "
                                        "lock and the code goes on without it",
                                        lock.taker);
    finding.advice = "test the answer and leave when it is false, or let it wait";
    report.add(std::move(finding));
  }
}

} // namespace

extern const Rule ignored_try_result{
    .id = id,
    .summary = "The answer of a try-lock is never read.",
    .level = FindingLevel::error,
    .check = check,
};

} // namespace padlint
