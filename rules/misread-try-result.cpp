#include "analyzer/core/rule.h"
#include "analyzer/facts/project_facts.h"

#include <fmt/format.h>

namespace padlint {
namespace {

std::string_view tested(Misread::Kind kind) {
  switch (kind) {
  case Misread::row: return "the row is tested, and there always is one";
  case Misread::rows: return "the list of rows is tested, and it always has one";
  case Misread::count: return "the number of rows is tested, and it is always 1";
  case Misread::handle: return "what the call gives is tested, and it is the same for both answers";
  case Misread::text: return "the answer is text, and `f` is as true as `t`";
  case Misread::boolean: return "the answer is text, and no text equals a boolean";
  case Misread::presence: return "it is tested that there is an answer, and there always is one";
  case Misread::found: return "FOUND is tested, and it is true when a row came, whatever stands in it";
  case Misread::none: break;
  }
  return {};
}

std::string_view advice(Misread::Kind kind) {
  switch (kind) {
  case Misread::text:
  case Misread::boolean: return "compare it with `t`";
  case Misread::found: return "test the call itself: `IF NOT pg_try_advisory_lock(...) THEN`";
  case Misread::presence: return "test the value itself";
  default: return "test the value in the first column";
  }
}

// A try answers with one row, and with true or false in it. All that is around the value is there either way.
void check(const ProjectFacts& project, Report& report) {
  for (const LockCall& lock : project.locks) {
    const auto misread = project.misread(lock);
    if (!misread)
      continue;
    Finding finding = about(project, "misread-try-result", FindingLevel::error, lock);
    finding.message =
        fmt::format("the answer of `{}` is not what is tested: {}", lock.function->name, tested(misread->kind));
    finding.decide(misread->test, "the test");
    finding.advice = advice(misread->kind);
    report.add(std::move(finding));
  }
}

} // namespace

extern const Rule misread_try_result{
    .id = "misread-try-result",
    .summary = "A test that is always true stands for the answer of a try-lock.",
    .level = FindingLevel::error,
    .replaces = {"ignored-try-result"},
    .check = check,
};

} // namespace padlint
