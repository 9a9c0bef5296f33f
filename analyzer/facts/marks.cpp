#include "analyzer/facts/marks.h"
#include "analyzer/facts/class_scope.h"

#include <algorithm>

// What is known of a routine's transaction by its class, its decorators, its place, or by what it asks itself.

namespace padlint {

bool wrapped_by_own(const LinkedProject& project, RoutineRef ref) {
  const Routine& routine = project.routine(ref);
  return std::any_of(routine.annotations.begin(), routine.annotations.end(), [&](const Value& annotation) {
    const Value& name = annotation.is(ValueKind::call) ? annotation.parts[0] : annotation;
    return definition_of(project, name, {ref.file, routine.parent}).kind == Definition::routine;
  });
}

bool begins_transaction(const LinkedProject& project, RoutineRef ref) {
  const Routine& routine = project.routine(ref);
  const Apis* apis = project.apis(ref.file);
  for (const Value& annotation : routine.annotations) {
    const std::string name = external_name(project, annotation.is(ValueKind::call) ? annotation.parts[0] : annotation,
                                           {ref.file, routine.parent});
    for (const ApiTransaction& entry : apis->transactions)
      if (!name.empty() && has_glob(entry.names, name))
        return true;
  }
  return false;
}

bool begins_transaction_on(const LinkedProject& project, RoutineRef ref, const std::string& identity) {
  const Routine& routine = project.routine(ref);
  const Apis* apis = project.apis(ref.file);
  return std::ranges::any_of(routine.annotations, [&](const Value& annotation) {
    const Value& callee = annotation.is(ValueKind::call) ? annotation.parts[0] : annotation;
    return callee.is(ValueKind::member) && std::ranges::any_of(apis->transactions, [&](const ApiTransaction& entry) {
             if (entry.outside || !has(entry.methods, callee.text))
               return false;
             const auto object = type_of(project, callee.parts[0], {ref.file, routine.parent}, callee.text);
             return object && object->type != nullptr && has(entry.on, object->type->name) &&
                    object->identity == identity;
           });
  });
}

namespace {

/// Whether the body of the class, or of one of its bases in the project, calls the function.
bool calls_in_body(const LinkedProject& project, FileId file, const Class& type, const std::string& name,
                   int depth = 0) {
  constexpr int max_bases = 8;
  if (name.empty() || depth > max_bases)
    return false;
  for (const auto& [part_file, part] : parts_of(project, file, type)) {
    if (opts_out(project, {}, part->span, {}, name))
      return true;
    for (const Value& base : part->bases)
      if (const Definition found = definition_at(project, base, {part_file, part->routine}, place_before(*part));
          found.kind == Definition::type && found.type_definition != &type &&
          calls_in_body(project, found.scope.file, *found.type_definition, name, depth + 1))
        return true;
  }
  return false;
}

/// Whether a constant of the file, or an entry of one, is false: `config.transaction`.
bool switched_off(const LinkedProject& project, FileId file, const std::string& field) {
  const std::size_t dot = field.find('.');
  if (field.empty())
    return false;
  Value value = make_name(field.substr(0, dot), {});
  if (dot != std::string::npos)
    value = make_member(std::move(value), field.substr(dot + 1), {});
  const Value known = fold(project, value, {file, 0});
  return known.is(ValueKind::boolean) && known.number == 0;
}

} // namespace

std::string mark_of(const LinkedProject& project, RoutineRef ref) {
  const Routine& routine = project.routine(ref);
  const Apis* apis = project.apis(ref.file);
  if (apis == nullptr)
    return {};
  for (const Value& annotation : routine.annotations) {
    const Value& name = annotation.is(ValueKind::call) ? annotation.parts[0] : annotation;
    for (const ApiMark& mark : apis->marks)
      if (has_glob(mark.annotations, dotted(name)))
        return mark.transaction;
  }
  for (const ApiMark& mark : apis->marks)
    if (!mark.paths.empty() && has_glob(mark.paths, project.file(ref.file).path) &&
        has_glob(mark.methods, routine.name))
      return mark.transaction == "open" && switched_off(project, ref.file, mark.atomic_field) ? "none"
                                                                                              : mark.transaction;
  if (routine.owner.empty())
    return {};
  for (const Class& type : project.file(ref.file).classes) {
    if (type.name != routine.owner)
      continue;
    for (const std::string& base : base_names(project, ref.file, type))
      for (const ApiMark& mark : apis->marks)
        if (has_glob(mark.bases, base) && (mark.methods.empty() || has_glob(mark.methods, routine.name))) {
          if (mark.transaction == "open" && opts_out(project, {}, routine.span, {}, mark.atomic_call))
            return mark.methods.empty() ? "" : "none"; // other methods may be called from a block with one
          if (mark.transaction == "none" && calls_in_body(project, ref.file, type, mark.atomic_call))
            return "unknown";
          return mark.transaction;
        }
  }
  return {};
}

bool guarded(const LinkedProject& project, RoutineRef ref) {
  const Routine& routine = project.routine(ref);
  const Apis* apis = project.apis(ref.file);
  if (apis == nullptr)
    return false;
  auto mentions = [&](const Value& value, auto&& self, int depth) -> bool {
    if (value.is(ValueKind::member))
      for (const ApiGuard& guard : apis->guards)
        if (std::find(guard.members.begin(), guard.members.end(), value.text) != guard.members.end())
          return true;
    return depth < 8 &&
           std::any_of(
               value.parts.begin(), value.parts.end(), [&](const Value& part) { return self(part, self, depth + 1); });
  };
  for (const Block& block : routine.flow.blocks) {
    if (mentions(block.condition, mentions, 0))
      return true;
    for (const Event& event : block.events)
      if (mentions(event.value, mentions, 0))
        return true;
  }
  return false;
}

} // namespace padlint
