#pragma once

#include "analyzer/facts/linked_project.h"

namespace padlint {

/// The wrapper of the project's settings that a call names, and whether the call is one of its releases.
struct WrapperCall {
  const Wrapper* wrapper = nullptr;
  bool release = false;
};
WrapperCall wrapper_of(const LinkedProject& project, const Value& callee, Scope scope);

/// Whether a callee, by its last name alone, may call one of the wrappers.
bool may_call(std::span<const Wrapper> wrappers, const Value& callee);

/// The SQL that a call of a wrapper with a key stands for.
ComposedText wrapped_sql(const LinkedProject& project, const WrapperCall& wrapped, const Value& call, Scope scope);

/// How a wrapper sends SQL, as a table of a library would say it. `own_session`: not over a handle of the caller's.
ApiSends sends_of(const Wrapper& wrapper, bool own_session);

} // namespace padlint
