#pragma once

#include "analyzer/facts/project_facts.h"

#include <string_view>

namespace padlint {

/// The printed form of an answer that `facts` and `explain` show.
inline std::string_view to_text(TransactionState state) {
  switch (state) {
  case TransactionState::open: return "open";
  case TransactionState::none: return "none";
  case TransactionState::caller: return "caller";
  case TransactionState::unknown: return "unknown";
  }
  return "";
}

} // namespace padlint
