#pragma once

#include "analyzer/core/handle.h"
#include "analyzer/facts/linked_project.h"
#include "analyzer/facts/transaction_flow.h"

#include <optional>

// What a session is found in when a routine begins: what its library does without being told, what the routine's
// decorators, class and framework say, and what a guard in it makes sure of.

namespace padlint {

/// Nothing when a guard or a wrapper of the project's own decides.
std::optional<TransactionFlow::Session> session_start(const LinkedProject& project, RoutineRef routine,
                                                      const Handle& handle);

/// Whether the framework's settings open a transaction for each request that reaches this file.
Answer transaction_per_request(const LinkedProject& project, FileId file);

} // namespace padlint
