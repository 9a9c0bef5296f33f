#pragma once

#include "analyzer/sql/range.h"

#include <optional>
#include <string>
#include <string_view>

namespace padlint {

/// A comment `-- name: TakeTick :exec`: the statement behind it is no step of a script but a query that a program runs
/// by this name (sqlc, aiosql, HugSQL).
struct NamedQuery {
  std::string name;
  Range place;      // of the name, in the text
  bool rows = true; // the caller gets the rows; false for :exec, `!` and the like
};

/// The last such comment in text[begin, end), which holds comments and space only.
std::optional<NamedQuery> named_query(std::string_view text, std::uint32_t begin, std::uint32_t end);

} // namespace padlint
