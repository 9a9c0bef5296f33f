#pragma once

#include "analyzer/core/handle.h"
#include "analyzer/facts/linked_project.h"
#include "analyzer/facts/project_facts.h"

#include <map>
#include <utility>

// What the events of a routine do to the data of one session: whether a lock around them protects something that the
// next holder sees only after a commit.

namespace padlint {

class Touches {
public:
  /// An event may read or do anything (`uses`), or certainly or likely changes rows.
  struct Touch {
    enum Kind { nothing, uses, changes } kind = nothing;
    Confidence confidence = Confidence::certain;
  };

  Touches(const ProjectFacts& facts, RoutineRef routine, const Handle& handle)
      : Touches(facts, routine, handle.identity, false, 0) {}

  [[nodiscard]] Touch of(const Event& event) const;

private:
  Touches(const ProjectFacts& facts, RoutineRef routine, std::string identity, bool any_session, int depth);

  [[nodiscard]] Touch look(const Event& event) const;
  [[nodiscard]] Touch statement(const Statement& statement) const;
  /// What a function that SQL calls does, as far as its body is known.
  [[nodiscard]] Touch function(const SqlCall& call) const;
  [[nodiscard]] Touch execution(const Execution& execution) const;
  [[nodiscard]] Touch call(const Value& call) const;
  /// Whether a library's method changes rows; `given`: the session is one of the arguments.
  [[nodiscard]] bool writes(const Value& call, bool given) const;
  /// What the routines of the project that a call may run do, in any session; nothing when it runs none.
  [[nodiscard]] std::optional<Touch> inside(const Value& call) const;
  [[nodiscard]] bool is_session(const Value& value, std::string_view method = {}) const;

  const ProjectFacts& facts_;
  const LinkedProject& project_;
  const Apis* apis_;
  RoutineRef routine_;
  Scope scope_;
  std::string identity_;
  bool any_session_; // inside a helper: its sessions have other names
  int depth_;
  mutable std::map<std::pair<Span, EventKind>, Touch> known_;
};

} // namespace padlint
