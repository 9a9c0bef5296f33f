#include "analyzer/facts/linked_project.h"
#include "analyzer/facts/project_facts.h"
#include "analyzer/facts/solver.h"

#include <algorithm>

// A library may answer a query from its cache when the same text was sent before. In a loop that does nothing that
// would empty the cache, a lock function is then called in the first round only.

namespace padlint {
namespace {

struct Loop {
  const ProjectFacts& facts;
  const LockCall& lock;
  const LinkedProject& project;
  const Apis& apis;
  const Flow& flow;
  Scope scope;

  Loop(const ProjectFacts& all, const LockCall& asked, const Apis& tables)
      : facts(all), lock(asked), project(*all.linked), apis(tables), flow(all.routine(asked.routine).flow),
        scope{asked.routine.file, asked.routine.index} {}

  /// The blocks that `from` leads to, without exceptions.
  [[nodiscard]] std::vector<bool> reached(std::uint32_t from) const {
    std::vector<bool> seen(flow.blocks.size());
    std::vector<std::uint32_t> work{from};
    while (!work.empty()) {
      const std::uint32_t at = work.back();
      work.pop_back();
      for (const Edge& edge : flow.blocks[at].edges)
        if (!is_exit(edge.target) && edge.kind != EdgeKind::error && !seen[edge.target]) {
          seen[edge.target] = true;
          work.push_back(edge.target);
        }
    }
    return seen;
  }

  [[nodiscard]] bool is_lock(const Event& event) const {
    return event.kind == EventKind::call && event.span == lock.execution;
  }

  /// A call that leaves the cache as it is: nothing that the project or a library does to a database.
  [[nodiscard]] bool keeps_cache(const Event& event) const {
    if (event.kind != EventKind::call || is_lock(event))
      return event.kind != EventKind::yield;
    const Value& callee = event.value.parts[0];
    const std::string name = dotted(callee);
    const bool reads = event.value.parts.size() == 1 && event.use != ResultUse::dropped;
    return (reads && targets_of(project, callee, scope).empty()) ||
           has_glob(apis.quiet_calls, name.empty() && callee.is(ValueKind::member) ? "." + callee.text : name);
  }

  /// Whether the lock stands in a loop whose rounds leave the cache as it is.
  [[nodiscard]] bool repeats() const {
    for (std::uint32_t start = 0; start < flow.blocks.size(); ++start) {
      if (std::ranges::none_of(flow.blocks[start].events, [&](const Event& event) { return is_lock(event); }))
        continue;
      const std::vector<bool> onwards = reached(start);
      if (!onwards[start])
        return false;
      for (std::uint32_t at = 0; at < flow.blocks.size(); ++at)
        if ((at == start || (onwards[at] && reached(at)[start])) &&
            !std::ranges::all_of(flow.blocks[at].events, [&](const Event& event) { return keeps_cache(event); }))
          return false;
      return true;
    }
    return false;
  }

  /// Whether the cache is off where the lock is taken, or emptied somewhere in the routine.
  [[nodiscard]] bool off() const {
    constexpr Mask outside = 1;
    constexpr Mask inside = 2;
    const auto switches = [&](const Event& event) {
      return event.value.is(ValueKind::call) && has(apis.cache_off, event.value.parts[0].text);
    };
    const auto transfer = [&](const Event& event, Mask mask) {
      if (event.kind == EventKind::enter && switches(event))
        return inside;
      return event.kind == EventKind::leave && switches(event) ? outside : mask;
    };
    const auto passes = [](const Block&, const Edge&, Mask mask) { return mask; };
    const auto raises = [](const Event& event, Mask mask) { return event.kind == EventKind::assign ? Mask{0} : mask; };
    Mask at_lock = 0;
    bool emptied = false;
    visit(
        flow, solve(flow, outside, transfer, passes, raises), transfer, passes, raises,
        [&](const Event& event, Mask mask) {
          at_lock |= is_lock(event) ? mask : 0;
          emptied = emptied || (event.kind == EventKind::call && !event.value.parts.empty() &&
                                has(apis.cache_emptied, event.value.parts[0].text));
        },
        [](const Block&, const Edge&, const Event*, Mask) {});
    return emptied || (at_lock & inside) != 0;
  }

  /// Whether each round sends the same text: what is put into it is not bound anew.
  [[nodiscard]] bool same_text(const Execution& execution) const {
    const Routine& routine = facts.routine(lock.routine);
    const auto fixed = [&](const Value& value) {
      if (value.is(ValueKind::call))
        return value.parts.size() == 1;
      return value.constant() || value.is(ValueKind::member) ||
             (value.is(ValueKind::name) && std::ranges::count(routine.bindings, value.text, &Binding::name) <= 1 &&
              std::ranges::none_of(routine.bindings, [&](const Binding& binding) {
                return binding.name == value.text && binding.role == BindingRole::iterated;
              }));
    };
    return std::ranges::all_of(execution.readings, [&](std::size_t index) {
      const Reading& reading = project.readings[index];
      return std::ranges::all_of(reading.text.holes, fixed) &&
             std::ranges::all_of(reading.binds, [&](const auto& bind) { return fixed(bind.first); });
    });
  }
};

} // namespace

bool ProjectFacts::repeated_from_cache(const LockCall& lock) const {
  const Apis* apis = linked->apis(lock.routine.file);
  const auto known = linked->execution_at.find(lock.execution);
  if (apis == nullptr || known == linked->execution_at.end())
    return false;
  const Execution& execution = linked->executions[known->second];
  if (execution.sends == nullptr || !execution.sends->cached ||
      has_glob(apis->uncached_files, linked->file(lock.routine.file).path))
    return false;
  const Loop loop(*this, lock, *apis);
  return loop.repeats() && loop.same_text(execution) && !loop.off();
}

} // namespace padlint
