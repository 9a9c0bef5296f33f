#include "analyzer/facts/holding.h"

#include <algorithm>

// Where calls do not raise but answer with an error, a lock is taken only if its error was none. Until somebody looks
// at it the lock is taken or not; a test of the error decides, and another value in its place forgets it.

namespace padlint {

/// The call of an acquire that a value comes from: itself, what reads its answer, one of its results.
bool Holding::from_acquire(const Value& value) const {
  const std::vector<Binding>& bindings = facts_.routine(lock_.routine).bindings;
  const Value* at = &value;
  for (int depth = 0; depth < 8; ++depth) {
    if (at->is(ValueKind::call)) {
      if (is_acquire(*at))
        return true;
      if (at->parts.empty() || !at->parts[0].is(ValueKind::member))
        return false;
      at = &at->parts[0].parts[0];
    } else if ((at->is(ValueKind::index) || at->is(ValueKind::member)) && !at->parts.empty()) {
      at = &at->parts[0];
    } else if (at->is(ValueKind::name)) {
      const auto bound = std::find_if(bindings.begin(), bindings.end(), [&](const Binding& binding) {
        return binding.name == at->text && binding.role == BindingRole::assigned;
      });
      if (bound == bindings.end())
        return false;
      at = &bound->value;
    } else {
      return false;
    }
  }
  return false;
}

bool Holding::is_acquire(const Value& call) const {
  return std::any_of(acquires_.begin(), acquires_.end(),
                     [&](const LockId id) { return facts_.locks[id].execution == call.span; });
}

/// What an acquire itself gives is its answer, unless the library has no answer, or writes it elsewhere.
bool Holding::is_answer(const Event& event) const {
  const Value& value = event.value;
  const std::vector<Binding>& bindings = facts_.routine(lock_.routine).bindings;
  const auto filled_by = [&](const Value& call) {
    return std::find_if(bindings.begin(), bindings.end(), [&](const Binding& binding) {
      return binding.role == BindingRole::filled && binding.value.span == call.span;
    });
  };
  if (const auto filled = filled_by(value); filled != bindings.end())
    return std::any_of(filled, bindings.end(), [&](const Binding& binding) {
      return binding.role == BindingRole::filled && binding.value.span == value.span && binding.name == event.target;
    });
  if (value.is(ValueKind::index) && is_acquire(value.parts[0]))
    return value.parts[1].is(ValueKind::integer) && value.parts[1].number == 0;
  if (!value.is(ValueKind::call) || !is_acquire(value))
    return false;
  const auto execution = facts_.linked->execution_at.find(value.span);
  const ApiSends* sends =
      execution == facts_.linked->execution_at.end() ? nullptr : facts_.linked->executions[execution->second].sends;
  return sends == nullptr || sends->result != ApiResult::status;
}

/// The names that get the error of an acquire, where calls answer with one.
void Holding::find_faults() {
  const Apis* apis = facts_.linked->apis(lock_.routine.file);
  if (apis == nullptr || apis->faults.empty())
    return;
  for (const Block& block : flow_.blocks)
    for (const Event& event : block.events)
      if (event.kind == EventKind::assign && !event.target.empty() && from_acquire(event.value) && !is_answer(event)) {
        faults_.insert(event.target);
        fault_sources_.insert(event.span);
      }
}

bool Holding::is_fault(const Value& value) const {
  if (faults_.contains(dotted(value)))
    return true;
  const Apis* apis = facts_.linked->apis(lock_.routine.file); // `db.Exec(...).Error`
  return value.is(ValueKind::member) && apis != nullptr && has(apis->faults, value.text) &&
         (from_acquire(value.parts[0]) || faults_.contains(dotted(value.parts[0])));
}

std::optional<bool> Holding::failed(const Block& block, const Edge& edge) const {
  const Value& condition = block.condition;
  const bool holds = edge.kind == EdgeKind::when_true;
  if (condition.is(ValueKind::operation) && condition.parts.size() == 2 && is_fault(condition.parts[0])) {
    const bool equal = condition.text == "==";
    if (!equal && condition.text != "!=")
      return std::nullopt;
    if (condition.parts[1].is(ValueKind::null))
      return equal != holds;
    return equal == holds ? std::optional(true) : std::nullopt; // it is a certain error
  }
  if (condition.is(ValueKind::call) && holds && // errors.Is(err, ...)
      std::any_of(condition.parts.begin() + 1, condition.parts.end(),
                  [&](const Value& argument) { return is_fault(argument); }))
    return true;
  return std::nullopt;
}

Mask Holding::forgotten(const Event& event, Mask mask) const {
  if (event.kind != EventKind::assign || !faults_.contains(event.target) || fault_sources_.contains(event.span))
    return mask;
  return (mask & bit(unchecked)) == 0 ? mask : (mask & ~bit(unchecked)) | bit(held);
}

} // namespace padlint
