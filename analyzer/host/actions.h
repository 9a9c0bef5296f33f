#pragma once

#include "analyzer/core/flow.h"

#include <cstddef>
#include <string>
#include <vector>

// What a routine does, nested as its text is: what stands between the syntax tree and the graph. The walker makes
// actions and knows nothing of graphs; lower() makes the graph and knows nothing of syntax.

namespace padlint::host {

enum class ActionKind : std::uint8_t {
  event,    // `event` happens
  sequence, // `parts` in order

  // Conditions
  test,   // `parts` compute event.value, which is true or false
  negate, // parts[0] does not hold
  both,   // all parts hold, tested in order
  either, // one of the parts holds, tested in order

  // Statements
  branch,    // parts: condition, body, condition, body ..., and perhaps the body for none of them
  loop,      // parts: condition, body, the body for a loop that was not left by break, what each round ends with
  breakable, // `parts`, which a break leaves
  attempt,   // parts: body, body for no exception, cleanup, handlers
  handler,   // `parts` for an exception
  scoped,    // `event` enters, then `parts`, and leaving on every way out
  inlined,   // `parts` of a function that is called where it stands: return leaves only them
  deferred,  // `parts` happen when the routine is left, the last one put off first
  leave_return,
  leave_throw,
  leave_break,
  leave_continue,
  leave_retry,
};

struct Action {
  ActionKind kind = ActionKind::event;
  bool catches_all = false; // of a handler
  bool cleans_up = false;   // of an attempt: parts[2] is not empty
  bool block = false;       // of a scoped one: `continue` ends its parts, `break` leaves it
  Span span;                // of the ways to leave: the statement
  std::string label;        // of a loop or breakable, and of the break or continue that is about it
  Event event;
  std::vector<Action> parts;
};

using Actions = std::vector<Action>;

inline Action make_action(ActionKind kind, Actions parts = {}, Span span = {}) {
  return {.kind = kind, .span = span, .parts = std::move(parts)};
}

/// No routine that a person wrote has more blocks or events, copies included: the graph ends there.
constexpr std::size_t max_blocks = 2000;
constexpr std::size_t max_events = 100'000;

struct LoweredFlow {
  Flow flow;
  bool complete = true; // false: cut at one of the limits
};

/// The graph of a routine that does `actions` in order. Code that cannot be reached is not in it. `calls_raise` is
/// false for a language whose calls answer with an error: only what throws explicitly leaves by an error edge.
LoweredFlow lower(Actions actions, bool calls_raise);

} // namespace padlint::host
