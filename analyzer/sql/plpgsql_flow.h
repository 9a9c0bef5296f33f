#pragma once

#include "analyzer/core/file_facts.h"
#include "analyzer/sql/plpgsql_reader.h"
#include "analyzer/sql/plpgsql_tree.h"

#include <vector>

namespace padlint {

/// Lowers a tree: fills routine.flow, bindings, reads and returns, and adds to `statements` those that events name.
void plpgsql_flow(const PlBody& body, PlReader& reader, Routine& routine, std::vector<Statement>& statements);

} // namespace padlint
