#include "analyzer/facts/linked_project.h"
#include "analyzer/facts/project_facts.h"

#include <algorithm>

// Which release belongs to which lock, and what is wrong with one that belongs to none.

namespace padlint {
namespace {

bool opaque(const Value& value) {
  return value.is(ValueKind::opaque) || std::any_of(value.parts.begin(), value.parts.end(), opaque);
}

bool constant_key(const Key& key) {
  return std::all_of(key.parts.begin(), key.parts.end(), [](const Value& part) { return part.constant(); });
}

/// The bigint whose halves a pair of int4 would be.
std::optional<std::int64_t> packed(const Key& pair) {
  if (pair.parts.size() != 2 || !pair.parts[0].is(ValueKind::integer) || !pair.parts[1].is(ValueKind::integer))
    return std::nullopt;
  const auto high = static_cast<std::uint64_t>(pair.parts[0].number);
  const auto low = static_cast<std::uint64_t>(pair.parts[1].number) & 0xffffffffU;
  return static_cast<std::int64_t>((high << 32) | low);
}

/// Two forms of what is meant to be one key: halves of the bigint, the second part alone, or the same two parts packed.
bool same_in_other_form(const Key& left, const Key& right) {
  const Key& pair = left.form == KeyForm::two_int4 ? left : right;
  const Key& single = left.form == KeyForm::two_int4 ? right : left;
  if (pair.form != KeyForm::two_int4 || single.form != KeyForm::bigint)
    return false;
  const Value& value = single.parts[0];
  if (value.is(ValueKind::integer))
    return packed(pair) == value.number;
  if (opaque(value) || opaque(pair.parts[0]) || opaque(pair.parts[1]))
    return false;
  const std::string text = to_text(single);
  return text.find(to_text(Key{.form = KeyForm::bigint, .parts = {pair.parts[1]}})) != std::string::npos;
}

bool same_place(const ProjectFacts& facts, const LockCall& lock, const LockRelease& release) {
  return lock.routine == release.routine || facts.handle(lock).identity == facts.handle(release).identity;
}

} // namespace

Answer ProjectFacts::same_key(const Key& left, const Key& right) {
  if (left.form == KeyForm::none || right.form == KeyForm::none)
    return Answer::unknown;
  if (left.form != right.form)
    return Answer::no;
  bool all = true;
  for (std::size_t i = 0; i < left.parts.size(); ++i) {
    const Value& a = left.parts[i];
    const Value& b = right.parts[i];
    if (a.constant() && b.constant()) {
      if (a.kind != b.kind || a.number != b.number || a.text != b.text)
        return Answer::no;
    } else if (i >= left.printed.size() || i >= right.printed.size() || left.printed[i].empty() ||
               left.printed[i] != right.printed[i]) {
      all = false;
    }
  }
  return all ? Answer::yes : Answer::unknown;
}

std::vector<const LockRelease*> ProjectFacts::releases_for(const LockCall& lock) const {
  std::vector<const LockRelease*> found;
  for (const LockRelease& release : releases) {
    if (release.function->effect == LockFunction::release_all) {
      if (same_place(*this, lock, release))
        found.push_back(&release);
      continue;
    }
    const Answer same = same_key(lock.key, release.key);
    if (release.function->shared == lock.shared() &&
        (same == Answer::yes || (same == Answer::unknown && same_place(*this, lock, release))))
      found.push_back(&release);
  }
  return found;
}

const LockRelease* ProjectFacts::release_on_other_checkout(const LockCall& lock) const {
  const Handle& taken = handle(lock);
  if (taken.pool.empty())
    return nullptr;
  for (const LockRelease& release : releases) {
    const Handle& given = handle(release);
    // What clears a session belongs to the locks of its own routine.
    const bool all = release.function->effect == LockFunction::release_all && release.routine == lock.routine;
    if (given.pool == taken.pool && given.identity != taken.identity && given.identity.starts_with('@') &&
        (all || (release.function->shared == lock.shared() && same_key(lock.key, release.key) == Answer::yes)))
      return &release;
  }
  return nullptr;
}

MismatchAnswer ProjectFacts::mismatch(const LockRelease& release) const {
  if (release.function->effect == LockFunction::release_all)
    return {};
  const LockCall* transaction_level = nullptr;
  const LockCall* other_mode = nullptr;
  const LockCall* other_form = nullptr;
  const LockCall* other_key = nullptr;
  bool another_may_match = false;
  for (const LockCall& lock : locks) {
    const Answer same = same_key(lock.key, release.key);
    const bool here = lock.routine == release.routine;
    const bool same_mode = lock.shared() == release.function->shared;
    if (lock.level() == Level::session && same_mode) {
      if (same == Answer::yes && here)
        return one_too_many(release)
                   ? MismatchAnswer{.kind = Mismatch::one_too_many, .lock = lock.id, .confidence = release.confidence}
                   : MismatchAnswer{};
      if (same == Answer::unknown && here)
        return {};
      another_may_match = another_may_match || same != Answer::no;
      if (here && lock.key.form == release.key.form && constant_key(lock.key) && constant_key(release.key))
        other_key = &lock;
    }
    if (!here || handle(lock).identity != handle(release).identity)
      continue;
    if (same == Answer::yes && lock.level() == Level::transaction && (same_mode || transaction_level == nullptr))
      transaction_level = &lock;
    if (same == Answer::yes && lock.level() == Level::session && !same_mode)
      other_mode = &lock;
    if (lock.level() == Level::session && lock.key.form != release.key.form &&
        same_in_other_form(lock.key, release.key))
      other_form = &lock;
  }
  auto say = [&](Mismatch kind, const LockCall* lock) {
    return MismatchAnswer{.kind = kind, .lock = lock->id, .confidence = weaker(release.confidence, lock->confidence)};
  };
  if (other_mode != nullptr)
    return say(Mismatch::other_mode, other_mode);
  // A session-level lock of the same session may be handed on: its other routines share it.
  const bool handed_on = another_may_match && routine(release.routine).form != RoutineForm::function &&
                         routine(release.routine).form != RoutineForm::file;
  if (transaction_level != nullptr && !handed_on)
    return say(Mismatch::transaction_level, transaction_level);
  if (other_form != nullptr)
    return say(Mismatch::other_form, other_form);
  // Some lock elsewhere, with a key that is not known, may be the one that this release is for.
  if (other_key != nullptr && !another_may_match)
    return say(Mismatch::other_key, other_key);
  return {};
}

} // namespace padlint
