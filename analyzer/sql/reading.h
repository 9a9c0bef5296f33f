#pragma once

#include "analyzer/sql/definition.h"
#include "analyzer/sql/script.h"

#include <string>
#include <vector>

namespace padlint {

/// "table.column" of all keys of one column that the statements declare; sorted.
std::vector<std::string> unique_columns(const SqlText& text, const std::vector<ScriptItem>& items);

/// Reads the bodies, after all statements of the text itself, whose numbers come first.
void read_definitions(std::vector<SqlDefinition> definitions, std::vector<Statement>& statements,
                      std::vector<Routine>& routines, std::vector<Notice>& notices);

} // namespace padlint
