#include "analyzer/sql/query.h"

#include <algorithm>
#include <set>

// What PostgreSQL 15 to 18 did with 1,000 rows and a lock call in each of these shapes was measured; each line below
// stands for one of these results. The general facts:
// - volatile items of a select list are evaluated after the sort and under the LIMIT of their own query, but DISTINCT,
//   UNION, aggregates, OFFSET and WITH TIES need more rows than they give;
// - a condition is evaluated in an order of the planner's choice, also across a sub-select, unless LIMIT, OFFSET or
//   MATERIALIZED keeps the sub-select apart;
// - a query around a sub-select sorts and filters its rows after their calls have run.

namespace padlint {

namespace {

Rows more(Rows left, Rows right) { return std::max(left, right); }

Rows gives(const QueryLevel& level);

Rows gives(const Source& source) {
  switch (source.kind) {
  case Source::query: return gives(*source.level);
  case Source::common_table: return source.common->recursive ? Rows::many : gives(*source.common->level);
  default: return source.rows;
  }
}

/// How many rows the sources of a query give to it.
Rows driving(const QueryLevel& level) {
  Rows rows = Rows::one;
  for (const Source& source : level.sources)
    rows = more(rows, gives(source));
  return rows;
}

Rows count_rows(const QueryLevel& level) {
  if (level.set_returning || level.value_rows > 1 || (!level.arms.empty() && !level.limit_one))
    return Rows::many;
  if (level.one_group)
    return Rows::one;
  const Rows rows = level.where ? more(driving(level), Rows::at_most_one) : driving(level);
  return level.limit_one ? std::min(rows, Rows::at_most_one) : rows;
}

Rows gives(const QueryLevel& level) {
  if (!level.judged.rows)
    level.judged.rows = count_rows(level);
  return *level.judged.rows;
}

bool limited(const QueryLevel& level);

/// The planner cannot run a condition of the reading query on more rows than the source gives.
bool limited(const Source& source) {
  switch (source.kind) {
  case Source::table: return false;
  case Source::query: return limited(*source.level);
  case Source::common_table: {
    const CommonTable& common = *source.common;
    const bool apart =
        common.materialized || common.modifying || common.recursive || (common.readers.size() > 1 && !common.inlined);
    return apart || limited(*common.level);
  }
  default: return source.small;
  }
}

template <typename Wanted>
bool all_limited(const QueryLevel& level, Wanted wanted) {
  bool any = false;
  for (const Source& source : level.sources) {
    if (gives(source) == Rows::one || !wanted(source))
      continue;
    if (!limited(source))
      return false;
    any = true;
  }
  return any;
}

bool limited(const QueryLevel& level) {
  if (!level.judged.limited) {
    const auto arm_limited = [](const QueryLevel* arm) { return limited(*arm); };
    level.judged.limited = level.limit || level.fence || level.value_rows > 0 ||
                           (level.arms.empty() ? all_limited(level, [](const Source&) { return true; })
                                               : std::ranges::all_of(level.arms, arm_limited));
  }
  return *level.judged.limited;
}

/// A source has a condition that the planner flattens into the query that reads it.
bool flattened_condition(const QueryLevel& level) {
  if (!level.judged.filters)
    level.judged.filters = std::ranges::any_of(level.sources, [&](const Source& source) {
      const QueryLevel* inner = source.kind == Source::query          ? source.level
                                : source.kind == Source::common_table ? source.common->level
                                                                      : nullptr;
      return inner != nullptr && !limited(source) && (inner->where || flattened_condition(*inner));
    });
  return *level.judged.filters;
}

bool runs(const QueryLevel& level) {
  if (!level.judged.runs) {
    const auto reader_runs = [](const QueryLevel* reader) { return runs(*reader); };
    level.judged.runs = level.link == Link::common_table
                            ? level.defines->modifying || std::ranges::any_of(level.defines->readers, reader_runs)
                            : level.outer == nullptr || runs(*level.outer);
  }
  return *level.judged.runs;
}

/// An expression without sources of its own is evaluated for the rows of the query around it if it names a column.
Rows driving_call(const FoundCall& found) {
  if (found.set_returning)
    return Rows::many;
  const bool for_a_column = found.call.position == SqlPosition::from;
  Rows rows = for_a_column && !found.has_columns ? Rows::one : driving(*found.level);
  if (found.call.position == SqlPosition::values)
    rows = found.level->value_rows > 1 ? Rows::many : Rows::one;
  const bool inside = found.level->link == Link::lateral || found.level->link == Link::scalar ||
                      found.level->link == Link::any || found.level->link == Link::exists;
  if (inside && found.level->sources.empty() && found.has_columns)
    rows = more(rows, driving(*found.level->outer));
  return rows;
}

bool sorts_by(const QueryLevel& level, const FoundCall& found) {
  if (found.in_order_by || found.call.position == SqlPosition::order_by)
    return true;
  if (found.call.position != SqlPosition::select_list)
    return false;
  return std::ranges::find(level.order_names, found.alias) != level.order_names.end() ||
         std::ranges::find(level.order_positions, found.target) != level.order_positions.end();
}

std::ptrdiff_t row_sources(const QueryLevel& level) {
  return std::ranges::count_if(level.sources, [](const Source& source) { return gives(source) != Rows::one; });
}

bool source_ordered(const QueryLevel& level) {
  for (const Source& source : level.sources)
    if (gives(source) != Rows::one)
      return (source.kind == Source::query && source.level->ordered) ||
             (source.kind == Source::common_table && source.common->level->ordered);
  return false;
}

struct Clauses {
  Range limit, offset, distinct, order, order_outside;
};

void note(Range& range, Range found) {
  if (range.empty())
    range = found;
}

/// What the query that reads a level's rows does with them.
void look_outside(const QueryLevel& level, const QueryLevel& reader, RowShape& rows, Clauses& clauses) {
  const bool arm = level.link == Link::set_arm;
  const bool filtered = level.link == Link::common_table && reader.where; // not pushed down into a volatile query
  const bool joined = (level.link == Link::from || level.link == Link::common_table) && row_sources(reader) > 1;
  (arm ? rows.limit : rows.limit_outside) |= reader.limit;
  rows.offset |= reader.offset;
  rows.with_ties |= reader.with_ties;
  rows.distinct |= reader.distinct;
  rows.ordered |= arm && reader.ordered;
  rows.sorted_or_filtered_outside |=
      reader.ordered || (reader.distinct && !arm) || reader.grouped || filtered || joined;
  note(clauses.limit, reader.limit_range);
  note(clauses.offset, reader.offset_range);
  note(clauses.distinct, reader.distinct_range);
  note(clauses.order_outside, reader.order_range);
}

/// Goes up from a query to all that read its rows, each once.
void look_at_readers(const QueryLevel& start, RowShape& rows, Clauses& clauses) {
  std::vector<const QueryLevel*> pending{&start};
  std::set<const QueryLevel*> seen;
  while (!pending.empty()) {
    const QueryLevel& level = *pending.back();
    pending.pop_back();
    std::vector<const QueryLevel*> readers;
    if (level.link == Link::common_table)
      readers = level.defines->readers;
    else if (level.link == Link::from || level.link == Link::lateral || level.link == Link::any ||
             level.link == Link::set_arm)
      readers = {level.outer};
    for (const QueryLevel* reader : readers)
      if (seen.insert(reader).second) {
        look_outside(level, *reader, rows, clauses);
        pending.push_back(reader);
      }
  }
}

/// Whether a query around a level picks among its rows.
bool filtered_outside(const QueryLevel& level) {
  auto picks = [](const QueryLevel* reader) { return reader->where || reader->limit || reader->offset; };
  if (level.link == Link::common_table)
    return std::ranges::any_of(level.defines->readers, picks);
  for (const QueryLevel* at = &level; at->link == Link::from || at->link == Link::lateral; at = at->outer)
    if (picks(at->outer))
      return true;
  return false;
}

Range deciding(const RowShape& rows, const Clauses& clauses) {
  const std::pair<bool, Range> candidates[] = {
      {rows.offset, clauses.offset},
      {rows.sorts_by_call, clauses.order},
      {rows.distinct, clauses.distinct},
      {rows.sorted_or_filtered_outside, clauses.order_outside},
      {true, clauses.limit},
  };
  for (const auto& [decides, range] : candidates)
    if (decides && !range.empty())
      return range;
  return {};
}

} // namespace

RowShape row_shape(const Parsed& sql, const FoundCall& found) {
  const QueryLevel& level = *found.level;
  const SqlPosition position = found.call.position;
  const Rows driven = driving_call(found);
  RowShape rows = found.call.rows; // what the walk saw in the expression itself
  rows.from_rows = driven != Rows::one;
  rows.unique_lookup = driven == Rows::at_most_one;
  rows.limit = level.limit;
  rows.offset = level.offset;
  rows.with_ties = level.with_ties;
  rows.distinct = level.distinct;
  rows.sorts_by_call = sorts_by(level, found);
  rows.joined = row_sources(level) > 1;
  rows.ordered = level.ordered || (!rows.joined && source_ordered(level));

  const bool condition = position == SqlPosition::where || position == SqlPosition::join_condition;
  rows.source_limited = all_limited(level, [&](const Source& source) {
    // A condition on one source's columns is evaluated where that source is read.
    return !condition || found.qualifiers.empty() ||
           std::ranges::find(found.qualifiers, source.name) != found.qualifiers.end();
  });
  const bool after_where = position == SqlPosition::select_list || position == SqlPosition::returning;
  rows.source_limited |= after_where && level.picks_limited;
  if (condition)
    rows.other_condition |= flattened_condition(level);
  if (position == SqlPosition::join_condition)
    rows.other_condition |= level.where;

  rows.unread_cte = !runs(level);
  const bool skipped = level.link == Link::exists && position == SqlPosition::select_list && !rows.aggregated &&
                       !level.fence && !level.grouped;
  rows.in_exists_list = skipped || level.in_exists_list;

  Clauses clauses{level.limit_range, level.offset_range, level.distinct_range, level.order_range, {}};
  if (rows.from_rows)
    look_at_readers(level, rows, clauses);
  else
    rows.sorted_or_filtered_outside = filtered_outside(level); // its one row may be left out
  if (const Range range = deciding(rows, clauses); !range.empty())
    rows.limit_span = sql.text->source(range.begin, range.end);
  return rows;
}

} // namespace padlint
