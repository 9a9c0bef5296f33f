#include "analyzer/core/rule.h"
#include "analyzer/facts/project_facts.h"

#include <fmt/format.h>

namespace padlint {
namespace {

// The planner orders the conditions of a WHERE by cost, not as they are written, and sorts and limits come later: the
// call locks rows that the query does not return, even without LIMIT (measured: 1,000 locks for 100 rows).
void check(const ProjectFacts& project, Report& report) {
  for (const LockCall& lock : project.locks) {
    const RowShape& rows = lock.rows;
    const bool condition = lock.position == SqlPosition::where || lock.position == SqlPosition::join_condition ||
                           lock.position == SqlPosition::having;
    if (lock.wrapped || !condition || !rows.from_rows || rows.unique_lookup || rows.source_limited || rows.case_guard)
      continue;
    const bool others = rows.other_condition || rows.joined || rows.ordered || rows.limit || rows.offset ||
                        lock.position == SqlPosition::join_condition || rows.sorted_or_filtered_outside ||
                        rows.limit_outside;
    if (!others)
      continue;
    Finding finding = about(project, "try-lock-as-filter",
                            lock.level() == Level::session ? FindingLevel::error : FindingLevel::warning, lock);
    finding.message = fmt::format(
        "`{}` as a filter locks rows that the query does not return: the order of conditions is the planner's, {}",
        lock.function->name,
        lock.level() == Level::session ? "and nothing unlocks those rows"
                                       : "and those rows stay locked until the transaction ends");
    if (!rows.limit_span.empty())
      finding.relate(rows.limit_span, "decided after the rows are locked");
    finding.advice = "for a queue: `FOR UPDATE SKIP LOCKED`; otherwise pick the rows in a sub-select with LIMIT or AS "
                     "MATERIALIZED, then lock";
    report.add(std::move(finding));
  }
}

} // namespace

extern const Rule try_lock_as_filter{
    .id = "try-lock-as-filter",
    .summary = "A lock call filters rows beside other conditions.",
    .level = FindingLevel::error,
    .replaces = {"lock-under-limit"},
    .check = check,
};

} // namespace padlint
