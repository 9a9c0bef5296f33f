#include "analyzer/facts/linked_project.h"
#include "analyzer/facts/project_facts.h"

#include <algorithm>
#include <set>

namespace padlint {
namespace {

constexpr int max_depth = 6;

bool is_fetch(const Apis& apis, std::string_view method) {
  return std::any_of(apis.fetches.begin(), apis.fetches.end(),
                     [&](const ApiFetch& fetch) { return has(fetch.methods, method); });
}

const Value* receiver(const Value& call) {
  return call.is(ValueKind::call) && !call.parts.empty() && call.parts[0].is(ValueKind::member)
             ? &call.parts[0].parts[0]
             : nullptr;
}

/// The last execution before `at` on the object that is written `object`, in the order of the text.
std::optional<Span> execution_before(const LinkedProject& project, Scope scope, const std::string& object,
                                     std::uint32_t at) {
  std::optional<Span> found;
  if (object.empty())
    return found;
  for (auto next = project.execution_at.lower_bound({.file = scope.file}); next != project.execution_at.end(); ++next) {
    const auto& [span, index] = *next;
    if (span.file != scope.file || span.begin >= at)
      break;
    const Execution& execution = project.executions[index];
    if (execution.routine.index != scope.routine)
      continue;
    const Value* on = receiver(execution.call);
    if (on != nullptr && dotted(*on) == object && (!found || span.begin > found->begin))
      found = span;
  }
  return found;
}

/// `row.Scan(&got)`: what the call gives is no answer, the answer is in `got`.
bool writes_its_answer(const Value& call) {
  return call.is(ValueKind::call) && std::any_of(call.parts.begin(), call.parts.end(), [](const Value& part) {
           return part.is(ValueKind::operation) && part.text == "&" && part.parts.size() == 1;
         });
}

std::optional<Truth> truth_of_call(const LinkedProject& project, const Value& call, Scope scope, int depth) {
  const Apis* apis = project.apis(scope.file);
  if (call.parts.empty())
    return std::nullopt;
  const Value& callee = call.parts[0];
  if (apis == nullptr) // SQL: the call is the lock itself
    return Truth{call.span};
  if ((callee.is(ValueKind::name) || callee.is(ValueKind::member)) && has(apis->truth_calls, callee.text) &&
      call.parts.size() == 2)
    return truth_of(project, call.parts[1], scope, depth + 1);
  if (const Value& last = call.parts.back(); last.label == "&") // what its block gives
    return truth_of(project, last, scope, depth + 1);
  const Value* on = receiver(call);
  if (on == nullptr || !is_fetch(*apis, callee.text))
    return std::nullopt;
  if (on->is(ValueKind::call))
    return truth_of(project, *on, scope, depth + 1);
  if (auto last = execution_before(project, scope, dotted(*on), call.span.begin))
    return Truth{*last};
  return truth_of(project, *on, scope, depth + 1);
}

} // namespace

std::optional<Truth> truth_of(const LinkedProject& project, const Value& condition, Scope scope, int depth) {
  if (depth > max_depth)
    return std::nullopt;
  if (project.execution_at.contains(condition.span))
    return Truth{condition.span};
  switch (condition.kind) {
  case ValueKind::call:
    return writes_its_answer(condition) ? std::nullopt : truth_of_call(project, condition, scope, depth);
  case ValueKind::index:
    if (const Apis* apis = project.apis(scope.file); // the error of a call is no answer
        apis != nullptr && apis->packages && condition.parts[0].is(ValueKind::call) &&
        condition.parts[1].is(ValueKind::integer) && condition.parts[1].number > 0)
      return std::nullopt;
    return truth_of(project, condition.parts[0], scope, depth + 1);
  case ValueKind::member:
    if (const Apis* apis = project.apis(scope.file); apis != nullptr && has(apis->faults, condition.text))
      return std::nullopt;
    return truth_of(project, condition.parts[0], scope, depth + 1);
  case ValueKind::operation: {
    if (condition.text == "not" && condition.parts.size() == 1) {
      auto inner = truth_of(project, condition.parts[0], scope, depth + 1);
      if (inner)
        inner->positive = !inner->positive;
      return inner;
    }
    const bool equal = condition.text == "==" || condition.text == "is" || condition.text == "=";
    const bool different = condition.text == "!=" || condition.text == "is not" || condition.text == "<>";
    if (condition.parts.size() == 2 && (equal || different)) {
      const Value& right = condition.parts[1];
      if (!right.is(ValueKind::boolean) && !right.is(ValueKind::text) && !right.is(ValueKind::integer))
        return std::nullopt;
      auto inner = truth_of(project, condition.parts[0], scope, depth + 1);
      const bool true_like = right.is(ValueKind::text) ? right.text == "t" || right.text == "true" : right.number != 0;
      if (inner && true_like == different)
        inner->positive = !inner->positive;
      return inner;
    }
    if (condition.text.starts_with("::") && condition.parts.size() == 1)
      return truth_of(project, condition.parts[0], scope, depth + 1);
    return std::nullopt;
  }
  case ValueKind::name: {
    const Definition found = look_up(project, scope, condition.text);
    if (found.kind != Definition::bindings || found.scope.routine != scope.routine)
      return std::nullopt;
    for (const Binding* binding : found.bound)
      if ((binding->role == BindingRole::assigned || binding->role == BindingRole::filled) &&
          !(binding->value.is(ValueKind::name) && binding->value.text == condition.text))
        if (auto inner = binding->role == BindingRole::filled ? truth_of_call(project, binding->value, scope, depth + 1)
                                                              : truth_of(project, binding->value, scope, depth + 1))
          return inner;
    return std::nullopt;
  }
  default: return std::nullopt;
  }
}

namespace {

struct Reader {
  const LinkedProject& project;
  const Execution& execution;
  const Routine& routine;
  const Apis& apis;

  /// The use of the call whose object is this one: `execute(...).fetchone()`.
  const Event* chained(Span span) const {
    for (const Block& block : routine.flow.blocks)
      for (const Event& event : block.events)
        if (const Value* on = event.kind == EventKind::call ? receiver(event.value) : nullptr;
            on != nullptr && on->span == span)
          return &event;
    return nullptr;
  }

  /// The call hands its answer to a function: `query(text, (error, rows) => {})`, `query(text).then((rows) => {})`.
  bool hands_on(const Value& call) const {
    return std::any_of(call.parts.begin() + 1, call.parts.end(), [&](const Value& argument) {
      return argument.is(ValueKind::function) &&
             !project.routine({execution.routine.file, static_cast<std::uint32_t>(argument.number)}).parameters.empty();
    });
  }

  TryResult by_use(const Event& event, int depth) const {
    if (const auto written = filled(event))
      return *written;
    if (event.value.is(ValueKind::call) && hands_on(event.value))
      return TryResult::read;
    switch (event.use) {
    case ResultUse::dropped: return TryResult::dropped;
    case ResultUse::stored:
      return event.target.empty() || event.target.find('.') != std::string::npos || has(routine.reads, event.target)
                 ? TryResult::read
                 : TryResult::dropped;
    case ResultUse::chained:
      if (const Event* outer = depth < 6 ? chained(event.span) : nullptr)
        return by_use(*outer, depth + 1);
      return TryResult::read;
    case ResultUse::operand:
      // `got = execute(...).fetchone()[0]`: what counts is whether `got` is read.
      for (const Binding& binding : routine.bindings) {
        const Value* value = &binding.value;
        while ((value->is(ValueKind::index) || value->is(ValueKind::member)) && value->span != event.span)
          value = &value->parts[0];
        if (value->span == event.span && !value->is(ValueKind::name))
          return has(routine.reads, binding.name) ? TryResult::read : TryResult::dropped;
      }
      return TryResult::read;
    case ResultUse::unknown: return TryResult::unknown;
    default: return TryResult::read;
    }
  }

  /// The names that a call writes the answer to, when it gets their addresses.
  std::optional<TryResult> filled(const Event& event) const {
    bool any = false;
    for (const Binding& binding : routine.bindings)
      if (binding.role == BindingRole::filled && binding.value.span == event.span) {
        any = true;
        const auto elsewhere = [&](const Binding& other) {
          return other.role == BindingRole::filled && other.name == binding.name && other.span != binding.span;
        };
        if (has(routine.reads, binding.name) ||
            std::any_of(routine.bindings.begin(), routine.bindings.end(), elsewhere))
          return TryResult::read;
      }
    const auto other_place = [](const Value& part) { return part.is(ValueKind::operation) && part.text == "&"; };
    const auto addresses = std::count_if(event.value.parts.begin() + 1, event.value.parts.end(), other_place);
    const auto named = std::count_if(routine.bindings.begin(), routine.bindings.end(), [&](const Binding& binding) {
      return binding.role == BindingRole::filled && binding.value.span == event.span;
    });
    if (addresses > named) // a field, an element
      return TryResult::read;
    return any ? std::optional(TryResult::dropped) : std::nullopt;
  }

  /// Whether all that is made of an answer is to ask whether there is one: `db.Exec(...).Error`.
  bool only_faults(const Event& event) const {
    bool faults = false;
    bool more = false;
    const auto look = [&](const Value& value, auto&& self, int depth) -> void {
      if (value.is(ValueKind::member) && !value.parts.empty() && value.parts[0].span == event.span &&
          value.parts[0].is(ValueKind::call)) {
        (has(apis.faults, value.text) ? faults : more) = true;
        return;
      }
      if (depth < max_depth)
        for (const Value& part : value.parts)
          self(part, self, depth + 1);
    };
    for (const Binding& binding : routine.bindings)
      look(binding.value, look, 0);
    for (const Value& value : routine.returns)
      look(value, look, 0);
    for (const Block& block : routine.flow.blocks) {
      look(block.condition, look, 0);
      for (const Event& other : block.events)
        look(other.value, look, 0);
    }
    return faults && !more;
  }

  bool mentions(const Value& value, const std::string& object, int depth = 0) const {
    if (depth < max_depth && dotted(value) == object)
      return true;
    return depth < max_depth && std::any_of(
                                    value.parts.begin(), value.parts.end(),
                                    [&](const Value& part) { return mentions(part, object, depth + 1); });
  }

  /// Whether, on some way on from the execution, the answer is fetched from the receiver before something else is sent.
  TryResult fetched_later(const std::string& object) const {
    struct Point {
      std::size_t block;
      std::size_t event;
    };
    std::vector<Point> work;
    std::set<std::size_t> seen;
    for (std::size_t b = 0; b < routine.flow.blocks.size(); ++b)
      for (std::size_t e = 0; e < routine.flow.blocks[b].events.size(); ++e)
        if (const Event& event = routine.flow.blocks[b].events[e];
            event.kind == EventKind::call && event.span == execution.span)
          work.push_back({b, e + 1});
    while (!work.empty()) {
      const Point point = work.back();
      work.pop_back();
      const Block& block = routine.flow.blocks[point.block];
      bool ended = false;
      for (std::size_t e = point.event; e < block.events.size() && !ended; ++e) {
        const Event& event = block.events[e];
        if (event.kind != EventKind::call) {
          if ((event.kind == EventKind::assign || event.kind == EventKind::yield) && mentions(event.value, object))
            return TryResult::read;
          continue;
        }
        const Value* on = receiver(event.value);
        if (on != nullptr && dotted(*on) == object) {
          if (is_fetch(apis, event.value.parts[0].text))
            return TryResult::read;
          ended = project.execution_at.contains(event.span);
          continue;
        }
        for (std::size_t i = 1; i < event.value.parts.size(); ++i)
          if (mentions(event.value.parts[i], object))
            return TryResult::read; // somebody else fetches it
      }
      if (ended)
        continue;
      if (mentions(block.condition, object))
        return TryResult::read;
      for (const Edge& edge : block.edges)
        if (!is_exit(edge.target) && edge.kind != EdgeKind::error && edge.kind != EdgeKind::cancel &&
            seen.insert(edge.target).second)
          work.push_back({edge.target, 0});
    }
    for (const Value& value : routine.returns)
      if (mentions(value, object))
        return TryResult::read;
    return TryResult::dropped;
  }
};

} // namespace

TryResult result_of(const LinkedProject& project, const Execution& execution) {
  const Apis* apis = project.apis(execution.routine.file);
  if (apis == nullptr || execution.event == nullptr || execution.deferred)
    return TryResult::unknown;
  const Reader reader{project, execution, project.routine(execution.routine), *apis};
  if (execution.unknown_method)
    return TryResult::unknown;
  // Of an unknown receiver the answer may come either way.
  const ApiResult result = execution.sends == nullptr ? ApiResult::cursor : execution.sends->result;
  const TryResult by_use = reader.by_use(*execution.event, 0);
  if (result == ApiResult::status && reader.only_faults(*execution.event))
    return TryResult::dropped;
  if (result == ApiResult::status)
    return by_use == TryResult::dropped ? TryResult::dropped : TryResult::unknown;
  if (result != ApiResult::cursor || by_use != TryResult::dropped)
    return by_use;
  const Value* on = receiver(execution.call);
  const std::string object = on == nullptr ? std::string() : dotted(*on);
  if (object.empty())
    return TryResult::unknown;
  const TryResult later = reader.fetched_later(object);
  // A cursor that somebody else handed in may be read by them.
  const bool borrowed = execution.receiver && execution.receiver->from_caller &&
                        execution.receiver->kind == ApiKind::cursor &&
                        execution.receiver->identity.starts_with("param:");
  return later == TryResult::dropped && borrowed ? TryResult::unknown : later;
}

std::vector<Span> ProjectFacts::callers_dropping(const LockCall& lock) const {
  std::vector<Span> found;
  bool returned = false;
  // Where the routine can wait as well, its arguments choose.
  if (std::any_of(locks.begin(), locks.end(),
                  [&](const LockCall& other) { return other.routine == lock.routine && other.waits(); }))
    return found;
  const bool own_text = routine(lock.routine).span.contains(lock.span);
  for (const Value& value : routine(lock.routine).returns) {
    const Value& first = value.is(ValueKind::list) && !value.parts.empty() ? value.parts[0] : value;
    if (const auto truth = truth_of(*linked, first, {lock.routine.file, lock.routine.index});
        truth && (truth->of == lock.execution || truth->of == lock.span))
      returned = true;
  }
  const auto callers = linked->callers.find(lock.routine);
  if (!returned || callers == linked->callers.end())
    return found;
  for (std::size_t index : callers->second) {
    const CallSite& site = linked->calls[index];
    if (!site.transaction.empty() || site.confidence != Confidence::certain)
      continue;
    if (!own_text && !site.span.contains(lock.span)) // the text is another caller's
      continue;
    for (const Block& block : routine(site.caller).flow.blocks)
      for (const Event& event : block.events)
        if (event.kind == EventKind::call && event.span == site.span && event.use == ResultUse::dropped &&
            (found.empty() || found.back() != site.span))
          found.push_back(site.span);
  }
  return found;
}

} // namespace padlint
