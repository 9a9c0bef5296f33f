#pragma once

#include "analyzer/facts/linked_project.h"

namespace padlint {

/// Finds the calls that run a query of an SQL file by its name (sqlc): the method is generated, or is not in the tree.
void collect_query_calls(LinkedProject& project);

/// The named queries that some call runs: what they do is done by their callers.
std::set<RoutineRef> called_queries(const LinkedProject& project);

/// Whether the statements at the top level of an SQL file are texts that a program reads and sends: nothing else gives
/// `$1` a value.
bool sent_by_code(const LinkedProject& project, RoutineRef file);

} // namespace padlint
