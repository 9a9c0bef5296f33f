#include "analyzer/facts/library_locks.h"

#include <algorithm>

// Some calls take the lock that they ask for, and hold it while their block runs. Others only make an object: the lock
// is taken when a block enters the object or a method acquires it, and the answer of a try is what that gives.

namespace padlint {
namespace {

class Search {
public:
  Search(const ApiLibraryLock& table, const Routine& routine, LibraryLock& lock)
      : table_(table), routine_(routine), lock_(lock) {}

  void run() {
    for (const Block& block : routine_.flow.blocks)
      for (const Event& event : block.events)
        if (event.kind == EventKind::call && event.span == lock_.span)
          asked(event);
    for (const Block& block : routine_.flow.blocks)
      for (const Event& event : block.events)
        if (event.kind == EventKind::enter && is_object(event.value))
          taken(event, true, of_name(event.target));
        else if (event.kind == EventKind::call && acquires(event.value))
          taken(event, false, of_use(event));
  }

private:
  void asked(const Event& event) {
    if (table_.acquire.empty())
      return taken(event, false, of_use(event));
    if (event.use == ResultUse::dropped)
      lock_.result = TryResult::dropped;
    const auto binds = [&](const Binding& binding) { return binding.name == event.target; };
    if (event.use == ResultUse::stored && std::ranges::count_if(routine_.bindings, binds) == 1)
      name_ = event.target;
  }

  void taken(const Event& event, bool block, TryResult answer) {
    lock_.result = lock_.taken.empty() || lock_.result == answer ? answer : TryResult::unknown;
    lock_.taken = event.span;
    lock_.block = block;
  }

  [[nodiscard]] bool is_object(const Value& value) const {
    return value.span == lock_.span || (!name_.empty() && value.is(ValueKind::name) && value.text == name_);
  }

  [[nodiscard]] bool acquires(const Value& call) const {
    return !call.parts.empty() && call.parts[0].is(ValueKind::member) && has(table_.acquire, call.parts[0].text) &&
           is_object(call.parts[0].parts[0]);
  }

  [[nodiscard]] TryResult of_use(const Event& event) const {
    switch (event.use) {
    case ResultUse::dropped: return TryResult::dropped;
    case ResultUse::stored: return event.target.empty() ? TryResult::read : of_name(event.target);
    case ResultUse::unknown: return TryResult::unknown;
    default: return TryResult::read;
    }
  }

  /// An answer that is bound to this name; none when it is empty.
  [[nodiscard]] TryResult of_name(const std::string& name) const {
    if (name.empty())
      return TryResult::dropped;
    const bool seen_elsewhere = routine_.form == RoutineForm::file || name.find('.') != std::string::npos;
    return seen_elsewhere || has(routine_.reads, name) ? TryResult::read : TryResult::dropped;
  }

  const ApiLibraryLock& table_;
  const Routine& routine_;
  LibraryLock& lock_;
  std::string name_; // that the object alone is bound to
};

} // namespace

void find_taking(const ApiLibraryLock& table, const Routine& routine, LibraryLock& lock) {
  Search(table, routine, lock).run();
}

} // namespace padlint
