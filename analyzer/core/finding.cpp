#include "analyzer/core/finding.h"

#include <algorithm>

namespace padlint {

bool Finding::quiet(std::string text, Answer answer) {
  quiet_conditions.push_back({.text = std::move(text), .answer = answer});
  if (answer == Answer::unknown)
    confidence = lowered(confidence);
  return answer == Answer::yes;
}

void Finding::decided_by(const std::vector<Step>& steps) {
  for (const Step& step : steps)
    decided_by(step);
}

void Finding::decided_by(Step step) {
  confidence = weaker(confidence, step.confidence);
  derivation.push_back(std::move(step));
}

void Finding::relate(Span span, std::string text) { related.push_back({.span = span, .text = std::move(text)}); }

void Finding::decide(Span span, std::string text) {
  related.push_back({.span = span, .text = std::move(text), .deciding = true});
}

FindingLevel shown_level(const Finding& finding) {
  switch (finding.confidence) {
  case Confidence::certain: return finding.level;
  case Confidence::likely: return std::min(finding.level, FindingLevel::warning);
  case Confidence::possible: return FindingLevel::note;
  }
  return finding.level;
}

std::string_view to_text(FindingLevel level) {
  switch (level) {
  case FindingLevel::note: return "note";
  case FindingLevel::warning: return "warning";
  case FindingLevel::error: return "error";
  }
  return "";
}

} // namespace padlint
