#pragma once

#include "analyzer/sql/definition.h"
#include "analyzer/sql/script.h"

#include <string>
#include <vector>

namespace padlint {

/// "table.column" of all keys of one column that the statements declare; sorted.
std::vector<std::string> unique_columns(const SqlText& text, const std::vector<ScriptItem>& items);

/// Reads the bodies, after all statements of the text itself, whose numbers come first.
void read_definitions(std::vector<Definition> definitions, std::vector<Statement>& statements,
                      std::vector<Routine>& routines, std::vector<Notice>& notices);

/// The comments `padlint: ignore[rule] reason` of an SQL text, also those inside of dollar-quoted bodies.
std::vector<Suppression> read_suppressions(FileId file, std::string_view text);

/// The flow of a script: its statements in order, transactions that psql opens, branches of `\if`.
struct ScriptEvent {
  ScriptItem item;
  std::uint32_t number = 0; // of a statement
  StatementKind kind = StatementKind::other;
  Span span;
  std::string column; // the only column of a select list, for \gset
};
Flow script_flow(const std::vector<ScriptEvent>& events);

} // namespace padlint
