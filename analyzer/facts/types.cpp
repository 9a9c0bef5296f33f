#include "analyzer/facts/class_scope.h"
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

/// Whether a map that is written in the program has the method: `const pool = { query(text) { ... } }`.
bool has_own_method(const Definition& found, std::string_view method) {
  return std::ranges::any_of(found.bound, [&](const Binding* binding) {
    return binding->value.is(ValueKind::map) &&
           std::ranges::any_of(binding->value.parts, [&](const Value& entry) { return entry.label == method; });
  });
}

/// Whether a type of which only the name is known may be that of a transaction.
bool open_type(const Apis& apis, const Value& type) {
  return has_glob(apis.open_types, type.text) ||
         std::ranges::any_of(type.parts, [&](const Value& part) { return open_type(apis, part); });
}

/// Whether one stands for a pool and the other for a connection, or one alone for a transaction.
bool different_handles(const Typed& one, const Typed& other) {
  return one.type != nullptr && other.type != nullptr &&
         (lends(one) != lends(other) || one.transaction != other.transaction);
}

/// Whether a parameter of a general type has the name of a plain pool. A general type with names of its own goes by
/// them as a transaction, too.
bool named_as_pool(const Apis& apis, const ApiType& general, std::string_view name) {
  return general.receiver_names.empty() && std::any_of(apis.types.begin(), apis.types.end(), [&](const ApiType& type) {
           return type.kind == ApiKind::pool && !type.general && has_glob(type.receiver_names, name);
         });
}

} // namespace

std::string ambient_identity(const ApiType& type) {
  return fmt::format("ambient:{}", type.session.empty() ? type.name : type.session);
}

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
  case ValueKind::call: return of_call(value, scope, method);
  case ValueKind::operation:
    if (value.text == "as" && value.parts.size() == 2)
      return of_cast(value, scope, method);
    if (value.text == "&" && value.parts.size() == 1) // the place of an object
      return inner(value.parts[0], scope, method);
    [[fallthrough]];
  case ValueKind::choice: return of_alternatives(value, scope, method);
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
    for (const Value& part : key.is(ValueKind::list) ? key.parts : SharedList<Value>{key})
      if (auto found = declared(part, scope))
        return found;
    return std::nullopt;
  }
  if (type.is(ValueKind::operation) && (type.text == "|" || type.text == "&")) {
    std::optional<Typed> first;
    for (const Value& part : type.parts) {
      auto found = declared(part, scope);
      if (first && found && type.text == "|" && different_handles(*first, *found)) { // anything with these methods
        first->kind = ApiKind::other;
        first->transaction = false;
      } else if (!first) {
        first = found;
      }
    }
    return first;
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
  if (found.kind == Definition::type)
    return instance(found.scope.file, *found.type_definition);
  if (found.kind == Definition::bindings) { // an alias made of types: SessionDep = Annotated[Session, ...]
    for (const Binding* binding : found.bound) {
      const Value& value = binding->value;
      const bool type_like = value.is(ValueKind::index) || value.is(ValueKind::name) || value.is(ValueKind::member) ||
                             (value.is(ValueKind::operation) && (value.text == "|" || value.text == "&"));
      if (type_like && depth_ < max_depth && !(value.is(ValueKind::name) && value.text == name.text))
        return Types(project_, depth_ + 1).with(*this).declared(value, found.scope);
    }
    return found.bound.size() == 1 && found.bound[0]->value.is(ValueKind::call)
               ? of_binding(*found.bound[0], {found.scope.file, found.bound[0]->routine}, {})
               : std::nullopt; // the type of a value
  }
  const std::string qualified = external_name(project_, name, scope);
  const ApiType* type = qualified.empty() ? nullptr : apis_->type(qualified);
  if (type == nullptr)
    return std::nullopt;
  set_type(typed, type);
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
  if (typed && typed->guessed && open_type(*apis_, binding.type)) {
    typed->kind = ApiKind::other;
    typed->from_caller = true;
  }
  if (typed && binding.role == BindingRole::scoped)
    typed->steps.push_back(step(fmt::format("`{}` is bound here", binding.name), binding.span));
  return typed;
}

std::optional<Typed> Types::of_name(const Value& value, Scope scope, std::string_view method) {
  const Class* own = own_class(project_, value, scope);
  if (own != nullptr && apis_->own_members)
    if (auto typed = of_class(scope.file, *own, value.span))
      return typed;
  if (own != nullptr) {
    Typed typed = instance(scope.file, *own);
    typed.identity = fmt::format("object:{}:{}", scope.file, own->name);
    return typed;
  }
  const Definition found = definition_of(project_, value, scope);
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
  if (found.kind == Definition::type && apis_->own_members)
    return of_class(found.scope.file, *found.type_definition, value.span);
  if (found.kind == Definition::routine || found.kind == Definition::type || found.kind == Definition::module)
    return std::nullopt;
  if (found.kind == Definition::bindings && has_own_method(found, method))
    return std::nullopt;
  return guess(value.text, value, scope, method, found.kind == Definition::external);
}

std::optional<Typed> Types::of_class(FileId file, const Class& owner, Span use, int depth, std::string profile) {
  constexpr int max_bases = 8;
  if (depth == 0)
    profile = chosen_profile(project_, file, owner);
  for (const auto& [part_file, part] : parts_of(project_, file, owner))
    for (const Value& written : part->bases) {
      const Value& base = written.is(ValueKind::index) ? written.parts[0] : written;
      const Definition found = definition_at(project_, base, {part_file, part->routine}, place_before(*part));
      if (found.kind == Definition::external)
        if (auto typed = object(found.name, use, profile))
          return typed;
      if (found.kind == Definition::type && found.type_definition != &owner && depth < max_bases)
        if (auto typed = of_class(found.scope.file, *found.type_definition, use, depth + 1, profile))
          return typed;
    }
  return std::nullopt;
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
  if (auto lent = lent_to(ref, index))
    return lent;
  std::optional<Typed> typed = declared(parameter.type, scope);
  const std::optional<Typed> passed = passed_to(ref, index);
  // An interface may be implemented by a pool as well as by a transaction: only callers know.
  const bool anything =
      typed && typed->type == nullptr && typed->instance_of != nullptr && typed->instance_of->interface;
  if (anything)
    typed.reset();
  const bool derived = passed && typed && different_handles(*typed, *passed);
  const bool constructor = routine.name == apis_->constructor;
  if (typed && typed->type != nullptr && (derived || (typed->type->general && !passed && !constructor))) {
    typed->from_caller = true;
    if (!derived && named_as_pool(*apis_, *typed->type, parameter.name) &&
        arguments_for(project_, ref, index).empty()) {
      typed->confidence = weaker(typed->confidence, Confidence::likely);
      typed->autocommit = Answer::unknown;
      typed->steps.push_back(step(fmt::format("`{}` is taken for a pool by its name", parameter.name), parameter.span,
                                  Confidence::likely));
    } else {
      typed->kind = ApiKind::other; // a transaction, too, is one
    }
  }
  if (passed && (!typed || (typed->type == passed->type && typed->type != nullptr))) {
    typed = passed;
    typed->steps.push_back(step(fmt::format("`{}` is what the callers pass", parameter.name), parameter.span));
    // Who declares a type that a transaction has as well means to pass one; tests show one way of the two.
    if (open_type(*apis_, parameter.type) && lends(*typed) && (!anything || called_by_tests_alone(project_, ref)))
      typed->kind = ApiKind::other;
  }
  if (!typed && parameter.initial.is(ValueKind::call) && parameter.initial.parts.size() > 1)
    typed = provided(parameter.initial.parts[1], scope); // a dependency: Depends(get_session)
  if (!typed && !anything) {
    typed = guess(parameter.name, name, scope, method);
    const auto standing_in = typed ? inner(parameter.initial, scope, method) : std::nullopt;
    const bool either = standing_in && different_handles(*typed, *standing_in); // `trx = knex`
    if (typed && ((typed->type->general && !constructor) || either || open_type(*apis_, parameter.type)))
      typed->kind = ApiKind::other;
    if (either)
      typed->transaction = false;
  }
  if (!typed)
    return std::nullopt;
  typed->from_caller = typed->from_caller || typed->kind == ApiKind::other;
  if (typed->guessed && typed->ambient())
    return typed;
  if (typed->kind == ApiKind::connection || typed->kind == ApiKind::session || typed->kind == ApiKind::cursor) {
    // Its transaction, and mostly its autocommit, are the callers' doing.
    typed->identity = fmt::format("param:{}:{}:{}", ref.file, ref.index, parameter.name);
    typed->from_caller = true;
    typed->fresh = false;
    typed->transaction = typed->type->transaction;
    typed->leave = ApiLeave::nothing;
    if (typed->autocommit == Answer::no && typed->kind != ApiKind::session)
      typed->autocommit = Answer::unknown;
  } else if (typed->identity.empty()) {
    typed->identity = fmt::format("param:{}:{}:{}", ref.file, ref.index, parameter.name);
  }
  return typed;
}

std::optional<Typed> Types::lent_to(RoutineRef ref, std::uint32_t index) {
  const auto sites = project_.callers.find(ref);
  if (sites == project_.callers.end())
    return std::nullopt;
  for (const std::size_t number : sites->second) {
    const CallSite& site = project_.calls[number];
    if (site.block == nullptr || site.block->parameter != static_cast<int>(index))
      continue;
    const Value& callee = site.handed_to.parts[0];
    const Scope scope{site.caller.file, site.caller.index};
    std::optional<Typed> receiver;
    if (callee.is(ValueKind::member))
      receiver = inner(callee.parts[0], scope, callee.text);
    // A function that is called with what lends it: BeginFunc(ctx, pool, func(tx) ...)
    for (std::size_t i = 1; i < site.handed_to.parts.size() && !receiver &&
                            has_glob(site.block->names, external_name(project_, callee, scope));
         ++i)
      if (receiver = inner(site.handed_to.parts[i], scope); receiver && receiver->type == nullptr)
        receiver.reset();
    const ApiGives gives{
        .type = site.block->type, .relation = site.block->relation, .transaction = site.block->transaction};
    std::optional<Typed> typed = build(gives, site.handed_to, scope, receiver);
    if (typed && typed->kind == ApiKind::other) // a builder of transactions
      return typed;
    if (typed)
      typed->transaction = typed->transaction || site.block->transaction;
    return typed;
  }
  return std::nullopt;
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

void Types::set_type(Typed& typed, const ApiType* type) {
  typed.type = type;
  typed.kind = type->kind;
  typed.transaction = typed.transaction || type->transaction;
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
  if (typed && !typed->origin.empty())
    if (auto limit = project.pool_limits.find(typed->origin); limit != project.pool_limits.end()) {
      typed->pool_size = limit->second;
      typed->pool_size_unresolved = !limit->second;
    }
  // Which of the project's pools it is, nothing tells; one of them has a single connection, mostly for such locks.
  if (typed && typed->kind == ApiKind::pool && typed->origin.empty() &&
      std::any_of(project.pool_limits.begin(), project.pool_limits.end(),
                  [](const auto& limit) { return limit.second == 1; })) {
    typed->confidence = Confidence::possible;
    typed->steps.push_back(step("it may be the project's pool of one connection", value.span, Confidence::possible));
  }
  entry->second = {.done = true, .depth = depth, .typed = typed};
  return typed;
}

} // namespace padlint
