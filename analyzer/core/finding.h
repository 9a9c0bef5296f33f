#pragma once

#include "analyzer/core/confidence.h"
#include "analyzer/core/handle.h"
#include "analyzer/core/span.h"

#include <string>
#include <string_view>
#include <vector>

namespace padlint {

/// The levels of SARIF results.
enum class FindingLevel { note, warning, error };

/// What a finding is about: findings of two rules replace each other only when they have one subject.
struct Subject {
  enum Kind { none, lock, release, library } kind = none;
  std::uint32_t id = 0;
  auto operator<=>(const Subject&) const = default;
};

/// Another place that a reader needs. A deciding one is why the finding is reported: a config line, a constant, a
/// caller.
struct Related {
  Span span;
  std::string text;
  bool deciding = false;
};

/// A condition under which the rule would have stayed silent, and the answer.
struct QuietCondition {
  std::string text;
  Answer answer = Answer::no;
};

struct Finding {
  std::string rule;
  Subject subject;
  FindingLevel level = FindingLevel::warning; // what a certain finding is worth; see shown_level
  Confidence confidence = Confidence::certain;
  Span primary;
  std::string message; // one sentence; first letter small; code in backquotes
  std::string advice;  // one line, with the rewritten call where possible; empty for none
  std::vector<Related> related;
  std::vector<Step> derivation;
  std::vector<QuietCondition> quiet_conditions;
  std::string symbol;      // enclosing routine, for the identity
  std::string fingerprint; // identity without line numbers: see fingerprint.h

  /// Records a quiet-condition. True means that the rule has to stay silent; unknown lowers the confidence one step.
  bool quiet(std::string text, Answer answer);
  /// Adds the reasons, and takes their confidence.
  void decided_by(const std::vector<Step>& steps);
  void decided_by(Step step);
  void relate(Span span, std::string text);
  /// A related place that decides.
  void decide(Span span, std::string text);
};

/// An error needs certainty: a likely one shows as warning, a possible finding as note.
FindingLevel shown_level(const Finding& finding);

std::string_view to_text(FindingLevel level);

} // namespace padlint
