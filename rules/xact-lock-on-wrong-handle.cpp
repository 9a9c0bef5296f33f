#include "analyzer/core/rule.h"
#include "analyzer/facts/project_facts.h"

#include <fmt/format.h>

namespace padlint {
namespace {

// The work runs in the transaction of one connection, the lock in the autocommit of another: it is gone when its own
// statement ends.
void check(const ProjectFacts& project, Report& report) {
  for (const LockCall& lock : project.locks) {
    if (lock.level() != Level::transaction || !lock.lone)
      continue; // a statement that locks and works is protected by itself
    const Handle& handle = project.handle(lock);
    TransactionAnswer transaction = project.transaction_of(lock);
    // Of several connections that the thread has, callers may have a transaction open on the lock's as well.
    const bool presumed = transaction.state == TransactionState::caller && handle.ambient;
    if (transaction.state != TransactionState::none && !presumed)
      continue;
    const auto other = project.other_transaction(lock);
    if (!other)
      continue;
    if (presumed)
      transaction.confidence = weaker(transaction.confidence, Confidence::likely);
    Finding finding = about(project, "xact-lock-on-wrong-handle", FindingLevel::error, lock);
    finding.decided_by(transaction.steps);
    finding.confidence = weaker(finding.confidence, transaction.confidence);
    finding.message = fmt::format(
        "the transaction is open on {}, but this transaction-level lock goes through `{}`: it is released when its own "
        "statement ends",
        other->text.empty() ? "another connection" : fmt::format("`{}`", other->text), handle.text);
    finding.decide(other->begins, "the transaction begins here");
    if (!other->call.empty())
      finding.decide(other->call, "this call is inside it");
    finding.advice = other->text.empty() || !other->call.empty()
                         ? "send the lock through the handle of the transaction"
                         : fmt::format("send the lock through `{}`", other->text);
    report.add(std::move(finding));
  }
}

} // namespace

extern const Rule xact_lock_on_wrong_handle{
    .id = "xact-lock-on-wrong-handle",
    .summary = "A transaction is open, but the transaction-level lock goes through another handle.",
    .level = FindingLevel::error,
    .replaces = {"xact-lock-outside-transaction"},
    .check = check,
};

} // namespace padlint
