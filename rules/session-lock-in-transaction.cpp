#include "analyzer/core/rule.h"
#include "analyzer/facts/project_facts.h"

#include <fmt/format.h>

namespace padlint {
namespace {

constexpr std::string_view id = "session-lock-in-transaction";

bool body_of_sql(const Routine& routine) {
  return routine.form == RoutineForm::sql_function || routine.form == RoutineForm::sql_procedure ||
         routine.form == RoutineForm::sql_do;
}

std::string advice(const LockCall& lock) {
  return fmt::format("`{}` ends with the transaction; or lock before BEGIN and unlock after COMMIT",
                     rewritten(lock, Level::transaction));
}

// A transaction that a driver began by itself is one only where something may fail in it before the release. A lock
// that is released after the commit, on the same session, is meant to be as it is.
bool at_fault(const ProjectFacts& project, const LockCall& lock, const HoldAnswer& hold) {
  if (!hold.taken_inside)
    return false;
  if (hold.released_inside)
    return hold.explicit_block || hold.used_inside;
  return hold.explicit_block && !hold.released_after && project.releases_for(lock).empty();
}

// ROLLBACK does not free a session-level lock, and in a failed transaction the server refuses the unlock with all other
// commands (25P02): the lock survives both (measured).
void check(const ProjectFacts& project, Report& report) {
  for (const LockCall& lock : project.locks) {
    // A body runs in the transaction of the statement that calls it: what goes wrong there is a leak, or comes too
    // early.
    if (lock.level() != Level::session || body_of_sql(project.routine(lock.routine)))
      continue;
    const Handle& handle = project.handle(lock);
    const HoldAnswer hold = project.hold_of(lock);
    if (at_fault(project, lock, hold)) {
      Finding finding = about(project, id, FindingLevel::warning, lock);
      finding.confidence = weaker(finding.confidence, hold.confidence);
      finding.decided_by(handle.steps);
      finding.quiet("the driver began the transaction, and the connection is closed when the routine ends",
                    !hold.explicit_block && !project.held_at_exit(lock).outlives_routine ? Answer::yes : Answer::no);
      finding.message = hold.released_inside
                            ? "session-level lock inside a transaction: after an error the unlock is refused until the "
                              "rollback, which does not free it"
                            : "session-level lock inside a transaction that nothing releases: COMMIT and ROLLBACK do "
                              "not free it";
      for (const LockRelease* release : project.releases_for(lock))
        if (release->routine == lock.routine)
          finding.relate(release->span, "the unlock, in the same transaction");
      finding.advice = advice(lock);
      report.add(std::move(finding));
      continue;
    }
    // A helper that takes and releases is judged at the callers that have a transaction open.
    if (hold.taken_inside || !project.hold_of(lock, true).released_inside)
      continue;
    for (const CallerAnswer& caller : project.callers_of(lock)) {
      if (caller.transaction.state != TransactionState::open || !caller.transaction.explicit_block ||
          caller.call == lock.span)
        continue;
      Finding finding = about(project, id, FindingLevel::warning, lock);
      finding.subject = {}; // the helper's lock is another matter
      finding.primary = caller.call;
      finding.symbol = project.symbol(caller.routine);
      finding.confidence = weaker(finding.confidence, caller.transaction.confidence);
      finding.decided_by(caller.transaction.steps);
      finding.message = fmt::format("this call takes the session-level lock of `{}` inside a transaction, and releases "
                                    "it before the commit",
                                    project.symbol(lock.routine));
      finding.decide(lock.span, "the lock inside the helper");
      finding.advice = "make the call before BEGIN, or take a transaction-level lock";
      report.add(std::move(finding));
    }
  }
}

} // namespace

extern const Rule session_lock_in_transaction{
    .id = id,
    .summary = "A session-level lock is taken inside a transaction.",
    .level = FindingLevel::warning,
    .replaces = {"session-lock"},
    .yields_to = {"session-lock-on-pool-handle", "session-lock-behind-pooler"},
    .check = check,
};

} // namespace padlint
