#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

// The syntax tree of a PL/pgSQL body. Expressions and SQL statements stay ranges of the text: PL/pgSQL itself finds
// only their ends and leaves their grammar to the SQL parser (PostgreSQL: src/pl/plpgsql/src/pl_gram.y).

namespace padlint {

/// text[begin, end) of a body, in bytes.
struct PlRange {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  [[nodiscard]] bool empty() const { return begin == end; }
};

/// What an assignment, INTO or a loop gives a value to.
struct PlTarget {
  std::string name;     // folded, parts joined by dots: `v`, `new.slug`; `$1` for a parameter by number
  bool element = false; // subscripts follow: only a part of it changes
  PlRange range;
};

struct PlDeclaration {
  enum Form { variable, alias, cursor } form = variable;
  std::string name; // folded
  PlRange range;    // the name
  PlRange type;
  PlRange initial; // default; for an alias the other name, for a cursor its query; empty for none
};

enum class PlKind : std::uint8_t {
  block,      // label, declarations, body, handlers
  if_then,    // branches, otherwise
  case_when,  // expression (empty: searched CASE), branches with one or more conditions each, otherwise
  loop,       // label, body
  while_loop, // expression
  for_range,  // targets, arguments: from, to and perhaps BY
  for_query,  // targets, expression; dynamic with arguments
  for_cursor, // targets, word: the cursor, arguments
  foreach,    // targets, expression: the array
  exit,       // label, expression: WHEN condition
  continue_loop,
  return_value, // expression, empty for a plain RETURN
  return_next,
  return_query,    // expression; dynamic with arguments
  raise,           // word: level, empty for a bare RAISE; condition; arguments
  assertion,       // expression, arguments
  assign,          // targets, expression
  perform,         // expression
  execute,         // expression, targets, arguments
  get_diagnostics, // targets, arguments: the items, one for each target
  open,            // word: the cursor; expression for a query, dynamic with arguments, or arguments of a bound cursor
  fetch,           // word: the cursor, targets
  close,           // word: the cursor; MOVE is read as it
  null,
  sql, // any other statement; targets and `into` for SELECT ... INTO and RETURNING ... INTO
};

struct PlStatement;

struct PlBranch {
  std::vector<PlRange> conditions;
  std::vector<PlStatement> body;
};

struct PlHandler {
  std::vector<std::string> conditions; // names folded; the five characters of SQLSTATE 'P0001' as they stand
  PlRange range;                       // WHEN ... THEN
  std::vector<PlStatement> body;
};

struct PlStatement {
  PlKind kind = PlKind::sql;
  PlRange range;     // without the semicolon
  std::string label; // of a block or loop; of exit and continue: where to
  std::string word;
  std::string condition; // of RAISE: name or SQLSTATE, where the text has it
  PlRange expression;
  std::vector<PlRange> arguments; // USING list, list of cursor arguments, list of RAISE
  std::vector<PlTarget> targets;
  PlRange into;         // the INTO clause, which is no part of the SQL statement
  bool dynamic = false; // the expression is EXECUTE's: a text to be run
  bool has_otherwise = false;
  std::vector<PlDeclaration> declarations;
  std::vector<PlBranch> branches;
  std::vector<PlStatement> body;
  std::vector<PlStatement> otherwise; // ELSE
  std::vector<PlHandler> handlers;
};

/// Something that is no PL/pgSQL: it cost the statement in `range`.
struct PlError {
  PlRange range;
  std::string text;
};

struct PlBody {
  std::vector<PlStatement> block; // the outermost block, or nothing
  std::vector<PlError> errors;
};

/// A line a statement, indented by nesting; errors last.
std::string to_text(const PlBody& body, std::string_view text);

} // namespace padlint
