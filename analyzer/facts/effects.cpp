#include "analyzer/facts/class_scope.h"
#include "analyzer/facts/linked_project.h"
#include "analyzer/facts/project_facts.h"

#include <fmt/format.h>

#include <algorithm>

// What the library calls and blocks of host code do to sessions: transactions begin and end, connections are closed or
// go back to their pool, helpers release.

namespace padlint {
namespace {

class Effects {
public:
  /// `helpers` are the routines that only release, with their releases.
  Effects(ProjectFacts& facts, RoutineRef ref, const Apis& apis,
          const std::map<RoutineRef, std::vector<LockId>>& helpers)
      : helpers_(helpers), project_(*facts.linked), apis_(apis), ref_(ref), scope_{ref.file, ref.index},
        routine_(project_.routine(ref)), effects_(project_.effects[ref]) {}

  void run() {
    for (const Block& block : routine_.flow.blocks)
      for (const Event& event : block.events)
        if (event.kind == EventKind::enter)
          entered_.push_back(event.value.span);
    for (const Block& block : routine_.flow.blocks)
      for (const Event& event : block.events) {
        if (effects_.contains({event.span, event.kind}))
          continue;
        if (event.kind == EventKind::call)
          call(event);
        else if (event.kind == EventKind::enter)
          enter(event);
        else if (event.kind == EventKind::leave)
          leave(event);
      }
  }

private:
  void put(const Event& event, Effect effect) { effects_[{event.span, event.kind}].push_back(std::move(effect)); }

  std::optional<Typed> typed(const Value& value, std::string_view method = {}) {
    return type_of(project_, value, scope_, method);
  }

  void call(const Event& event) {
    if (event.value.parts.empty())
      return;
    const Value callee = on_own_object(project_, event.value.parts[0], scope_);
    const std::string name = external_name(project_, event.value.parts[0], scope_);
    if (!name.empty() && has(apis_.process_exits, name))
      return put(event, {.kind = Effect::close, .identity = "*"});
    if (callee.is(ValueKind::member)) {
      control(event, callee);
      if (std::find(entered_.begin(), entered_.end(), event.span) == entered_.end()) {
        auto begin = transaction_on(callee);
        if (!begin)
          begin = begun_by(event.value);
        if (begin)
          return put(event, std::move(*begin));
      }
    }
    helper(event, callee);
  }

  void control(const Event& event, const Value& callee) {
    for (const ApiControl& entry : apis_.controls) {
      if (entry.effect == ApiEffect::release_deferred || !has(entry.methods, callee.text))
        continue;
      auto object = typed(callee.parts[0], callee.text);
      if (!object || object->type == nullptr || !has(entry.on, object->type->name))
        continue;
      if (entry.argument >= 0) {
        const Value* about = argument(event.value, entry.argument, {});
        object = about == nullptr ? std::nullopt : typed(*about);
        if (!object)
          continue;
      }
      Effect effect{.identity = object->identity, .on_return = object->on_return};
      effect.kind = entry.effect == ApiEffect::commit     ? Effect::commit
                    : entry.effect == ApiEffect::rollback ? Effect::rollback
                    : entry.effect == ApiEffect::begin    ? Effect::begin
                    : entry.effect == ApiEffect::close    ? Effect::close
                                                          : Effect::give_back;
      if (const Value* value = closing_argument(event.value, entry.closing); value != nullptr)
        if (const auto known = constant_text(fold(project_, *value, scope_));
            known != "false" && !value->is(ValueKind::null))
          effect.kind = !known || *known == entry.closing.value ? Effect::close : effect.kind;
      // Closing what a pool lent only gives it back.
      if (effect.kind == Effect::close && !object->pool.empty() && callee.text == "close")
        effect.kind = Effect::give_back;
      return put(event, std::move(effect));
    }
  }

  static const Value* closing_argument(const Value& call, const ApiSwitch& closing) {
    return closing.argument.position < 0 ? nullptr : argument(call, closing.argument.position, {});
  }

  /// The session in which `obj.transaction()` and the like begin one.
  std::optional<Effect> transaction_on(const Value& callee) {
    for (const ApiTransaction& entry : apis_.transactions) {
      if (entry.outside || !has(entry.methods, callee.text))
        continue;
      auto object = typed(callee.parts[0], callee.text);
      if (object && object->type != nullptr && has(entry.on, object->type->name))
        return Effect{.kind = Effect::begin, .identity = object->identity, .pool = object->pool};
      if (!object && !entry.ambient.empty())
        return Effect{.kind = Effect::begin, .identity = fmt::format("ambient:{}*", entry.ambient)};
      if (!object && !dotted(callee.parts[0]).empty() &&
          definition_of(project_, callee.parts[0], scope_).kind != Definition::external)
        return Effect{.kind = Effect::begin,
                      .identity = fmt::format("name:{}:{}:{}", ref_.file, ref_.index, dotted(callee.parts[0]))};
    }
    return std::nullopt;
  }

  /// The transaction that is open inside a block over the value.
  std::optional<Effect> transaction_block(const Value& value) {
    const Value& written = value.is(ValueKind::call) ? value.parts[0] : value;
    const std::string name = external_name(project_, written, scope_);
    for (const ApiTransaction& entry : apis_.transactions)
      if (!name.empty() && !entry.outside && has_glob(entry.names, name))
        return Effect{.kind = Effect::begin, .identity = fmt::format("ambient:{}*", entry.ambient)};
    if (apis_.own_members && value.is(ValueKind::call) && !targets_of(project_, written, scope_).empty())
      return own_block(value, written);
    const Value callee = on_own_object(project_, written, scope_);
    if (value.is(ValueKind::call) && callee.is(ValueKind::member))
      if (auto begin = transaction_on(callee))
        return begin;
    if (auto begin = begun_by(value))
      return begin;
    return value.is(ValueKind::call) ? own_block(value, written) : std::nullopt;
  }

  /// A block of the project's own that is inside a transaction when it yields.
  std::optional<Effect> own_block(const Value& value, const Value& callee) {
    if (value.is(ValueKind::call))
      for (const auto& [target, confidence] : targets_of(project_, callee, scope_))
        if (project_.routine(target).generator && yields_inside(target))
          return Effect{.kind = Effect::begin, .identity = "*"};
    return std::nullopt;
  }

  /// `engine.begin()`: the call gives a session that is inside a transaction.
  std::optional<Effect> begun_by(const Value& value) {
    if (!value.is(ValueKind::call) || !value.parts[0].is(ValueKind::member) ||
        std::none_of(apis_.gives.begin(), apis_.gives.end(), [&](const ApiGives& gives) {
          return gives.transaction && has(gives.methods, value.parts[0].text);
        }))
      return std::nullopt;
    // What runs a function with its transaction has ended it when it returns.
    if (std::any_of(value.parts.begin() + 1, value.parts.end(),
                    [](const Value& argument) { return argument.is(ValueKind::function); }))
      return std::nullopt;
    const auto given = typed(value);
    if (!given || !given->transaction)
      return std::nullopt;
    return Effect{.kind = Effect::begin, .identity = given->identity, .pool = given->pool};
  }

  bool yields_inside(RoutineRef target) {
    const Routine& routine = project_.routine(target);
    const Scope inner{target.file, target.index};
    bool inside = false;
    for (const Block& block : routine.flow.blocks)
      for (const Event& event : block.events) {
        if (event.kind == EventKind::yield)
          return inside;
        if (event.kind != EventKind::enter)
          continue;
        const Value& callee = event.value.is(ValueKind::call) ? event.value.parts[0] : event.value;
        const std::string name = external_name(project_, callee, inner);
        for (const ApiTransaction& entry : apis_.transactions)
          inside = inside || (!name.empty() && has_glob(entry.names, name)) ||
                   (callee.is(ValueKind::member) && has(entry.methods, callee.text));
      }
    return false;
  }

  /// `with context.autocommit_block():`
  bool outside_block(const Value& value) const {
    if (!value.is(ValueKind::call) || !value.parts[0].is(ValueKind::member))
      return false;
    return std::any_of(apis_.transactions.begin(), apis_.transactions.end(), [&](const ApiTransaction& entry) {
      return entry.outside && has(entry.methods, value.parts[0].text);
    });
  }

  void enter(const Event& event) {
    if (outside_block(event.value))
      return put(event, {.kind = Effect::suspend, .identity = "*"});
    if (auto begin = transaction_block(event.value)) {
      begin->scoped = true;
      put(event, std::move(*begin));
    }
  }

  void leave(const Event& event) {
    if (outside_block(event.value))
      return put(event, {.kind = Effect::resume, .identity = "*"});
    if (const auto begin = transaction_block(event.value)) {
      put(event, {.kind = Effect::commit, .identity = begin->identity, .scoped = true});
      if (begin->identity != "*" && !begun_by(event.value))
        return;
    }
    auto object = typed(event.value);
    if (!object)
      return;
    switch (object->leave) {
    case ApiLeave::close: return put(event, {.kind = Effect::close, .identity = object->identity});
    case ApiLeave::give_back:
      return put(event, {.kind = Effect::give_back, .identity = object->identity, .on_return = object->on_return});
    case ApiLeave::commit: return put(event, {.kind = Effect::commit, .identity = object->identity});
    case ApiLeave::nothing: return;
    }
  }

  /// A helper that only releases does it for its caller.
  void helper(const Event& event, const Value& callee) {
    for (const auto& [target, confidence] : targets_of(project_, callee, scope_))
      if (const auto helper = helpers_.find(target); helper != helpers_.end() && confidence == Confidence::certain)
        for (LockId id : helper->second)
          put(event, {.kind = Effect::release, .id = id, .identity = "*"});
  }

  const std::map<RoutineRef, std::vector<LockId>>& helpers_;
  LinkedProject& project_;
  const Apis& apis_;
  RoutineRef ref_;
  Scope scope_;
  const Routine& routine_;
  std::map<std::pair<Span, EventKind>, std::vector<Effect>>& effects_;
  std::vector<Span> entered_;
};

} // namespace

void collect_effects(ProjectFacts& facts) {
  std::map<RoutineRef, std::vector<LockId>> helpers;
  for (const LockRelease& release : facts.releases)
    if (facts.routine(release.routine).span.contains(release.span)) // not a text that some caller hands in
      helpers[release.routine].push_back(release.id);
  for (const LockCall& lock : facts.locks)
    helpers.erase(lock.routine);
  for (const FileFacts& file : facts.linked->files)
    if (const Apis* apis = apis_of(file.language))
      for (std::uint32_t i = 0; i < file.routines.size(); ++i)
        if (const RoutineForm form = file.routines[i].form;
            form == RoutineForm::file || form == RoutineForm::function || form == RoutineForm::anonymous)
          Effects(facts, {file.file, i}, *apis, helpers).run();
}

} // namespace padlint
