#include "analyzer/core/rule.h"
#include "analyzer/facts/project_facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace padlint {
namespace {

std::string_view when(Stability stability) {
  switch (stability) {
  case Stability::per_process: return "is another number in each process";
  case Stability::per_call: return "is another number at each call";
  case Stability::over_time: return "is another number at each moment";
  case Stability::stable: break;
  }
  return {};
}

/// A session that locks its own number under a namespace, so that others can ask whether it lives: somebody locks the
/// same namespace with a number that was stored.
Answer is_asked_for(const ProjectFacts& project, const LockCall& lock) {
  if (lock.key.form != KeyForm::two_int4 || !lock.key.parts[0].constant() || lock.level() != Level::session)
    return Answer::no;
  const bool asked = std::any_of(project.locks.begin(), project.locks.end(), [&](const LockCall& other) {
    return other.key.form == KeyForm::two_int4 && other.key.parts[0].constant() &&
           other.key.parts[0].number == lock.key.parts[0].number && !other.key.sources[1];
  });
  return asked ? Answer::yes : Answer::no;
}

// Two sessions exclude each other only by the same number. A key that each of them makes differently excludes nobody.
void check(const ProjectFacts& project, Report& report) {
  std::set<std::pair<RoutineRef, Span>> told;
  for (const LockCall& lock : project.locks)
    for (const auto& source : lock.key.sources) {
      if (!source || source->stability == Stability::stable || !told.emplace(lock.routine, source->span).second)
        continue;
      Finding finding = about(project, "unstable-key", FindingLevel::error, lock);
      finding.confidence = weaker(finding.confidence, source->confidence);
      finding.quiet("the sign of life of a session", is_asked_for(project, lock));
      finding.message = fmt::format("`{}` {}: two sessions that mean the same thing lock different keys", source->maker,
                                    when(source->stability));
      if (!source->seed.empty())
        finding.message += fmt::format(" (`{}` is not set)", source->seed);
      if (!lock.span.contains(source->span))
        finding.decide(source->span, "the number is made here");
      finding.advice = source->seed.empty()
                           ? "lock a number that all sessions agree on: a constant, an id, or a hash of the name"
                           : "take a hash that is the same everywhere, such as the first 8 bytes of SHA-256";
      report.add(std::move(finding));
    }
}

} // namespace

extern const Rule unstable_key{
    .id = "unstable-key",
    .summary = "A lock key is another number in each process, call or moment.",
    .level = FindingLevel::error,
    .replaces = {"hashtext-key"},
    .check = check,
};

} // namespace padlint
