#pragma once

#include "analyzer/core/finding.h"
#include "analyzer/core/rule.h"

#include <span>
#include <string>
#include <vector>

namespace padlint {

/// Removes each finding that another one with the same subject replaces. `rules` are all rules, whether they run or
/// not: precedence passes through a rule that is silent.
std::vector<Finding> without_replaced(std::vector<Finding> findings, std::span<const Rule* const> rules);

/// What is wrong with the rules' precedence: names that are no rule, and rules that come before themselves.
std::vector<std::string> precedence_faults(std::span<const Rule* const> rules);

} // namespace padlint
