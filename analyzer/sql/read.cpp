#include "analyzer/sql/definition.h"
#include "analyzer/sql/placeholders.h"
#include "analyzer/sql/reading.h"
#include "analyzer/sql/script.h"
#include "analyzer/sql/sql.h"

#include <algorithm>

namespace padlint {

namespace {

void add_key(Tree keys, const std::string& table, std::vector<std::string>& columns) {
  if (keys.size() == 1)
    columns.push_back(table + "." + std::string(text_field(node(keys[0], "String"), "sval")));
}

bool is_key(Tree constraint) {
  const std::string_view type = text_field(constraint, "contype");
  return type == "CONSTR_PRIMARY" || type == "CONSTR_UNIQUE";
}

/// The columns that CREATE TABLE, ALTER TABLE .. ADD and CREATE UNIQUE INDEX declare as keys of their own.
void add_unique_columns(Tree tree, std::vector<std::string>& columns) {
  const auto [type, fields] = typed(tree);
  const std::string table(text_field(field(fields, "relation"), "relname"));
  for (const Tree element : field(fields, "tableElts")) {
    const Tree column = node(element, "ColumnDef");
    for (const Tree constraint : field(column, "constraints"))
      if (is_key(node(constraint, "Constraint")))
        columns.push_back(table + "." + std::string(text_field(column, "colname")));
    if (const Tree constraint = node(element, "Constraint"); is_key(constraint))
      add_key(field(constraint, "keys"), table, columns);
  }
  for (const Tree command : field(fields, "cmds"))
    if (const Tree constraint = node(field(node(command, "AlterTableCmd"), "def"), "Constraint"); is_key(constraint))
      add_key(field(constraint, "keys"), table, columns);
  const Tree indexed = field(fields, "indexParams");
  if (flag(fields, "unique") && indexed.size() == 1 && field(fields, "whereClause").is_null())
    columns.push_back(table + "." + std::string(text_field(node(indexed[0], "IndexElem"), "name")));
}

bool may_declare_key(const SqlText& text, const Range& range) {
  const Token first = next_token(text.text, range.begin, range.end);
  if (!is_word(text.text, first, "create") && !is_word(text.text, first, "alter"))
    return false;
  const Token second = next_token(text.text, first.end, range.end);
  return is_word(text.text, second, "table") || is_word(text.text, second, "unique");
}

} // namespace

std::vector<std::string> unique_columns(const SqlText& text, const std::vector<ScriptItem>& items) {
  std::vector<std::string> columns;
  for (const ScriptItem& item : items)
    if (item.kind == ScriptItem::statement && may_declare_key(text, item.range))
      add_unique_columns(parse_sql(text, item.range.begin, item.range.end).tree, columns);
  std::ranges::sort(columns);
  columns.erase(std::ranges::unique(columns).begin(), columns.end());
  return columns;
}

void read_definitions(std::vector<SqlDefinition> definitions, std::vector<Statement>& statements,
                      std::vector<Routine>& routines, std::vector<Notice>& notices) {
  for (SqlDefinition& definition : definitions) {
    read_body(definition, statements, notices);
    routines.push_back(std::move(definition.routine));
  }
}

SqlReading read_sql(const SqlText& source, std::span<const std::string> placeholders) {
  SqlReading reading;
  SqlText text = with_placeholders(source, 0, static_cast<std::uint32_t>(source.text.size()), placeholders);
  const std::vector<ScriptItem> items =
      split_script(text, 0, static_cast<std::uint32_t>(text.text.size()), Dialect::plain);
  text.unique_columns = unique_columns(text, items);
  std::vector<SqlDefinition> definitions;
  for (const ScriptItem& item : items) {
    StatementReading one = read_one(text, item.range.begin, item.range.end);
    reading.sql |= one.statement.parsed;
    if (auto notice = not_parsed(text, item.range, one.statement))
      reading.notices.push_back(std::move(*notice));
    if (auto definition = read_definition(one))
      definitions.push_back(std::move(*definition));
    reading.statements.push_back(std::move(one.statement));
  }
  reading.top_level = reading.statements.size();
  read_definitions(std::move(definitions), reading.statements, reading.routines, reading.notices);
  return reading;
}

} // namespace padlint
