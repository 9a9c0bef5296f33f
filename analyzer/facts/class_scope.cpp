#include "analyzer/facts/class_scope.h"

#include <algorithm>

// Languages without imports: a type is known everywhere by its qualified name, it may be defined in several parts, and
// inside a class its members and those of its bases go by their bare names. What a base outside the project gives is
// the library's: `Invoice.transaction` is `ActiveRecord::Base.transaction` where Invoice descends from that.

namespace padlint {
namespace {

constexpr int max_depth = 8;

/// Whether the tables say something about this name of a library.
bool library_name(const Apis& apis, std::string_view name) {
  const auto in = [&](const auto& entries) {
    return std::any_of(entries.begin(), entries.end(), [&](const auto& entry) {
      return std::any_of(entry.names.begin(), entry.names.end(),
                         [&](const std::string& known) { return glob_name(known, name); });
    });
  };
  return in(apis.sends) || in(apis.gives) || in(apis.transactions) || in(apis.texts) || in(apis.controls) ||
         std::any_of(apis.objects.begin(), apis.objects.end(),
                     [&](const ApiObject& object) { return glob_name(object.name, name); }) ||
         std::any_of(apis.marks.begin(), apis.marks.end(),
                     [&](const ApiMark& mark) { return has_glob(mark.passed_to, name); });
}

const std::string& qualified(const LinkedProject& project, const Class& type) {
  const auto known = project.type_names.find(&type);
  return known == project.type_names.end() ? type.name : known->second;
}

std::optional<Definition> nested_type(const LinkedProject& project, const std::string& name) {
  const auto found = project.types.find(name);
  if (found == project.types.end())
    return std::nullopt;
  const auto& [file, type] = found->second.front();
  return Definition{.kind = Definition::type, .scope = {file, 0}, .type_definition = type, .name = name};
}

/// What the parts of a type define themselves.
Definition own_member(const LinkedProject& project, FileId file, const Class& owner, std::string_view name) {
  for (const auto& [part_file, part] : parts_of(project, file, owner)) {
    Definition found{.kind = Definition::bindings, .scope = {part_file, 0}};
    for (const Binding& binding : part->bindings)
      if (binding.name == name)
        found.bound.push_back(&binding);
    if (!found.bound.empty())
      return found;
    if (const auto method = own_method(project, part_file, *part, name))
      return {.kind = Definition::routine, .scope = {part_file, 0}, .target = *method};
  }
  return nested_type(project, qualified(project, owner) + "." + std::string(name)).value_or(Definition{});
}

Definition inherited_member(const LinkedProject& project, FileId file, const Class& owner, std::string_view name,
                            int depth) {
  if (depth > max_depth)
    return {};
  const Apis* apis = project.apis(file);
  for (const auto& [part_file, part] : parts_of(project, file, owner))
    for (const Value& written : part->bases) {
      const Value& base = written.is(ValueKind::index) ? written.parts[0] : written;
      const Definition found = definition_at(project, base, {part_file, part->routine}, place_before(*part), depth + 1);
      if (found.kind == Definition::type && found.type_definition != &owner) {
        Definition member = member_of_type(project, found.scope.file, *found.type_definition, name, depth + 1);
        if (member.kind != Definition::none)
          return member;
      } else if (found.kind == Definition::external) {
        if (std::string whole = found.name + "." + std::string(name); library_name(*apis, whole))
          return {.kind = Definition::external, .name = std::move(whole)};
      }
    }
  return {};
}

} // namespace

/// Just before a class: where the names of its bases are to be understood.
Span place_before(const Class& type) { return {type.span.file, type.span.begin, type.span.begin}; }

void index_types(LinkedProject& project) {
  for (const bool tests : {false, true})
    for (const FileFacts& file : project.files) {
      const Apis* apis = apis_of(file.language);
      if (apis == nullptr || !apis->global_types || file.traits.test != tests)
        continue;
      for (const Class& type : file.classes) {
        std::vector<const Class*> around;
        for (const Class& outer : file.classes)
          if (&outer != &type && outer.span.contains(type.span))
            around.push_back(&outer);
        std::sort(around.begin(), around.end(),
                  [](const Class* a, const Class* b) { return a->span.begin < b->span.begin; });
        std::string name;
        for (const Class* outer : around)
          name += outer->name + ".";
        name += type.name;
        project.types[name].emplace_back(file.file, &type);
        project.type_names.emplace(&type, std::move(name));
      }
      if (!file.routines.empty())
        for (const Binding& binding : file.routines[0].bindings)
          project.globals[binding.name].push_back(&binding);
    }
}

std::vector<std::pair<FileId, const Class*>> parts_of(const LinkedProject& project, FileId /*file*/,
                                                      const Class& type) {
  std::vector<std::pair<FileId, const Class*>> parts{{type.span.file, &type}};
  if (const auto known = project.type_names.find(&type); known != project.type_names.end())
    for (const auto& part : project.types.at(known->second))
      if (part.second != &type)
        parts.push_back(part);
  // Where types are parts of packages, other files say which type they add to.
  const Apis* apis = project.apis(type.span.file);
  if (const auto named = project.classes.find(type.name);
      apis != nullptr && apis->packages && named != project.classes.end())
    for (const auto& [part_file, part] : named->second)
      if (part != &type && !part->part_of.is(ValueKind::opaque) &&
          definition_of(project, part->part_of, {part_file, 0}).type_definition == &type)
        parts.emplace_back(part_file, part);
  return parts;
}

Definition member_of_type(const LinkedProject& project, FileId file, const Class& owner, std::string_view name,
                          int depth) {
  Definition found = own_member(project, file, owner, name);
  return found.kind != Definition::none ? found : inherited_member(project, file, owner, name, depth);
}

Definition in_classes(const LinkedProject& project, Scope scope, Span place, std::string_view name, int depth) {
  std::vector<const Class*> around;
  for (const Class& type : project.file(scope.file).classes)
    if (type.span.begin < place.begin && place.end <= type.span.end)
      around.push_back(&type);
  std::sort(around.begin(), around.end(), [](const Class* a, const Class* b) { return a->span.begin > b->span.begin; });
  for (const Class* type : around) {
    const bool innermost = type == around.front();
    Definition found = innermost ? member_of_type(project, scope.file, *type, name, depth)
                                 : own_member(project, scope.file, *type, name);
    if (found.kind != Definition::none)
      return found;
  }
  return {};
}

Value on_own_object(const LinkedProject& project, const Value& callee, Scope scope) {
  const Apis* apis = project.apis(scope.file);
  if (apis == nullptr || !apis->own_members || !callee.is(ValueKind::name) ||
      class_around(project, callee.span) == nullptr)
    return callee;
  const Definition found = definition_of(project, callee, scope);
  const bool unknown = found.kind == Definition::external || found.kind == Definition::none;
  return unknown ? make_member(make_name("self", callee.span), callee.text, callee.span) : callee;
}

std::vector<std::string> base_names(const LinkedProject& project, FileId file, const Class& type, int depth) {
  std::vector<std::string> names;
  for (const auto& [part_file, part] : parts_of(project, file, type))
    for (const Value& written : part->bases) {
      const Value& base = written.is(ValueKind::index) ? written.parts[0] : written;
      names.push_back(dotted(base));
      const Definition found = definition_at(project, base, {part_file, part->routine}, place_before(*part));
      if (found.kind == Definition::external)
        names.push_back(found.name);
      if (found.kind == Definition::type && found.type_definition != &type && depth < max_depth) {
        const auto more = base_names(project, found.scope.file, *found.type_definition, depth + 1);
        names.insert(names.end(), more.begin(), more.end());
      }
    }
  return names;
}

bool opts_out(const LinkedProject& project, const Value& call, Span place, std::string_view field,
              std::string_view method) {
  if (set_to_false(project, call, place, field))
    return true;
  const Class* type = method.empty() ? nullptr : class_around(project, place);
  bool called = false;
  if (type != nullptr)
    for_each_call(project.file(place.file).routines[type->routine], [&](const Event& event) {
      called = called || (type->span.contains(event.span) && dotted(event.value.parts[0]) == method);
    });
  return called;
}

Definition global_name(const LinkedProject& project, std::string_view name) {
  if (auto type = nested_type(project, std::string(name)))
    return *type;
  const auto found = project.globals.find(std::string(name));
  if (found == project.globals.end() || found->second.size() != 1)
    return {};
  const Binding* binding = found->second.front();
  return {.kind = Definition::bindings, .scope = {binding->span.file, 0}, .bound = {binding}};
}

std::optional<RoutineRef> own_method(const LinkedProject& project, FileId file, const Class& owner,
                                     std::string_view name) {
  const std::vector<FileId>& package = package_of(project, file);
  const auto named = project.routines_by_name.find(std::string(name));
  if (named == project.routines_by_name.end())
    return std::nullopt;
  for (const RoutineRef ref : named->second) {
    const Routine& routine = project.routine(ref);
    if (routine.owner != owner.name)
      continue;
    const bool inside = ref.file == file && owner.span.contains(routine.span);
    if (inside || std::find(package.begin(), package.end(), ref.file) != package.end())
      return ref;
  }
  return std::nullopt;
}

} // namespace padlint
