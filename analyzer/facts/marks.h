#pragma once

#include "analyzer/facts/linked_project.h"

#include <map>
#include <string>

// What is known of a routine's transaction by its marks, by what it asks itself, and by what it is handed to.

namespace padlint {

/// A decorator of the project's own may do anything around the routine.
bool wrapped_by_own(const LinkedProject& project, RoutineRef ref);
/// A decorator that opens a transaction around the routine.
bool begins_transaction(const LinkedProject& project, RoutineRef ref);
/// The same for the session or pool of that identity: `@database.transaction()`.
bool begins_transaction_on(const LinkedProject& project, RoutineRef ref, const std::string& identity);
/// The word of the mark that fits the routine: "none", "open", "request", "unknown"; empty when none does.
std::string mark_of(const LinkedProject& project, RoutineRef ref);
/// The routine itself asks whether a transaction is open.
bool guarded(const LinkedProject& project, RoutineRef ref);

/// Whether a routine may run inside a transaction that a wrapper of the project's began and that no argument tells of:
/// it is, or is called from, a function without parameters that was handed to one of that name.
class Wrapped {
public:
  explicit Wrapped(const LinkedProject& project) : project_(project) {}
  bool operator()(RoutineRef routine);

private:
  bool marked(RoutineRef ref) const;
  bool handed_to_wrapper(const CallSite& site);
  bool calls(const std::string& method);
  const LinkedProject& project_;
  std::map<RoutineRef, bool> known_;
  std::map<std::string, bool> called_; // whether the project calls a method of this name
};

} // namespace padlint
