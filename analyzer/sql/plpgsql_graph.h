#pragma once

#include "analyzer/core/flow.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace padlint {

/// What is raised, as far as it decides which handler runs.
struct PlRaised {
  enum Kind {
    error,     // any error of a statement but the next two
    cancel,    // query_canceled: WHEN OTHERS does not catch it
    assertion, // assert_failure: neither this
    exception, // RAISE EXCEPTION with the code `condition`, raise_exception when it has none
  } kind = error;
  std::string condition = {}; // name or SQLSTATE, folded
  Span span = {};             // the RAISE; empty when any event may raise
};

struct PlCatcher {
  std::vector<std::string> conditions;
  std::uint32_t block = 0; // where the handler begins
};

/// A block or loop that encloses the current place.
struct PlFrame {
  bool loop = false;
  std::string label;
  std::uint32_t behind = 0; // where EXIT goes
  std::uint32_t again = 0;  // where CONTINUE goes, for a loop
  bool guarded = false;     // a block with handlers, while none of them runs: a sub-transaction is open
  Span span;                // of such a block
  std::vector<PlCatcher> catchers;
  std::vector<std::string> caught; // conditions of the handler that runs: what a bare RAISE raises again
};

/// Builds a Flow. A block of it lies in one place of the frames: whoever pushes or pops a frame starts a new block.
struct PlGraph {
  Flow flow;
  std::vector<PlFrame> frames;

  PlGraph();

  std::uint32_t add_block();
  /// From here on events go into this block.
  void start(std::uint32_t block);
  /// The current block; a new one, which nothing reaches, after a jump.
  Block& here();
  void add(Event event);
  /// An event that may raise and be cancelled.
  void add_statement(Event event);

  void jump(std::uint32_t target, Span span = {});
  void branch(Value condition, std::uint32_t holds, std::uint32_t fails);
  /// Goes on in a block of its own, because what happens before the RAISE is done when it raises.
  void raise(PlRaised raised);
  /// The error that the innermost handler caught, again.
  void raise_again(Span span);
  void leave_routine(Span span);
  /// EXIT or CONTINUE; false when no frame fits.
  bool leave(const std::string& label, bool again);
  /// A block with handlers is a sub-transaction. The events enter and leave name it "exception_block"; where a handler
  /// begins, the leave event has the name "exception_rollback", because all since enter was rolled back.
  void begin_sub_transaction(Span span);
  void commit_sub_transaction(const PlFrame& frame);
  void roll_back_sub_transaction(const PlFrame& frame);
  [[nodiscard]] bool reachable() const { return current.has_value(); }

  /// The graph without its empty blocks, in depth-first order; unreachable blocks with events last.
  Flow finish() &&;

private:
  std::optional<std::uint32_t> current;
  std::vector<std::vector<Edge>> escapes; // of each block: its error and cancel edges
  void own_block();
  void escape(std::vector<Edge>& edges, const PlRaised& raised) const;
  void commit_sub_transactions(std::size_t outermost);
};

} // namespace padlint
