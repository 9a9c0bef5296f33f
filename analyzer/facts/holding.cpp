#include "analyzer/facts/holding.h"

#include "analyzer/facts/transaction_flow.h"

#include <algorithm>

namespace padlint {
namespace {

const std::vector<LockId>& locks_of(const ProjectFacts& facts, RoutineRef routine) {
  auto& index = facts.linked->caches.locks_of;
  if (index.empty())
    for (const LockCall& lock : facts.locks)
      index[lock.routine].push_back(lock.id);
  return index[routine];
}

/// Maps each situation of a mask.
template <class Map>
Mask mapped(Mask mask, Map map) {
  Mask out = 0;
  for (unsigned s = Holding::never; s <= Holding::unchecked; ++s)
    if ((mask & (Mask{1} << s)) != 0)
      out |= Holding::bit(map(static_cast<Holding::Situation>(s)));
  return out;
}

} // namespace

bool Holding::too_many(const ProjectFacts& facts, RoutineRef routine) {
  return locks_of(facts, routine).size() > most_locks;
}

Holding::Holding(const ProjectFacts& facts, const LockCall& lock)
    : facts_(facts), lock_(lock), handle_(facts.handle(lock)), flow_(facts.routine(lock.routine).flow) {
  for (LockId id : locks_of(facts, lock.routine))
    if (const LockCall& other = facts.locks[id];
        other.level() == Level::session && other.shared() == lock.shared() &&
        facts.handle(other).identity == handle_.identity &&
        (other.id == lock.id || ProjectFacts::same_key(lock.key, other.key) == Answer::yes)) {
      acquires_.insert(other.id);
      has_try_ = has_try_ || !other.waits();
      tried_.insert(other.execution);
      tried_.insert(other.span);
    }
  for (const Block& block : flow_.blocks)
    for (const Event& event : block.events)
      if (event.kind == EventKind::call && frees(event))
        releases_.push_back(event.span);
  find_flags();
  find_faults();
}

void Holding::find_flags() {
  constexpr std::size_t most_flags = 3;
  const Routine& routine = facts_.routine(lock_.routine);
  std::map<std::string, int> tests;
  for (const Block& block : flow_.blocks)
    if (block.condition.is(ValueKind::name))
      ++tests[block.condition.text];
  for (const auto& [name, count] : tests) {
    const auto bound = std::count_if(routine.bindings.begin(), routine.bindings.end(),
                                     [&](const Binding& binding) { return binding.name == name; });
    const bool parameter = std::any_of(routine.parameters.begin(), routine.parameters.end(),
                                       [&](const Parameter& p) { return p.name == name; });
    if (count > 1 && bound + (parameter ? 1 : 0) == 1 && flags_.size() < most_flags)
      flags_.push_back(name);
  }
}

bool Holding::frees(const Effect& effect) const {
  if (effect.kind != Effect::release || !(effect.identity == "*" || effect.identity == handle_.identity))
    return false;
  const LockRelease& release = facts_.releases[effect.id];
  return release.function->effect == LockFunction::release_all ||
         (release.function->shared == lock_.shared() && ProjectFacts::same_key(lock_.key, release.key) != Answer::no);
}

bool Holding::takes(const Event& event) const {
  const std::vector<Effect>* effects = effects_of(event);
  return effects != nullptr &&
         std::any_of(effects->begin(), effects->end(), [&](const Effect& effect) { return takes(effect); });
}

bool Holding::frees(const Event& event) const {
  const std::vector<Effect>* effects = effects_of(event);
  return effects != nullptr &&
         std::any_of(effects->begin(), effects->end(), [&](const Effect& effect) { return frees(effect); });
}

const std::vector<Effect>* Holding::effects_of(const Event& event) const {
  return padlint::effects_of(*facts_.linked, lock_.routine, event.span, event.kind);
}

Mask Holding::after(const Event& event, Mask mask) const {
  mask = forgotten(event, mask);
  if (const std::vector<Effect>* effects = effects_of(event))
    for (const Effect& effect : *effects)
      mask = after(effect, mask);
  return mask;
}

Mask Holding::after(const Effect& effect, Mask mask) const {
  switch (effect.kind) {
  case Effect::acquire: {
    if (!acquires_.contains(effect.id))
      return mask;
    const bool waits = facts_.locks[effect.id].waits();
    return mapped(mask, [&](Situation s) {
      switch (s) {
      case held: return waits ? held_twice : held;
      case held_twice:
      case held_more: return held_more;
      default: return !waits ? pending : faults_.empty() ? held : unchecked;
      }
    });
  }
  case Effect::release: {
    if (!frees(effect))
      return mask;
    const bool all = facts_.releases[effect.id].function->effect == LockFunction::release_all;
    return mapped(mask, [&](Situation s) {
      if (s == never)
        return never;
      if (s == unchecked)
        return released;
      if (all)
        return released;
      return s == held_twice ? held : s == held_more ? held_twice : released;
    });
  }
  case Effect::close:
    if (!concerns(effect.identity, handle_.identity))
      return mask;
    return mapped(mask, [](Situation s) { return s == never ? never : released; });
  case Effect::give_back:
    if (effect.identity != handle_.identity)
      return mask;
    return mapped(mask, [&](Situation s) {
      return s == never || s == released ? s : effect.on_return == OnReturn::keeps ? given_back : released;
    });
  case Effect::commit:
  case Effect::rollback:
    // A unit of work gives its connection back at the end of each transaction.
    if (!handle_.commit_returns || effect.identity != handle_.identity)
      return mask;
    return mapped(mask, [](Situation s) {
      return s == held || s == held_twice || s == held_more || s == unchecked ? given_back : s;
    });
  default: return mask;
  }
}

const Edge* Holding::after_release(std::uint32_t block, int depth) const {
  if (is_exit(block) || block >= flow_.blocks.size() || depth > 2)
    return nullptr;
  for (const Event& event : flow_.blocks[block].events) {
    const std::vector<Effect>* effects = effects_of(event);
    if (effects == nullptr || effects->empty())
      continue;
    if (!frees(event))
      return nullptr;
    for (const Edge& edge : flow_.blocks[block].edges)
      if (edge.kind == EdgeKind::next)
        return &edge;
    return nullptr;
  }
  // A further condition before the release: `if locked and not conn.closed:`.
  for (const Edge& edge : flow_.blocks[block].edges)
    if (edge.kind == EdgeKind::when_true || edge.kind == EdgeKind::when_false)
      if (const Edge* next = after_release(edge.target, depth + 1))
        return next;
  return nullptr;
}

bool Holding::is_loop_head(std::uint32_t target, const Block& block) const {
  return target < flow_.blocks.size() && &flow_.blocks[target] == &block;
}

Mask Holding::through(const Block& block, const Edge& edge, Mask mask) const {
  if (edge.kind == EdgeKind::error || edge.kind == EdgeKind::cancel)
    return mask;
  if (block.condition.is(ValueKind::name)) {
    const auto flag = std::find(flags_.begin(), flags_.end(), block.condition.text);
    if (flag != flags_.end() &&
        ((assumed_ >> (flag - flags_.begin())) & 1U) != (edge.kind == EdgeKind::when_true ? 1U : 0U))
      return 0;
  }
  if (const auto fault = failed(block, edge))
    return mapped(mask, [&](Situation s) {
      return s == unchecked ? (*fault ? never : held) : s == pending && *fault ? never : s;
    });
  const Scope scope{lock_.routine.file, lock_.routine.index};
  if (const auto truth = truth_of(*facts_.linked, block.condition, scope); truth && tried_.contains(truth->of)) {
    const bool got = truth->positive == (edge.kind == EdgeKind::when_true);
    if (!got && has_try_)
      mask &= ~any_held; // held because the same answer was true: no such path
    return mapped(mask, [&](Situation s) { return s != pending ? s : got ? held : released; });
  }
  // A closed connection holds nothing.
  if (const Apis* apis = facts_.linked->apis(lock_.routine.file); apis != nullptr && edge.kind == EdgeKind::when_true) {
    const Value& asked = block.condition.is(ValueKind::call) ? block.condition.parts[0] : block.condition;
    if (asked.is(ValueKind::member) && has(apis->closed_members, asked.text))
      return mapped(mask, [](Situation s) { return s == never ? never : released; });
  }
  // `for key in keys: unlock(key)` is taken to free what a loop like it took.
  // `if locked: unlock`: a flag that nothing else is known of goes with the lock, when the way round the release joins
  // the way through it.
  for (const Edge& other : block.edges) {
    if (&other == &edge || other.kind == EdgeKind::error || other.kind == EdgeKind::cancel)
      continue;
    if (const Edge* next = after_release(other.target);
        next != nullptr && ((next->target == edge.target && (!is_exit(edge.target) || next->span == edge.span)) ||
                            is_loop_head(next->target, block)))
      return mapped(mask, [](Situation s) { return s == never ? never : released; });
  }
  return mask;
}

LeakAnswer ProjectFacts::held_at_exit(const LockCall& lock) const {
  LeakAnswer answer;
  if (Holding::too_many(*this, lock.routine))
    return answer;
  const Handle& taken = handle(lock);
  answer.outlives_routine = !(taken.fresh && !taken.from_caller && taken.identity.starts_with('@'));
  const Holding holding(*this, lock);
  bool given_back_normally = false;
  Mask at_return = 0;
  holding.walk([&](const Event&, const Effect& effect,
                   Mask) { answer.release_in_routine = answer.release_in_routine || holding.frees(effect); },
               [&](const Edge& edge, const Event* raising, Mask mask) {
                 const bool to_pool = (mask & Holding::bit(Holding::given_back)) != 0;
                 const bool exceptional = edge.kind == EdgeKind::error || edge.kind == EdgeKind::cancel;
                 if (!exceptional && edge.target == exit_return) {
                   given_back_normally = given_back_normally || to_pool;
                   at_return |= mask;
                 }
                 if ((mask & Holding::any_held) == 0 && !to_pool)
                   return;
                 LeakPath path{.kind = edge.target == exit_cancel  ? LeakPath::cancelled
                                       : edge.target == exit_error ? LeakPath::raises
                                                                   : LeakPath::leaves,
                               .span = raising == nullptr ? edge.span : raising->span,
                               .explicit_exit = raising == nullptr && !edge.span.empty(),
                               .to_pool = to_pool};
                 const bool known = std::any_of(answer.paths.begin(), answer.paths.end(), [&](const LeakPath& other) {
                   return other.kind == path.kind && other.span == path.span;
                 });
                 if (!known)
                   answer.paths.push_back(path);
               });
  for (LeakPath& path : answer.paths)
    if (path.span.empty() && path.kind != LeakPath::leaves) // the error came through the end of a block
      path.span = holding.first_raising();
  answer.on_every_path = at_return != 0 && (at_return & ~Holding::any_held) == 0;
  answer.always_to_pool = given_back_normally && !answer.release_in_routine;
  // What a reader sees at once comes first: statements that leave, then calls that may raise, in the order of the text.
  std::stable_sort(answer.paths.begin(), answer.paths.end(), [](const LeakPath& a, const LeakPath& b) {
    if (a.explicit_exit != b.explicit_exit)
      return a.explicit_exit;
    if (a.kind != b.kind)
      return a.kind < b.kind;
    return a.span < b.span;
  });
  return answer;
}

Span ProjectFacts::returned_by_commit(const LockCall& lock) const {
  if (!handle(lock).commit_returns || Holding::too_many(*this, lock.routine))
    return {};
  const Holding holding(*this, lock);
  Span found;
  bool released_after = false;
  holding.walk(
      [&](const Event& event, const Effect& effect, Mask mask) {
        if ((effect.kind == Effect::commit || effect.kind == Effect::rollback) &&
            effect.identity == handle(lock).identity && (mask & Holding::any_held) != 0 && found.empty())
          found = event.span;
        if (holding.frees(effect) && (mask & Holding::bit(Holding::given_back)) != 0)
          released_after = true;
      },
      [](const Edge&, const Event*, Mask) {});
  return released_after ? found : Span{};
}

bool ProjectFacts::released_at_once(const LockCall& lock) const {
  if (Holding::too_many(*this, lock.routine))
    return false;
  const std::vector<Block>& blocks = routine(lock.routine).flow.blocks;
  const Holding holding(*this, lock);
  // In the order of the flow: the lock, then only what reads its answer, then the release.
  enum { before, after, done } state = before;
  for (std::uint32_t at = 0, steps = 0; at < blocks.size() && steps <= blocks.size(); ++steps) {
    for (const Event& event : blocks[at].events) {
      const bool takes = holding.takes(event);
      if (state == before)
        state = takes ? after : before;
      else if (holding.frees(event))
        return true;
      else if (!takes && holding.works(event))
        return false;
    }
    const auto next = std::find_if(blocks[at].edges.begin(), blocks[at].edges.end(),
                                   [](const Edge& edge) { return edge.kind == EdgeKind::next; });
    if (next == blocks[at].edges.end() || is_exit(next->target))
      return false;
    at = next->target;
  }
  return false;
}

bool ProjectFacts::one_too_many(const LockRelease& release) const {
  if (Holding::too_many(*this, release.routine))
    return false;
  for (LockId id : locks_of(*this, release.routine)) {
    const LockCall& lock = locks[id];
    if (lock.level() != Level::session || lock.shared() != release.function->shared ||
        same_key(lock.key, release.key) != Answer::yes || handle(lock).identity != handle(release).identity)
      continue;
    const Holding holding(*this, lock);
    bool reached = false;
    bool always = true;
    holding.walk(
        [&](const Event&, const Effect& effect, Mask mask) {
          if (effect.kind != Effect::release || effect.id != release.id || mask == 0)
            return;
          reached = true;
          always = always && mask == Holding::bit(Holding::released);
        },
        [](const Edge&, const Event*, Mask) {});
    return reached && always;
  }
  return false;
}

} // namespace padlint
