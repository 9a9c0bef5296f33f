#include "analyzer/facts/linked_project.h"
#include "analyzer/facts/project_facts.h"
#include "analyzer/facts/solver.h"

#include <algorithm>

// A library may answer a query from its cache when the same text was sent before. In a loop that does nothing that
// would empty the cache, a lock function is then called in the first round only.

namespace padlint {
namespace {

struct Loop {
  const LinkedProject& project;
  const Apis& apis;
  const Routine& routine;
  Scope scope;
  Span query; // the call that sends it, or a call of what does

  Loop(const LinkedProject& all, RoutineRef ref, Span asked)
      : project(all), apis(*all.apis(ref.file)), routine(all.routine(ref)), scope{ref.file, ref.index}, query(asked) {}

  /// The blocks that `from` leads to, without exceptions.
  [[nodiscard]] std::vector<bool> reached(std::uint32_t from) const {
    std::vector<bool> seen(routine.flow.blocks.size());
    std::vector<std::uint32_t> work{from};
    while (!work.empty()) {
      const std::uint32_t at = work.back();
      work.pop_back();
      for (const Edge& edge : routine.flow.blocks[at].edges)
        if (!is_exit(edge.target) && edge.kind != EdgeKind::error && !seen[edge.target]) {
          seen[edge.target] = true;
          work.push_back(edge.target);
        }
    }
    return seen;
  }

  [[nodiscard]] bool is_query(const Event& event) const { return event.kind == EventKind::call && event.span == query; }

  /// A call that leaves the cache as it is: nothing that the project or a library does to a database.
  [[nodiscard]] bool keeps_cache(const Event& event) const {
    if (event.kind != EventKind::call || is_query(event))
      return event.kind != EventKind::yield;
    const Value& callee = event.value.parts[0];
    const std::string name = dotted(callee);
    const bool reads = event.value.parts.size() == 1 && event.use != ResultUse::dropped;
    return (reads && targets_of(project, callee, scope).empty()) ||
           has_glob(apis.quiet_calls, name.empty() && callee.is(ValueKind::member) ? "." + callee.text : name);
  }

  /// Whether nothing in the routine empties the cache.
  [[nodiscard]] bool all_keep_cache() const {
    return std::ranges::all_of(routine.flow.blocks, [&](const Block& block) {
      return std::ranges::all_of(block.events, [&](const Event& event) { return keeps_cache(event); });
    });
  }

  /// Whether the query stands in a loop whose rounds leave the cache as it is.
  [[nodiscard]] bool repeats() const {
    for (std::uint32_t start = 0; start < routine.flow.blocks.size(); ++start) {
      if (std::ranges::none_of(routine.flow.blocks[start].events, [&](const Event& event) { return is_query(event); }))
        continue;
      const std::vector<bool> onwards = reached(start);
      if (!onwards[start])
        return false;
      for (std::uint32_t at = 0; at < routine.flow.blocks.size(); ++at)
        if ((at == start || (onwards[at] && reached(at)[start])) &&
            !std::ranges::all_of(routine.flow.blocks[at].events,
                                 [&](const Event& event) { return keeps_cache(event); }))
          return false;
      return true;
    }
    return false;
  }

  /// Whether the cache is off where the query is sent, or emptied somewhere in the routine.
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
    Mask at_query = 0;
    bool emptied = false;
    visit(
        routine.flow, solve(routine.flow, outside, transfer, passes, raises), transfer, passes, raises,
        [&](const Event& event, Mask mask) {
          at_query |= is_query(event) ? mask : 0;
          emptied = emptied || (event.kind == EventKind::call && !event.value.parts.empty() &&
                                has(apis.cache_emptied, event.value.parts[0].text));
        },
        [](const Block&, const Edge&, const Event*, Mask) {});
    return emptied || (at_query & inside) != 0;
  }

  /// Whether each round has the same value: a name in it is not bound anew.
  [[nodiscard]] bool fixed(const Value& value) const {
    if (value.is(ValueKind::call))
      return value.parts.size() == 1 && fixed(value.parts[0]);
    if (value.is(ValueKind::member) && !value.parts.empty())
      return fixed(value.parts[0]);
    return value.constant() ||
           (value.is(ValueKind::name) && std::ranges::count(routine.bindings, value.text, &Binding::name) <= 1 &&
            std::ranges::none_of(routine.bindings, [&](const Binding& binding) {
              return binding.name == value.text && binding.role == BindingRole::iterated;
            }));
  }

  /// Whether each round sends the same text.
  [[nodiscard]] bool same_text(const Execution& execution) const {
    return std::ranges::all_of(execution.readings, [&](std::size_t index) {
      const Reading& reading = project.readings[index];
      return std::ranges::all_of(reading.text.holes, [&](const Value& hole) { return fixed(hole); }) &&
             std::ranges::all_of(reading.binds, [&](const auto& bind) { return fixed(bind.first); });
    });
  }
};

/// The call, in a loop, of a routine that does nothing but send the query.
Span repeated_call(const LinkedProject& project, RoutineRef helper) {
  const auto sites = project.callers.find(helper);
  if (sites == project.callers.end())
    return {};
  for (const std::size_t index : sites->second) {
    const CallSite& site = project.calls[index];
    if (!site.call.is(ValueKind::call) || site.confidence != Confidence::certain)
      continue;
    const Loop loop(project, site.caller, site.span);
    const bool same = std::all_of(site.call.parts.begin() + 1, site.call.parts.end(),
                                  [&](const Value& argument) { return loop.fixed(argument); });
    if (same && !has_glob(loop.apis.uncached_files, project.file(site.caller.file).path) && loop.repeats() &&
        !loop.off())
      return site.span;
  }
  return {};
}

} // namespace

std::optional<Span> ProjectFacts::repeated_from_cache(const LockCall& lock) const {
  const Apis* apis = linked->apis(lock.routine.file);
  const auto known = linked->execution_at.find(lock.execution);
  if (apis == nullptr || known == linked->execution_at.end())
    return std::nullopt;
  const Execution& execution = linked->executions[known->second];
  if (execution.sends == nullptr || !execution.sends->cached ||
      has_glob(apis->uncached_files, linked->file(lock.routine.file).path))
    return std::nullopt;
  const Loop loop(*linked, lock.routine, lock.execution);
  if (!loop.same_text(execution) || loop.off())
    return std::nullopt;
  if (loop.repeats())
    return lock.execution;
  const Span call = loop.all_keep_cache() ? repeated_call(*linked, lock.routine) : Span{};
  return call.empty() ? std::nullopt : std::optional(call);
}

} // namespace padlint
