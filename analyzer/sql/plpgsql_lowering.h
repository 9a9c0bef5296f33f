#pragma once

#include "analyzer/core/file_facts.h"
#include "analyzer/sql/plpgsql_graph.h"
#include "analyzer/sql/plpgsql_reader.h"
#include "analyzer/sql/plpgsql_tree.h"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace padlint {

/// The query of a declared cursor. It is one statement, which each OPEN runs.
struct PlCursorQuery {
  PlRange range;
  std::optional<std::uint32_t> number;
};

/// What lowering a body to a Flow works with. The members are steps that all statements share.
struct PlLowering {
  PlReader& reader;
  Routine& routine;
  std::vector<Statement>& statements;
  PlGraph graph = {};
  std::map<std::string, PlCursorQuery> cursors = {}; // the declared ones
  std::set<std::string> declared = {};
  std::map<std::string, Value> types = {};

  // plpgsql_flow.cpp: blocks and control flow
  void run(const std::vector<PlStatement>& nodes);
  void run(const PlStatement& node);

  // plpgsql_events.cpp: statements without others in them
  void run_simple(const PlStatement& node);
  /// Adds the statement to the file's and to the flow.
  void add(Statement statement, ResultUse use, const std::string& target = {});
  void add(std::uint32_t number, ResultUse use, const std::string& target);
  /// The query of a declared cursor; nothing for a cursor that came from elsewhere.
  void open(const std::string& cursor, const std::string& target);
  /// The event of an expression, if evaluating it does something; its value.
  Value evaluate(PlRange expression, ResultUse use, std::optional<Span> span = std::nullopt,
                 const std::string& target = {});
  void evaluate_all(const std::vector<PlRange>& expressions, ResultUse use);
  void assign(const PlTarget& target, Value value, Span span);
  void bind(const PlTarget& target, BindingRole role, Value value);
  /// EXECUTE of a text: its statements if the text is known, or one of kind execute. The SELECT list of a lone SELECT.
  std::vector<Value> run_dynamic(const PlStatement& node, ResultUse use);
  /// Goes to `holds` or to `fails`; NOT, AND and OR become edges.
  void test(const PlExpression& condition, std::uint32_t holds, std::uint32_t fails);

private:
  void test(const PlExpression& condition, const Value& part, Span calls, std::uint32_t holds, std::uint32_t fails);
  void declare(const PlDeclaration& declaration);
  void block(const PlStatement& node);
  void branches(const PlStatement& node);
  void loop(const PlStatement& node);
  void run_query(const PlStatement& node);
  void return_value(const PlStatement& node);
  void leave(const PlStatement& node);
  void raise(const PlStatement& node);
  void run_sql(const PlStatement& node);
};

} // namespace padlint
