#pragma once

#include "analyzer/core/statement.h"
#include "analyzer/sql/tree.h"

#include <string>
#include <vector>

namespace padlint {

/// A statement together with what only this layer needs of it.
struct StatementReading {
  Statement statement;
  Parsed sql;                       // its tree is null when the statement did not parse
  std::vector<std::string> columns; // names of a select list, for \gset
};

StatementReading read_one(const SqlText& text, std::uint32_t begin, std::uint32_t end);

/// The kind that the first words of a statement show.
StatementKind kind_of_words(std::string_view text, const std::vector<Token>& tokens);

/// The calls of lock functions in a text that does not parse, with position `other`.
std::vector<SqlCall> lock_calls_of_tokens(const SqlText& text, const std::vector<Token>& tokens);

/// The tables behind FROM, JOIN, INTO and UPDATE, and whether the statement changes the first of them.
void tables_of_tokens(std::string_view text, const std::vector<Token>& tokens, Statement& statement);

/// The text with the holes blanked that stand where no operand can: `WHERE a = 1 {order}`, `{with} SELECT 1`.
SqlText without_clause_holes(const SqlText& text, const std::vector<Token>& tokens);

} // namespace padlint
