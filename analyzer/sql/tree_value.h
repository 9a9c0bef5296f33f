#pragma once

#include "analyzer/core/value.h"
#include "analyzer/sql/tree.h"

namespace padlint {

/// The arguments as Values, a named one with its label.
std::vector<Value> call_arguments(const Parsed& sql, Tree func_call);

/// An expression node as a Value. A sub-select, and what lies too deep, is opaque.
Value tree_value(const Parsed& sql, Tree expression);

/// The bytes of an expression, with the parentheses that belong to it but not those around it.
Range tree_range(const Parsed& sql, Tree expression);

} // namespace padlint
