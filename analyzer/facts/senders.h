#pragma once

#include "analyzer/facts/linked_project.h"

#include <map>
#include <optional>

// Routines of the project that hand a text on to a library and give back what that gives:
// `query: (text, values) => pool.query(text, values)`. A call of one sends the text itself: BEGIN, the lock and the
// unlock are then calls of one routine, in the order in which it makes them.

namespace padlint {

struct Sender {
  ApiSends sends; // with the arguments where the routine has them
  Typed receiver; // through what it sends
  Span call;      // its call of the library, or of another sender
};

class Senders {
public:
  explicit Senders(const LinkedProject& project) : project_(project) {}

  /// What the routine hands its text on to. Only where each known call of the routine can mean no other: the text is
  /// then sent by the callers, and not by the routine a second time.
  const Sender* of(RoutineRef ref) { return find(ref, 0); }
  /// The same for what is called.
  const Sender* of(const Value& callee, Scope scope);

private:
  const Sender* find(RoutineRef ref, int depth);
  std::optional<Sender> handed_on(RoutineRef ref, int depth);
  bool called_plainly(RoutineRef ref) const;

  const LinkedProject& project_;
  std::map<RoutineRef, std::optional<Sender>> known_;
};

} // namespace padlint
