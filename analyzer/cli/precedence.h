#pragma once

#include "analyzer/core/finding.h"
#include "analyzer/core/rule.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace padlint {

/// For each finding the rule of another one with the same subject that replaces it, empty for none. `rules` are all
/// rules, whether they run or not: precedence passes through a rule that is silent.
std::vector<std::string_view> replacing_rules(std::span<const Finding> findings, std::span<const Rule* const> rules);

/// What is wrong with the rules' precedence: names that are no rule, and rules that come before themselves.
std::vector<std::string> precedence_faults(std::span<const Rule* const> rules);

} // namespace padlint
