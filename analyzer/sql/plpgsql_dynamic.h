#pragma once

#include "analyzer/core/statement.h"
#include "analyzer/sql/sql.h"

#include <optional>
#include <vector>

namespace padlint {

/// The SQL text that EXECUTE's expression makes: literals, `||`, format(), quote_literal() and quote_ident(); whatever
/// else is a hole. nullopt when nothing of it is constant.
std::optional<SqlText> dynamic_sql(const Value& expression);

/// One statement of a dynamic text.
struct DynamicStatement {
  Statement statement;
  std::vector<Value> selected; // SELECT list
};

/// The statements of a dynamic text, with the holes' Values and those of `USING` in the arguments of their calls.
/// Nothing when no statement of it can be read.
std::vector<DynamicStatement> dynamic_statements(const SqlText& text, const std::vector<Value>& arguments);

} // namespace padlint
