#include "analyzer/facts/class_scope.h"
#include "analyzer/facts/linked_project.h"
#include "analyzer/facts/units.h"

#include <algorithm>

// Names are understood from the inside out: the routine, the routines around it, the file, and through an import the
// file of that module.

namespace padlint {
namespace {

constexpr int max_hops = 8;

Definition look_up_in(const LinkedProject& project, Scope scope, std::string_view name, int depth, Span place = {});

/// Whether the tables know the package.
bool is_library(const Apis& apis, std::string_view package) {
  return std::any_of(apis.types.begin(), apis.types.end(), [&](const ApiType& type) {
    const auto in = [&](std::string_view name) {
      return name.starts_with(package) && name.size() > package.size() && name[package.size()] == '.';
    };
    return in(type.name) || std::any_of(type.aliases.begin(), type.aliases.end(), in);
  });
}

Definition imported(const LinkedProject& project, FileId importer, const Import& import, int depth) {
  const Apis* apis = project.apis(importer);
  const std::string separator = apis == nullptr ? "." : apis->module_separator;
  if (import.name.empty()) {
    // `import a.b` binds `a`; only what follows in the chain of members tells which module is meant.
    const std::string module =
        import.local.find(separator) == std::string::npos && import.module.starts_with(import.local + separator)
            ? import.local
            : import.module;
    const std::string qualified = apis != nullptr && apis->packages ? without_versions(module) : module;
    if (apis == nullptr || !apis->packages || !is_library(*apis, qualified))
      if (auto file = module_file(project, importer, module))
        return {.kind = Definition::module, .scope = {*file, 0}};
    return {.kind = Definition::external, .name = qualified};
  }
  const std::string joined =
      import.module.ends_with(separator) ? import.module + import.name : import.module + separator + import.name;
  const bool whole = import.name == "default"; // what the module gives to those who import the module itself
  if (auto file = module_file(project, importer, import.module)) {
    Definition found = look_up_in(project, {*file, 0}, import.name, depth + 1);
    if (found.kind != Definition::none)
      return found;
    if (whole)
      return {.kind = Definition::module, .scope = {*file, 0}};
  }
  if (auto file = module_file(project, importer, joined))
    return {.kind = Definition::module, .scope = {*file, 0}};
  return {.kind = Definition::external, .name = whole ? import.module : import.module + "." + import.name};
}

/// The named functions that stand directly in each routine of a file, by routine.
const std::vector<std::vector<std::uint32_t>>& inner_functions(const LinkedProject& project, FileId id) {
  const auto [entry, fresh] = project.caches.inner_functions.try_emplace(id);
  if (!fresh)
    return entry->second;
  const FileFacts& file = project.file(id);
  entry->second.resize(file.routines.size());
  for (std::uint32_t i = 1; i < file.routines.size(); ++i)
    if (const Routine& inner = file.routines[i];
        inner.owner.empty() && inner.form == RoutineForm::function && !inner.name.empty())
      entry->second[inner.parent].push_back(i);
  return entry->second;
}

/// What a routine, or the file at its top level, defines itself.
const std::unordered_map<std::string, Definition>& names_of(const LinkedProject& project, Scope scope) {
  const auto [entry, fresh] = project.caches.names.try_emplace(scope);
  std::unordered_map<std::string, Definition>& names = entry->second;
  if (!fresh)
    return names;
  const FileFacts& file = project.file(scope.file);
  const Routine& routine = file.routines[scope.routine];
  for (const Binding& binding : routine.bindings) {
    Definition& found = names[binding.name];
    found.kind = Definition::bindings;
    found.scope = scope;
    found.bound.push_back(&binding);
  }
  for (std::uint32_t i = 0; i < routine.parameters.size(); ++i)
    names.try_emplace(routine.parameters[i].name, Definition{.kind = Definition::parameter,
                                                             .scope = scope,
                                                             .parameter_index = i,
                                                             .target = {scope.file, scope.routine}});
  for (const std::uint32_t i : inner_functions(project, scope.file)[scope.routine])
    names.try_emplace(file.routines[i].name,
                      Definition{.kind = Definition::routine, .scope = scope, .target = {scope.file, i}});
  for (const Class& type : file.classes)
    if (type.routine == scope.routine && type.part_of.is(ValueKind::opaque))
      names.try_emplace(type.name, Definition{.kind = Definition::type, .scope = scope, .type_definition = &type});
  return names;
}

/// What the files of a package define at their top levels; of several definitions the first file's.
const std::unordered_map<std::string, const Definition*>& names_of_package(const LinkedProject& project,
                                                                           const std::vector<FileId>& package) {
  const auto [entry, fresh] = project.caches.package_names.try_emplace(package.front());
  if (fresh)
    for (const FileId file : package)
      for (const auto& [name, definition] : names_of(project, {file, 0}))
        entry->second.try_emplace(name, &definition);
  return entry->second;
}

Definition look_up_in(const LinkedProject& project, Scope scope, std::string_view name, int depth, Span place) {
  if (depth > max_hops || name.empty())
    return {};
  const FileFacts& file = project.file(scope.file);
  const Apis* apis = project.apis(scope.file);
  const std::string wanted(name);
  for (std::uint32_t index = scope.routine;;) {
    if (index == 0 && apis != nullptr && apis->own_members) {
      const Span inside = scope.routine == 0 ? place : file.routines[scope.routine].span;
      if (inside.file == scope.file && inside.end > 0)
        if (Definition found = in_classes(project, scope, inside, name, depth + 1); found.kind != Definition::none)
          return found;
    }
    const auto& names = names_of(project, {scope.file, index});
    if (const auto found = names.find(wanted); found != names.end())
      return found->second;
    if (index == 0)
      break;
    const std::uint32_t parent = file.routines[index].parent;
    index = parent < index ? parent : 0;
  }
  for (const Import& import : file.imports)
    if (import.local == name)
      return imported(project, scope.file, import, depth);
  for (const Import& import : file.imports) // everything that another module gives
    if (import.local == "*")
      if (const auto module = module_file(project, scope.file, import.module); module && *module != scope.file)
        if (Definition found = look_up_in(project, {*module, 0}, name, depth + 1); found.kind != Definition::none)
          return found;
  if (const std::vector<FileId>& package = package_of(project, scope.file); package.size() > 1) {
    const auto& names = names_of_package(project, package);
    if (const auto found = names.find(wanted); found != names.end())
      return *found->second;
  }
  return apis != nullptr && apis->global_types ? global_name(project, name) : Definition{};
}

} // namespace

bool LinkedProject::reaches(FileId here, FileId there) const {
  return here == there || padlint::reaches(units[position.at(here)], units[position.at(there)]);
}

Definition look_up(const LinkedProject& project, Scope scope, std::string_view name, Span place) {
  return look_up_in(project, scope, name, 0, place);
}

namespace {

Definition function_at(FileId file, const Value& function) {
  return {
      .kind = Definition::routine, .scope = {file, 0}, .target = {file, static_cast<std::uint32_t>(function.number)}};
}

/// A name that is bound to nothing but a function without name.
std::optional<Definition> bound_function(const Definition& found) {
  if (found.kind != Definition::bindings || found.bound.size() != 1 || !found.bound[0]->value.is(ValueKind::function))
    return std::nullopt;
  return function_at(found.scope.file, found.bound[0]->value);
}

/// The entry of a map that is bound once: objects serve as modules and as enumerations.
std::optional<std::pair<Value, Scope>> entry_in(const Definition& object, std::string_view label) {
  if (object.kind != Definition::bindings || object.bound.size() != 1)
    return std::nullopt;
  const Value& value = object.bound[0]->value;
  const bool frozen = value.is(ValueKind::call) && value.parts.size() == 1 && value.parts[0].is(ValueKind::member);
  const Value& map = frozen ? value.parts[0].parts[0] : value; // `{ take: "SELECT ..." }.freeze`
  if (!map.is(ValueKind::map))
    return std::nullopt;
  for (const Value& entry : map.parts)
    if (entry.label == label)
      return {{entry, {object.scope.file, object.bound[0]->routine}}};
  return std::nullopt;
}

} // namespace

std::optional<std::pair<Value, Scope>> entry_of(const LinkedProject& project, const Value& member, Scope scope,
                                                int depth) {
  if (depth > max_value_depth || !(member.is(ValueKind::member) || member.is(ValueKind::index)))
    return std::nullopt;
  const Value key =
      member.is(ValueKind::index) ? fold(project, member.parts[1], scope) : make_text(member.text, {}, {});
  const Value& object = member.parts[0];
  if (!key.is(ValueKind::text))
    return std::nullopt;
  if (auto outer = entry_of(project, object, scope, depth + 1); outer && outer->first.is(ValueKind::map)) {
    for (const Value& entry : outer->first.parts)
      if (entry.label == key.text)
        return {{entry, outer->second}};
    return std::nullopt;
  }
  return entry_in(definition_of(project, object, scope, depth + 1), key.text);
}

Definition definition_of(const LinkedProject& project, const Value& value, Scope scope, int depth) {
  return definition_at(project, value, scope, value.span, depth);
}

Definition definition_at(const LinkedProject& project, const Value& value, Scope scope, Span place, int depth) {
  if (depth > max_value_depth)
    return {};
  const Apis* apis = project.apis(scope.file);
  if (value.is(ValueKind::name)) {
    Definition found = look_up_in(project, scope, value.text, depth, place);
    if (found.kind == Definition::none && apis != nullptr && apis->global_types)
      return {.kind = Definition::external, .name = value.text};
    if (auto function = bound_function(found))
      return *function;
    // An alias: `f = other.f`.
    if (found.kind == Definition::bindings && found.bound.size() == 1 &&
        found.bound[0]->role == BindingRole::assigned) {
      const Value& bound = found.bound[0]->value;
      if ((bound.is(ValueKind::name) && bound.text != value.text) || bound.is(ValueKind::member)) {
        Definition inner = definition_of(project, bound, {found.scope.file, found.bound[0]->routine}, depth + 1);
        if (inner.kind != Definition::none && inner.kind != Definition::bindings && inner.kind != Definition::parameter)
          return inner;
      }
    }
    return found;
  }
  if (!value.is(ValueKind::member))
    return {};
  if (apis != nullptr && apis->own_members)
    if (const Class* owner = own_class(project, value.parts[0], scope))
      return member_of_type(project, scope.file, *owner, value.text, depth + 1);
  const Definition object = definition_at(project, value.parts[0], scope, place, depth + 1);
  if (auto entry = entry_in(object, value.text)) {
    if (entry->first.is(ValueKind::function))
      return function_at(entry->second.file, entry->first);
    return entry->first.is(ValueKind::name) || entry->first.is(ValueKind::member)
               ? definition_of(project, entry->first, entry->second, depth + 1)
               : Definition{};
  }
  switch (object.kind) {
  case Definition::module: {
    Definition found = look_up(project, {object.scope.file, 0}, value.text);
    if (auto function = bound_function(found))
      return *function;
    if (found.kind != Definition::none)
      return found;
    // A module of a package: `tide.db` where only `tide` was imported.
    const FileFacts& file = project.file(object.scope.file);
    const Apis& its = *project.apis(object.scope.file);
    const std::vector<std::string> path = module_path(its, file.path);
    if (auto inner = module_file(project, object.scope.file, path.back() + its.module_separator + value.text))
      return {.kind = Definition::module, .scope = {*inner, 0}};
    return {};
  }
  case Definition::external: return {.kind = Definition::external, .name = object.name + "." + value.text};
  case Definition::type: {
    if (apis != nullptr && apis->global_types)
      return member_of_type(project, object.scope.file, *object.type_definition, value.text, depth + 1);
    Definition found{.kind = Definition::bindings, .scope = object.scope};
    for (const Binding& binding : object.type_definition->bindings)
      if (binding.name == value.text)
        found.bound.push_back(&binding);
    if (!found.bound.empty())
      return found;
    if (auto method = method_of(project, object.scope.file, *object.type_definition, value.text, depth + 1))
      return {.kind = Definition::routine, .scope = object.scope, .target = *method};
    return {};
  }
  default: return {};
  }
}

std::string external_name(const LinkedProject& project, const Value& value, Scope scope) {
  const Definition found = definition_of(project, value, scope);
  if (found.kind == Definition::external)
    return found.name;
  if (found.kind == Definition::none && value.is(ValueKind::name))
    return value.text;
  return {};
}

const Class* own_class(const LinkedProject& project, const Value& value, Scope scope) {
  if (const Apis* apis = project.apis(scope.file); value.is(ValueKind::call) && value.parts[0].is(ValueKind::member) &&
                                                   apis != nullptr &&
                                                   has(apis->class_of, value.parts[0].text)) // self.class
    return own_class(project, value.parts[0].parts[0], scope);
  if (!value.is(ValueKind::name))
    return nullptr;
  const FileFacts& file = project.file(scope.file);
  for (std::uint32_t index = scope.routine; index != 0;) {
    const Routine& routine = file.routines[index];
    if (!routine.owner.empty()) {
      if (routine.parameters.empty() || routine.parameters[0].name != value.text)
        return nullptr;
      for (const Class& type : file.classes)
        if (type.name == routine.owner && type.span.contains(routine.span))
          return &type;
      if (const Apis* apis = project.apis(scope.file); apis != nullptr && apis->packages)
        return look_up(project, {scope.file, 0}, routine.owner).type_definition;
      return nullptr;
    }
    index = routine.parent < index ? routine.parent : 0;
  }
  // In the body of the class itself.
  const Apis* apis = project.apis(scope.file);
  return apis != nullptr && apis->own_members && value.text == "self" ? class_around(project, value.span) : nullptr;
}

namespace {

template <class Visit>
void for_each_base(const LinkedProject& project, const Class& owner, int depth, Visit visit) {
  for (const auto& [part_file, part] : parts_of(project, owner.span.file, owner))
    for (const Value& written : part->bases) {
      const Value& base = written.is(ValueKind::index) ? written.parts[0] : written;
      // The depth goes through: a base may be a member of the class itself.
      const Definition found = definition_at(project, base, {part_file, part->routine}, place_before(*part), depth + 1);
      if (found.kind == Definition::type && found.type_definition != &owner)
        visit(found.scope.file, *found.type_definition);
    }
}

} // namespace

std::vector<std::pair<Scope, const Binding*>> field_bindings(const LinkedProject& project, FileId /*file*/,
                                                             const Class& owner, std::string_view field, int depth) {
  std::vector<std::pair<Scope, const Binding*>> found;
  const auto parts = parts_of(project, owner.span.file, owner);
  for (const auto& [part_file, part] : parts)
    for (const auto list : {&Class::fields, &Class::bindings})
      for (const Binding& binding : part->*list)
        if (binding.name == field)
          found.push_back({{part_file, binding.routine}, &binding});
  // What only declares the field comes after what fills it in, and says nothing of its value.
  if (const auto valued = [](const auto& entry) { return !entry.second->value.span.empty(); };
      std::any_of(found.begin(), found.end(), valued))
    std::stable_partition(found.begin(), found.end(), valued);
  if (found.empty() && depth < max_hops)
    for_each_base(project, owner, depth, [&](FileId base_file, const Class& base) {
      auto inherited = field_bindings(project, base_file, base, field, depth + 1);
      found.insert(found.end(), inherited.begin(), inherited.end());
    });
  return found;
}

const Class* class_around(const LinkedProject& project, Span place) {
  const Class* found = nullptr;
  for (const Class& type : project.file(place.file).classes)
    if (type.span.contains(place) && (found == nullptr || found->span.contains(type.span)))
      found = &type;
  return found;
}

bool set_to_false(const LinkedProject& project, const Value& call, Span place, std::string_view field) {
  if (field.empty())
    return false;
  auto is_false = [](const Value& value) { return value.is(ValueKind::boolean) && value.number == 0; };
  if (const Value* keyword = call.is(ValueKind::call) ? argument(call, -1, field) : nullptr)
    return is_false(*keyword);
  const Class* type = class_around(project, place);
  return type != nullptr && std::any_of(type->bindings.begin(), type->bindings.end(), [&](const Binding& binding) {
           return binding.name == field && is_false(binding.value);
         });
}

std::optional<RoutineRef> method_of(const LinkedProject& project, FileId /*file*/, const Class& owner,
                                    std::string_view name, int depth) {
  for (const auto& [part_file, part] : parts_of(project, owner.span.file, owner))
    if (auto method = own_method(project, part_file, *part, name))
      return method;
  std::optional<RoutineRef> found;
  if (depth < max_hops)
    for_each_base(project, owner, depth, [&](FileId base_file, const Class& base) {
      if (!found)
        found = method_of(project, base_file, base, name, depth + 1);
    });
  return found;
}

} // namespace padlint
