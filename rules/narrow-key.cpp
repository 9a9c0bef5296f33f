#include "analyzer/core/rule.h"
#include "analyzer/facts/project_facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace padlint {
namespace {

constexpr int narrow_bits = 32;
constexpr double names = 10'000;

/// What 10,000 names mean for so many bits: the odds of one collision, or how many to expect.
std::string odds(int bits) {
  const double pairs = names * (names - 1) / 2 / std::exp2(bits);
  if (pairs >= 1)
    return fmt::format("of 10,000 names about {:.0f} pairs share a key", pairs);
  return fmt::format("with 10,000 names the odds that two share a key are {:.1f} %", (1 - std::exp(-pairs)) * 100);
}

/// Whether the other part of a pair is a number of its own, under which the names of this one are told apart.
bool is_namespaced(const LockCall& lock, std::size_t part) { return lock.key.form == KeyForm::two_int4 && part == 1; }

// Names of an open set, cut to 32 bits or fewer: some day two of them are one lock, and nobody sees why they wait.
void check(const ProjectFacts& project, Report& report) {
  std::set<std::pair<RoutineRef, Span>> told;
  for (const LockCall& lock : project.locks) {
    int bits = 0; // of both parts of a pair: two halves of one digest are 64 together
    for (const auto& source : lock.key.sources)
      bits += source ? source->bits : 0;
    for (std::size_t i = 0; i < lock.key.sources.size(); ++i) {
      const auto& source = lock.key.sources[i];
      if (!source || source->stability != Stability::stable || bits > narrow_bits)
        continue;
      const bool half = is_namespaced(lock, i) || source->packed;
      Finding finding = about(project, "narrow-key", half ? FindingLevel::note : FindingLevel::warning, lock);
      finding.confidence = weaker(finding.confidence, source->confidence);
      finding.quiet("one name, or a list of names that stands in the program", source->closed);
      // hashtext() as it is has a rule of its own.
      finding.quiet("hashtext-key tells of it",
                    source->maker.ends_with("hashtext") && bits == narrow_bits ? Answer::yes : Answer::no);
      if (!is_silent(finding) && !told.emplace(lock.routine, source->span).second)
        continue;
      finding.message = fmt::format("{} bits of `{}` make {}: {}", source->bits, source->maker,
                                    half ? "the second half of the key" : "the whole key", odds(source->bits));
      if (!lock.span.contains(source->span))
        finding.decide(source->span, "the hash is made here");
      finding.advice = "take 64 bits of a documented hash, such as the first 8 bytes of SHA-256, in the form with one "
                       "bigint";
      report.add(std::move(finding));
    }
  }
}

} // namespace

extern const Rule narrow_key{
    .id = "narrow-key",
    .summary = "A lock key keeps 32 bits or fewer of the hash of a name.",
    .level = FindingLevel::warning,
    .yields_to = {"hashtext-key"},
    .check = check,
};

} // namespace padlint
