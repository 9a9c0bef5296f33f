#include "analyzer/sql/query.h"

#include "analyzer/core/lock.h"
#include "analyzer/sql/builtins.h"
#include "analyzer/sql/query_walk.h"
#include "analyzer/sql/tree_place.h"
#include "analyzer/sql/tree_value.h"

#include <algorithm>

namespace padlint {

namespace {

bool aggregates(std::string_view type, Tree fields) {
  return type == "FuncCall" && field(fields, "over").is_null() &&
         (is_aggregate(function_name(fields)) || flag(fields, "agg_star") || !field(fields, "agg_filter").is_null());
}

void select_columns(Tree fields, std::vector<std::string>& columns) {
  for (const Tree item : field(fields, "targetList")) {
    const Tree target = node(item, "ResTarget");
    std::string name(text_field(target, "name"));
    if (name.empty())
      name = function_name(node(field(target, "val"), "FuncCall"));
    columns.push_back(std::move(name));
  }
}

} // namespace

void add_name(std::vector<std::string>& names, std::string name) {
  if (!name.empty() && std::ranges::find(names, name) == names.end())
    names.push_back(std::move(name));
}

bool has_set_returning(Tree tree) {
  return contains(tree, [](std::string_view type, Tree fields) {
    return type == "FuncCall" && is_set_returning(function_name(fields));
  });
}

void Walk::targets(Tree list, Place place) {
  for (const Tree item : list) {
    const Tree target = node(item, "ResTarget");
    ++place.target;
    place.alias = text_field(target, "name");
    expression(field(target, "val"), place);
  }
}

void Walk::call(Tree fields, Place place) {
  SqlCallSite site = call_site(sql, fields);
  const bool lock = site.schema.empty() && lock_function(site.name) != nullptr;
  const bool plain =
      site.schema != "sqlc" && !site.range.empty() && text_field(fields, "funcformat") != "COERCE_SQL_SYNTAX";
  if (plain && (lock || !site.schema.empty() || !is_builtin(site.name))) {
    FoundCall& found = query.calls.emplace_back();
    found.call = {.schema = std::move(site.schema), .name = std::move(site.name)};
    found.call.span = sql.text->source(site.range.begin, site.range.end);
    found.call.name_span = sql.text->source(site.name_range.begin, site.name_range.end);
    found.call.arguments = call_arguments(sql, fields);
    found.call.position = place.position;
    found.call.rows = place.seen;
    found.level = place.level;
    found.target = place.target;
    found.alias = place.alias.empty() ? found.call.name : std::string(place.alias);
    found.set_returning = has_set_returning(field(fields, "args"));
    contains(field(fields, "args"), [&](std::string_view type, Tree reference) {
      if (type != "ColumnRef")
        return false;
      const Tree names = field(reference, "fields");
      found.has_columns = true;
      if (names.size() > 1)
        add_name(found.qualifiers, std::string(text_field(node(names[names.size() - 2], "String"), "sval")));
      return false;
    });
  }
  if (aggregates("FuncCall", fields) || !field(fields, "over").is_null())
    place.seen.aggregated = true;
  for (const char* part : {"args", "agg_order", "agg_filter", "over"})
    expression(field(fields, part), place);
}

void Walk::sub_link(Tree fields, Place place) {
  const std::string_view type = text_field(fields, "subLinkType");
  const Link link = type == "EXISTS_SUBLINK"                         ? Link::exists
                    : type == "ANY_SUBLINK" || type == "ALL_SUBLINK" ? Link::any
                                                                     : Link::scalar;
  expression(field(fields, "testexpr"), place);
  QueryLevel& level = any_query(field(fields, "subselect"), place.level, link, place.names, place.depth);
  level.in_exists_list = place.exists_list;
}

void Walk::case_expression(Tree fields, Place place) {
  expression(field(fields, "arg"), place);
  for (const Tree item : field(fields, "args")) {
    const Tree when = node(item, "CaseWhen");
    expression(field(when, "expr"), place);
    place.seen.case_guard = true;
    expression(field(when, "result"), place);
  }
  expression(field(fields, "defresult"), place);
}

void Walk::expression(Tree tree, Place place) {
  if (!tree.is_structured())
    return;
  if (++place.depth > deepest_tree) {
    query.cut = true;
    return;
  }
  const auto [type, fields] = typed(tree);
  if (type == "FuncCall")
    return call(fields, place);
  if (type == "SubLink")
    return sub_link(fields, place);
  if (type == "CaseExpr")
    return case_expression(fields, place);
  const bool condition_clause = place.position == SqlPosition::where || place.position == SqlPosition::join_condition ||
                                place.position == SqlPosition::having;
  if (type == "BoolExpr" && condition_clause && field(fields, "args").size() > 1)
    place.seen.other_condition = true;
  for (const Tree child : type.empty() ? tree : fields)
    expression(child, place);
}

QueryLevel& Walk::select(Tree fields, QueryLevel* outer, Link link, const Names* names, int depth) {
  QueryLevel& level = query.levels.emplace_back();
  level.outer = outer;
  level.link = link;
  if (depth > deepest_tree) {
    query.cut = true;
    return level;
  }
  const Names visible = common_tables(fields, level, names, depth);
  Place place{.level = &level, .names = &visible, .depth = depth + 1};
  limits(fields, level);
  order(fields, level);
  if (const std::string_view operation = text_field(fields, "op"); operation != "SETOP_NONE" && !operation.empty()) {
    level.distinct = !flag(fields, "all");
    for (const char* arm : {"larg", "rarg"})
      level.arms.push_back(&select(field(fields, arm), &level, Link::set_arm, &visible, depth + 1));
  }
  for (const Tree item : field(fields, "fromClause"))
    from_item(item, place);
  const Tree list = field(fields, "targetList");
  distinct(fields, level);
  const Tree where = field(fields, "whereClause");
  level.where = !where.is_null();
  key_equalities(where, level);
  level.grouped = !field(fields, "groupClause").empty();
  level.one_group = !level.grouped && contains(list, aggregates);
  level.set_returning = has_set_returning(list);
  level.value_rows = static_cast<std::uint32_t>(field(fields, "valuesLists").size());

  const std::size_t first_call = query.calls.size();
  place.exists_list = link == Link::exists;
  targets(list, place);
  place.exists_list = false;
  const std::size_t after_list = query.calls.size();
  const auto clause_at = [&](const char* name, SqlPosition position) {
    place.position = position;
    expression(field(fields, name), place);
  };
  clause_at("valuesLists", SqlPosition::values);
  clause_at("whereClause", SqlPosition::where);
  clause_at("groupClause", SqlPosition::other);
  clause_at("havingClause", SqlPosition::having);
  clause_at("windowClause", SqlPosition::other);
  const std::size_t before_order = query.calls.size();
  clause_at("sortClause", SqlPosition::order_by);
  for (std::size_t i = first_call; i < after_list; ++i)
    for (std::size_t sorted = before_order; sorted < query.calls.size(); ++sorted)
      query.calls[i].in_order_by |= query.calls[i].call.name == query.calls[sorted].call.name;
  clause_at("limitCount", SqlPosition::limit);
  clause_at("limitOffset", SqlPosition::limit);
  return level;
}

QueryLevel& Walk::modify(Tree statement, QueryLevel* outer, Link link, const Names* names, int depth) {
  QueryLevel& level = query.levels.emplace_back();
  level.outer = outer;
  level.link = link;
  const auto [type, fields] = typed(statement);
  if (depth > deepest_tree) {
    query.cut = true;
    return level;
  }
  const Names visible = common_tables(fields, level, names, depth);
  Place place{.level = &level, .names = &visible, .depth = depth + 1};
  const Tree relation = field(fields, "relation");
  add_name(query.writes, table_name(relation));
  if (type == "InsertStmt") {
    const Tree rows = field(fields, "selectStmt");
    if (!rows.is_null())
      level.sources.push_back(
          {.kind = Source::query, .level = &any_query(rows, &level, Link::insert_source, &visible, depth + 1)});
  } else {
    Source target{.name = std::string(text_field(field(relation, "alias"), "aliasname")),
                  .table_name = std::string(text_field(relation, "relname"))};
    if (target.name.empty())
      target.name = target.table_name;
    level.sources.push_back(std::move(target));
  }
  for (const char* list : {"fromClause", "usingClause"})
    for (const Tree item : field(fields, list))
      from_item(item, place);
  if (const Tree source = field(fields, "sourceRelation"); !source.is_null())
    from_item(source, place);
  const Tree where = field(fields, "whereClause");
  level.where = !where.is_null();
  key_equalities(where, level);

  place.position = SqlPosition::where;
  expression(where, place);
  place.position = SqlPosition::set_clause;
  targets(field(fields, "targetList"), place);
  const Tree conflict = field(fields, "onConflictClause");
  targets(field(conflict, "targetList"), place);
  place.position = SqlPosition::where;
  expression(field(conflict, "whereClause"), place);
  place.position = SqlPosition::join_condition;
  expression(field(fields, "joinCondition"), place);
  for (const Tree item : field(fields, "mergeWhenClauses")) {
    const Tree when = node(item, "MergeWhenClause");
    place.position = SqlPosition::where;
    expression(field(when, "condition"), place);
    place.position = SqlPosition::set_clause;
    targets(field(when, "targetList"), place);
    place.position = SqlPosition::values;
    expression(field(when, "values"), place);
  }
  place.position = SqlPosition::returning;
  targets(field(fields, "returningList"), place);
  return level;
}

QueryLevel& Walk::any_query(Tree statement, QueryLevel* outer, Link link, const Names* names, int depth) {
  const Tree select_fields = node(statement, "SelectStmt");
  return select_fields.is_object() ? select(select_fields, outer, link, names, depth)
                                   : modify(statement, outer, link, names, depth);
}

Query read_query(const Parsed& sql, Tree tree) {
  Query query;
  Walk walk{sql, query};
  const auto [type, fields] = typed(tree);
  if (type == "SelectStmt" || type == "InsertStmt" || type == "UpdateStmt" || type == "DeleteStmt" ||
      type == "MergeStmt") {
    walk.any_query(tree, nullptr, Link::statement, nullptr, 0);
    select_columns(fields, query.columns);
  } else {
    QueryLevel& level = query.levels.emplace_back();
    const Place place{.level = &level, .position = SqlPosition::other};
    if (type == "CallStmt") // its call is no node, but a field
      walk.call(field(fields, "funccall"), place);
    else
      walk.expression(tree, place);
  }
  return query;
}

} // namespace padlint
