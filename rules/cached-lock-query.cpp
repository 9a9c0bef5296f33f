#include "analyzer/core/rule.h"
#include "analyzer/facts/project_facts.h"

#include <fmt/format.h>

namespace padlint {
namespace {

// A query cache knows a query by its text. To it, a lock call is a SELECT like any other: the second round of a loop
// gets the answer of the first.
void check(const ProjectFacts& project, Report& report) {
  for (const LockCall& lock : project.locks) {
    const std::optional<Span> repeated = project.repeated_from_cache(lock);
    if (!repeated)
      continue;
    Finding finding = about(project, "cached-lock-query", FindingLevel::error, lock);
    finding.message =
        lock.waits()
            ? fmt::format("the query cache answers this `{}` from the second round on: no lock is taken then",
                          lock.function->name)
            : fmt::format("the query cache repeats the first answer of `{}`: once it was false, it stays false",
                          lock.function->name);
    if (*repeated != lock.execution)
      finding.decide(*repeated, "it is called in a loop here");
    finding.advice = "send it inside `uncached { }`, or with `execute`";
    report.add(std::move(finding));
  }
}

} // namespace

extern const Rule cached_lock_query{
    .id = "cached-lock-query",
    .summary = "A loop asks for a lock, and the library's query cache answers.",
    .level = FindingLevel::error,
    .check = check,
};

} // namespace padlint
