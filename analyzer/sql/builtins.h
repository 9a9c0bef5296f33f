#pragma once

#include <string_view>

namespace padlint {

/// A function that every PostgreSQL has and that takes no advisory lock: a call of it can be no wrapper of one. Names
/// are folded. The common names only: one that is missing here costs a look for a definition that no project has.
bool is_builtin(std::string_view name);

/// An aggregate function of PostgreSQL: it reads all rows of its group.
bool is_aggregate(std::string_view name);

/// A function of PostgreSQL that gives a row set.
bool is_set_returning(std::string_view name);

} // namespace padlint
