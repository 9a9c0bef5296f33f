#pragma once

#include "analyzer/sql/plpgsql_tree.h"
#include "analyzer/sql/tokens.h"

#include <string_view>
#include <vector>

namespace padlint {

/// Blocks, loops, IFs and CASEs nested deeper than this end the reading, with an error.
constexpr int max_plpgsql_depth = 64;

/// The tree of a body whose tokens are `tokens`. Never fails: what is no PL/pgSQL costs its statement.
PlBody plpgsql_parse(std::string_view text, const std::vector<Token>& tokens);

} // namespace padlint
