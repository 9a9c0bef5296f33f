#pragma once

#include "analyzer/core/span.h"
#include "analyzer/core/value.h"

#include <cstdint>
#include <string>
#include <vector>

// The order in which one routine does things. Leaks, order, guards and transactions are questions about paths, and
// nesting alone cannot answer them. Host languages, PL/pgSQL bodies and psql scripts all lower to this one graph.
//
// A block lists events in evaluation order. An exception may come before any event of a block that has an error edge,
// so along an error edge the state is the join of the states before each of its events (an acquire that raised took
// nothing). Cleanup (finally, ensure, defer, the end of `with`) is copied onto each leaving edge, once per distinct
// continuation; a copied event keeps its span, which is how it is known to be the same.

namespace padlint {

/// What becomes of a call's result where the call stands.
enum class ResultUse : std::uint8_t {
  unknown,
  dropped,  // an expression statement: nobody can read it
  tested,   // a condition
  returned, // the routine's result
  stored,   // bound to a name or a field; Event::target has the name when it is a plain one
  chained,  // the object of a member access: `execute(...).fetchone()`
  passed,   // an argument of another call
  operand,  // part of another expression (comparison, index, unpacking)
  iterated, // a loop runs over it
};

enum class EventKind : std::uint8_t {
  call,   // value is the call
  enter,  // a scoped block begins: value is what it manages, target the name it binds
  leave,  // the same scoped block ends on this path
  assign, // target = value (a plain name, or `self.x` style text)
  yield,  // control goes to the caller's block and comes back, or an exception does
  sql,    // statement `number` of the file runs (SQL files and PL/pgSQL only)
  begin,  // a transaction begins without SQL text: implicit one of a multi-statement message, AUTOCOMMIT off
  commit, // the transaction of `begin` ends
};

struct Event {
  EventKind kind = EventKind::call;
  Span span;
  Value value;
  std::uint32_t number = 0; // sql: index into FileFacts::statements
  ResultUse use = ResultUse::unknown;
  std::string target; // see stored, enter and assign
};

enum class EdgeKind : std::uint8_t {
  next,
  when_true, // the block's condition holds
  when_false,
  error,  // an exception from any event of the block (a host exception, an SQL error)
  cancel, // query cancel, statement time-out, assertion: what WHEN OTHERS does not catch (PL/pgSQL)
};

/// Targets that are no block: where a path leaves the routine.
constexpr std::uint32_t exit_return = 0xffffffff; // return, or the end of the body
constexpr std::uint32_t exit_error = 0xfffffffe;
constexpr std::uint32_t exit_cancel = 0xfffffffd;
constexpr bool is_exit(std::uint32_t target) { return target >= exit_cancel; }

struct Edge {
  EdgeKind kind = EdgeKind::next;
  std::uint32_t target = exit_return;
  Span span; // for an edge that leaves: the return, raise or RETURN statement; empty at the end of the body
};

struct Block {
  std::vector<Event> events;
  Value condition; // of when_true / when_false: neither `not`, `and` nor `or` at its top, those are edges
  std::vector<Edge> edges;
};

/// blocks[0] is the entry. A routine without a body has no block.
struct Flow {
  std::vector<Block> blocks;
};

std::string to_text(ResultUse use);

/// One line a block: `0: call(name(f), 1) dropped; enter name(pool) as conn -> next 1, error raise`. Targets that leave
/// are `return`, `raise` and `cancel`; a condition stands before the arrow as `if name(x)`.
std::string to_text(const Flow& flow);

} // namespace padlint
