#include "analyzer/facts/class_scope.h"
#include "analyzer/facts/typing.h"

#include <fmt/format.h>

#include <algorithm>

// What a call gives: the library tells it of its functions and methods, the project of its own routines and classes.

namespace padlint {
namespace {

Step step(std::string text, Span span, Confidence confidence = Confidence::certain) {
  return {.text = std::move(text), .span = span, .confidence = confidence};
}

const Value* entry_named(const Value& map, std::string_view label) {
  const auto found =
      std::find_if(map.parts.begin(), map.parts.end(), [&](const Value& part) { return part.label == label; });
  return map.is(ValueKind::map) && found != map.parts.end() ? &*found : nullptr;
}

/// A map, with the place where its names are to be understood.
using PlacedMap = std::optional<std::pair<Value, Scope>>;

PlacedMap map_at(const LinkedProject& project, const Value& value, Scope scope) {
  const Value known = fold(project, value, scope);
  return known.is(ValueKind::map) ? PlacedMap({known, scope}) : std::nullopt;
}

/// The entry of a map of profiles that a key picks which only the run knows: production, or the only one. The map may
/// be a module.
PlacedMap profile_of(const LinkedProject& project, const Value& profiles, Scope scope, int depth = 0) {
  constexpr int max_hops = 6;
  constexpr std::string_view decides = "production";
  if (profiles.is(ValueKind::map)) {
    const Value* entry = profiles.parts.size() == 1 ? &profiles.parts[0] : entry_named(profiles, decides);
    return entry == nullptr ? std::nullopt : map_at(project, *entry, scope);
  }
  const Definition found = definition_of(project, profiles, scope);
  if (found.kind == Definition::bindings && found.bound.size() == 1 && depth < max_hops)
    return profile_of(project, found.bound[0]->value, {found.scope.file, found.bound[0]->routine}, depth + 1);
  if (found.kind != Definition::module)
    return std::nullopt;
  const Scope inside{found.scope.file, 0};
  PlacedMap only;
  for (const Binding& binding : project.file(inside.file).routines[0].bindings) {
    PlacedMap entry = map_at(project, binding.value, inside);
    if (binding.name == decides && entry)
      return entry;
    const bool member = binding.name.contains('.'); // the module as a whole
    if (entry && !member && only)
      return std::nullopt;
    if (entry && !member)
      only = std::move(entry);
  }
  return only;
}

} // namespace

Value spread_out(const LinkedProject& project, const Value& call, Scope scope) {
  Value out = call;
  const Apis* apis = project.apis(scope.file);
  const auto add = [&](const Value& map, Scope where, auto&& self, int depth) -> void {
    for (const Value& entry : map.parts) {
      if (entry.is(ValueKind::spread) && !entry.parts.empty() && depth < 4) {
        if (const PlacedMap inner = map_at(project, entry.parts[0], where))
          self(inner->first, inner->second, self, depth + 1);
      } else if (!entry.label.empty()) {
        out.parts.push_back(entry);
      }
    }
  };
  for (std::size_t i = 1; i < call.parts.size(); ++i) {
    const Value& part = call.parts[i];
    const bool spread = part.is(ValueKind::spread) && !part.parts.empty();
    if (!spread && (apis == nullptr || !apis->map_arguments))
      continue;
    PlacedMap map;
    if (part.is(ValueKind::map) || part.is(ValueKind::index) || part.is(ValueKind::name) ||
        part.is(ValueKind::member) || spread)
      map = map_at(project, spread ? part.parts[0] : part, scope);
    if (!map && part.is(ValueKind::index) && !fold(project, part.parts[1], scope).is(ValueKind::text))
      map = profile_of(project, part.parts[0], scope);
    if (map)
      add(map->first, map->second, add, 0);
  }
  return out;
}

/// What a call without arguments reads, where members are read by calls.
std::optional<Typed> Types::of_accessor(const Value& callee, Scope scope, std::string_view method) {
  if (callee.is(ValueKind::name))
    if (const Class* owner = class_around(project_, callee.span))
      if (const Value own = make_member(make_name("self", callee.span), callee.text, callee.span);
          !field_bindings(project_, scope.file, *owner, callee.text).empty())
        return of_field(scope.file, *owner, own, scope, method);
  return inner(callee, scope, method);
}

/// The profile that the class on which a method is called has chosen.
std::string Types::profile_on(const Value& callee, Scope scope) const {
  if (!apis_->own_members || !callee.is(ValueKind::member))
    return {};
  if (const Class* owner = own_class(project_, callee.parts[0], scope))
    return chosen_profile(project_, scope.file, *owner);
  const Definition found = definition_of(project_, callee.parts[0], scope);
  return found.kind == Definition::type ? chosen_profile(project_, found.scope.file, *found.type_definition)
                                        : std::string();
}

std::optional<Typed> Types::of_call(const Value& written, Scope scope, std::string_view method) {
  if (apis_->own_members)
    if (const Class* owner = own_class(project_, written, scope)) // self.class
      return of_class(scope.file, *owner, written.span);
  const Value call = spread_out(project_, written, scope);
  const Value callee = on_own_object(project_, call.parts[0], scope);
  const std::string name = position_ == 0 ? external_name(project_, callee, scope) : std::string();
  if (!name.empty()) {
    if (auto typed = object(name, call.span, profile_on(callee, scope)))
      return typed;
    for (const ApiGives& gives : apis_->gives)
      if (has_glob(gives.names, name))
        return build(gives, call, scope, std::nullopt);
  }
  if (callee.is(ValueKind::member)) {
    auto receiver = inner(callee.parts[0], scope, callee.text);
    if (!receiver) // a static method: what a class has from the library is the library's
      if (const Definition found = definition_of(project_, callee.parts[0], scope); found.kind == Definition::type)
        receiver = instance(found.scope.file, *found.type_definition);
    if (receiver) {
      if (receiver->type != nullptr)
        for (const ApiGives& gives : apis_->gives)
          if (position_ == 0 && has(gives.on, receiver->type->name) && has(gives.methods, callee.text))
            return build(gives, call, scope, receiver);
      if (receiver->instance_of != nullptr)
        if (auto known = method_of(project_, receiver->instance_file, *receiver->instance_of, callee.text))
          return of_routine(*known, call.span);
      if (receiver->type != nullptr && !receiver->guessed)
        return std::nullopt;
    }
  }
  Definition found = definition_of(project_, callee, scope);
  if (callee.is(ValueKind::member) && has(apis_->instantiators, callee.text)) {
    if (const Class* own = own_class(project_, callee.parts[0], scope))
      found = {.kind = Definition::type, .scope = {scope.file, 0}, .type_definition = own};
    else if (const Definition made = definition_of(project_, callee.parts[0], scope); made.kind == Definition::type)
      found = made;
  }
  if (found.kind == Definition::type) {
    Typed typed = instance(found.scope.file, *found.type_definition);
    typed.identity = identity_of(call.span);
    return typed;
  }
  for (const auto& [target, confidence] : targets_of(project_, callee, scope, depth_ + 1))
    if (auto typed = of_routine(target, call.span)) {
      typed->confidence = weaker(typed->confidence, confidence);
      return typed;
    }
  if (apis_->accessors)
    return call.parts.size() == 1 ? of_accessor(call.parts[0], scope, method) : std::nullopt;
  if (found.kind == Definition::bindings || found.kind == Definition::none)
    if (auto maker = inner(callee, scope))
      if (maker->type != nullptr)
        for (const ApiGives& gives : apis_->gives)
          if (has(gives.on, maker->type->name) && has(gives.methods, "()"))
            return build(gives, call, scope, maker);
  return std::nullopt;
}

std::optional<Typed> Types::of_routine(RoutineRef ref, Span call) {
  const Routine& routine = project_.routine(ref);
  const Scope scope{ref.file, ref.index};
  std::optional<Typed> typed;
  if (routine.generator)
    for (const Block& block : routine.flow.blocks)
      for (const Event& event : block.events)
        if (event.kind == EventKind::yield && !typed)
          typed = inner(event.value, scope);
  const auto asked_for = [&](const Value& results) -> const Value& {
    return apis_->packages && results.is(ValueKind::list) && position_ < results.parts.size() ? results.parts[position_]
                                                                                              : results;
  };
  for (const Value& value : routine.returns)
    if (const Value& one = asked_for(value); !typed && !one.is(ValueKind::null))
      typed = inner(one, scope);
  if (!typed) {
    typed = declared(asked_for(routine.result_type), scope);
    if (typed && typed->identity.empty())
      typed->identity = identity_of(call);
  }
  if (typed && made_inside(*typed, routine)) {
    typed->identity = identity_of(call);
    if (routine.generator) {
      // The block's end is the generator's: it closes or gives back what it took.
      typed->leave = typed->pool.empty() ? ApiLeave::close : ApiLeave::give_back;
      typed->fresh = false;
    }
  }
  return typed;
}

bool Types::made_inside(const Typed& typed, const Routine& routine) {
  if (typed.kind == ApiKind::factory || typed.kind == ApiKind::pool || !typed.identity.starts_with('@'))
    return false;
  const std::size_t colon = typed.identity.find(':');
  const auto file = static_cast<FileId>(std::stoul(typed.identity.substr(1, colon - 1)));
  const auto begin = static_cast<std::uint32_t>(std::stoul(typed.identity.substr(colon + 1)));
  return file == routine.span.file && routine.span.begin <= begin && begin < routine.span.end &&
         routine.form != RoutineForm::file;
}

std::optional<Typed> Types::build(const ApiGives& gives, const Value& call, Scope scope,
                                  std::optional<Typed> receiver) {
  const ApiType* type = gives.type.empty() ? nullptr : apis_->type(gives.type);
  Typed typed;
  std::optional<Typed> source = std::move(receiver);
  if (gives.source.given())
    if (const Value* value = find_argument(call, gives.source); value != nullptr)
      source = inner(*value, scope);
  switch (gives.relation) {
  case ApiRelation::fresh:
    typed.identity = identity_of(call.span);
    typed.origin = typed.identity;
    typed.fresh = true;
    break;
  case ApiRelation::same:
    if (source) {
      typed = *source;
      if (type != nullptr) // a cursor's end is not its connection's
        typed.leave = ApiLeave::nothing;
    } else {
      typed.identity = identity_of(call.span);
    }
    break;
  case ApiRelation::argument:
    if (!source && type == nullptr)
      return std::nullopt;
    if (!source) {
      typed.identity = identity_of(call.span);
      typed.pool = "?" + typed.identity;
    } else if (source->kind == ApiKind::connection || type == nullptr || type->kind == ApiKind::factory) {
      typed = *source;
    } else {
      check_out(typed, *source, call);
    }
    break;
  case ApiRelation::checkout:
    if (source)
      check_out(typed, *source, call);
    else
      typed.identity = identity_of(call.span);
    break;
  }
  const bool bound_to_connection =
      gives.relation == ApiRelation::argument && source && source->kind == ApiKind::connection;
  if (type != nullptr) {
    const ApiKind kind = typed.kind;
    set_type(typed, type);
    if (bound_to_connection)
      typed.kind = kind; // a session over a connection keeps it
    if (!source || gives.relation == ApiRelation::fresh)
      typed.autocommit = type->autocommit ? Answer::yes : Answer::no;
    if (source && source->type != nullptr && source->on_return != OnReturn::unknown)
      typed.on_return = source->on_return;
    typed.steps.push_back(
        step(fmt::format("`{}` gives a `{}`",
                         dotted(call.parts[0]).empty() ? std::string("the call") : dotted(call.parts[0]), type->name),
             call.span));
  }
  typed.leave = gives.leave == ApiLeave::nothing ? typed.leave : gives.leave;
  if (bound_to_connection)
    typed.leave = ApiLeave::nothing;
  for (const ApiSwitch& option : gives.autocommit)
    if (const auto answer = switched(project_, option, call, scope))
      typed.autocommit = *answer;
  for (const ApiSwitch& option : gives.closing)
    if (switched(project_, option, call, scope) == std::optional(Answer::yes))
      typed.on_return = OnReturn::closes;
  for (const ApiSwitch& option : gives.single)
    typed.single = typed.single || switched(project_, option, call, scope) == std::optional(Answer::yes);
  typed.transaction = typed.transaction || (gives.transaction && typed.autocommit != Answer::yes);
  for (const ApiArgument& wanted : gives.pool_size) {
    const Value* size = find_argument(call, wanted);
    if (size == nullptr)
      continue;
    const Value whole = fold(project_, *size, scope);
    const Value* entry = wanted.inside.empty() ? &whole : entry_named(whole, wanted.inside);
    const Value known = entry == nullptr ? make_opaque(size->span) : *entry;
    if (entry == nullptr && whole.is(ValueKind::map)) {
      // the map says nothing of it: the library's default
    } else if (known.is(ValueKind::integer))
      typed.pool_size = static_cast<int>(std::clamp<std::int64_t>(known.number, 0, 1'000'000));
    else
      typed.pool_size_unresolved = true;
  }
  if (const Value* url = find_argument(call, gives.endpoint))
    typed.endpoints = endpoints_of(project_, *url, scope);
  std::vector<EndpointPart> parts;
  for (const auto& [keyword, part] : gives.endpoint_parts)
    if (const Value* value = argument(call, -1, keyword))
      parts.push_back({part, *value});
  auto separate = endpoints_of_parts(project_, parts, scope, call.span);
  typed.endpoints.insert(typed.endpoints.end(), separate.begin(), separate.end());
  return typed;
}

void Types::check_out(Typed& typed, const Typed& source, const Value& call) {
  typed = source;
  typed.pool = source.identity;
  typed.origin.clear();
  typed.identity = identity_of(call.span);
  typed.fresh = false;
  typed.from_caller = false;
  typed.leave = ApiLeave::nothing;
  if (typed.autocommit == Answer::unknown && source.type != nullptr && source.guessed)
    typed.autocommit = Answer::unknown;
}

} // namespace padlint
