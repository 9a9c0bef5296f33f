#include "analyzer/facts/linked_project.h"

#include <fmt/format.h>

#include <algorithm>

// The type of an expression, when it is a database object: by its innermost binding, the declared type, the
// initialiser, the arguments of known callers, and last by its name. Two calls use one session exactly when their
// objects have one identity: the place where the connection was opened or taken, the parameter, the field, or the
// library's own ambient connection.

namespace padlint {
namespace {

constexpr int max_depth = 14;

bool has(const std::vector<std::string>& list, std::string_view word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

std::string identity_of(Span span) {
  return fmt::format("@{}:{}-{}", span.file, span.begin, span.end);
}

Step step(std::string text, Span span, Confidence confidence = Confidence::certain) {
  return {.text = std::move(text), .span = span, .confidence = confidence};
}

class Types {
public:
  Types(const LinkedProject& project, int depth) : project_(project), depth_(depth) {}

  std::optional<Typed> of(const Value& value, Scope scope, std::string_view method) {
    const Apis* apis = project_.apis(scope.file);
    if (apis == nullptr || depth_ > max_depth)
      return std::nullopt;
    apis_ = apis;
    switch (value.kind) {
    case ValueKind::name:
      return of_name(value, scope, method);
    case ValueKind::member:
      return of_member(value, scope, method);
    case ValueKind::index:
      return of_index(value, scope, method);
    case ValueKind::call:
      return of_call(value, scope);
    case ValueKind::choice:
    case ValueKind::operation: // `conn or connect()`
      if (value.is(ValueKind::choice) || value.text == "or")
        for (const Value& part : value.parts)
          if (auto found = inner(part, scope, method))
            return found;
      return std::nullopt;
    default:
      return std::nullopt;
    }
  }

private:
  std::optional<Typed> inner(const Value& value, Scope scope, std::string_view method = {}) {
    return type_of(project_, value, scope, method, depth_ + 1);
  }

  std::optional<Typed> declared(const Value& type, Scope scope) {
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

  std::optional<Typed> declared_name(const Value& name, Scope scope) {
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
          return depth_ < max_depth ? Types(project_, depth_ + 1).with(*this).declared(binding->value, found.scope) : std::nullopt;
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

  Types& with(const Types& other) {
    apis_ = other.apis_;
    return *this;
  }

  static std::string last_part(const std::string& name) {
    const std::size_t dot = name.rfind('.');
    return dot == std::string::npos ? name : name.substr(dot + 1);
  }

  // ---- names

  std::optional<Typed> of_binding(const Binding& binding, Scope scope, std::string_view method) {
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

  std::optional<Typed> of_name(const Value& value, Scope scope, std::string_view method) {
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

  /// A name that is bound several times means, where it is read, the binding before it; the others come after.
  static Definition nearest_first(Definition found, Span use) {
    std::stable_sort(found.bound.begin(), found.bound.end(), [&](const Binding* a, const Binding* b) {
      const bool a_before = a->span.file == use.file && a->span.begin <= use.begin;
      const bool b_before = b->span.file == use.file && b->span.begin <= use.begin;
      return a_before != b_before ? a_before : a_before ? a->span.begin > b->span.begin : a->span.begin < b->span.begin;
    });
    return found;
  }

  std::optional<Typed> of_bindings(const Definition& found, std::string_view method) {
    for (const Binding* binding : found.bound) {
      if (binding->value.is(ValueKind::null))
        continue;
      if (auto typed = of_binding(*binding, {found.scope.file, binding->routine}, method))
        return typed;
    }
    return std::nullopt;
  }

  std::optional<Typed> of_global(FileId file, const std::string& name, std::string_view method) {
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

  std::optional<Typed> of_parameter(RoutineRef ref, std::uint32_t index, const Value& name, std::string_view method) {
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

  std::optional<Typed> provided(const Value& provider, Scope scope) {
    const Definition found = definition_of(project_, provider, scope);
    return found.kind == Definition::routine ? of_routine(found.target, provider.span) : std::nullopt;
  }

  /// What all known callers agree on.
  std::optional<Typed> passed_to(RoutineRef ref, std::uint32_t index) {
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

  // ---- members and keys

  std::optional<Typed> of_member(const Value& value, Scope scope, std::string_view method) {
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
            if (typed.identity.empty())
              typed.identity = identity_of(value.span);
            typed.identity += "." + value.text;
            return typed;
          }
    }
    return guess(value.text, value, scope, method);
  }

  std::optional<Typed> of_field(FileId file, const Class& owner, const Value& value, Scope scope, std::string_view method) {
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

  std::optional<Typed> of_index(const Value& value, Scope scope, std::string_view method) {
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

  std::optional<Typed> object(std::string_view name, Span span, std::string profile) {
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
          typed.endpoints = profile_endpoints(project_, settings, chosen);
        }
      typed.steps.push_back(step(fmt::format("`{}` is the library's own connection", name), span));
      return typed;
    }
    return std::nullopt;
  }

  // ---- calls

  std::optional<Typed> of_call(const Value& call, Scope scope) {
    const Value& callee = call.parts[0];
    const std::string name = external_name(project_, callee, scope);
    if (!name.empty()) {
      if (auto typed = object(name, call.span, {}))
        return typed;
      for (const ApiGives& gives : apis_->gives)
        if (has(gives.names, name))
          return build(gives, call, scope, std::nullopt);
    }
    if (callee.is(ValueKind::member)) {
      if (auto receiver = inner(callee.parts[0], scope, callee.text)) {
        if (receiver->type != nullptr)
          for (const ApiGives& gives : apis_->gives)
            if (has(gives.on, receiver->type->name) && has(gives.methods, callee.text))
              return build(gives, call, scope, receiver);
        if (receiver->instance_of != nullptr)
          if (auto method = method_of(project_, receiver->instance_file, *receiver->instance_of, callee.text))
            return of_routine(*method, call.span);
        if (receiver->type != nullptr && !receiver->guessed)
          return std::nullopt;
      }
    }
    const Definition found = definition_of(project_, callee, scope);
    if (found.kind == Definition::type) {
      Typed typed;
      typed.instance_of = found.type_definition;
      typed.instance_file = found.scope.file;
      typed.identity = identity_of(call.span);
      return typed;
    }
    for (const auto& [target, confidence] : targets_of(project_, callee, scope))
      if (auto typed = of_routine(target, call.span)) {
        typed->confidence = weaker(typed->confidence, confidence);
        return typed;
      }
    if (found.kind == Definition::bindings || found.kind == Definition::none)
      if (auto maker = inner(callee, scope))
        if (maker->type != nullptr)
          for (const ApiGives& gives : apis_->gives)
            if (has(gives.on, maker->type->name) && has(gives.methods, "()"))
              return build(gives, call, scope, maker);
    return std::nullopt;
  }

  /// What a routine of the project gives: what it returns, or yields as a block.
  std::optional<Typed> of_routine(RoutineRef ref, Span call) {
    const Routine& routine = project_.routine(ref);
    const Scope scope{ref.file, ref.index};
    std::optional<Typed> typed;
    if (routine.generator)
      for (const Block& block : routine.flow.blocks)
        for (const Event& event : block.events)
          if (event.kind == EventKind::yield && !typed)
            typed = inner(event.value, scope);
    for (const Value& value : routine.returns)
      if (!typed && !value.is(ValueKind::null))
        typed = inner(value, scope);
    if (!typed) {
      typed = declared(routine.result_type, scope);
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

  static bool made_inside(const Typed& typed, const Routine& routine) {
    if (typed.kind == ApiKind::factory || typed.kind == ApiKind::pool || !typed.identity.starts_with('@'))
      return false;
    const std::size_t colon = typed.identity.find(':');
    const auto file = static_cast<FileId>(std::stoul(typed.identity.substr(1, colon - 1)));
    const auto begin = static_cast<std::uint32_t>(std::stoul(typed.identity.substr(colon + 1)));
    return file == routine.span.file && routine.span.begin <= begin && begin < routine.span.end && routine.form != RoutineForm::file;
  }

  std::optional<Typed> build(const ApiGives& gives, const Value& call, Scope scope, std::optional<Typed> receiver) {
    const ApiType* type = gives.type.empty() ? nullptr : apis_->type(gives.type);
    Typed typed;
    std::optional<Typed> source = receiver;
    if (gives.source.given())
      if (const Value* value = find(call, gives.source); value != nullptr)
        source = inner(*value, scope);
    switch (gives.relation) {
    case ApiRelation::fresh:
      typed.identity = identity_of(call.span);
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
    const bool bound_to_connection = gives.relation == ApiRelation::argument && source && source->kind == ApiKind::connection;
    if (type != nullptr) {
      const ApiKind kind = typed.kind;
      set_type(typed, type);
      if (bound_to_connection)
        typed.kind = kind; // a session over a connection keeps it
      if (!source)
        typed.autocommit = type->autocommit ? Answer::yes : Answer::no;
      if (source && source->type != nullptr && source->on_return != OnReturn::unknown)
        typed.on_return = source->on_return;
      typed.steps.push_back(step(fmt::format("`{}` gives a `{}`", dotted(call.parts[0]).empty() ? std::string("the call") : dotted(call.parts[0]), type->name), call.span));
    }
    typed.leave = gives.leave == ApiLeave::nothing ? typed.leave : gives.leave;
    if (bound_to_connection)
      typed.leave = ApiLeave::nothing;
    for (const ApiSwitch& option : gives.autocommit)
      if (const auto answer = switched(option, call, scope))
        typed.autocommit = *answer;
    for (const ApiSwitch& option : gives.single)
      typed.single = typed.single || switched(option, call, scope) == std::optional(Answer::yes);
    typed.transaction = typed.transaction || (gives.transaction && typed.autocommit != Answer::yes);
    if (const Value* size = find(call, gives.pool_size)) {
      const Value known = fold(project_, *size, scope);
      if (known.is(ValueKind::integer))
        typed.pool_size = static_cast<int>(std::clamp<std::int64_t>(known.number, 0, 1'000'000));
      else
        typed.pool_size_unresolved = true;
    }
    if (const Value* url = find(call, gives.endpoint)) {
      typed.endpoints = endpoints_of(project_, *url, scope);
      if (typed.endpoints.empty())
        typed.endpoint_unresolved = url->span;
    }
    std::vector<EndpointPart> parts;
    for (const auto& [keyword, part] : gives.endpoint_parts)
      if (const Value* value = argument(call, -1, keyword))
        parts.push_back({part, *value});
    auto separate = endpoints_of_parts(project_, parts, scope, call.span);
    typed.endpoints.insert(typed.endpoints.end(), separate.begin(), separate.end());
    return typed;
  }

  static void check_out(Typed& typed, const Typed& source, const Value& call) {
    typed = source;
    typed.pool = source.identity;
    typed.identity = identity_of(call.span);
    typed.fresh = false;
    typed.from_caller = false;
    typed.leave = ApiLeave::nothing;
    if (typed.autocommit == Answer::unknown && source.type != nullptr && source.guessed)
      typed.autocommit = Answer::unknown;
  }

  static const Value* find(const Value& call, const ApiArgument& wanted) {
    if (!wanted.given())
      return nullptr;
    for (const std::string& keyword : wanted.keywords)
      if (const Value* value = argument(call, -1, keyword))
        return value;
    return wanted.position >= 0 ? argument(call, wanted.position, {}) : nullptr;
  }

  /// What a switch says; nothing when the call does not have it.
  std::optional<Answer> switched(const ApiSwitch& option, const Value& call, Scope scope) {
    const Value* value = find(call, option.argument);
    if (value == nullptr)
      return std::nullopt;
    Value known = fold(project_, *value, scope);
    if (!option.inside.empty()) {
      if (!known.is(ValueKind::map))
        return Answer::unknown;
      const Value* entry = nullptr;
      for (const Value& part : known.parts)
        if (part.label == option.inside)
          entry = &part;
      if (entry == nullptr)
        return std::nullopt;
      known = Value(*entry);
    }
    if (auto text = constant_text(known))
      return *text == option.value ? Answer::yes : Answer::no;
    if (known.is(ValueKind::null))
      return std::nullopt;
    const std::string name = external_name(project_, known, scope);
    return name == option.value ? Answer::yes : name.empty() ? Answer::unknown : Answer::no;
  }

  static void set_type(Typed& typed, const ApiType* type) {
    typed.type = type;
    typed.kind = type->kind;
    if (type->on_return != OnReturn::unknown)
      typed.on_return = type->on_return;
  }

  // ---- guesses

  std::optional<Typed> guess(std::string_view name, const Value& value, Scope scope, std::string_view method) {
    if (method.empty())
      return std::nullopt;
    const ApiType* best = nullptr;
    int best_rank = -1;
    for (const ApiType& type : apis_->types) {
      const bool named = std::any_of(type.receiver_names.begin(), type.receiver_names.end(),
                                     [&](const std::string& pattern) { return glob_name(pattern, name); });
      if (!named || !fits(type, method))
        continue;
      const int rank = imported(type, scope.file) ? 2 : imported_anywhere(type) ? 1 : 0;
      if (rank > best_rank) {
        best = &type;
        best_rank = rank;
      }
    }
    if (best == nullptr)
      return std::nullopt;
    Typed typed;
    set_type(typed, best);
    typed.guessed = true;
    typed.from_caller = true;
    typed.confidence = Confidence::likely;
    typed.autocommit = best_rank == 2 && best->autocommit ? Answer::yes : Answer::unknown;
    typed.identity = fmt::format("name:{}:{}:{}", scope.file, scope.routine, dotted(value).empty() ? std::string(name) : dotted(value));
    typed.steps.push_back(step(fmt::format("`{}` is taken for a `{}` by its name and the method `{}`", name, best->name, method), value.span, Confidence::likely));
    return typed;
  }

  bool fits(const ApiType& type, std::string_view method) const {
    auto in = [&](const auto& entries) {
      return std::any_of(entries.begin(), entries.end(), [&](const auto& entry) { return has(entry.on, type.name) && has(entry.methods, method); });
    };
    return in(apis_->sends) || in(apis_->gives) || in(apis_->transactions) || in(apis_->controls);
  }

  static std::string package_of(std::string_view name) { return std::string(name.substr(0, name.find('.'))); }

  bool imported(const ApiType& type, FileId file) const {
    for (const Import& import : project_.file(file).imports) {
      const std::string package = package_of(import.module);
      if (package == package_of(type.name))
        return true;
      for (const std::string& alias : type.aliases)
        if (package == package_of(alias))
          return true;
    }
    return false;
  }

  bool imported_anywhere(const ApiType& type) const {
    return std::any_of(project_.files.begin(), project_.files.end(),
                       [&](const FileFacts& file) { return file.language == apis_->language && imported(type, file.file); });
  }

  const LinkedProject& project_;
  const Apis* apis_ = nullptr;
  int depth_;
};

} // namespace

std::optional<Typed> type_of(const LinkedProject& project, const Value& value, Scope scope, std::string_view method, int depth) {
  std::optional<Typed> typed = Types(project, depth).of(value, scope, method);
  if (typed && !typed->identity.empty())
    if (auto option = project.autocommit_options.find(typed->identity); option != project.autocommit_options.end())
      typed->autocommit = option->second;
  return typed;
}

} // namespace padlint
