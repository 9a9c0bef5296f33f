#include "analyzer/sql/query_walk.h"

#include "analyzer/core/lock.h"
#include "analyzer/sql/builtins.h"

#include <algorithm>

namespace padlint {

Names Walk::common_tables(Tree fields, QueryLevel& level, const Names* names, int depth) {
  Names result{.outer = names};
  const Tree with = field(fields, "withClause");
  for (const Tree item : field(with, "ctes")) {
    const Tree cte = node(item, "CommonTableExpr");
    CommonTable& table = query.common_tables.emplace_back();
    table.name = text_field(cte, "ctename");
    table.materialized = text_field(cte, "ctematerialized") == "CTEMaterializeAlways";
    table.inlined = text_field(cte, "ctematerialized") == "CTEMaterializeNever";
    const Tree body = field(cte, "ctequery");
    table.modifying = node(body, "SelectStmt").is_null();
    if (flag(with, "recursive"))
      result.tables.push_back(&table);
    table.level = &any_query(body, &level, Link::common_table, &result, depth + 1);
    table.level->defines = &table;
    if (!flag(with, "recursive"))
      result.tables.push_back(&table);
  }
  return result;
}

void Walk::table_source(Tree range_var, const Place& place) {
  const Tree alias = field(range_var, "alias");
  Source source{.name = std::string(text_field(alias, "aliasname")),
                .table_name = std::string(text_field(range_var, "relname"))};
  if (source.name.empty())
    source.name = source.table_name;
  if (text_field(range_var, "schemaname").empty())
    for (const Names* scope = place.names; scope != nullptr; scope = scope->outer)
      for (CommonTable* table : scope->tables) {
        if (table->name != source.table_name)
          continue;
        source.kind = Source::common_table;
        source.common = table;
        if (table->level == nullptr) // still inside its own query
          table->recursive = true;
        else
          table->readers.push_back(place.level);
        place.level->sources.push_back(std::move(source));
        return;
      }
  add_name(query.reads, table_name(range_var));
  place.level->sources.push_back(std::move(source));
}

void Walk::function_source(Tree fields, const Place& place) {
  Source source{.kind = Source::function,
                .name = std::string(text_field(field(fields, "alias"), "aliasname")),
                .rows = Rows::one};
  source.small = true;
  for (const Tree item : field(fields, "functions")) {
    const Tree items = field(node(item, "List"), "items");
    if (items.empty())
      continue;
    const Tree function = node(items[0], "FuncCall");
    const std::string name = function_name(function);
    const Tree arguments = field(function, "args");
    if (is_set_returning(name) || (!is_builtin(name) && lock_function(name) == nullptr)) {
      source.rows = Rows::many;
      const bool list = name == "unnest" && !arguments.empty() && typed(arguments[0]).type == "A_ArrayExpr";
      const bool series = name == "generate_series" && arguments.size() >= 2 &&
                          integer(arguments[1], 1 << 20) - integer(arguments[0], -(1 << 20)) < 1000;
      source.small = source.small && (list || series);
    }
    Place inner = place;
    inner.position = SqlPosition::from;
    expression(items[0], inner);
  }
  place.level->sources.push_back(std::move(source));
}

void Walk::from_item(Tree item, const Place& place) {
  const auto [type, fields] = typed(item);
  if (place.depth > deepest_tree)
    return;
  Place inner = place;
  ++inner.depth;
  if (type == "RangeVar") {
    table_source(fields, place);
  } else if (type == "RangeSubselect") {
    const Link link = flag(fields, "lateral") ? Link::lateral : Link::from;
    const QueryLevel& level = any_query(field(fields, "subquery"), place.level, link, place.names, inner.depth);
    place.level->sources.push_back(
        {.kind = Source::query, .name = std::string(text_field(field(fields, "alias"), "aliasname")), .level = &level});
  } else if (type == "RangeFunction") {
    function_source(fields, place);
  } else if (type == "JoinExpr") {
    from_item(field(fields, "larg"), inner);
    from_item(field(fields, "rarg"), inner);
    inner.position = SqlPosition::join_condition;
    expression(field(fields, "quals"), inner);
  } else if (type == "RangeTableSample") {
    from_item(field(fields, "relation"), inner);
  } else if (type == "RangeTableFunc") {
    place.level->sources.push_back({.kind = Source::function});
  }
}

} // namespace padlint
