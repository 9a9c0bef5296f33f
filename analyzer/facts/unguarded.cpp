#include "analyzer/facts/linked_project.h"
#include "analyzer/facts/marks.h"
#include "analyzer/facts/project_facts.h"
#include "analyzer/facts/solver.h"

#include <algorithm>
#include <array>
#include <set>

// Whether a release is reached on a path where its lock was asked for and not got. The situation of the lock is
// followed together with one flag at a time: a name or field that conditions ask, which the program sets to constants,
// to the answer of the try or to an object. A condition that nobody understands, and that decides whether the release
// is reached, may know better: past it nothing is said.

namespace padlint {
namespace {

enum Situation : unsigned {
  untried,
  refused,  // the try said no
  raised,   // the acquire ended with an error
  doubtful, // refused or raised, but a condition was passed that may have asked
  pending,  // a try whose answer nobody has looked at
  held,
  freed,
  situations,
};
enum Flag : unsigned { no, yes, maybe, flag_values };

constexpr Mask bit(Situation situation, Flag flag) {
  return Mask{1} << (static_cast<unsigned>(situation) * flag_values + static_cast<unsigned>(flag));
}

constexpr Mask any_flag(Situation situation) {
  return bit(situation, no) | bit(situation, yes) | bit(situation, maybe);
}

/// Maps each situation to another one; the flag stays.
template <class Map>
Mask mapped(Mask mask, Map map) {
  Mask out = 0;
  for (unsigned s = 0; s < situations; ++s)
    for (unsigned f = 0; f < flag_values; ++f)
      if ((mask & bit(static_cast<Situation>(s), static_cast<Flag>(f))) != 0)
        out |= map(static_cast<Situation>(s), static_cast<Flag>(f));
  return out;
}

/// What a condition asks of a name or field, and whether it is set when the condition holds.
struct Asked {
  std::string name;
  bool positive = true;
};

std::optional<Asked> asked(const Value& condition) {
  if (condition.is(ValueKind::name) || condition.is(ValueKind::member))
    if (std::string name = dotted(condition); !name.empty())
      return Asked{std::move(name)};
  if (!condition.is(ValueKind::operation) || condition.parts.empty())
    return std::nullopt;
  auto inner = asked(condition.parts[0]);
  if (!inner)
    return std::nullopt;
  const std::string_view op = condition.text;
  if (condition.parts.size() == 1 && (op == "not" || op == "!" || op == "is null" || op == "is not true"))
    inner->positive = !inner->positive;
  else if (condition.parts.size() == 2) {
    const Value& with = condition.parts[1];
    const bool equal = op == "is" || op == "==" || op == "===" || op == "=";
    const bool different = op == "is not" || op == "!=" || op == "!==" || op == "<>";
    if ((!equal && !different) || !(with.is(ValueKind::null) || with.is(ValueKind::boolean)))
      return std::nullopt;
    const bool set = with.is(ValueKind::boolean) && with.number != 0;
    inner->positive = inner->positive == (equal == set);
  } else if (op != "is not null" && op != "is true") {
    return std::nullopt;
  }
  return inner;
}

class Unguarded {
public:
  Unguarded(const ProjectFacts& facts, const LockRelease& release, const LockCall& lock)
      : facts_(facts), release_(release), lock_(lock), flow_(facts.routine(lock.routine).flow),
        scope_{lock.routine.file, lock.routine.index} {
    for (const LockCall& other : facts.locks)
      if (other.routine == lock.routine && other.level() == Level::session && other.shared() == lock.shared() &&
          facts.handle(other).identity == facts.handle(lock).identity &&
          ProjectFacts::same_key(other.key, lock.key) == Answer::yes) {
        acquires_.insert(other.id);
        tried_.insert(other.execution);
        tried_.insert(other.span);
      }
    find_flags();
    find_guards();
  }

  /// The situations without lock in which the release is reached, whatever flag is followed.
  Mask reached() const {
    Mask all = ~Mask{0};
    for (std::size_t followed = 0; followed < std::max<std::size_t>(flags_.size(), 1); ++followed)
      all &= reached_with(followed < flags_.size() ? flags_[followed] : std::string());
    return all;
  }

private:
  static constexpr std::size_t most_flags = 6;

  void find_flags() {
    for (const Block& block : flow_.blocks)
      if (const auto ask = asked(block.condition); ask && !answer(block.condition) && flags_.size() < most_flags &&
                                                   std::find(flags_.begin(), flags_.end(), ask->name) == flags_.end())
        flags_.push_back(ask->name);
  }

  /// The blocks from which the release is reached; a condition that decides between such a one and another is a guard.
  void find_guards() {
    reaches_.assign(flow_.blocks.size(), false);
    for (bool grown = true; grown;) {
      grown = false;
      for (std::size_t i = flow_.blocks.size(); i-- > 0;) { // most edges lead to later blocks
        const Block& block = flow_.blocks[i];
        const bool reaches =
            reaches_[i] ||
            std::any_of(block.events.begin(), block.events.end(), [&](const Event& e) { return releases(e); }) ||
            std::any_of(block.edges.begin(), block.edges.end(), [&](const Edge& edge) { return leads(edge); });
        grown = grown || reaches != reaches_[i];
        reaches_[i] = reaches;
      }
    }
  }

  bool leads(const Edge& edge) const { return edge.target < reaches_.size() && reaches_[edge.target]; }

  bool is_guard(const Block& block) const {
    bool some = false;
    bool all = true;
    for (const Edge& edge : block.edges)
      if (edge.kind == EdgeKind::when_true || edge.kind == EdgeKind::when_false) {
        some = some || leads(edge);
        all = all && leads(edge);
      }
    return some && !all;
  }

  const std::vector<Effect>* effects_of(const Event& event) const {
    const auto routine = facts_.linked->effects.find(lock_.routine);
    if (routine == facts_.linked->effects.end())
      return nullptr;
    const auto found = routine->second.find({event.span, event.kind});
    return found == routine->second.end() ? nullptr : &found->second;
  }

  bool releases(const Event& event) const {
    const std::vector<Effect>* effects = effects_of(event);
    return effects != nullptr && std::any_of(effects->begin(), effects->end(), [&](const Effect& effect) {
             return effect.kind == Effect::release && effect.id == release_.id;
           });
  }

  bool takes(const Event& event) const {
    const std::vector<Effect>* effects = effects_of(event);
    return effects != nullptr && std::any_of(effects->begin(), effects->end(), [&](const Effect& effect) {
             return effect.kind == Effect::acquire && acquires_.contains(effect.id);
           });
  }

  /// Whether a value is the answer of the lock, alone or beside tests that there is one.
  std::optional<bool> answer(const Value& value) const {
    if (const auto truth = truth_of(*facts_.linked, value, scope_); truth && tried_.contains(truth->of))
      return truth->positive;
    if (value.is(ValueKind::operation) && (value.text == "and" || value.text == "&&"))
      for (const Value& part : value.parts)
        if (const auto inner = answer(part); inner && *inner)
          return true;
    return std::nullopt;
  }

  Mask after(const Effect& effect, Mask mask) const {
    const std::string& identity = facts_.handle(lock_).identity;
    switch (effect.kind) {
    case Effect::acquire:
      if (!acquires_.contains(effect.id))
        return mask;
      return mapped(mask, [&](Situation s, Flag f) {
        return bit(s == held ? held : facts_.locks[effect.id].waits() ? held : pending, f);
      });
    case Effect::release: {
      const LockRelease& release = facts_.releases[effect.id];
      const bool this_lock =
          release.function->effect == LockFunction::release_all ||
          (release.function->shared == lock_.shared() && ProjectFacts::same_key(release.key, lock_.key) != Answer::no);
      return this_lock ? mapped(mask, [](Situation s, Flag f) { return bit(s == untried ? s : freed, f); }) : mask;
    }
    case Effect::close:
    case Effect::give_back:
      return concerns(effect.identity, identity) ? mapped(mask, [](Situation, Flag f) { return bit(freed, f); }) : mask;
    default: return mask;
    }
  }

  Flag truth(const Value& value, const std::string& flag) const {
    if (value.is(ValueKind::null))
      return no;
    if (value.is(ValueKind::boolean) || value.is(ValueKind::integer))
      return value.number != 0 ? yes : no;
    const bool connection = flag == facts_.handle(lock_).text || type_of(*facts_.linked, value, scope_).has_value();
    return connection ? yes : maybe; // there is one
  }

  Mask after(const Event& event, Mask mask, const std::string& flag) const {
    if (const std::vector<Effect>* effects = effects_of(event))
      for (const Effect& effect : *effects)
        mask = after(effect, mask);
    if (flag.empty() || event.target != flag)
      return mask;
    const bool script = event.kind == EventKind::sql && takes(event); // \gset puts the answer into a variable
    const auto positive = script                            ? std::optional(true)
                          : event.kind == EventKind::assign ? answer(event.value)
                                                            : std::nullopt;
    if (positive)
      return mapped(mask, [&](Situation s, Flag) {
        return s == pending ? bit(held, *positive ? yes : no) | bit(refused, *positive ? no : yes) : bit(s, maybe);
      });
    if (event.kind != EventKind::assign && event.kind != EventKind::enter)
      return mask;
    const Flag set = event.kind == EventKind::enter ? yes : truth(event.value, flag);
    return mapped(mask, [&](Situation s, Flag) { return bit(s, set); });
  }

  /// Only the acquire itself, and what raises on purpose, lead on without the lock: that a log line fails, nobody
  /// plans.
  Mask raising(const Event& event, Mask mask) const {
    if (takes(event))
      return mapped(mask, [](Situation s, Flag f) { return bit(s == held ? held : raised, f); });
    const bool runs = event.kind == EventKind::call || event.kind == EventKind::sql || event.kind == EventKind::yield;
    return runs ? mask & ~(any_flag(refused) | any_flag(raised)) : 0;
  }

  Mask through(const Block& block, const Edge& edge, Mask mask, const std::string& flag) const {
    if (edge.kind != EdgeKind::when_true && edge.kind != EdgeKind::when_false)
      return mask;
    const bool holds = edge.kind == EdgeKind::when_true;
    if (const auto positive = answer(block.condition)) {
      const bool got = *positive == holds;
      return mapped(mask, [&](Situation s, Flag f) -> Mask {
        if (s == pending)
          return bit(got ? held : refused, f);
        return (got && (s == untried || s == refused || s == raised)) || (!got && s == held) ? 0 : bit(s, f);
      });
    }
    const auto ask = asked(block.condition);
    if (ask && !flag.empty() && ask->name == flag) {
      const Flag other = ask->positive == holds ? no : yes;
      return mapped(mask, [&](Situation s, Flag f) -> Mask {
        const bool unknown = f == maybe && (s == refused || s == raised) && is_guard(block);
        return f == other ? 0 : bit(unknown ? doubtful : s, f);
      });
    }
    const bool followed = ask && std::find(flags_.begin(), flags_.end(), ask->name) != flags_.end();
    if (followed || !is_guard(block))
      return mask;
    return mapped(mask, [](Situation s, Flag f) { return bit(s == refused || s == raised ? doubtful : s, f); });
  }

  Mask reached_with(const std::string& flag) const {
    const auto transfer = [&](const Event& event, Mask mask) { return after(event, mask, flag); };
    const auto passes = [&](const Block& block, const Edge& edge, Mask mask) {
      return through(block, edge, mask, flag);
    };
    const auto raises = [&](const Event& event, Mask mask) { return raising(event, mask); };
    const Solution solution = solve(flow_, bit(untried, maybe), transfer, passes, raises);
    Mask found = 0;
    visit(
        flow_, solution, transfer, passes, raises,
        [&](const Event& event, Mask mask) {
          if (!releases(event))
            return;
          found |= (mask & any_flag(refused)) != 0 ? any_flag(refused) : 0;
          found |= (mask & any_flag(raised)) != 0 ? any_flag(raised) : 0;
        },
        [](const Block&, const Edge&, const Event*, Mask) {});
    return found;
  }

  const ProjectFacts& facts_;
  const LockRelease& release_;
  const LockCall& lock_;
  const Flow& flow_;
  Scope scope_;
  std::set<LockId> acquires_;
  std::set<Span> tried_;
  std::vector<std::string> flags_;
  std::vector<bool> reaches_;
};

} // namespace

std::optional<WithoutLock> ProjectFacts::without_lock(const LockRelease& release) const {
  if (release.function->effect != LockFunction::release)
    return std::nullopt;
  for (const LockCall& lock : locks) {
    if (lock.routine != release.routine || lock.level() != Level::session ||
        lock.shared() != release.function->shared || handle(lock).identity != handle(release).identity ||
        same_key(lock.key, release.key) != Answer::yes)
      continue;
    const Mask reached = Unguarded(*this, release, lock).reached();
    if ((reached & any_flag(refused)) != 0)
      return WithoutLock{.reason = WithoutLock::refused, .lock = lock.id};
    if ((reached & any_flag(raised)) != 0)
      return WithoutLock{.reason = WithoutLock::raised, .lock = lock.id};
    return std::nullopt; // all locks of this key were followed together
  }
  return std::nullopt;
}

} // namespace padlint
