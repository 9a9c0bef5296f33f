#pragma once

#include "analyzer/core/finding.h"

#include <algorithm>
#include <span>
#include <string_view>
#include <vector>

namespace padlint {

struct ProjectFacts;

/// Whether one of the finding's quiet-conditions holds.
inline bool is_silent(const Finding& finding) {
  return std::ranges::any_of(finding.quiet_conditions,
                             [](const QuietCondition& each) { return each.answer == Answer::yes; });
}

/// Where a rule puts its findings, silent ones too: those are not reported, and `padlint explain` tells why.
struct Report {
  std::vector<Finding> findings;
  std::vector<Finding> silent;
  void add(Finding finding) { (is_silent(finding) ? silent : findings).push_back(std::move(finding)); }
};

/// A rule is one constant in rules/<id>.cpp, and its page rules/<id>.md. The build finds both: nothing lists them.
struct Rule {
  std::string_view id;
  std::string_view summary;
  FindingLevel level = FindingLevel::warning;  // of a certain finding, at most
  bool on_request = false;                     // runs only with --select or the profile strict
  std::vector<std::string_view> replaces = {}; // "*": every other rule, on the same subject
  std::vector<std::string_view> yields_to = {};
  void (*check)(const ProjectFacts&, Report&) = nullptr;
};

/// All rules, sorted by id (generated).
std::span<const Rule* const> all_rules();

/// The page of a rule (Markdown), empty when there is no such rule (generated).
std::string_view rule_page(std::string_view id);

} // namespace padlint
