#pragma once

#include "analyzer/core/value.h"

#include <string>
#include <vector>

// How the tables of apis.toml speak of the arguments of a call.

namespace padlint {

/// Where a call has a value: at a position (from 0, -1 for none) or under a keyword.
struct ApiArgument {
  int position = -1;
  std::vector<std::string> keywords;
  std::string inside; // what is there is a map, and this is the key in it
  [[nodiscard]] bool given() const { return position >= 0 || !keywords.empty(); }
};

/// The argument of a call, by its keywords first; nullptr when the call does not have it.
const Value* find(const Value& call, const ApiArgument& wanted);

/// An argument that switches something when it has a certain constant.
struct ApiSwitch {
  ApiArgument argument;
  std::string value;    // constant as written in the table: "true", "AUTOCOMMIT", "0"
  std::string mentions; // instead: it is on when an argument mentions this name (an option function, a lambda)
};

} // namespace padlint
