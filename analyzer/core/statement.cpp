#include "analyzer/core/statement.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace padlint {

std::string to_text(StatementKind kind) {
  switch (kind) {
  case StatementKind::select: return "select";
  case StatementKind::insert: return "insert";
  case StatementKind::update: return "update";
  case StatementKind::delete_rows: return "delete";
  case StatementKind::merge: return "merge";
  case StatementKind::begin: return "begin";
  case StatementKind::commit: return "commit";
  case StatementKind::rollback: return "rollback";
  case StatementKind::savepoint: return "savepoint";
  case StatementKind::rollback_to: return "rollback_to";
  case StatementKind::release_savepoint: return "release_savepoint";
  case StatementKind::set: return "set";
  case StatementKind::do_block: return "do";
  case StatementKind::call: return "call";
  case StatementKind::create_function: return "create_function";
  case StatementKind::drop_function: return "drop_function";
  case StatementKind::create_table: return "create_table";
  case StatementKind::create_trigger: return "create_trigger";
  case StatementKind::create_index: return "create_index";
  case StatementKind::copy: return "copy";
  case StatementKind::explain: return "explain";
  case StatementKind::prepare: return "prepare";
  case StatementKind::execute: return "execute";
  case StatementKind::listen: return "listen";
  case StatementKind::other: return "other";
  }
  return "";
}

std::string to_text(SqlPosition position) {
  switch (position) {
  case SqlPosition::select_list: return "select_list";
  case SqlPosition::from: return "from";
  case SqlPosition::join_condition: return "join_condition";
  case SqlPosition::where: return "where";
  case SqlPosition::having: return "having";
  case SqlPosition::order_by: return "order_by";
  case SqlPosition::limit: return "limit";
  case SqlPosition::returning: return "returning";
  case SqlPosition::values: return "values";
  case SqlPosition::set_clause: return "set_clause";
  case SqlPosition::other: return "other";
  }
  return "";
}

std::string to_text(const RowShape& rows) {
  const std::pair<bool, std::string_view> flags[] = {
      {rows.from_rows, "from"},
      {rows.unique_lookup, "unique_lookup"},
      {rows.limit, "limit"},
      {rows.offset, "offset"},
      {rows.with_ties, "with_ties"},
      {rows.distinct, "distinct"},
      {rows.aggregated, "aggregated"},
      {rows.sorts_by_call, "sorts_by_call"},
      {rows.ordered, "ordered"},
      {rows.sorted_or_filtered_outside, "sorted_or_filtered_outside"},
      {rows.limit_outside, "limit_outside"},
      {rows.source_limited, "source_limited"},
      {rows.other_condition, "other_condition"},
      {rows.joined, "joined"},
      {rows.case_guard, "case_guard"},
      {rows.in_exists_list, "in_exists_list"},
      {rows.unread_cte, "unread_cte"},
  };
  std::string out;
  for (const auto& [set, name] : flags)
    if (set)
      out += fmt::format("{}{}", out.empty() ? "" : ",", name);
  return out;
}

namespace {

std::string to_text(const SqlCall& call) {
  const Value callee = make_name(call.schema.empty() ? call.name : call.schema + "." + call.name, call.name_span);
  const std::string rows = to_text(call.rows);
  return fmt::format("{} {}{}", to_text(call.position), to_sql(make_call(callee, call.arguments, call.span)),
                     rows.empty() ? "" : " rows=" + rows);
}

} // namespace

std::string to_text(const Statement& statement) {
  std::string out = to_text(statement.kind);
  if (!statement.name.empty())
    out += fmt::format(" {}{}", statement.name, statement.value.empty() ? "" : "=" + statement.value);
  for (const SqlCall& call : statement.calls)
    out += fmt::format("{} {}", &call == statement.calls.data() ? "" : ",", to_text(call));
  if (!statement.reads.empty())
    out += fmt::format(" reads={}", fmt::join(statement.reads, ","));
  if (!statement.writes.empty())
    out += fmt::format(" writes={}", fmt::join(statement.writes, ","));
  const std::pair<bool, std::string_view> flags[] = {
      {statement.local, " local"},
      {statement.into, " into"},
      {statement.works, " works"},
      {!statement.parsed, " unparsed"},
  };
  for (const auto& [set, name] : flags)
    if (set)
      out += name;
  return out;
}

} // namespace padlint
