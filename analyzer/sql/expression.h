#pragma once

#include "analyzer/core/statement.h"
#include "analyzer/core/value.h"
#include "analyzer/sql/sql.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace padlint {

/// Reads text[begin, end) as one expression, as PL/pgSQL does: `SELECT <range>`, so that `count(*) FROM t` is one, too.
/// Calls of lock functions and of functions that are not built in are added to `calls`; inside the Value they have the
/// span of their SqlCall. nullopt when it does not parse; lock calls found by their tokens are added even then.
std::optional<Value> read_expression(const SqlText& text, std::uint32_t begin, std::uint32_t end,
                                     std::vector<SqlCall>& calls);

/// Reads text[begin, end) as one statement without its semicolon. Never fails: a text that does not parse has kind by
/// its first words, parsed = false, and the lock calls that its tokens show.
Statement read_statement(const SqlText& text, std::uint32_t begin, std::uint32_t end);

} // namespace padlint
