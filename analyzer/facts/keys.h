#pragma once

#include "analyzer/core/lock.h"
#include "analyzer/facts/linked_project.h"

#include <vector>

namespace padlint {

/// A value of an SQL text with its placeholders and holes replaced by what the program binds to them.
Value resolved(const LinkedProject& project, const Reading& reading, const Value& value, int depth = 0);

/// The key that these arguments of a lock function make: quoted numbers and casts to integers are the number, and a
/// call of one of the project's own SQL functions is what that function returns.
Key key_of(const LinkedProject& project, std::vector<Value> parts);

/// Prints the parts, so that comparing keys is cheap.
void print_parts(Key& key);

/// The key with the parameters of a routine replaced by the arguments of a call.
Key substituted(Key key, const Routine& routine, const Key& arguments);

} // namespace padlint
