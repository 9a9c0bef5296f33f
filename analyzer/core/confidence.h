#pragma once

#include <string_view>

namespace padlint {

/// How sure a fact is. certain: each step is syntax, a resolved binding or type, a parsed setting or a documented rule.
/// likely: exactly one step is a listed heuristic. possible: two such steps, several candidates or a run-time value.
enum class Confidence { possible, likely, certain };

/// The weaker of two: a conclusion is as sure as its weakest fact.
constexpr Confidence weaker(Confidence left, Confidence right) { return left < right ? left : right; }

/// One step down; possible stays possible.
constexpr Confidence lowered(Confidence confidence) {
  return confidence == Confidence::certain ? Confidence::likely : Confidence::possible;
}

/// The answer to a question about a program: yes, no, or not to be read from the text.
enum class Answer { no, yes, unknown };

std::string_view to_text(Confidence confidence);
std::string_view to_text(Answer answer);

} // namespace padlint
