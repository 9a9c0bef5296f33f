#include "analyzer/sql/query.h"

#include "analyzer/core/lock.h"
#include "analyzer/sql/builtins.h"
#include "analyzer/sql/tree_value.h"

#include <algorithm>

namespace padlint {

namespace {

/// Deeper nesting is left unread: trees of this depth are made by attackers and generators only.
constexpr int deepest_tree = 2'000;

/// The common tables that a query can name, innermost first.
struct Names {
  const Names* outer = nullptr;
  std::vector<CommonTable*> tables;
};

/// Where the walk is.
struct Place {
  QueryLevel* level = nullptr;
  const Names* names = nullptr;
  SqlPosition position = SqlPosition::select_list;
  std::int64_t target = 0;
  std::string_view alias;
  RowShape seen; // aggregated, case_guard, other_condition
  bool exists_list = false;
  int depth = 0;
};

struct Walk {
  const Parsed& sql;
  Query& query;

  QueryLevel& select(const Tree& fields, QueryLevel* outer, Link link, const Names* names, int depth);
  QueryLevel& modify(const Tree& statement, QueryLevel* outer, Link link, const Names* names, int depth);
  QueryLevel& any_query(const Tree& statement, QueryLevel* outer, Link link, const Names* names, int depth);
  Names common_tables(const Tree& fields, QueryLevel& level, const Names* names, int depth);
  void from_item(const Tree& item, const Place& place);
  void function_source(const Tree& fields, const Place& place);
  void table_source(const Tree& range_var, const Place& place);
  void condition(const Tree& tree, Place place);
  void targets(const Tree& list, Place place);
  void expression(const Tree& tree, Place place);
  void call(const Tree& fields, Place place);
  void sub_link(const Tree& fields, Place place);
  void case_expression(const Tree& fields, Place place);
  void limits(const Tree& fields, QueryLevel& level);
  void order(const Tree& fields, QueryLevel& level);
  void key_equalities(const Tree& where, QueryLevel& level);
};

void add(std::vector<std::string>& list, std::string name) {
  if (!name.empty() && std::ranges::find(list, name) == list.end())
    list.push_back(std::move(name));
}

/// From the keyword before `offset` to the end of the token at `end`.
Range clause(const Parsed& sql, std::optional<std::uint32_t> offset, std::initializer_list<std::string_view> keywords,
             std::uint32_t end) {
  if (!offset)
    return {};
  for (std::size_t token = std::min(sql.token_at(*offset), sql.tokens.size()); token-- > 0;)
    if (std::ranges::any_of(keywords, [&](std::string_view word) { return sql.word(token, word); }))
      return {sql.tokens[token].begin, std::max(end, sql.tokens[token].end)};
  return {};
}

std::uint32_t expression_end(const Parsed& sql, const Tree& expression) { return tree_range(sql, expression).end; }

/// Visits nodes until `found` says yes; sub-selects are queries of their own.
bool contains(const Tree& tree, int depth, auto found) {
  if (!tree.is_structured() || depth > deepest_tree)
    return false;
  const auto [type, fields] = typed(tree);
  if (type == "SubLink")
    return false;
  if (!type.empty() && found(type, fields))
    return true;
  return std::ranges::any_of(tree, [&](const Tree& child) { return contains(child, depth + 1, found); });
}

std::string function_name(const Tree& func_call) {
  const Tree& names = field(func_call, "funcname");
  return names.empty() ? std::string() : std::string(text_field(node(names.back(), "String"), "sval"));
}

bool has_set_returning(const Tree& tree) {
  return contains(tree, 0, [](std::string_view type, const Tree& fields) {
    return type == "FuncCall" && is_set_returning(function_name(fields));
  });
}

bool aggregates(std::string_view type, const Tree& fields) {
  return type == "FuncCall" && field(fields, "over").is_null() &&
         (is_aggregate(function_name(fields)) || flag(fields, "agg_star") || !field(fields, "agg_filter").is_null());
}

bool is_constant(const Tree& tree) {
  const auto [type, fields] = typed(tree);
  return type == "A_Const" || (type == "TypeCast" && is_constant(field(fields, "arg")));
}

std::int64_t integer(const Tree& tree, std::int64_t otherwise) {
  const Tree& value = field(node(tree, "A_Const"), "ival");
  if (!value.is_object())
    return otherwise;
  const Tree& number = field(value, "ival");
  return number.is_number_integer() ? number.get<std::int64_t>() : 0;
}

/// The parts of a column reference: {"q", "id"}.
std::vector<std::string> column(const Tree& tree) {
  std::vector<std::string> parts;
  for (const Tree& part : field(node(tree, "ColumnRef"), "fields"))
    parts.emplace_back(text_field(node(part, "String"), "sval"));
  return parts;
}

Names Walk::common_tables(const Tree& fields, QueryLevel& level, const Names* names, int depth) {
  Names result{.outer = names};
  const Tree& with = field(fields, "withClause");
  for (const Tree& item : field(with, "ctes")) {
    const Tree& cte = node(item, "CommonTableExpr");
    CommonTable& table = query.common_tables.emplace_back();
    table.name = text_field(cte, "ctename");
    table.materialized = text_field(cte, "ctematerialized") == "CTEMaterializeAlways";
    table.inlined = text_field(cte, "ctematerialized") == "CTEMaterializeNever";
    const Tree& body = field(cte, "ctequery");
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

void Walk::table_source(const Tree& range_var, const Place& place) {
  const Tree& alias = field(range_var, "alias");
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
  add(query.reads, table_name(range_var));
  place.level->sources.push_back(std::move(source));
}

void Walk::function_source(const Tree& fields, const Place& place) {
  Source source{.kind = Source::function,
                .name = std::string(text_field(field(fields, "alias"), "aliasname")),
                .rows = Rows::one};
  source.small = true;
  for (const Tree& item : field(fields, "functions")) {
    const Tree& items = field(node(item, "List"), "items");
    if (items.empty())
      continue;
    const Tree& function = node(items[0], "FuncCall");
    const std::string name = function_name(function);
    const Tree& arguments = field(function, "args");
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

void Walk::from_item(const Tree& item, const Place& place) {
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
    condition(field(fields, "quals"), inner);
  } else if (type == "RangeTableSample") {
    from_item(field(fields, "relation"), inner);
  } else if (type == "RangeTableFunc") {
    place.level->sources.push_back({.kind = Source::function});
  }
}

void Walk::condition(const Tree& tree, Place place) {
  if (!tree.is_null())
    expression(tree, place);
}

void Walk::targets(const Tree& list, Place place) {
  for (const Tree& item : list) {
    const Tree& target = node(item, "ResTarget");
    ++place.target;
    place.alias = text_field(target, "name");
    expression(field(target, "val"), place);
  }
}

void Walk::call(const Tree& fields, Place place) {
  CallSite site = call_site(sql, fields);
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
    contains(field(fields, "args"), 0, [&](std::string_view type, const Tree& reference) {
      if (type != "ColumnRef")
        return false;
      const Tree& names = field(reference, "fields");
      found.has_columns = true;
      if (names.size() > 1)
        add(found.qualifiers, std::string(text_field(node(names[names.size() - 2], "String"), "sval")));
      return false;
    });
  }
  if (aggregates("FuncCall", fields) || !field(fields, "over").is_null())
    place.seen.aggregated = true;
  for (const char* part : {"args", "agg_order", "agg_filter", "over"})
    expression(field(fields, part), place);
}

void Walk::sub_link(const Tree& fields, Place place) {
  const std::string_view type = text_field(fields, "subLinkType");
  const Link link = type == "EXISTS_SUBLINK"                         ? Link::exists
                    : type == "ANY_SUBLINK" || type == "ALL_SUBLINK" ? Link::any
                                                                     : Link::scalar;
  expression(field(fields, "testexpr"), place);
  QueryLevel& level = any_query(field(fields, "subselect"), place.level, link, place.names, place.depth);
  level.in_exists_list = place.exists_list;
}

void Walk::case_expression(const Tree& fields, Place place) {
  expression(field(fields, "arg"), place);
  for (const Tree& item : field(fields, "args")) {
    const Tree& when = node(item, "CaseWhen");
    expression(field(when, "expr"), place);
    place.seen.case_guard = true;
    expression(field(when, "result"), place);
  }
  expression(field(fields, "defresult"), place);
}

void Walk::expression(const Tree& tree, Place place) {
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
  for (const Tree& child : type.empty() ? tree : fields)
    expression(child, place);
}

void Walk::limits(const Tree& fields, QueryLevel& level) {
  const Tree& count = field(fields, "limitCount");
  const bool all = count.is_null() || flag(node(count, "A_Const"), "isnull");
  level.limit = !all;
  level.limit_one = integer(count, 0) == 1;
  level.with_ties = text_field(fields, "limitOption") == "LIMIT_OPTION_WITH_TIES";
  if (!all)
    level.limit_range = clause(sql, sql.leftmost(count), {"limit", "fetch"}, expression_end(sql, count));
  const Tree& offset = field(fields, "limitOffset");
  level.fence = !offset.is_null();
  level.offset = level.fence && integer(offset, 1) != 0;
  if (level.offset)
    level.offset_range = clause(sql, sql.leftmost(offset), {"offset"}, expression_end(sql, offset));
}

void Walk::order(const Tree& fields, QueryLevel& level) {
  const Tree& sorts = field(fields, "sortClause");
  level.ordered = !sorts.empty();
  for (const Tree& item : sorts) {
    const Tree& key = field(node(item, "SortBy"), "node");
    if (const std::vector<std::string> name = column(key); name.size() == 1)
      level.order_names.push_back(name[0]);
    if (const std::int64_t position = integer(key, 0); position > 0)
      level.order_positions.push_back(position);
  }
  if (level.ordered) {
    const Tree& last = field(node(sorts.back(), "SortBy"), "node");
    level.order_range =
        clause(sql, sql.leftmost(field(node(sorts.front(), "SortBy"), "node")), {"order"}, expression_end(sql, last));
  }
}

bool key_like(const Parsed& sql, const Source& source, const std::string& name) {
  constexpr std::string_view usual[] = {"id", "uuid", "key", "pk"};
  return std::ranges::find(usual, name) != std::end(usual) ||
         std::ranges::binary_search(sql.text->unique_columns, source.table_name + "." + name);
}

/// `id = 7` makes a source give one row at most; `id IN (SELECT .. LIMIT 5)` bounds what comes after WHERE.
void Walk::key_equalities(const Tree& where, QueryLevel& level) {
  if (const Tree& logic = node(where, "BoolExpr"); logic.is_object()) {
    if (text_field(logic, "boolop") == "AND_EXPR")
      for (const Tree& part : field(logic, "args"))
        key_equalities(part, level);
    return;
  }
  if (const Tree& link = node(where, "SubLink"); text_field(link, "subLinkType") == "ANY_SUBLINK") {
    const Tree& inner = node(field(link, "subselect"), "SelectStmt");
    const Tree& count = field(inner, "limitCount");
    level.picks_limited |= !count.is_null() && !flag(node(count, "A_Const"), "isnull");
    return;
  }
  const Tree& comparison = node(where, "A_Expr");
  const std::string_view kind = text_field(comparison, "kind");
  const Tree& right = field(comparison, "rexpr");
  if (kind == "AEXPR_IN" && joined_names(field(comparison, "name")) == "=")
    level.picks_limited |= std::ranges::all_of(field(node(right, "List"), "items"), is_constant);
  if (kind != "AEXPR_OP" || joined_names(field(comparison, "name")) != "=")
    return;
  const Tree* sides[] = {&field(comparison, "lexpr"), &right};
  for (std::size_t side = 0; side < 2; ++side) {
    const std::vector<std::string> name = column(*sides[side]);
    if (name.empty())
      continue;
    for (Source& source : level.sources) {
      const bool named = name.size() == 1 ? level.sources.size() == 1 : name[name.size() - 2] == source.name;
      const bool other_row = contains(*sides[1 - side], 0, [&](std::string_view type, const Tree& fields) {
        return type == "ColumnRef" && field(fields, "fields").size() > 1 &&
               std::ranges::any_of(level.sources, [&](const Source& other) {
                 return text_field(node(field(fields, "fields")[0], "String"), "sval") == other.name;
               });
      });
      if (source.kind == Source::table && named && !other_row && key_like(sql, source, name.back()))
        source.rows = Rows::at_most_one;
    }
  }
}

QueryLevel& Walk::select(const Tree& fields, QueryLevel* outer, Link link, const Names* names, int depth) {
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
  for (const Tree& item : field(fields, "fromClause"))
    from_item(item, place);
  const Tree& list = field(fields, "targetList");
  const Tree& distinct = field(fields, "distinctClause");
  if (distinct.size() == 1 && (distinct[0].is_null() || distinct[0].empty())) { // not DISTINCT ON
    level.distinct = true;
    level.distinct_range = clause(sql, sql.leftmost(list), {"distinct"}, 0);
  }
  const Tree& where = field(fields, "whereClause");
  level.where = !where.is_null();
  key_equalities(where, level);
  level.grouped = !field(fields, "groupClause").empty();
  level.one_group = !level.grouped && contains(list, 0, aggregates);
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

QueryLevel& Walk::modify(const Tree& statement, QueryLevel* outer, Link link, const Names* names, int depth) {
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
  const Tree& relation = field(fields, "relation");
  add(query.writes, table_name(relation));
  if (type == "InsertStmt") {
    const Tree& rows = field(fields, "selectStmt");
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
    for (const Tree& item : field(fields, list))
      from_item(item, place);
  if (const Tree& source = field(fields, "sourceRelation"); !source.is_null())
    from_item(source, place);
  const Tree& where = field(fields, "whereClause");
  level.where = !where.is_null();
  key_equalities(where, level);

  place.position = SqlPosition::where;
  expression(where, place);
  place.position = SqlPosition::set_clause;
  targets(field(fields, "targetList"), place);
  const Tree& conflict = field(fields, "onConflictClause");
  targets(field(conflict, "targetList"), place);
  place.position = SqlPosition::where;
  expression(field(conflict, "whereClause"), place);
  place.position = SqlPosition::join_condition;
  expression(field(fields, "joinCondition"), place);
  for (const Tree& item : field(fields, "mergeWhenClauses")) {
    const Tree& when = node(item, "MergeWhenClause");
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

QueryLevel& Walk::any_query(const Tree& statement, QueryLevel* outer, Link link, const Names* names, int depth) {
  const Tree& select_fields = node(statement, "SelectStmt");
  return select_fields.is_object() ? select(select_fields, outer, link, names, depth)
                                   : modify(statement, outer, link, names, depth);
}

void select_columns(const Tree& fields, std::vector<std::string>& columns) {
  for (const Tree& item : field(fields, "targetList")) {
    const Tree& target = node(item, "ResTarget");
    std::string name(text_field(target, "name"));
    if (name.empty())
      name = function_name(node(field(target, "val"), "FuncCall"));
    columns.push_back(std::move(name));
  }
}

} // namespace

Query read_query(const Parsed& sql, const Tree& tree) {
  Query query;
  Walk walk{sql, query};
  const auto [type, fields] = typed(tree);
  if (type == "SelectStmt" || type == "InsertStmt" || type == "UpdateStmt" || type == "DeleteStmt" ||
      type == "MergeStmt") {
    walk.any_query(tree, nullptr, Link::statement, nullptr, 0);
    select_columns(fields, query.columns);
  } else {
    QueryLevel& level = query.levels.emplace_back();
    walk.expression(tree, {.level = &level, .position = SqlPosition::other});
  }
  return query;
}

} // namespace padlint
