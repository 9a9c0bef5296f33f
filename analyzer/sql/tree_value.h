#pragma once

#include "analyzer/core/value.h"
#include "analyzer/sql/tree.h"

#include <string>

namespace padlint {

/// How a FuncCall is written.
struct CallSite {
  std::string schema; // empty for none and for pg_catalog
  std::string name;
  Range name_range; // the name alone, without its schema
  Range range;      // schema, name and arguments
};

CallSite call_site(const Parsed& sql, const Tree& func_call);

/// The arguments as Values, a named one with its label.
std::vector<Value> call_arguments(const Parsed& sql, const Tree& func_call);

/// An expression node as a Value. A sub-select, and what lies too deep, is opaque.
Value tree_value(const Parsed& sql, const Tree& expression);

/// The bytes of an expression, with the parentheses that belong to it but not those around it.
Range tree_range(const Parsed& sql, const Tree& expression);

struct TypeName {
  std::string name; // folded, without pg_catalog
  Range range;
};

/// The type that is written from this token on: `bigint`, `double precision`, `bit(64)`, `int4[]`.
TypeName type_at(const Parsed& sql, std::size_t token);

/// The number in `padlint_hole_3` if that is the whole word and the text has that hole.
std::optional<std::size_t> hole_index(const SqlText& text, std::string_view word);

/// What stands for a hole or a placeholder: a parameter.
Value hole_value(const SqlText& text, std::size_t index, Span span);

} // namespace padlint
