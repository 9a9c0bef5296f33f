#include "analyzer/sql/query_walk.h"
#include "analyzer/sql/tree_value.h"

#include <algorithm>

namespace padlint {

namespace {

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

std::uint32_t expression_end(const Parsed& sql, Tree expression) { return tree_range(sql, expression).end; }

bool key_like(const Parsed& sql, const Source& source, const std::string& name) {
  constexpr std::string_view usual[] = {"id", "uuid", "key", "pk"};
  return std::ranges::find(usual, name) != std::end(usual) ||
         std::ranges::binary_search(sql.text->unique_columns, source.table_name + "." + name);
}

} // namespace

void Walk::limits(Tree fields, QueryLevel& level) {
  const Tree count = field(fields, "limitCount");
  const bool all = count.is_null() || flag(node(count, "A_Const"), "isnull");
  level.limit = !all;
  level.limit_one = integer(count, 0) == 1;
  level.with_ties = text_field(fields, "limitOption") == "LIMIT_OPTION_WITH_TIES";
  if (!all)
    level.limit_range = clause(sql, sql.leftmost(count), {"limit", "fetch"}, expression_end(sql, count));
  const Tree offset = field(fields, "limitOffset");
  level.fence = !offset.is_null();
  level.offset = level.fence && integer(offset, 1) != 0;
  if (level.offset)
    level.offset_range = clause(sql, sql.leftmost(offset), {"offset"}, expression_end(sql, offset));
}

void Walk::distinct(Tree fields, QueryLevel& level) {
  const Tree keys = field(fields, "distinctClause");
  if (keys.size() != 1 || !(keys[0].is_null() || keys[0].empty())) // DISTINCT ON keeps the first row of each group
    return;
  level.distinct = true;
  level.distinct_range = clause(sql, sql.leftmost(field(fields, "targetList")), {"distinct"}, 0);
}

void Walk::order(Tree fields, QueryLevel& level) {
  const Tree sorts = field(fields, "sortClause");
  level.ordered = !sorts.empty();
  for (const Tree item : sorts) {
    const Tree key = field(node(item, "SortBy"), "node");
    if (const std::vector<std::string> name = column_parts(key); name.size() == 1)
      level.order_names.push_back(name[0]);
    if (const std::int64_t position = integer(key, 0); position > 0)
      level.order_positions.push_back(position);
  }
  if (level.ordered) {
    const Tree last = field(node(sorts.back(), "SortBy"), "node");
    level.order_range =
        clause(sql, sql.leftmost(field(node(sorts[0], "SortBy"), "node")), {"order"}, expression_end(sql, last));
  }
}

/// `id = 7` makes a source give one row at most; `id IN (SELECT .. LIMIT 5)` bounds what comes after WHERE.
void Walk::key_equalities(Tree where, QueryLevel& level) {
  if (const Tree logic = node(where, "BoolExpr"); logic.is_object()) {
    if (text_field(logic, "boolop") == "AND_EXPR")
      for (const Tree part : field(logic, "args"))
        key_equalities(part, level);
    return;
  }
  if (const Tree link = node(where, "SubLink"); text_field(link, "subLinkType") == "ANY_SUBLINK") {
    const Tree inner = node(field(link, "subselect"), "SelectStmt");
    const Tree count = field(inner, "limitCount");
    level.picks_limited |= !count.is_null() && !flag(node(count, "A_Const"), "isnull");
    return;
  }
  const Tree comparison = node(where, "A_Expr");
  const std::string_view kind = text_field(comparison, "kind");
  const Tree right = field(comparison, "rexpr");
  if (kind == "AEXPR_IN" && joined_names(field(comparison, "name")) == "=")
    level.picks_limited |= std::ranges::all_of(field(node(right, "List"), "items"), is_constant);
  if (kind != "AEXPR_OP" || joined_names(field(comparison, "name")) != "=")
    return;
  const Tree sides[] = {field(comparison, "lexpr"), right};
  for (std::size_t side = 0; side < 2; ++side) {
    const std::vector<std::string> name = column_parts(sides[side]);
    if (name.empty())
      continue;
    for (Source& source : level.sources) {
      const bool named = name.size() == 1 ? level.sources.size() == 1 : name[name.size() - 2] == source.name;
      const bool other_row = contains(sides[1 - side], [&](std::string_view type, Tree fields) {
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

} // namespace padlint
