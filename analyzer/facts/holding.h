#pragma once

#include "analyzer/facts/linked_project.h"
#include "analyzer/facts/project_facts.h"
#include "analyzer/facts/solver.h"

#include <optional>
#include <set>

namespace padlint {

/// The dataflow that counts one lock: all acquires of one key and mode on one session in one routine.
class Holding {
public:
  /// What may be true of the lock at a point of the program.
  enum Situation : unsigned {
    never,    // not taken on this path
    released, // taken and freed again
    pending,  // a try whose answer nobody has looked at yet
    held,     // once
    held_twice,
    held_more,
    given_back, // held, on a connection that went back to its pool
  };
  static constexpr Mask bit(Situation situation) { return Mask{1} << situation; }
  static constexpr Mask any_held = (Mask{1} << held) | (Mask{1} << held_twice) | (Mask{1} << held_more);

  /// Routines with more locks than this are generated, or made to be hard: nothing is said about their paths.
  static constexpr std::size_t most_locks = 200;

  Holding(const ProjectFacts& facts, const LockCall& lock);
  static bool too_many(const ProjectFacts& facts, RoutineRef routine);

  /// Calls `at(event, effect, mask before it)` for each effect, `leaves(edge, raising event or nullptr, mask)` for
  /// exits.
  template <class At, class Leaves>
  void walk(At at, Leaves leaves) const {
    const auto transfer = [this](const Event& event, Mask mask) { return after(event, mask); };
    const auto passes = [this](const Block& block, const Edge& edge, Mask mask) { return through(block, edge, mask); };
    const auto raises = [this](const Event& event, Mask mask) { return may_raise(event) ? mask : 0; };
    for (assumed_ = 0; assumed_ < 1U << flags_.size(); ++assumed_) {
      const Solution solution = solve(flow_, bit(never), transfer, passes, raises);
      visit(
          flow_, solution, transfer, passes, raises,
          [&](const Event& event, Mask mask) {
            if (const std::vector<Effect>* effects = effects_of(event))
              for (const Effect& effect : *effects) {
                at(event, effect, mask);
                mask = after(effect, mask);
              }
          },
          [&](const Block&, const Edge& edge, const Event* event, Mask mask) { leaves(edge, event, mask); });
    }
  }

  /// The first event, in the order of the text, that may raise with the lock held.
  [[nodiscard]] Span first_raising() const;
  [[nodiscard]] bool frees(const Effect& effect) const;
  [[nodiscard]] bool frees(const Event& event) const;
  [[nodiscard]] bool takes(const Event& event) const;
  /// Whether the event does work that may raise.
  [[nodiscard]] bool works(const Event& event) const { return may_raise(event); }

private:
  [[nodiscard]] const std::vector<Effect>* effects_of(const Event& event) const;
  [[nodiscard]] Mask after(const Event& event, Mask mask) const;
  [[nodiscard]] Mask after(const Effect& effect, Mask mask) const;
  [[nodiscard]] Mask through(const Block& block, const Edge& edge, Mask mask) const;
  [[nodiscard]] bool may_raise(const Event& event) const;
  void find_flags();
  [[nodiscard]] bool is_loop_head(std::uint32_t target, const Block& block) const;
  /// Where a block that begins with a release goes on; nothing when it does anything else first.
  [[nodiscard]] std::optional<std::uint32_t> after_release(std::uint32_t block, int depth = 0) const;

  const ProjectFacts& facts_;
  const LockCall& lock_;
  const Handle& handle_;
  const Flow& flow_;
  std::set<LockId> acquires_;
  bool has_try_ = false;           // one of them does not wait
  std::vector<std::string> flags_; // names that are bound once and tested more than once: each has one value on a path
  mutable unsigned assumed_ = 0;   // the values of the flags in this run, a bit each
  std::set<Span> tried_;           // spans that a condition may test: executions of the host, calls in SQL
};

} // namespace padlint
