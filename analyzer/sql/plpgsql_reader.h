#pragma once

#include "analyzer/core/notice.h"
#include "analyzer/core/statement.h"
#include "analyzer/sql/plpgsql_tree.h"
#include "analyzer/sql/sql.h"
#include "analyzer/sql/tokens.h"

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace padlint {

/// An expression, and as a statement what evaluating it does: its calls, and the tables of its sub-selects.
struct PlExpression {
  Value value;
  Statement statement;
  [[nodiscard]] bool does_something() const { return !statement.calls.empty() || !statement.reads.empty(); }
};

/// The Value, or an opaque one in place of a large one: for Values that are copied as often as a body likes.
Value bounded(const Value& value);

/// Reads the ranges of a tree with the SQL parser, and notes the names that they read.
struct PlReader {
  SqlText body; // a copy: what PL/pgSQL takes out before it hands a statement to SQL is blanked in it
  std::vector<Token> tokens;
  std::vector<Notice>& notices;
  std::set<std::string, std::less<>> read = {};   // identifiers in expressions and statements
  std::set<std::string, std::less<>> labels = {}; // that may qualify a variable

  [[nodiscard]] Span span(PlRange range) const { return body.source(range.begin, range.end); }
  [[nodiscard]] std::string_view text(PlRange range) const;

  PlExpression expression(PlRange range);
  /// An SQL statement without its INTO clause; for PERFORM the SELECT that it stands for.
  Statement statement(const PlStatement& node);
  Statement query(PlRange range);
  /// The items of a SELECT list, one for each target; none where they do not match.
  std::vector<Value> selected(const PlStatement& node);
  /// A text that was not understood matters only where it may hold a lock call.
  void notice(PlRange range, std::string_view what);

private:
  void note_names(PlRange range, PlRange except = {});
  [[nodiscard]] std::pair<std::size_t, std::size_t> tokens_in(PlRange range) const;
};

/// The items between SELECT and the next clause of a statement whose tokens are these; none for another statement.
std::vector<PlRange> select_list(std::string_view text, const std::vector<Token>& tokens);

} // namespace padlint
