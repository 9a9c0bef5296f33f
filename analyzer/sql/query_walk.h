#pragma once

#include "analyzer/sql/query.h"

#include <string>
#include <string_view>
#include <vector>

// The walk over a statement's tree that query.h's Query is made by: query.cpp has the queries and expressions,
// query_sources.cpp FROM and WITH, query_clauses.cpp LIMIT, ORDER BY and WHERE.

namespace padlint {

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

  QueryLevel& select(Tree fields, QueryLevel* outer, Link link, const Names* names, int depth);
  QueryLevel& modify(Tree statement, QueryLevel* outer, Link link, const Names* names, int depth);
  QueryLevel& any_query(Tree statement, QueryLevel* outer, Link link, const Names* names, int depth);
  Names common_tables(Tree fields, QueryLevel& level, const Names* names, int depth);
  void from_item(Tree item, const Place& place);
  void function_source(Tree fields, const Place& place);
  void table_source(Tree range_var, const Place& place);
  void targets(Tree list, Place place);
  void expression(Tree tree, Place place);
  void call(Tree fields, Place place);
  void sub_link(Tree fields, Place place);
  void case_expression(Tree fields, Place place);
  void limits(Tree fields, QueryLevel& level);
  void distinct(Tree fields, QueryLevel& level);
  void order(Tree fields, QueryLevel& level);
  void key_equalities(Tree where, QueryLevel& level);
};

/// Adds a name once; empty ones not at all.
void add_name(std::vector<std::string>& names, std::string name);

/// An expression that gives several rows: unnest() and the like.
bool has_set_returning(Tree tree);

} // namespace padlint
