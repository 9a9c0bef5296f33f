#include "analyzer/facts/holding.h"

#include <algorithm>

// What may raise while a lock is held. Only what does work: reading an answer, making a text or a log line is no way
// out that anybody plans for.

namespace padlint {

bool Holding::may_raise(const Event& event) const {
  if (event.kind == EventKind::sql) {
    const std::vector<Effect>* effects = effects_of(event);
    return effects == nullptr ||
           std::none_of(effects->begin(), effects->end(), [&](const Effect& effect) { return frees(effect); });
  }
  if (event.kind == EventKind::yield)
    return true;
  if (event.kind != EventKind::call || event.value.parts.empty())
    return false;
  const Apis* apis = facts_.linked->apis(lock_.routine.file);
  if (apis == nullptr)
    return true;
  // What makes the key of a release has made that of the lock.
  if (std::ranges::any_of(releases_, [&](Span release) { return release.contains(event.span); }))
    return false;
  if (const std::vector<Effect>* effects = effects_of(event); effects != nullptr && !effects->empty())
    return std::any_of(effects->begin(), effects->end(),
                       [](const Effect& effect) { return effect.kind == Effect::work; }) &&
           std::none_of(effects->begin(), effects->end(), [&](const Effect& effect) { return frees(effect); });
  const Value& callee = event.value.parts[0];
  if (facts_.linked->execution_at.contains(event.span))
    return true;
  const std::string name = dotted(callee);
  if (has_glob(apis->quiet_calls, name.empty() && callee.is(ValueKind::member) ? "." + callee.text : name))
    return false;
  // What is read on the way to something else.
  const bool on_the_way = event.use == ResultUse::passed || event.use == ResultUse::operand ||
                          event.use == ResultUse::chained || event.use == ResultUse::tested;
  if (apis->accessors && event.value.parts.size() == 1 && on_the_way)
    return false;
  if (callee.is(ValueKind::member)) {
    auto library = [&](const auto& entries) {
      return std::any_of(entries.begin(), entries.end(),
                         [&](const auto& entry) { return has(entry.methods, callee.text); });
    };
    if (library(apis->fetches) || library(apis->gives) || library(apis->controls) || library(apis->texts) ||
        library(apis->transactions))
      return false;
  }
  const Value& maker = callee.is(ValueKind::call) ? callee.parts[0] : callee; // sql.type(row)`SELECT ...`
  const std::string qualified = external_name(*facts_.linked, maker, {lock_.routine.file, lock_.routine.index});
  return std::none_of(apis->texts.begin(), apis->texts.end(),
                      [&](const ApiText& text) {
                        return std::any_of(text.names.begin(), text.names.end(), [&](const std::string& known) {
                          return glob_name(known, qualified) ||
                                 (text.form == "function" && qualified.starts_with(known + "."));
                        });
                      }) &&
         std::none_of(apis->gives.begin(), apis->gives.end(),
                      [&](const ApiGives& gives) { return has_glob(gives.names, qualified); });
}

Span Holding::first_raising() const {
  const auto transfer = [this](const Event& event, Mask mask) { return after(event, mask); };
  const auto passes = [this](const Block& block, const Edge& edge, Mask mask) { return through(block, edge, mask); };
  const auto raises = [this](const Event& event, Mask mask) { return may_raise(event) ? mask : 0; };
  const Solution solution = solve(flow_, bit(never), transfer, passes, raises);
  Span first;
  visit(
      flow_, solution, transfer, passes, raises,
      [&](const Event& event, Mask mask) {
        if ((mask & any_held) != 0 && may_raise(event) && (first.empty() || event.span < first))
          first = event.span;
      },
      [](const Block&, const Edge&, const Event*, Mask) {});
  return first;
}

} // namespace padlint
