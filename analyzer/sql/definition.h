#pragma once

#include "analyzer/core/file_facts.h"
#include "analyzer/sql/statement_reader.h"

#include <optional>
#include <vector>

namespace padlint {

/// CREATE FUNCTION, CREATE PROCEDURE or DO, whose body is still to be read.
struct SqlDefinition {
  Routine routine;
  SqlText text;            // holds the body
  Range body;              // in `text`
  bool expression = false; // RETURN expression without BEGIN ATOMIC
};

/// The definition that a statement makes; nullopt when it makes none or has no body in a language that is read here.
std::optional<SqlDefinition> read_definition(const StatementReading& reading);

/// Reads the body: fills the routine's flow, and adds its statements.
void read_body(SqlDefinition& definition, std::vector<Statement>& statements, std::vector<Notice>& notices);

/// The notice for a statement that names an advisory lock and does not parse; nothing for others.
std::optional<Notice> not_parsed(const SqlText& text, Range range, const Statement& statement);

} // namespace padlint
