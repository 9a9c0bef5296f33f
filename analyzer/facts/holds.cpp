#include "analyzer/facts/holding.h"
#include "analyzer/facts/session_start.h"
#include "analyzer/facts/touches.h"
#include "analyzer/facts/transaction_flow.h"

#include <algorithm>
#include <set>

// How a session-level lock lies to the transactions of its session. Beside what is known of the lock, each path knows
// whether the transaction in which the lock was taken is still open, and whether rows were changed under the lock that
// no commit has published yet. An error undoes those changes, so nothing of them is left for a release in a handler.

namespace padlint {
namespace {

// Bits of the second state.
constexpr unsigned changed = 1;
constexpr unsigned inside = 2;

class Beside {
public:
  Beside(const ProjectFacts& facts, const LockCall& lock, const Holding& holding, TransactionFlow::Session session)
      : holding_(holding), touches_(facts, lock.routine, facts.handle(lock)), project_(*facts.linked),
        routine_(lock.routine), flow_(transaction_flow(project_, lock.routine, facts.handle(lock).identity, session)) {}

  [[nodiscard]] unsigned event(const Event& event, unsigned state, Mask situations) const {
    if ((situations & Holding::any_held) == 0 || holding_.takes(event) || holding_.frees(event) ||
        touches_.of(event).kind != Touches::Touch::changes || !TransactionFlow::open(flow_.before(event)))
      return state;
    return state | changed;
  }

  [[nodiscard]] unsigned effect(const Event& event, const Effect& effect, unsigned state, Mask situations) const {
    if (holding_.takes(effect) && (situations & Holding::any_held) == 0)
      return TransactionFlow::open(before(event, effect)) ? inside : 0;
    return flow_.ends(effect, before(event, effect)) ? 0 : state;
  }

  [[nodiscard]] static unsigned edge(const Edge& edge, unsigned state) {
    return edge.kind == EdgeKind::error || edge.kind == EdgeKind::cancel ? state & ~changed : state;
  }

  /// The states of the transaction before one effect of an event.
  [[nodiscard]] Mask before(const Event& event, const Effect& effect) const {
    Mask mask = flow_.before(event);
    for (const Effect& each : *effects_of(project_, routine_, event.span, event.kind)) {
      if (&each == &effect)
        break;
      mask = flow_.after(each, mask);
    }
    return mask;
  }

  [[nodiscard]] const Touches& touches() const { return touches_; }

private:
  const Holding& holding_;
  Touches touches_;
  const LinkedProject& project_;
  RoutineRef routine_;
  const TransactionFlow& flow_;
};

/// The events after which a commit of the session may still come; none when the routine leaves that to its caller.
class CommitsAhead {
public:
  CommitsAhead(const LinkedProject& project, RoutineRef ref, std::string_view identity)
      : flow_(project.routine(ref).flow), from_(flow_.blocks.size(), false) {
    const auto commits = [&](const Event& event) {
      const std::vector<Effect>* effects = effects_of(project, ref, event.span, event.kind);
      return effects != nullptr && std::any_of(effects->begin(), effects->end(), [&](const Effect& effect) {
               return effect.kind == Effect::commit && (effect.identity == "*" || concerns(effect.identity, identity));
             });
    };
    for (std::size_t b = 0; b < flow_.blocks.size(); ++b)
      for (const Event& event : flow_.blocks[b].events)
        if (commits(event)) {
          events_.insert(&event);
          from_[b] = true;
        }
    for (bool changes = true; changes;) {
      changes = false;
      for (std::size_t b = 0; b < flow_.blocks.size(); ++b)
        if (!from_[b] && behind(b)) {
          from_[b] = true;
          changes = true;
        }
    }
  }

  [[nodiscard]] bool after(const Event& event) const {
    if (events_.empty())
      return true;
    for (std::size_t b = 0; b < flow_.blocks.size(); ++b) {
      const std::vector<Event>& events = flow_.blocks[b].events;
      if (events.empty() || &event < events.data() || &event > &events.back())
        continue;
      return behind(b) || std::any_of(&event, events.data() + events.size(),
                                      [&](const Event& each) { return events_.contains(&each); });
    }
    return true;
  }

private:
  [[nodiscard]] bool behind(std::size_t block) const {
    return std::ranges::any_of(flow_.blocks[block].edges,
                               [&](const Edge& edge) { return !is_exit(edge.target) && from_[edge.target]; });
  }

  const Flow& flow_;
  std::vector<bool> from_; // blocks with a commit in them or behind them
  std::set<const Event*> events_;
};

/// What a release comes too early for: the surest change, and of those the last before it in the text.
void find_work(EarlyRelease& early, const Routine& routine, const Holding& holding, const Touches& touches, Span lock) {
  bool found = false;
  for (const Block& block : routine.flow.blocks)
    for (const Event& event : block.events) {
      const Touches::Touch touch = touches.of(event);
      if (touch.kind != Touches::Touch::changes || holding.takes(event) || holding.frees(event))
        continue;
      const auto rank = [&](Confidence confidence, Span span) {
        return std::tuple(lock < span && span < early.at, confidence, span);
      };
      if (!found || rank(early.confidence, early.work) < rank(touch.confidence, event.span)) {
        early.work = event.span;
        early.confidence = touch.confidence;
        found = true;
      }
    }
}

} // namespace

HoldAnswer ProjectFacts::hold_of(const LockCall& lock, bool caller_open) const {
  HoldAnswer answer{.confidence = handle(lock).confidence};
  if (lock.level() != Level::session || Holding::too_many(*this, lock.routine))
    return answer;
  auto session = session_start(*linked, lock.routine, handle(lock));
  if (!session || handle(lock).kind == HandleKind::pool)
    return answer;
  if (caller_open && session->start == TransactionFlow::from_caller)
    session->start = TransactionFlow::explicit_begin;
  const Holding holding(*this, lock);
  const Beside beside(*this, lock, holding, *session);
  const CommitsAhead commits(*linked, lock.routine, handle(lock).identity);
  bool everywhere = true;
  holding.walk_beside(
      beside,
      [&](const Event& event, const Effect& effect, unsigned state, Mask situations) {
        if (effect.kind == Effect::acquire && effect.id == lock.id) {
          const Mask mask = beside.before(event, effect);
          everywhere = everywhere && TransactionFlow::open(mask);
          answer.taken_inside = everywhere;
          answer.explicit_block = TransactionFlow::open_explicitly(mask);
        }
        if (!holding.frees(effect) || effect.deferred || (situations & Holding::any_held) == 0)
          return;
        ((state & inside) != 0 ? answer.released_inside : answer.released_after) = true;
        if ((state & changed) == 0 || !commits.after(event))
          return;
        const LockRelease& release = releases[effect.id];
        const Span at = release.routine == lock.routine ? release.span : event.span;
        if (std::none_of(answer.early.begin(), answer.early.end(),
                         [&](const EarlyRelease& known) { return known.at == at; }))
          answer.early.push_back({.release = effect.id, .at = at});
      },
      [](const Edge&, const Event*, unsigned, Mask) {});
  for (EarlyRelease& early : answer.early)
    find_work(early, routine(lock.routine), holding, beside.touches(), lock.span);
  for (const Block& block : routine(lock.routine).flow.blocks)
    for (const Event& event : block.events)
      answer.used_inside =
          answer.used_inside || (lock.execution < event.span && !holding.takes(event) && !holding.frees(event) &&
                                 beside.touches().of(event).kind != Touches::Touch::nothing);
  return answer;
}

} // namespace padlint
