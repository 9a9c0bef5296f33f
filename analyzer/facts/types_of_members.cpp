#include "analyzer/facts/class_scope.h"
#include "analyzer/facts/typing.h"

#include <fmt/format.h>

#include <algorithm>

// Members, elements and alternatives: fields of the project's classes, objects of the libraries, slots of maps.

namespace padlint {
namespace {

Step step(std::string text, Span span) { return {.text = std::move(text), .span = span}; }

constexpr int max_bases = 8;

} // namespace

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
  if (const auto entry = entry_of(project_, value, scope))
    if (auto typed = inner(entry->first, entry->second, method))
      return typed;
  if (found.kind == Definition::type && apis_->own_members)
    return of_class(found.scope.file, *found.type_definition, value.span);
  if (found.kind == Definition::routine || found.kind == Definition::type || found.kind == Definition::module)
    return std::nullopt;
  if (found.kind == Definition::external && apis_->global_types)
    return guess(found.name, value, scope, method, true);
  if (auto owner = inner(object_value, scope, value.text)) {
    if (owner->instance_of != nullptr && owner->type == nullptr)
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
          if (typed.type != owner->type) // else it is the same session or pool by another name
            typed.identity += "." + value.text;
          return typed;
        }
  }
  return guess(value.text, value, scope, method);
}

std::optional<Typed> Types::of_field(FileId file, const Class& owner, const Value& value, Scope scope,
                                     std::string_view method) {
  std::optional<Typed> typed;
  bool several = false;  // objects are made over pools and over transactions
  bool anything = false; // declared as an interface of the project: its name tells nothing that the type does not
  for (const auto& [field_scope, binding] : field_bindings(project_, file, owner, value.text)) {
    if (binding->value.is(ValueKind::null))
      continue;
    std::optional<Typed> one = of_binding(*binding, field_scope, method);
    if (one && one->type == nullptr && one->instance_of != nullptr && one->instance_of->interface) {
      anything = true;
      one.reset();
    }
    if (!typed)
      typed = std::move(one);
    else if (one && one->type != nullptr && typed->type != nullptr && !binding->value.span.empty())
      several = several || lends(*one) != lends(*typed) || one->transaction != typed->transaction;
  }
  if (several) {
    typed->kind = ApiKind::other;
    typed->transaction = false;
    typed->from_caller = true;
  }
  // A property.
  if (!typed)
    if (auto getter = method_of(project_, file, owner, value.text))
      typed = of_routine(*getter, value.span);
  if (!typed)
    return anything ? std::nullopt : guess(value.text, value, scope, method);
  if (typed->kind != ApiKind::factory && typed->kind != ApiKind::pool && typed->type != nullptr) {
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
  if (key.is(ValueKind::integer) && key.number >= 0 && apis_->packages) { // one of several results
    Types result(project_, depth_ + 1);
    result.position_ = static_cast<std::size_t>(key.number);
    return result.of(value.parts[0], scope, method);
  }
  if (!key.is(ValueKind::text))
    return std::nullopt;
  // A slot of a map that some routine of the file fills in: `_state["pool"] = ...`.
  const std::string slot = fmt::format("{}[\"{}\"]", dotted(value.parts[0]), key.text);
  if (auto typed = of_global(scope.file, slot, method))
    return typed;
  return guess(key.text, value, scope, method);
}

/// The objects of one session are configured together.
bool configures(const Apis& apis, const ApiSettings& settings, const ApiType& type) {
  const ApiType* configured = apis.type(settings.type);
  return settings.type == type.name ||
         (configured != nullptr && !type.session.empty() && configured->session == type.session);
}

std::string chosen_profile(const LinkedProject& project, FileId file, const Class& owner, int depth) {
  std::string chosen;
  for (const auto& [part_file, part] : parts_of(project, file, owner))
    for (const ApiSettings& settings : project.apis(part_file)->settings)
      for_each_call(project.file(part_file).routines[part->routine], [&](const Event& event) {
        const Value& call = event.value;
        if (!part->span.contains(event.span) || call.parts.empty() || !call.parts[0].is(ValueKind::name) ||
            !has(settings.choosers, call.parts[0].text))
          return;
        const Value* given = find_argument(call, settings.choice);
        if (given != nullptr && given->is(ValueKind::map)) {
          const auto entry = std::ranges::find(given->parts, settings.choice.inside, &Value::label);
          given = entry == given->parts.end() ? nullptr : &*entry;
        }
        const Value known = given == nullptr ? Value{} : fold(project, *given, {part_file, part->routine});
        chosen = constant_text(known).value_or("?");
      });
  for (const auto& [part_file, part] : parts_of(project, file, owner)) // the class itself goes before its bases
    for (const Value& base : part->bases)
      if (const Definition found = definition_at(project, base, {part_file, part->routine}, place_before(*part));
          chosen.empty() && found.kind == Definition::type && found.type_definition != &owner && depth < max_bases)
        chosen = chosen_profile(project, found.scope.file, *found.type_definition, depth + 1);
  return chosen;
}

std::optional<Typed> Types::object(std::string_view name, Span span, const std::string& profile) {
  for (const ApiObject& candidate : apis_->objects) {
    if (candidate.name != name)
      continue;
    Typed typed;
    set_type(typed, apis_->type(candidate.type));
    typed.autocommit = typed.type->autocommit ? Answer::yes : Answer::no;
    typed.from_caller = typed.type->ambient;
    typed.identity = ambient_identity(*typed.type);
    for (const ApiSettings& settings : apis_->settings)
      if (configures(*apis_, settings, *typed.type)) {
        const std::string chosen = profile.empty() ? settings.default_profile : profile;
        if ((!profile.empty() && chosen != settings.default_profile) ||
            typed.type->session.empty()) // a guess knows only the name that is shared
          typed.identity += ":" + chosen;
        typed.endpoints = profile_endpoints(project_, settings, chosen, span.file);
      }
    typed.steps.push_back(step(fmt::format("`{}` is the library's own connection", name), span));
    return typed;
  }
  return std::nullopt;
}

std::optional<Typed> Types::of_cast(const Value& value, Scope scope, std::string_view method) {
  std::optional<Typed> typed = declared(value.parts[1], scope);
  std::optional<Typed> before = inner(value.parts[0], scope, method);
  if (!typed || (before && before->type == typed->type && before->type != nullptr))
    return before;
  if (typed->identity.empty())
    typed->identity = before && !before->identity.empty() ? before->identity : identity_of(value.span);
  typed->from_caller = true;
  return typed;
}

std::optional<Typed> Types::of_alternatives(const Value& value, Scope scope, std::string_view method) {
  if (!value.is(ValueKind::choice) && value.text != "or") // `conn or connect()`
    return std::nullopt;
  std::optional<Typed> first;
  bool anything = false;
  for (const Value& part : value.parts) {
    auto found = inner(part, scope, method);
    if (!found || found->type == nullptr)
      anything = anything || varies(part, scope);
    else if (first && first->type != nullptr && lends(*first) != lends(*found))
      anything = true;
    if (!first)
      first = std::move(found);
    else if (found && found->type != nullptr && lends(*found))
      first->kind = first->type == nullptr ? first->kind : found->kind;
  }
  if (first && first->type != nullptr && anything && lends(*first)) {
    first->kind = ApiKind::other;
    first->from_caller = true;
    first->steps.push_back(step("it may be another object", value.span));
  }
  return first;
}

bool Types::varies(const Value& value, Scope scope) const {
  const Value* root = &value;
  while ((root->is(ValueKind::member) || root->is(ValueKind::index)) && !root->parts.empty())
    root = &root->parts[0];
  if (root->is(ValueKind::call))
    return true;
  return root->is(ValueKind::name) && look_up(project_, scope, root->text).kind == Definition::parameter;
}

Typed Types::instance(FileId file, const Class& type) {
  Typed typed;
  typed.instance_of = &type;
  typed.instance_file = file;
  if (const ApiType* base = library_base(type)) {
    set_type(typed, base);
    typed.autocommit = base->autocommit ? Answer::yes : Answer::no;
    typed.steps.push_back(step(fmt::format("`{}` is a `{}`", type.name, base->name), type.span));
  }
  return typed;
}

const ApiType* Types::library_base(const Class& type, int depth) {
  for (const Value& base : type.bases) {
    const Definition found = definition_of(project_, base, {type.span.file, type.routine});
    if (found.kind == Definition::external)
      if (const ApiType* known = apis_->type(found.name))
        return known;
    if (found.kind == Definition::type && found.type_definition != &type && depth < max_bases)
      if (const ApiType* known = library_base(*found.type_definition, depth + 1))
        return known;
  }
  return nullptr;
}

} // namespace padlint
