#pragma once

#include "analyzer/core/flow.h"
#include "analyzer/core/statement.h"
#include "analyzer/sql/script.h"

#include <string>
#include <vector>

namespace padlint {

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
