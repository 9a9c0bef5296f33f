#include "analyzer/sql/statement_reader.h"

#include "analyzer/core/lock.h"
#include "analyzer/sql/expression.h"
#include "analyzer/sql/literal.h"
#include "analyzer/sql/query.h"
#include "analyzer/sql/tree_value.h"

#include <algorithm>
#include <utility>

namespace padlint {

namespace {

struct Kind {
  std::string_view node;
  StatementKind kind;
};

constexpr Kind kinds[] = {
    {"SelectStmt", StatementKind::select},
    {"InsertStmt", StatementKind::insert},
    {"UpdateStmt", StatementKind::update},
    {"DeleteStmt", StatementKind::delete_rows},
    {"MergeStmt", StatementKind::merge},
    {"VariableSetStmt", StatementKind::set},
    {"DoStmt", StatementKind::do_block},
    {"CallStmt", StatementKind::call},
    {"CreateFunctionStmt", StatementKind::create_function},
    {"CreateStmt", StatementKind::create_table},
    {"CreateTableAsStmt", StatementKind::create_table},
    {"CreateTrigStmt", StatementKind::create_trigger},
    {"IndexStmt", StatementKind::create_index},
    {"CopyStmt", StatementKind::copy},
    {"ExplainStmt", StatementKind::explain},
    {"PrepareStmt", StatementKind::prepare},
    {"ExecuteStmt", StatementKind::execute},
    {"ListenStmt", StatementKind::listen},
};

constexpr Kind transaction_kinds[] = {
    {"TRANS_STMT_BEGIN", StatementKind::begin},
    {"TRANS_STMT_START", StatementKind::begin},
    {"TRANS_STMT_COMMIT", StatementKind::commit},
    {"TRANS_STMT_ROLLBACK", StatementKind::rollback},
    {"TRANS_STMT_SAVEPOINT", StatementKind::savepoint},
    {"TRANS_STMT_ROLLBACK_TO", StatementKind::rollback_to},
    {"TRANS_STMT_RELEASE", StatementKind::release_savepoint},
};

StatementKind kind_named(std::span<const Kind> table, std::string_view name) {
  const auto found = std::ranges::find(table, name, &Kind::node);
  return found == table.end() ? StatementKind::other : found->kind;
}

/// A constant as SET writes it: a string without its quotes, anything else as it stands, folded.
std::string setting_value(const Parsed& sql, Tree arguments) {
  std::string result;
  for (const Tree argument : arguments) {
    const Value value = tree_value(sql, argument);
    if (!result.empty())
      result += ", ";
    result += value.is(ValueKind::text) ? fold(value.text) : fold(to_sql(value));
  }
  return result;
}

/// `isolation level serializable` of BEGIN and SET TRANSACTION; only the isolation level matters to locks.
std::string isolation(Tree options) {
  for (const Tree option : options) {
    const Tree element = node(option, "DefElem");
    if (text_field(element, "defname") == "transaction_isolation")
      return std::string(text_field(field(node(field(element, "arg"), "A_Const"), "sval"), "sval"));
  }
  return {};
}

void read_set(const Parsed& sql, Tree fields, Statement& statement) {
  statement.name = fold(text_field(fields, "name"));
  statement.local = flag(fields, "is_local");
  const std::string_view kind = text_field(fields, "kind");
  if (kind == "VAR_SET_VALUE")
    statement.value = setting_value(sql, field(fields, "args"));
  else if (kind == "VAR_SET_MULTI")
    statement.value = isolation(field(fields, "args"));
  else
    statement.value = "default";
}

/// `SELECT set_config('lock_timeout', '5s', true)` is SET LOCAL.
void read_set_config(const Parsed& sql, Tree fields, Statement& statement) {
  contains(field(fields, "targetList"), [&](std::string_view type, Tree call) {
    const Tree arguments = field(call, "args");
    if (type != "FuncCall" || function_name(call) != "set_config" || arguments.size() != 3)
      return false;
    const Value name = tree_value(sql, arguments[0]);
    const Value value = tree_value(sql, arguments[1]);
    const Value local = tree_value(sql, arguments[2]);
    if (name.is(ValueKind::text) && value.is(ValueKind::text)) {
      statement.name = fold(name.text);
      statement.value = fold(value.text);
      statement.local = local.is(ValueKind::boolean) && local.number != 0;
    }
    return true;
  });
}

void read_transaction(Tree fields, Statement& statement) {
  const std::string_view kind = text_field(fields, "kind");
  statement.kind = kind_named(transaction_kinds, kind);
  statement.name = text_field(fields, "savepoint_name");
  statement.value = flag(fields, "chain") ? "chain" : isolation(field(fields, "options"));
  if (kind == "TRANS_STMT_PREPARE") {
    statement.name = "prepare transaction";
    statement.value = text_field(fields, "gid");
  }
}

void read_drop(Tree fields, Statement& statement) {
  const std::string_view type = text_field(fields, "removeType");
  const bool function = type == "OBJECT_FUNCTION" || type == "OBJECT_PROCEDURE" || type == "OBJECT_ROUTINE";
  if (function)
    statement.kind = StatementKind::drop_function;
  for (const Tree object : field(fields, "objects")) {
    if (const Tree named = node(object, "ObjectWithArgs"); function && statement.name.empty()) {
      statement.name = joined_names(field(named, "objname"));
      if (!flag(named, "args_unspecified"))
        statement.value = std::to_string(field(named, "objargs").size());
    }
    if (type == "OBJECT_TABLE")
      statement.writes.push_back(joined_names(field(node(object, "List"), "items")));
  }
}

void read_trigger(Tree fields, Statement& statement) {
  statement.name = joined_names(field(fields, "funcname"));
  statement.value = flag(fields, "row") ? "row" : "statement";
  statement.writes.push_back(table_name(field(fields, "relation")));
}

/// The tables of a utility statement, which all of them change, lock or rebuild.
void read_utility(std::string_view type, Tree fields, Statement& statement) {
  constexpr std::string_view rebuilding[] = {"AlterTableStmt", "CreateStmt", "IndexStmt", "RefreshMatViewStmt",
                                             "RenameStmt"};
  const Tree relation = field(fields, "relation");
  if (std::ranges::find(rebuilding, type) != std::end(rebuilding) && !relation.is_null())
    statement.writes.push_back(table_name(relation));
  for (const Tree item : field(fields, "relations"))
    (type == "LockStmt" ? statement.reads : statement.writes).push_back(table_name(node(item, "RangeVar")));
  if (type == "CreateStmt")
    statement.name = table_name(relation);
  else if (type == "IndexStmt") {
    statement.name = text_field(fields, "idxname");
    statement.value = flag(fields, "concurrent") ? "concurrently" : "";
  } else if (type == "CopyStmt" && !relation.is_null())
    (flag(fields, "is_from") ? statement.writes : statement.reads).push_back(table_name(relation));
  else if (type == "CreateTableAsStmt") {
    statement.name = table_name(field(field(fields, "into"), "rel"));
    statement.writes.push_back(statement.name);
  } else if (type == "ListenStmt")
    statement.name = text_field(fields, "conditionname");
  else if (type == "PrepareStmt" || type == "ExecuteStmt")
    statement.name = text_field(fields, "name");
  else if (type == "CreateFunctionStmt")
    statement.name = joined_names(field(fields, "funcname"));
}

/// What the statement evaluates now: not what a view, a default, a prepared statement or a plain EXPLAIN holds.
Tree evaluated(std::string_view type, Tree tree, Tree fields) {
  constexpr std::string_view whole[] = {"SelectStmt", "InsertStmt",  "UpdateStmt", "DeleteStmt",
                                        "MergeStmt",  "ExecuteStmt", "CallStmt"};
  if (std::ranges::find(whole, type) != std::end(whole))
    return tree;
  if (type == "CopyStmt" || type == "CreateTableAsStmt")
    return field(fields, "query");
  if (type == "ExplainStmt")
    for (const Tree option : field(fields, "options"))
      if (text_field(node(option, "DefElem"), "defname") == "analyze")
        return field(fields, "query");
  return {};
}

void add_missing(std::vector<SqlCall>& calls, std::vector<SqlCall> found) {
  for (SqlCall& call : found)
    if (std::ranges::find(calls, call.span, &SqlCall::span) == calls.end())
      calls.push_back(std::move(call));
}

void read_tree(const Parsed& sql, StatementReading& reading) {
  Statement& statement = reading.statement;
  const auto [type, fields] = typed(sql.tree);
  statement.kind = kind_named(kinds, type);
  if (type == "TransactionStmt")
    read_transaction(fields, statement);
  else if (type == "VariableSetStmt")
    read_set(sql, fields, statement);
  else if (type == "SelectStmt")
    read_set_config(sql, fields, statement);
  else if (type == "DropStmt")
    read_drop(fields, statement);
  else if (type == "CreateTrigStmt")
    read_trigger(fields, statement);
  else
    read_utility(type, fields, statement);

  const Query query = read_query(sql, evaluated(type, sql.tree, fields));
  for (const FoundCall& found : query.calls) {
    statement.calls.push_back(found.call);
    statement.calls.back().rows = row_shape(sql, found);
  }
  if (query.cut)
    add_missing(statement.calls, lock_calls_of_tokens(*sql.text, sql.tokens));
  if (statement.kind == StatementKind::call && !query.calls.empty())
    statement.name = statement.calls[0].name;
  std::ranges::sort(statement.calls, {},
                    [](const SqlCall& call) { return std::pair(call.span.begin, -std::int64_t{call.span.end}); });
  reading.columns = query.columns;
  for (const std::string& table : query.reads)
    statement.reads.push_back(table);
  for (const std::string& table : query.writes)
    statement.writes.push_back(table);
  const bool only_declares = type == "CreateTrigStmt" || type == "ExplainStmt";
  statement.works = !only_declares && (!statement.reads.empty() || !statement.writes.empty());
}

bool has_holes(const SqlText& text, std::uint32_t begin, std::uint32_t end) {
  return std::ranges::any_of(
      text.joints, [&](const SqlJoint& joint) { return joint.hole && joint.text >= begin && joint.text < end; });
}

} // namespace

StatementReading read_one(const SqlText& text, std::uint32_t begin, std::uint32_t end) {
  StatementReading reading;
  reading.sql = parse_sql(text, begin, end);
  reading.statement.span = text.source(begin, end);
  if (reading.sql.tree.is_null() && has_holes(text, begin, end)) {
    const SqlText simpler = without_clause_holes(text, reading.sql.tokens);
    Parsed parsed = parse_sql(simpler, begin, end);
    if (!parsed.tree.is_null()) {
      read_tree(parsed, reading);
      parsed.text = &text; // same length, same places
      reading.sql = std::move(parsed);
      return reading;
    }
  }
  if (!reading.sql.tree.is_null()) {
    read_tree(reading.sql, reading);
    return reading;
  }
  reading.statement.parsed = false;
  reading.statement.kind = kind_of_words(text.text, reading.sql.tokens);
  reading.statement.calls = lock_calls_of_tokens(text, reading.sql.tokens);
  tables_of_tokens(text.text, reading.sql.tokens, reading.statement);
  return reading;
}

Statement read_statement(const SqlText& text, std::uint32_t begin, std::uint32_t end) {
  return read_one(text, begin, end).statement;
}

std::optional<Value> read_expression(const SqlText& text, std::uint32_t begin, std::uint32_t end,
                                     std::vector<SqlCall>& calls) {
  const Parsed sql = parse_sql(text, begin, end, "SELECT ");
  const Tree list = field(node(sql.tree, "SelectStmt"), "targetList");
  if (list.empty()) {
    std::ranges::move(lock_calls_of_tokens(text, sql.tokens), std::back_inserter(calls));
    return std::nullopt;
  }
  for (const FoundCall& found : read_query(sql, sql.tree).calls) {
    calls.push_back(found.call);
    calls.back().rows = row_shape(sql, found);
  }
  return tree_value(sql, field(node(list[0], "ResTarget"), "val"));
}

} // namespace padlint
