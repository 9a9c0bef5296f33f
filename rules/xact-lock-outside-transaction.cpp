#include "analyzer/core/rule.h"
#include "analyzer/facts/project_facts.h"

#include <fmt/format.h>

namespace padlint {
namespace {

constexpr std::string_view id = "xact-lock-outside-transaction";

// In autocommit each statement is its own transaction, so the lock is gone when the statement that took it ends
// (measured). Where a helper takes the lock, whoever calls it without a transaction is told.
void check(const ProjectFacts& project, Report& report) {
  for (const LockCall& lock : project.locks) {
    if (lock.level() != Level::transaction || !lock.lone)
      continue; // a statement that locks and works is protected by itself
    const TransactionAnswer transaction = project.transaction_of(lock);
    if (transaction.state == TransactionState::none) {
      Finding finding = about(project, id, FindingLevel::error, lock);
      finding.decided_by(transaction.steps);
      finding.confidence = weaker(finding.confidence, transaction.confidence);
      finding.message = fmt::format("transaction-level lock in autocommit: `{}` is released when its own statement "
                                    "ends, before the work that it should protect",
                                    lock.wrapped ? project.locks[*lock.wrapped].function->name : lock.function->name);
      if (lock.wrapped)
        finding.decide(project.locks[*lock.wrapped].span, "the lock inside the function");
      finding.advice = "put the lock and the work into one transaction";
      report.add(std::move(finding));
      continue;
    }
    if (transaction.state != TransactionState::caller)
      continue;
    for (const CallerAnswer& caller : project.callers_of(lock)) {
      if (caller.transaction.state != TransactionState::none)
        continue;
      Finding finding = about(project, id, FindingLevel::error, lock);
      finding.primary = caller.call;
      finding.symbol = project.symbol(caller.routine);
      finding.decided_by(caller.transaction.steps);
      finding.confidence = weaker(finding.confidence, caller.transaction.confidence);
      finding.message = caller.call == lock.span
                            ? fmt::format("transaction-level lock in a routine that runs outside a transaction: `{}` "
                                          "is released when its own statement ends",
                                          lock.function->name)
                            : fmt::format("this call takes the transaction-level lock of `{}` in autocommit: it is "
                                          "released before the call returns",
                                          project.symbol(lock.routine));
      if (caller.call != lock.span)
        finding.decide(lock.span, "the lock inside the helper");
      finding.advice = "open the transaction before the call, and do the work in it";
      report.add(std::move(finding));
    }
  }
}

} // namespace

extern const Rule xact_lock_outside_transaction{
    .id = id,
    .summary = "A transaction-level lock is taken in autocommit.",
    .level = FindingLevel::error,
    .check = check,
};

} // namespace padlint
