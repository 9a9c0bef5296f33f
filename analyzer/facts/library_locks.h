#pragma once

#include "analyzer/facts/linked_project.h"
#include "analyzer/facts/project_facts.h"

namespace padlint {

/// Whether a callee, by its last name and what its file imports, may be one of those that ask a library for a lock.
bool asks_for_lock(const Apis& apis, const FileFacts& file, const Value& callee);

/// Finds out what takes a lock that the call of a routine asks for, and what becomes of the answer
/// (library_takings.cpp).
void find_taking(const ApiLibraryLock& table, const Routine& routine, LibraryLock& lock);

/// Finds the locks that libraries take on the project's behalf.
void collect_library_locks(ProjectFacts& facts);

/// Finds those of tools: of commands, and of configuration files (tool_locks.cpp).
void collect_tool_locks(ProjectFacts& facts);

} // namespace padlint
