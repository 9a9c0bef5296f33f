#pragma once

#include "analyzer/core/statement.h"
#include "analyzer/sql/tree.h"

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

// A statement as the queries it is made of. Which rows drive a call is decided by its own query, by the sources that
// feed it and by the queries that read it, so all of them are written down first, and each call is judged at the end.

namespace padlint {

struct QueryLevel;

/// How many rows a source or a query gives.
enum class Rows : std::uint8_t { one, at_most_one, many };

/// WITH name AS (...).
struct CommonTable {
  std::string name;
  QueryLevel* level = nullptr;            // its query
  bool materialized = false;              // AS MATERIALIZED
  bool inlined = false;                   // AS NOT MATERIALIZED
  bool modifying = false;                 // INSERT, UPDATE, DELETE: always runs
  bool recursive = false;                 // reads itself
  std::vector<const QueryLevel*> readers; // queries outside of its own
};

/// One item of FROM, USING, or the target of UPDATE and DELETE.
struct Source {
  enum Kind : std::uint8_t { table, query, common_table, function, list } kind = table;
  std::string name;                  // alias, or the table's own name without schema
  std::string table_name;            // of a table, without schema
  const QueryLevel* level = nullptr; // query
  const CommonTable* common = nullptr;
  Rows rows = Rows::many; // function and list: as written; table: at_most_one after an equality on its key
  bool small = false;     // function and list: spelled out in the text
};

/// How a query hangs on the one around it.
enum class Link : std::uint8_t { statement, from, lateral, common_table, exists, any, scalar, set_arm, insert_source };

/// What row_shape has found out about a level, kept so that a chain of CTEs that each read the last one twice stays
/// cheap.
struct JudgedLevel {
  std::optional<Rows> rows;
  std::optional<bool> limited, filters, runs;
};

/// One query: SELECT, VALUES, or the level of an UPDATE, DELETE, INSERT or MERGE.
struct QueryLevel {
  QueryLevel* outer = nullptr;
  Link link = Link::statement;
  const CommonTable* defines = nullptr; // link common_table
  bool in_exists_list = false;          // inside a select list that EXISTS does not evaluate
  std::vector<Source> sources;
  std::vector<const QueryLevel*> arms; // of a UNION and the like
  bool limit = false;
  bool limit_one = false;
  bool fence = false; // any OFFSET, also 0: the planner does not flatten the query
  bool offset = false;
  bool with_ties = false;
  bool distinct = false;
  bool ordered = false;
  bool grouped = false;
  bool one_group = false;     // an aggregate and no GROUP BY
  bool set_returning = false; // unnest() and the like in the select list
  bool where = false;
  bool picks_limited = false;   // WHERE x IN (SELECT .. LIMIT n), or a literal list
  std::uint32_t value_rows = 0; // VALUES
  Range limit_range, offset_range, distinct_range, order_range;
  std::vector<std::string> order_names; // plain names in ORDER BY
  std::vector<std::int64_t> order_positions;
  mutable JudgedLevel judged;
};

/// A call and where it stands.
struct FoundCall {
  SqlCall call;
  const QueryLevel* level = nullptr;
  std::int64_t target = 0;             // position in the select list, from 1
  std::string alias;                   // AS name of that position, or the function's name
  bool has_columns = false;            // an argument names a column
  bool set_returning = false;          // an argument is unnest() or the like
  bool in_order_by = false;            // the same call is written in ORDER BY, too
  std::vector<std::string> qualifiers; // "q" of the columns q.id
};

struct Query {
  std::deque<QueryLevel> levels; // stable addresses; levels[0] is the statement's own
  std::deque<CommonTable> common_tables;
  std::vector<FoundCall> calls;
  std::vector<std::string> reads;
  std::vector<std::string> writes;
  bool cut = false;                 // something lies too deep, and was left out
  std::vector<std::string> columns; // names of the select list of the statement
};

/// Writes down the queries and calls of a tree: a statement, or a part of one (query.cpp).
Query read_query(const Parsed& sql, Tree tree);

/// The shape of the rows that drive a call (row_shape.cpp).
RowShape row_shape(const Parsed& sql, const FoundCall& call);

} // namespace padlint
