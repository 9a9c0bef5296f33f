#include "analyzer/facts/project_facts.h"
#include "analyzer/facts/transaction_flow.h"

#include <algorithm>

// Transactions that look as if they enclosed a lock and do not: those of another session, and those that were begun by
// a call of its own through a pool, on whichever connection that call got.

namespace padlint {
namespace {

constexpr int max_hops = 3;

/// What the source calls a session that begins at `span`: the name that a block binds to it, or the call.
std::string name_of(const Routine& routine, Span span) {
  for (const Block& block : routine.flow.blocks)
    for (const Event& event : block.events) {
      if (event.kind == EventKind::enter && event.span == span && !event.target.empty())
        return event.target;
      if (event.kind == EventKind::assign && event.value.span == span)
        return event.target;
    }
  return {};
}

/// Whether both are connections that a library gives the thread, of different databases.
bool of_another_database(const std::string& one, const std::string& other) {
  constexpr std::string_view ambient = "ambient:";
  return one.starts_with(ambient) && other.starts_with(ambient) && !one.ends_with('*') && !other.ends_with('*') &&
         !one.ends_with('?') && !other.ends_with('?') && !concerns(one, other) && !concerns(other, one);
}

/// Sessions of `pool`, or of another database, other than `own`, that have a transaction open before an event of a
/// routine.
std::optional<OtherTransaction> open_before(const LinkedProject& project, RoutineRef ref, Span event, EventKind kind,
                                            const std::string& pool, const std::string& own) {
  const auto events = project.effects.find(ref);
  if (events == project.effects.end())
    return std::nullopt;
  std::optional<OtherTransaction> found;
  for (const auto& [key, effects] : events->second)
    for (const Effect& effect : effects) {
      const bool of_pool = !pool.empty() && effect.pool == pool && effect.identity != own;
      if (effect.kind != Effect::begin || (!of_pool && !of_another_database(effect.identity, own)))
        continue;
      const TransactionFlow& flow =
          transaction_flow(project, ref, effect.identity, {TransactionFlow::autocommit, TransactionFlow::autocommit});
      if (!TransactionFlow::open(flow.before(event, kind)) || (found && key.first < found->begins))
        continue;
      found = {.text = name_of(project.routine(ref), key.first), .begins = key.first};
    }
  return found;
}

/// The pool that a call takes a session from, or sends through itself: what it is called on, or what a function of a
/// library is called with.
std::string pool_of(const LinkedProject& project, const Value& call, const ApiBlock& block, Scope scope,
                    const std::string& own) {
  const Value& callee = call.parts[0];
  auto typed = callee.is(ValueKind::member) ? type_of(project, callee.parts[0], scope, callee.text) : std::nullopt;
  if (!typed && has_glob(block.names, external_name(project, callee, scope)))
    for (auto given = call.parts.begin() + 1; given != call.parts.end() && (!typed || typed->type == nullptr); ++given)
      typed = type_of(project, *given, scope);
  if (!typed || typed->type == nullptr || (typed->kind == ApiKind::connection && typed->identity == own))
    return {};
  return typed->kind == ApiKind::connection ? typed->pool : typed->identity;
}

/// The same while a routine of the project runs a function that it was given.
std::optional<OtherTransaction> open_in_runner(const LinkedProject& project, const CallSite& site,
                                               const std::string& pool) {
  for (const auto& [runner, confidence] :
       targets_of(project, site.handed_to.parts[0], {site.caller.file, site.caller.index})) {
    const Routine& routine = project.routine(runner);
    std::optional<OtherTransaction> found;
    for_each_call(routine, [&](const Event& event) {
      const Value& callee = event.value.parts.empty() ? event.value : event.value.parts[0];
      if (!found && callee.is(ValueKind::name) &&
          std::ranges::any_of(routine.parameters, [&](const Parameter& p) { return p.name == callee.text; }))
        found = open_before(project, runner, event.span, EventKind::call, pool, {});
    });
    if (found)
      return found;
  }
  return std::nullopt;
}

/// The same around a routine that is handed over: whoever runs it does so inside a transaction.
std::optional<OtherTransaction> open_around(const LinkedProject& project, RoutineRef ref, const std::string& pool,
                                            const std::string& own, int hop = 1) {
  const auto sites = project.callers.find(ref);
  if (sites == project.callers.end() || pool.empty() || hop > max_hops)
    return std::nullopt;
  for (const std::size_t index : sites->second) {
    const CallSite& site = project.calls[index];
    if (!site.handed_to.is(ValueKind::call))
      continue;
    if (site.block != nullptr && site.block->transaction &&
        pool_of(project, site.handed_to, *site.block, {site.caller.file, site.caller.index}, own) == pool) {
      const std::vector<Parameter>& parameters = project.routine(ref).parameters;
      const auto position = static_cast<std::size_t>(site.block->parameter);
      const std::string name = position < parameters.size() ? parameters[position].name : std::string();
      return OtherTransaction{.text = name.starts_with('{') ? std::string() : name, .begins = site.span};
    }
    if (site.block == nullptr)
      if (auto found = open_in_runner(project, site, pool))
        return found;
    if (auto found = open_before(project, site.caller, site.span, EventKind::call, pool, own))
      return found;
    if (auto found = open_around(project, site.caller, pool, own, hop + 1))
      return found;
  }
  return std::nullopt;
}

/// `text`: where the lock stands, when a caller hands it in.
std::optional<OtherTransaction> open_at_callers(const LinkedProject& project, RoutineRef routine,
                                                const std::string& pool, Span text, int hop,
                                                std::vector<RoutineRef>& seen) {
  const auto known = project.callers.find(routine);
  if (known == project.callers.end() || hop > max_hops || std::ranges::count(seen, routine) != 0)
    return std::nullopt;
  seen.push_back(routine);
  for (const std::size_t index : known->second) {
    const CallSite& site = project.calls[index];
    if (!site.transaction.empty() || project.file(site.caller.file).traits.test ||
        (!text.empty() && !site.span.contains(text)))
      continue;
    auto found = open_before(project, site.caller, site.span, EventKind::call, pool, {});
    if (!found)
      found = open_around(project, site.caller, pool, {});
    if (!found)
      found = open_at_callers(project, site.caller, pool, {}, hop + 1, seen);
    if (found) {
      found->call = site.span;
      return found;
    }
  }
  return std::nullopt;
}

} // namespace

std::optional<OtherTransaction> ProjectFacts::other_transaction(const LockCall& lock) const {
  const Handle& through = handle(lock);
  const std::string& pool = through.kind == HandleKind::pool ? through.identity : through.pool;
  if (auto found = open_before(*linked, lock.routine, lock.execution, EventKind::call, pool, through.identity))
    return found;
  if (auto found = open_around(*linked, lock.routine, pool, through.identity))
    return found;
  // Only a pool that many routines share has one name in all of them.
  if (pool.starts_with("param:"))
    return std::nullopt;
  std::vector<RoutineRef> seen;
  return open_at_callers(*linked, lock.routine, pool,
                         routine(lock.routine).span.contains(lock.span) ? Span{} : lock.span, 1, seen);
}

Span ProjectFacts::begun_through_pool(const LockCall& lock) const {
  const Handle& through = handle(lock);
  if (through.kind != HandleKind::pool)
    return {};
  const TransactionFlow& flow = transaction_flow(*linked, lock.routine, through.identity,
                                                 {TransactionFlow::autocommit, TransactionFlow::autocommit});
  if (!TransactionFlow::open(flow.before(lock.execution, EventKind::call)))
    return {};
  Span begin;
  for (const auto& [key, effects] : linked->effects.at(lock.routine))
    if (key.first < lock.execution && std::ranges::any_of(
                                          effects,
                                          [&](const Effect& effect) {
                                            return effect.kind == Effect::begin && !effect.scoped &&
                                                   effect.identity == through.identity;
                                          }))
      begin = std::max(begin, key.first);
  return begin;
}

} // namespace padlint
