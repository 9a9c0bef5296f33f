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
    unchecked,  // taken, unless the error that came with the answer says that it was not
  };
  static constexpr Mask bit(Situation situation) { return Mask{1} << situation; }
  static constexpr Mask any_held =
      (Mask{1} << held) | (Mask{1} << held_twice) | (Mask{1} << held_more) | (Mask{1} << unchecked);

  /// Routines with more locks than this are generated, or made to be hard: nothing is said about their paths.
  static constexpr std::size_t most_locks = 200;

  Holding(const ProjectFacts& facts, const LockCall& lock);
  static bool too_many(const ProjectFacts& facts, RoutineRef routine);

  /// Calls `at(event, effect, mask before it)` for each effect, `leaves(edge, raising event or nullptr, mask)` for
  /// exits.
  template <class At, class Leaves>
  void walk(At at, Leaves leaves) const {
    struct Nothing {
      static unsigned event(const Event&, unsigned state, Mask) { return state; }
      static unsigned effect(const Event&, const Effect&, unsigned state, Mask) { return state; }
      static unsigned edge(const Edge&, unsigned state) { return state; }
    };
    walk_beside(
        Nothing{}, [&](const Event& event, const Effect& effect, unsigned, Mask mask) { at(event, effect, mask); },
        [&](const Edge& edge, const Event* event, unsigned, Mask mask) { leaves(edge, event, mask); });
  }

  /// The same with a second state of at most four values beside the situation, 0 at the beginning. `beside` says what
  /// becomes of it at an event, at each of the event's effects, with the situations before, and along an edge; `at` and
  /// `leaves` get it before the mask, and are called once for each of its values.
  template <class Beside, class At, class Leaves>
  void walk_beside(const Beside& beside, At at, Leaves leaves) const {
    const auto effect_of = [&](const Event& event, const Effect& effect, Mask mask) {
      return each_state(mask, [&](unsigned state, Mask part) {
        return joined(beside.effect(event, effect, state, part), after(effect, part));
      });
    };
    const auto event_of = [&](const Event& event, Mask mask) {
      return each_state(mask, [&](unsigned state, Mask part) {
        return joined(beside.event(event, state, part), forgotten(event, part));
      });
    };
    const auto transfer = [&](const Event& event, Mask mask) {
      mask = event_of(event, mask);
      if (const std::vector<Effect>* effects = effects_of(event))
        for (const Effect& effect : *effects)
          mask = effect_of(event, effect, mask);
      return mask;
    };
    const auto passes = [&](const Block& block, const Edge& edge, Mask mask) {
      return each_state(mask, [&](unsigned state, Mask part) {
        return joined(beside.edge(edge, state), through(block, edge, part));
      });
    };
    const auto raises = [this](const Event& event, Mask mask) { return may_raise(event) ? mask : 0; };
    for (assumed_ = 0; assumed_ < 1U << flags_.size(); ++assumed_) {
      const Solution solution = solve(flow_, bit(never), transfer, passes, raises);
      visit(
          flow_, solution, transfer, passes, raises,
          [&](const Event& event, Mask mask) {
            const std::vector<Effect>* effects = effects_of(event);
            if (effects == nullptr)
              return;
            mask = event_of(event, mask);
            for (const Effect& effect : *effects) {
              each_state(mask, [&](unsigned state, Mask part) {
                at(event, effect, state, part);
                return Mask{0};
              });
              mask = effect_of(event, effect, mask);
            }
          },
          [&](const Block&, const Edge& edge, const Event* event, Mask mask) {
            each_state(mask, [&](unsigned state, Mask part) {
              leaves(edge, event, state, part);
              return Mask{0};
            });
          });
    }
  }

  /// The first event, in the order of the text, that may raise with the lock held.
  [[nodiscard]] Span first_raising() const;
  [[nodiscard]] bool frees(const Effect& effect) const;
  [[nodiscard]] bool frees(const Event& event) const;
  [[nodiscard]] bool takes(const Effect& effect) const {
    return effect.kind == Effect::acquire && acquires_.contains(effect.id);
  }
  [[nodiscard]] bool takes(const Event& event) const;
  /// Whether the event does work that may raise.
  [[nodiscard]] bool works(const Event& event) const { return may_raise(event); }

private:
  // Beside each other in one mask: the situations with the second state 0, then those with 1, and so on.
  static constexpr unsigned situations = unchecked + 1;
  static_assert(situations * 4 <= 32);
  static constexpr Mask joined(unsigned state, Mask part) { return part << (state * situations); }
  template <class Map>
  static Mask each_state(Mask mask, Map map) {
    Mask out = 0;
    for (unsigned state = 0; state < 4; ++state)
      if (const Mask part = (mask >> (state * situations)) & ((Mask{1} << situations) - 1); part != 0)
        out |= map(state, part);
    return out;
  }
  [[nodiscard]] const std::vector<Effect>* effects_of(const Event& event) const;
  [[nodiscard]] Mask after(const Event& event, Mask mask) const;
  /// After another value was put in the place of an acquire's error: nothing tells any more whether there was one.
  [[nodiscard]] Mask forgotten(const Event& event, Mask mask) const;
  [[nodiscard]] Mask after(const Effect& effect, Mask mask) const;
  [[nodiscard]] Mask through(const Block& block, const Edge& edge, Mask mask) const;
  [[nodiscard]] bool may_raise(const Event& event) const;
  void find_flags();
  void find_faults();
  [[nodiscard]] bool from_acquire(const Value& value) const;
  [[nodiscard]] bool is_acquire(const Value& call) const;
  [[nodiscard]] bool is_answer(const Event& event) const;
  [[nodiscard]] bool is_fault(const Value& value) const;
  /// Whether an edge says that there was an error, or none; nothing when it is about something else.
  [[nodiscard]] std::optional<bool> failed(const Block& block, const Edge& edge) const;
  [[nodiscard]] bool is_loop_head(std::uint32_t target, const Block& block) const;
  /// Where a block that begins with a release goes on; nothing when it does anything else first.
  [[nodiscard]] const Edge* after_release(std::uint32_t block, int depth = 0) const;

  const ProjectFacts& facts_;
  const LockCall& lock_;
  const Handle& handle_;
  const Flow& flow_;
  std::set<LockId> acquires_;
  bool has_try_ = false;           // one of them does not wait
  std::vector<std::string> flags_; // names that are bound once and tested more than once: each has one value on a path
  mutable unsigned assumed_ = 0;   // the values of the flags in this run, a bit each
  std::set<std::string> faults_;   // names that get the error of one of the acquires
  std::set<Span> fault_sources_;   // the calls that the errors come from
  std::vector<Span> releases_;     // calls that free the lock
  std::set<Span> tried_;           // spans that a condition may test: executions of the host, calls in SQL
};

} // namespace padlint
