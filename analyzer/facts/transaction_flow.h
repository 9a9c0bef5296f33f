#pragma once

#include "analyzer/facts/linked_project.h"
#include "analyzer/facts/solver.h"

#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

// The dataflow of one session's transactions along one routine. A state is what the session is in, and how many blocks
// of its own the routine is inside of: a block inside an open transaction is only a savepoint, and its end commits
// nothing.

namespace padlint {

class TransactionFlow {
public:
  enum Base : unsigned {
    autocommit,
    implicit,       // the next statement begins a transaction
    begun,          // ... and it has
    explicit_begin, // BEGIN, or the transaction that the routine runs in
    from_caller,    // whatever the caller left
  };
  static constexpr unsigned max_depth = 3;
  static constexpr Mask bit(Base base, unsigned depth) {
    return Mask{1} << (static_cast<unsigned>(base) * (max_depth + 1) + depth);
  }

  /// What a session is found in when the routine begins, and what it is in after a commit.
  struct Session {
    Base start = autocommit;
    Base rest = autocommit;
  };

  TransactionFlow(const LinkedProject& project, RoutineRef routine, std::string_view identity, Session session);

  /// The states before an event; the second joins all copies of the event.
  [[nodiscard]] Mask before(const Event& event) const;
  [[nodiscard]] Mask before(Span event, EventKind kind) const;
  [[nodiscard]] Mask after(const Effect& effect, Mask mask) const;
  /// Whether the effect may end a transaction, with what was done in it: no end of a savepoint does.
  [[nodiscard]] bool ends(const Effect& effect, Mask mask) const;

  /// Whether a transaction is open in every state.
  static bool open(Mask mask);
  /// ... and by a block or BEGIN in every one, not by the driver's own beginning.
  static bool open_explicitly(Mask mask);

private:
  [[nodiscard]] bool concerned(const Effect& effect) const {
    return effect.identity == "*" || concerns(effect.identity, identity_);
  }

  std::string identity_;
  Session session_;
  std::unordered_map<const Event*, Mask> at_;
  std::map<std::pair<Span, EventKind>, Mask> joined_;
};

/// Solved once for each routine, session and start.
const TransactionFlow& transaction_flow(const LinkedProject& project, RoutineRef routine, std::string_view identity,
                                        TransactionFlow::Session session);

/// What an event does to sessions; nullptr for nothing.
const std::vector<Effect>* effects_of(const LinkedProject& project, RoutineRef routine, Span event, EventKind kind);

} // namespace padlint
