#include "analyzer/facts/key_sources.h"

// Where an expression is understood, and what a parameter is there.

namespace padlint {

const Apis* Standpoint::apis(const LinkedProject& project) const {
  const RoutineForm form = project.routine({scope.file, scope.routine}).form;
  const bool sql = reading != nullptr || form == RoutineForm::sql_function || form == RoutineForm::sql_procedure ||
                   form == RoutineForm::sql_do;
  return sql ? nullptr : project.apis(scope.file);
}

std::string global_name(const LinkedProject& project, const Value& callee, Scope scope) {
  std::string name = external_name(project, callee, scope);
  if (!name.empty() || !callee.is(ValueKind::member))
    return name;
  const Value* root = &callee;
  while (root->is(ValueKind::member))
    root = &root->parts[0];
  return definition_of(project, *root, scope).kind == Definition::none ? dotted(callee) : std::string();
}

std::optional<std::pair<Value, Standpoint>> framed_argument(const LinkedProject& project, RoutineRef routine,
                                                            std::uint32_t parameter, const CallFrame* frame) {
  for (; frame != nullptr; frame = frame->caller.frame)
    if (frame->routine == routine) {
      const Routine& callee = project.routine(routine);
      const Value* value = argument_for(callee, frame->call, parameter);
      if (value == nullptr)
        return std::nullopt;
      if (parameter < callee.parameters.size() && value == &callee.parameters[parameter].initial)
        return {{*value, {.scope = {routine.file, routine.index}}}};
      return {{*value, frame->caller}};
    }
  return std::nullopt;
}

} // namespace padlint
