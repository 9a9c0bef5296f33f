#include "analyzer/core/rule.h"
#include "analyzer/facts/project_facts.h"

#include <fmt/format.h>

namespace padlint {
namespace {

constexpr std::string_view id = "xact-lock-outside-transaction";

/// A lock with what is said of it: `name` is the function or what asks a library for the lock, and `lost` what becomes
/// of it in autocommit.
template <class Lock>
struct Judged {
  const Lock& lock;
  RoutineRef routine;
  std::string name;
  std::string_view lost;
  Span inside; // of a wrapper: the lock in it
};

template <class Lock>
void judge(const ProjectFacts& project, const Judged<Lock>& judged, Report& report) {
  const TransactionAnswer transaction = project.transaction_of(judged.lock);
  if (transaction.state == TransactionState::none) {
    Finding finding = about(project, id, FindingLevel::error, judged.lock);
    finding.decided_by(transaction.steps);
    finding.confidence = weaker(finding.confidence, transaction.confidence);
    finding.message = fmt::format("transaction-level lock in autocommit: `{}` {}, before the work that it should "
                                  "protect",
                                  judged.name, judged.lost);
    if (!judged.inside.empty())
      finding.decide(judged.inside, "the lock inside the function");
    finding.advice = "put the lock and the work into one transaction";
    report.add(std::move(finding));
    return;
  }
  if (transaction.state != TransactionState::caller)
    return;
  for (const CallerAnswer& caller : project.callers_of(judged.lock)) {
    if (caller.transaction.state != TransactionState::none)
      continue;
    Finding finding = about(project, id, FindingLevel::error, judged.lock);
    finding.primary = caller.call;
    finding.symbol = project.symbol(caller.routine);
    finding.decided_by(caller.transaction.steps);
    finding.confidence = weaker(finding.confidence, caller.transaction.confidence);
    finding.message =
        caller.call == judged.lock.span
            ? fmt::format("transaction-level lock in a routine that runs outside a transaction: `{}` {}", judged.name,
                          judged.lost)
            : fmt::format("this call takes the transaction-level lock of `{}` in autocommit: it is released before the "
                          "call returns",
                          project.symbol(judged.routine));
    if (caller.call != judged.lock.span)
      finding.decide(judged.lock.span, "the lock inside the helper");
    finding.advice = "open the transaction before the call, and do the work in it";
    report.add(std::move(finding));
  }
}

// In autocommit each statement is its own transaction, so the lock is gone when the statement that took it ends
// (measured). Where a helper takes the lock, whoever calls it without a transaction is told.
void check(const ProjectFacts& project, Report& report) {
  for (const LockCall& lock : project.locks) {
    if (lock.level() != Level::transaction || !lock.lone)
      continue; // a statement that locks and works is protected by itself
    const LockCall& taken = lock.wrapped ? project.locks[*lock.wrapped] : lock;
    judge(project,
          Judged<LockCall>{.lock = lock,
                           .routine = lock.routine,
                           .name = std::string(taken.function->name),
                           .lost = "is released when its own statement ends",
                           .inside = lock.wrapped ? taken.span : Span{}},
          report);
  }
  for (const LibraryLock& lock : project.library_locks)
    if (lock.level == Level::transaction && !lock.off && lock.routine)
      judge(project,
            Judged<LibraryLock>{.lock = lock,
                                .routine = *lock.routine,
                                .name = lock.taker,
                                .lost = "is refused, or released when its own statement ends",
                                .inside = {}},
            report);
}

} // namespace

extern const Rule xact_lock_outside_transaction{
    .id = id,
    .summary = "A transaction-level lock is taken in autocommit.",
    .level = FindingLevel::error,
    .check = check,
};

} // namespace padlint
