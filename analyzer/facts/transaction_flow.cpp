#include "analyzer/facts/transaction_flow.h"

#include <fmt/format.h>

#include <algorithm>

namespace padlint {
namespace {

template <class Map>
Mask mapped(Mask mask, Map map) {
  Mask out = 0;
  for (unsigned base = TransactionFlow::autocommit; base <= TransactionFlow::from_caller; ++base)
    for (unsigned depth = 0; depth <= TransactionFlow::max_depth; ++depth)
      if ((mask & TransactionFlow::bit(static_cast<TransactionFlow::Base>(base), depth)) != 0)
        out |= map(static_cast<TransactionFlow::Base>(base), depth);
  return out;
}

template <class Test>
bool all(Mask mask, Test test) {
  return mask != 0 && mapped(mask, [&](TransactionFlow::Base base, unsigned depth) {
                        return test(base, depth) ? Mask{0} : Mask{1};
                      }) == 0;
}

} // namespace

TransactionFlow::TransactionFlow(const LinkedProject& project, RoutineRef routine, std::string_view identity,
                                 Session session)
    : identity_(identity), session_(session) {
  const Flow& flow = project.routine(routine).flow;
  const auto transfer = [&](const Event& event, Mask mask) {
    if (const std::vector<Effect>* effects = effects_of(project, routine, event.span, event.kind))
      for (const Effect& effect : *effects)
        mask = after(effect, mask);
    return mask;
  };
  const auto passes = [](const Block&, const Edge&, Mask mask) { return mask; };
  const auto raises = [](const Event& event, Mask mask) { return event.kind != EventKind::assign ? mask : 0; };
  visit(
      flow, solve(flow, bit(session.start, 0), transfer, passes, raises), transfer, passes, raises,
      [&](const Event& event, Mask mask) {
        at_[&event] |= mask;
        joined_[{event.span, event.kind}] |= mask;
      },
      [](const Block&, const Edge&, const Event*, Mask) {});
}

Mask TransactionFlow::before(const Event& event) const {
  const auto found = at_.find(&event);
  return found == at_.end() ? 0 : found->second;
}

Mask TransactionFlow::before(Span event, EventKind kind) const {
  const auto found = joined_.find({event, kind});
  return found == joined_.end() ? 0 : found->second;
}

Mask TransactionFlow::after(const Effect& effect, Mask mask) const {
  if (!concerned(effect))
    return mask;
  const auto ended = [&](Base base, unsigned depth) {
    return bit(base == from_caller ? from_caller : session_.rest, depth);
  };
  switch (effect.kind) {
  case Effect::acquire:
  case Effect::release:
  case Effect::work:
    return mapped(mask,
                  [](Base base, unsigned depth) { return bit(base == implicit && depth == 0 ? begun : base, depth); });
  case Effect::begin:
    return mapped(mask, [&](Base base, unsigned depth) {
      return effect.scoped ? bit(base, std::min(depth + 1, max_depth)) : bit(explicit_begin, depth);
    });
  case Effect::suspend: return mapped(mask, [](Base, unsigned) { return bit(autocommit, 0); });
  case Effect::resume: return mapped(mask, [&](Base, unsigned depth) { return bit(session_.rest, depth); });
  case Effect::commit:
    if (effect.scoped)
      return mapped(mask, [](Base base, unsigned depth) { return bit(base, depth == 0 ? 0 : depth - 1); });
    return mapped(mask, ended);
  case Effect::rollback:
  case Effect::give_back:
  case Effect::close: return mapped(mask, ended);
  }
  return mask;
}

bool TransactionFlow::ends(const Effect& effect, Mask mask) const {
  if (!concerned(effect))
    return false;
  switch (effect.kind) {
  case Effect::commit:
    return !effect.scoped ||
           !all(mask, [](Base base, unsigned depth) { return depth > 1 || base == begun || base == explicit_begin; });
  case Effect::rollback:
  case Effect::suspend:
  case Effect::give_back:
  case Effect::close: return true;
  default: return false;
  }
}

bool TransactionFlow::open(Mask mask) {
  return all(mask, [](Base base, unsigned depth) {
    return depth > 0 || base == implicit || base == begun || base == explicit_begin;
  });
}

bool TransactionFlow::open_explicitly(Mask mask) {
  return all(mask, [](Base base, unsigned depth) { return depth > 0 || base == explicit_begin; });
}

const TransactionFlow& transaction_flow(const LinkedProject& project, RoutineRef routine, std::string_view identity,
                                        TransactionFlow::Session session) {
  std::string key =
      fmt::format("{}/{}/{}", identity, static_cast<unsigned>(session.start), static_cast<unsigned>(session.rest));
  std::shared_ptr<const TransactionFlow>& flow = project.caches.transaction_flows[{routine, std::move(key)}];
  if (!flow)
    flow = std::make_shared<const TransactionFlow>(project, routine, identity, session);
  return *flow;
}

const std::vector<Effect>* effects_of(const LinkedProject& project, RoutineRef routine, Span event, EventKind kind) {
  const auto events = project.effects.find(routine);
  if (events == project.effects.end())
    return nullptr;
  const auto found = events->second.find({event, kind});
  return found == events->second.end() ? nullptr : &found->second;
}

} // namespace padlint
