#pragma once

#include "analyzer/sql/tree.h"

#include <string>

// The tree says where an operator or a name stands, not where an expression begins and ends: that is read from tokens.

namespace padlint {

/// Widens a range over another one; empty ranges count for nothing.
void join(Range& range, Range other);

/// The range of a token, empty when there is none of that index.
Range token_range(const Parsed& sql, std::size_t token);

/// From a token to the bracket that closes the next one, if that is a bracket: `name(...)`, `ARRAY[...]`.
Range with_brackets(const Parsed& sql, std::size_t token);

/// Widened over the brackets that are opened or closed on one side only: `'x' || f(y)` of `('x' || f(y))::bit(64)`.
Range balanced(const Parsed& sql, Range range);

/// How a FuncCall is written.
struct SqlCallSite {
  std::string schema; // empty for none and for pg_catalog
  std::string name;
  Range name_range; // the name alone, without its schema
  Range range;      // schema, name and arguments
};

SqlCallSite call_site(const Parsed& sql, Tree func_call);

struct TypeName {
  std::string name; // folded, without pg_catalog
  Range range;
};

/// The type that is written from this token on: `bigint`, `double precision`, `bit(64)`, `int4[]`.
TypeName type_at(const Parsed& sql, std::size_t token);

} // namespace padlint
