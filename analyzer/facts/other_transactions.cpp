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

/// Sessions of `pool`, other than `own`, that have a transaction open before an event of a routine.
std::optional<OtherTransaction> open_before(const LinkedProject& project, RoutineRef ref, Span event, EventKind kind,
                                            const std::string& pool, const std::string& own) {
  const auto events = project.effects.find(ref);
  if (events == project.effects.end() || pool.empty())
    return std::nullopt;
  std::optional<OtherTransaction> found;
  for (const auto& [key, effects] : events->second)
    for (const Effect& effect : effects) {
      if (effect.kind != Effect::begin || effect.pool != pool || effect.identity == own)
        continue;
      const TransactionFlow& flow =
          transaction_flow(project, ref, effect.identity, {TransactionFlow::autocommit, TransactionFlow::autocommit});
      if (!TransactionFlow::open(flow.before(event, kind)) || (found && key.first < found->begins))
        continue;
      found = {.text = name_of(project.routine(ref), key.first), .begins = key.first};
    }
  return found;
}

std::optional<OtherTransaction> open_at_callers(const LinkedProject& project, RoutineRef routine,
                                                const std::string& pool, int hop, std::vector<RoutineRef>& seen) {
  const auto known = project.callers.find(routine);
  if (known == project.callers.end() || hop > max_hops || std::ranges::count(seen, routine) != 0)
    return std::nullopt;
  seen.push_back(routine);
  for (const std::size_t index : known->second) {
    const CallSite& site = project.calls[index];
    if (!site.transaction.empty() || project.file(site.caller.file).traits.test)
      continue;
    auto found = open_before(project, site.caller, site.span, EventKind::call, pool, {});
    if (!found)
      found = open_at_callers(project, site.caller, pool, hop + 1, seen);
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
  // Only a pool that many routines share has one name in all of them.
  if (pool.starts_with("param:"))
    return std::nullopt;
  std::vector<RoutineRef> seen;
  return open_at_callers(*linked, lock.routine, pool, 1, seen);
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
