#include "analyzer/facts/typing.h"

#include <fmt/format.h>

#include <algorithm>

// The type of an expression, when it is a database object: by its innermost binding, the declared type, the
// initialiser, the arguments of known callers, and last by its name. Two calls use one session exactly when their
// objects have one identity: the place where the connection was opened or taken, the parameter, the field, or the
// library's own ambient connection.

namespace padlint {
namespace {

constexpr int max_depth = 14;

Step step(std::string text, Span span, Confidence confidence = Confidence::certain) {
  return {.text = std::move(text), .span = span, .confidence = confidence};
}

} // namespace

std::string identity_of(Span span) { return fmt::format("@{}:{}-{}", span.file, span.begin, span.end); }

std::optional<Typed> Types::of(const Value& value, Scope scope, std::string_view method) {
  const Apis* apis = project_.apis(scope.file);
  if (apis == nullptr || depth_ > max_depth)
    return std::nullopt;
  apis_ = apis;
  switch (value.kind) {
  case ValueKind::name: return of_name(value, scope, method);
  case ValueKind::member: return of_member(value, scope, method);
  case ValueKind::index: return of_index(value, scope, method);
  case ValueKind::call: return of_call(value, scope);
  case ValueKind::choice:
  case ValueKind::operation: // `conn or connect()`
    if (value.is(ValueKind::choice) || value.text == "or")
      for (const Value& part : value.parts)
        if (auto found = inner(part, scope, method))
          return found;
    return std::nullopt;
  default: return std::nullopt;
  }
}

std::optional<Typed> Types::inner(const Value& value, Scope scope, std::string_view method) {
  return type_of(project_, value, scope, method, depth_ + 1);
}

std::optional<Typed> Types::declared(const Value& type, Scope scope) {
  if (type.is(ValueKind::opaque))
    return std::nullopt;
  const Value* bare = &type;
  // Optional[X], Annotated[X, ...], X | None
  if (type.is(ValueKind::index) && has(apis_->optional_types, last_part(dotted(type.parts[0])))) {
    const Value& key = type.parts[1];
    for (const Value& part : key.is(ValueKind::list) ? key.parts : std::vector<Value>{key})
      if (auto found = declared(part, scope))
        return found;
    return std::nullopt;
  }
  if (type.is(ValueKind::operation) && type.text == "|") {
    for (const Value& part : type.parts)
      if (auto found = declared(part, scope))
        return found;
    return std::nullopt;
  }
  if (type.is(ValueKind::index)) // Pool[Record]
    bare = &type.parts[0];
  if (bare->is(ValueKind::text)) { // a type written as text
    Value name = make_name(bare->text, bare->span);
    if (std::size_t dot = bare->text.rfind('.'); dot != std::string::npos)
      name = make_member(make_name(bare->text.substr(0, dot), bare->span), bare->text.substr(dot + 1), bare->span);
    return declared_name(name, scope);
  }
  return declared_name(*bare, scope);
}

std::optional<Typed> Types::declared_name(const Value& name, Scope scope) {
  const Definition found = definition_of(project_, name, scope);
  Typed typed;
  if (found.kind == Definition::type) {
    typed.instance_of = found.type_definition;
    typed.instance_file = found.scope.file;
    return typed;
  }
  if (found.kind == Definition::bindings) { // an alias made of types: SessionDep = Annotated[Session, ...]
    for (const Binding* binding : found.bound)
      if (binding->value.is(ValueKind::index))
        return depth_ < max_depth ? Types(project_, depth_ + 1).with(*this).declared(binding->value, found.scope)
                                  : std::nullopt;
    return std::nullopt;
  }
  const std::string qualified = external_name(project_, name, scope);
  const ApiType* type = qualified.empty() ? nullptr : apis_->type(qualified);
  if (type == nullptr)
    return std::nullopt;
  typed.type = type;
  typed.kind = type->kind;
  typed.on_return = type->on_return;
  typed.autocommit = type->autocommit ? Answer::yes : Answer::no;
  typed.steps.push_back(step(fmt::format("declared as `{}`", qualified), name.span));
  return typed;
}

std::string Types::last_part(const std::string& name) {
  const std::size_t dot = name.rfind('.');
  return dot == std::string::npos ? name : name.substr(dot + 1);
}

std::optional<Typed> Types::of_binding(const Binding& binding, Scope scope, std::string_view method) {
  if (binding.role == BindingRole::iterated || binding.role == BindingRole::caught)
    return std::nullopt;
  std::optional<Typed> typed = inner(binding.value, scope, method);
  if (!typed)
    if (typed = declared(binding.type, scope); typed && typed->identity.empty())
      typed->identity = identity_of(binding.span);
  if (typed && binding.role == BindingRole::scoped)
    typed->steps.push_back(step(fmt::format("`{}` is bound here", binding.name), binding.span));
  return typed;
}

std::optional<Typed> Types::of_name(const Value& value, Scope scope, std::string_view method) {
  const Definition found = look_up(project_, scope, value.text);
  if (found.kind == Definition::bindings) {
    if (auto typed = of_bindings(nearest_first(found, value.span), method))
      return typed;
    // A global that a function of the file fills in.
    if (found.scope.routine == 0)
      if (auto typed = of_global(found.scope.file, value.text, method))
        return typed;
    // A parameter that is bound anew in some branch.
    const Routine& routine = project_.file(found.scope.file).routines[found.scope.routine];
    for (std::uint32_t i = 0; i < routine.parameters.size(); ++i)
      if (routine.parameters[i].name == value.text)
        return of_parameter({found.scope.file, found.scope.routine}, i, value, method);
  }
  if (found.kind == Definition::parameter)
    return of_parameter(found.target, found.parameter_index, value, method);
  if (found.kind == Definition::external)
    if (auto typed = object(found.name, value.span, {}))
      return typed;
  if (found.kind == Definition::routine || found.kind == Definition::type || found.kind == Definition::module)
    return std::nullopt;
  return guess(value.text, value, scope, method);
}

Definition Types::nearest_first(Definition found, Span use) {
  std::stable_sort(found.bound.begin(), found.bound.end(), [&](const Binding* a, const Binding* b) {
    const bool a_before = a->span.file == use.file && a->span.begin <= use.begin;
    const bool b_before = b->span.file == use.file && b->span.begin <= use.begin;
    return a_before != b_before ? a_before : a_before ? a->span.begin > b->span.begin : a->span.begin < b->span.begin;
  });
  return found;
}

std::optional<Typed> Types::of_bindings(const Definition& found, std::string_view method) {
  for (const Binding* binding : found.bound) {
    if (binding->value.is(ValueKind::null))
      continue;
    if (auto typed = of_binding(*binding, {found.scope.file, binding->routine}, method))
      return typed;
  }
  return std::nullopt;
}

std::optional<Typed> Types::of_global(FileId file, const std::string& name, std::string_view method) {
  for (const Routine& routine : project_.file(file).routines)
    for (const Binding& binding : routine.bindings)
      if (binding.name == name && binding.role == BindingRole::assigned && binding.routine != 0)
        if (auto typed = of_binding(binding, {file, binding.routine}, method)) {
          typed->identity = fmt::format("global:{}:{}", file, name);
          typed->fresh = false;
          return typed;
        }
  return std::nullopt;
}

std::optional<Typed> Types::of_parameter(RoutineRef ref, std::uint32_t index, const Value& name,
                                         std::string_view method) {
  const Routine& routine = project_.routine(ref);
  const Parameter& parameter = routine.parameters[index];
  const Scope scope{ref.file, ref.index};
  std::optional<Typed> typed = declared(parameter.type, scope);
  const std::optional<Typed> passed = passed_to(ref, index);
  if (passed && (!typed || (typed->type == passed->type && typed->type != nullptr))) {
    typed = passed;
    typed->steps.push_back(step(fmt::format("`{}` is what the callers pass", parameter.name), parameter.span));
  }
  if (!typed && parameter.initial.is(ValueKind::call) && parameter.initial.parts.size() > 1)
    typed = provided(parameter.initial.parts[1], scope); // a dependency: Depends(get_session)
  if (!typed)
    typed = guess(parameter.name, name, scope, method);
  if (!typed)
    return std::nullopt;
  if (typed->kind == ApiKind::connection || typed->kind == ApiKind::session || typed->kind == ApiKind::cursor) {
    // Its transaction, and mostly its autocommit, are the callers' doing.
    typed->identity = fmt::format("param:{}:{}:{}", ref.file, ref.index, parameter.name);
    typed->from_caller = true;
    typed->fresh = false;
    typed->transaction = false;
    typed->leave = ApiLeave::nothing;
    if (typed->autocommit == Answer::no && typed->kind != ApiKind::session)
      typed->autocommit = Answer::unknown;
  } else if (typed->identity.empty()) {
    typed->identity = fmt::format("param:{}:{}:{}", ref.file, ref.index, parameter.name);
  }
  return typed;
}

std::optional<Typed> Types::provided(const Value& provider, Scope scope) {
  const Definition found = definition_of(project_, provider, scope);
  return found.kind == Definition::routine ? of_routine(found.target, provider.span) : std::nullopt;
}

std::optional<Typed> Types::passed_to(RoutineRef ref, std::uint32_t index) {
  std::optional<Typed> agreed;
  for (const auto& [value, scope] : arguments_for(project_, ref, index)) {
    std::optional<Typed> typed = inner(value, scope);
    if (!typed)
      continue;
    if (agreed && (agreed->type != typed->type || agreed->instance_of != typed->instance_of))
      return std::nullopt;
    if (!agreed)
      agreed = typed;
    else
      agreed->endpoints.insert(agreed->endpoints.end(), typed->endpoints.begin(), typed->endpoints.end());
  }
  return agreed;
}

std::optional<Typed> Types::of_member(const Value& value, Scope scope, std::string_view method) {
  const Value& object_value = value.parts[0];
  if (const Class* owner = own_class(project_, object_value, scope))
    return of_field(scope.file, *owner, value, scope, method);
  const Definition found = definition_of(project_, value, scope);
  if (found.kind == Definition::bindings) {
    if (auto typed = of_bindings(found, method))
      return typed;
    if (found.scope.routine == 0)
      if (auto typed = of_global(found.scope.file, value.text, method))
        return typed;
  }
  if (found.kind == Definition::external)
    if (auto typed = object(found.name, value.span, {}))
      return typed;
  if (found.kind == Definition::routine || found.kind == Definition::type || found.kind == Definition::module)
    return std::nullopt;
  if (auto owner = inner(object_value, scope, value.text)) {
    if (owner->instance_of != nullptr)
      return of_field(owner->instance_file, *owner->instance_of, value, scope, method);
    if (owner->type != nullptr)
      for (const ApiObject& candidate : apis_->objects)
        if (has(candidate.on, owner->type->name) && has(candidate.members, value.text)) {
          Typed typed = *owner;
          set_type(typed, apis_->type(candidate.type));
          typed.autocommit = typed.type->autocommit ? Answer::yes : Answer::no;
          typed.from_caller = false;
          if (typed.identity.empty())
            typed.identity = identity_of(value.span);
          typed.identity += "." + value.text;
          return typed;
        }
  }
  return guess(value.text, value, scope, method);
}

std::optional<Typed> Types::of_field(FileId file, const Class& owner, const Value& value, Scope scope,
                                     std::string_view method) {
  std::optional<Typed> typed;
  for (const auto& [field_scope, binding] : field_bindings(project_, file, owner, value.text)) {
    if (binding->value.is(ValueKind::null))
      continue;
    typed = of_binding(*binding, field_scope, method);
    if (typed)
      break;
  }
  // A property.
  if (!typed)
    if (auto getter = method_of(project_, file, owner, value.text))
      typed = of_routine(*getter, value.span);
  if (!typed)
    return guess(value.text, value, scope, method);
  if (typed->kind != ApiKind::factory && typed->kind != ApiKind::pool) {
    typed->from_caller = typed->from_caller || typed->fresh;
    typed->fresh = false;
    typed->leave = ApiLeave::nothing;
  }
  if (!typed->ambient())
    typed->identity = fmt::format("field:{}:{}.{}", file, owner.name, value.text);
  return typed;
}

std::optional<Typed> Types::of_index(const Value& value, Scope scope, std::string_view method) {
  const Value key = fold(project_, value.parts[1], scope);
  const std::string name = external_name(project_, value.parts[0], scope);
  for (const ApiObject& candidate : apis_->objects)
    if (candidate.indexed && candidate.name == name)
      return object(name, value.span, key.is(ValueKind::text) ? key.text : std::string("?"));
  if (!key.is(ValueKind::text))
    return std::nullopt;
  // A slot of a map that some routine of the file fills in: `_state["pool"] = ...`.
  const std::string slot = fmt::format("{}[\"{}\"]", dotted(value.parts[0]), key.text);
  if (auto typed = of_global(scope.file, slot, method))
    return typed;
  return guess(key.text, value, scope, method);
}

std::optional<Typed> Types::object(std::string_view name, Span span, const std::string& profile) {
  for (const ApiObject& candidate : apis_->objects) {
    if (candidate.name != name)
      continue;
    Typed typed;
    set_type(typed, apis_->type(candidate.type));
    typed.autocommit = typed.type->autocommit ? Answer::yes : Answer::no;
    typed.from_caller = typed.type->ambient;
    typed.identity = fmt::format("ambient:{}", typed.type->name);
    for (const ApiSettings& settings : apis_->settings)
      if (settings.type == candidate.type) {
        const std::string chosen = profile.empty() ? settings.default_profile : profile;
        typed.identity += ":" + chosen;
        typed.endpoints = profile_endpoints(project_, settings, chosen, span.file);
      }
    typed.steps.push_back(step(fmt::format("`{}` is the library's own connection", name), span));
    return typed;
  }
  return std::nullopt;
}

void Types::set_type(Typed& typed, const ApiType* type) {
  typed.type = type;
  typed.kind = type->kind;
  if (type->on_return != OnReturn::unknown)
    typed.on_return = type->on_return;
}

std::optional<Typed> type_of(const LinkedProject& project, const Value& value, Scope scope, std::string_view method,
                             int depth) {
  Caches::TypeKey key{
      .span = value.span, .kind = value.kind, .text = value.text, .scope = scope, .method = std::string(method)};
  const auto [entry, fresh] = project.caches.types.try_emplace(std::move(key));
  if (!fresh && (!entry->second.done || entry->second.typed || depth >= entry->second.depth))
    return entry->second.typed; // known, or under way further out
  entry->second.done = false;
  std::optional<Typed> typed = Types(project, depth).of(value, scope, method);
  if (typed && !typed->identity.empty())
    if (auto option = project.autocommit_options.find(typed->identity); option != project.autocommit_options.end())
      typed->autocommit = option->second;
  entry->second = {.done = true, .depth = depth, .typed = typed};
  return typed;
}

} // namespace padlint
