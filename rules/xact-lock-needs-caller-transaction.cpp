#include "analyzer/core/rule.h"
#include "analyzer/facts/project_facts.h"

#include <fmt/format.h>

#include <algorithm>

namespace padlint {
namespace {

// The helper leaves the transaction to its callers, and not all of them are known to open one. A caller that certainly
// opens none is xact-lock-outside-transaction.
void check(const ProjectFacts& project, Report& report) {
  for (const LockCall& lock : project.locks) {
    if (lock.level() != Level::transaction || !lock.lone)
      continue; // a statement that locks and works is protected by itself
    const TransactionAnswer transaction = project.transaction_of(lock);
    if (transaction.state != TransactionState::caller)
      continue;
    const std::vector<CallerAnswer> callers = project.callers_of(lock);
    const auto missing = std::ranges::find_if(
        callers, [](const CallerAnswer& caller) { return caller.transaction.state != TransactionState::open; });
    if (!callers.empty() && missing == callers.end())
      continue;
    const std::string symbol = project.symbol(lock.routine);
    Finding finding = about(project, "xact-lock-needs-caller-transaction", FindingLevel::note, lock);
    finding.decided_by(transaction.steps);
    finding.message = fmt::format("{} takes a transaction-level lock and leaves the transaction to its callers: {}",
                                  symbol.empty() ? "the routine" : fmt::format("`{}`", symbol),
                                  callers.empty() ? "none is known" : "not every one is known to open it");
    for (const CallerAnswer& caller : callers)
      if (caller.transaction.state != TransactionState::open && caller.call != lock.span)
        finding.decide(caller.call,
                       fmt::format("no transaction is known to be open in `{}`", project.symbol(caller.routine)));
    finding.advice = "raise an error in the helper unless a transaction is open";
    report.add(std::move(finding));
  }
}

} // namespace

extern const Rule xact_lock_needs_caller_transaction{
    .id = "xact-lock-needs-caller-transaction",
    .summary = "A transaction-level lock relies on a transaction that not every caller is known to open.",
    .level = FindingLevel::note,
    .on_request = true,
    .yields_to = {"xact-lock-outside-transaction"},
    .check = check,
};

} // namespace padlint
