#pragma once

#include "analyzer/core/lock.h"
#include "analyzer/facts/apis.h"

#include <string>
#include <vector>

namespace padlint {

/// A function that takes an advisory lock, or sends an SQL text, in a way that padlint cannot see: the project says so
/// in its settings (`[[wrapper]]`). A call of it then counts as the SQL that it stands for.
struct Wrapper {
  /// Names of functions and methods as code calls them, with as much of what stands before as tells them apart:
  /// `take_lock`, `locks.take`, `Locks.take`.
  std::vector<std::string> calls;
  std::vector<std::string> releases;
  std::vector<ApiArgument> key; // one argument, or two of the (int4, int4) form
  ApiArgument sql;              // instead: the argument that is an SQL text
  ApiArgument handle;           // the connection; not given: the object of the call, if it is one
  Level level = Level::session;
  bool tries = false; // it answers true or false and does not wait
  bool shared = false;
  bool transaction = false; // it opens the transaction itself
};

/// What a project says of itself beside its sources.
struct ProjectNotes {
  std::vector<Wrapper> wrappers;
  bool single_runner = false;            // something that no file shows runs migrations once
  std::vector<std::string> unit_folders; // folders with a package manifest, with '/' at the end; sorted
};

} // namespace padlint
