#include "analyzer/core/rule.h"
#include "analyzer/facts/project_facts.h"

#include <fmt/format.h>

namespace padlint {
namespace {

/// The shape in which the server is measured to lock more rows than it returns; empty for the plain form.
std::string_view over_locks(const RowShape& rows) {
  if (rows.offset)
    return "OFFSET locks the rows that it skips";
  if (rows.distinct)
    return "duplicates are removed after all rows are locked";
  if (rows.aggregated)
    return "the aggregate locks every row of each group";
  if (rows.with_ties)
    return "WITH TIES locks one row more than it returns";
  if (rows.sorts_by_call)
    return "the sort needs the answer for every row";
  if (rows.sorted_or_filtered_outside && rows.limit_outside)
    return "the rows are sorted or filtered after the lock is taken";
  return {};
}

// A call in the select list runs for each row that the executor makes, and LIMIT only says how many are returned. The
// plain form locks as many rows as it returns on PostgreSQL 15 to 18 (measured), and the manual promises nothing.
void check(const ProjectFacts& project, Report& report) {
  for (const LockCall& lock : project.locks) {
    const RowShape& rows = lock.rows;
    if (lock.wrapped || lock.position != SqlPosition::select_list || !rows.from_rows || rows.unique_lookup ||
        rows.source_limited)
      continue;
    if (!rows.limit && !rows.limit_outside && !rows.with_ties)
      continue;
    const std::string_view measured = over_locks(rows);
    Finding finding =
        about(project, "lock-under-limit", measured.empty() ? FindingLevel::warning : FindingLevel::error, lock);
    finding.message = measured.empty() ? fmt::format("`{}` in the select list of a query with LIMIT: that only the "
                                                     "returned rows are locked is not guaranteed",
                                                     lock.function->name)
                                       : fmt::format("`{}` under LIMIT locks rows that are not returned: {}",
                                                     lock.function->name, measured);
    if (!rows.limit_span.empty())
      finding.relate(rows.limit_span, "this decides after the lock is taken");
    finding.advice = "pick the rows first: `SELECT q.id, lock(q.id) FROM (SELECT id ... LIMIT n) q`";
    report.add(std::move(finding));
  }
}

} // namespace

extern const Rule lock_under_limit{
    .id = "lock-under-limit",
    .summary = "A query with LIMIT takes locks in its select list.",
    .level = FindingLevel::error,
    .check = check,
};

} // namespace padlint
