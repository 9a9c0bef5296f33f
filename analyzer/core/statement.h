#pragma once

#include "analyzer/core/span.h"
#include "analyzer/core/value.h"

#include <string>
#include <vector>

// What one SQL statement says about locks, transactions and the rows that drive a call. Spans are places in the source
// file: for SQL in a host literal they have been mapped back through its escapes and holes.

namespace padlint {

enum class StatementKind {
  select,
  insert,
  update,
  delete_rows,
  merge,
  begin,
  commit,
  rollback,
  savepoint,
  rollback_to,
  release_savepoint,
  set,
  do_block,
  call,
  create_function,
  drop_function,
  create_table,
  create_trigger,
  create_index,
  copy,
  explain,
  prepare,
  execute,
  listen,
  other,
};

/// The clause of the innermost query in which a call stands.
enum class SqlPosition {
  select_list,
  from,
  join_condition,
  where,
  having,
  order_by,
  limit,
  returning,
  values,
  set_clause,
  other
};

/// Which rows drive a call, as the text of its query tells. All measured: see the rule pages.
struct RowShape {
  bool from_rows = false;     // the query has a FROM source that may give more than one row
  bool unique_lookup = false; // ... but an equality on a key-like column picks at most one
  bool limit = false;         // LIMIT n or FETCH FIRST at the same level (not LIMIT ALL or NULL)
  bool offset = false;
  bool with_ties = false;
  bool distinct = false;      // DISTINCT or UNION without ALL
  bool aggregated = false;    // the call is inside the argument of an aggregate
  bool sorts_by_call = false; // ORDER BY the call, its alias or its position
  bool ordered = false;       // ORDER BY at the same level
  bool sorted_or_filtered_outside =
      false;                  // the call is in a sub-select that a query around it sorts, filters or limits
  bool limit_outside = false; // ... and that query has the LIMIT
  bool source_limited =
      false; // every row source is a sub-select or CTE with LIMIT, OFFSET 0 or MATERIALIZED, or a literal list
  bool other_condition = false; // another condition stands beside the call in its clause
  bool joined = false;          // the query joins several sources
  bool case_guard = false;      // the call is inside CASE WHEN
  bool in_exists_list = false;  // select list of EXISTS(...)
  bool unread_cte = false;      // in a SELECT CTE that nothing reads
  Span limit_span;              // LIMIT, OFFSET, DISTINCT or ORDER BY clause that decides, where known
};

/// One call of a function that is no built-in one of PostgreSQL, or of a lock function: lock calls, and calls that may
/// turn out to be wrappers of one.
struct SqlCall {
  std::string schema; // empty when not written
  std::string name;   // folded as PostgreSQL folds it
  Span span;          // name and arguments
  Span name_span;
  std::vector<Value> arguments; // casts kept as operations; columns and PL/pgSQL variables are names
  SqlPosition position = SqlPosition::select_list;
  RowShape rows;
};

struct Statement {
  StatementKind kind = StatementKind::other;
  Span span;
  std::vector<SqlCall> calls;
  std::vector<std::string> reads; // tables, folded, as written
  std::vector<std::string> writes;
  std::string name;   // savepoint, function, table, setting
  std::string value;  // of set: the value, folded; of drop_function: how many arguments are written
  bool local = false; // SET LOCAL
  bool into = false;  // PL/pgSQL: the result goes to a variable
  bool works = false; // the statement reads or writes a table beside taking a lock
  bool parsed = true; // false: read from tokens after a syntax error, at lower confidence
};

std::string to_text(StatementKind kind);
std::string to_text(SqlPosition position);

/// `from,limit,ordered`: the names of what is true; empty for one row.
std::string to_text(const RowShape& rows);

/// `select where pg_try_advisory_lock(id) rows=from,limit,ordered`
std::string to_text(const Statement& statement);

} // namespace padlint
