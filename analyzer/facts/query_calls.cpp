#include "analyzer/facts/query_calls.h"

#include <algorithm>

// `-- name: TryLane :one` in an SQL file and `queries.TryLane(ctx, key)` in the code: between them stands generated
// code, which says nothing that the two do not. The call runs the statements of the query in the session of whatever
// the object was made over: New(pool), queries.WithTx(tx).

namespace padlint {
namespace {

bool locks(const Statement& statement) {
  return std::any_of(statement.calls.begin(), statement.calls.end(),
                     [](const SqlCall& call) { return lock_function(call.name) != nullptr; });
}

class QueryCalls {
public:
  explicit QueryCalls(LinkedProject& project) : project_(project) {}

  void run() {
    for (const FileFacts& file : project_.files)
      if (apis_of(file.language) == nullptr)
        for (std::uint32_t i = 1; i < file.routines.size(); ++i)
          add_query(file, i);
    if (queries_.empty())
      return;
    for (const FileFacts& file : project_.files)
      if (apis_of(file.language) != nullptr)
        for (std::uint32_t i = 0; i < file.routines.size(); ++i) {
          scope_ = {file.file, i};
          for_each_call(file.routines[i], [&](const Event& event) { call(event); });
        }
  }

private:
  void add_query(const FileFacts& file, std::uint32_t index) {
    const Routine& routine = file.routines[index];
    if (routine.form != RoutineForm::sql_function || routine.name.empty() || !routine.sql.name.empty())
      return;
    std::vector<Statement> statements;
    for (const Block& block : routine.flow.blocks)
      for (const Event& event : block.events)
        if (event.kind == EventKind::sql && event.number < file.statements.size())
          statements.push_back(file.statements[event.number]);
    if (std::any_of(statements.begin(), statements.end(), locks))
      queries_.try_emplace(routine.name, std::move(statements));
  }

  void call(const Event& event) {
    const Value& value = event.value;
    if (value.parts.empty() || !value.parts[0].is(ValueKind::member) || project_.execution_at.contains(value.span))
      return;
    const auto query = queries_.find(value.parts[0].text);
    if (query == queries_.end())
      return;
    for (const auto& [target, confidence] : targets_of(project_, value.parts[0], scope_))
      if (!project_.file(target.file).traits.generated)
        return; // a method of the project's own
    Execution execution{.routine = {scope_.file, scope_.routine},
                        .event = &event,
                        .span = value.span,
                        .call = value,
                        .receiver = made_over(value.parts[0].parts[0], scope_)};
    execution.confidence = execution.receiver ? execution.receiver->confidence : Confidence::likely;
    execution.readings.push_back(project_.readings.size());
    Reading reading{.scope = scope_};
    reading.sql.sql = true;
    reading.sql.statements = query->second;
    reading.sql.top_level = query->second.size();
    for (std::size_t i = 1; i < value.parts.size(); ++i) {
      const Value& argument = value.parts[i];
      const bool record = argument.is(ValueKind::call) && argument.parts.size() > 1 && !argument.parts[1].label.empty();
      for (std::size_t field = 1; record && field < argument.parts.size(); ++field)
        reading.binds.emplace_back(argument.parts[field], scope_);
      if (!record && !is_context(argument))
        reading.binds.emplace_back(argument, scope_);
    }
    project_.readings.push_back(std::move(reading));
    project_.execution_at[execution.span] = project_.executions.size();
    project_.executions.push_back(std::move(execution));
  }

  /// The first argument says how long to wait, not what to send.
  static bool is_context(const Value& argument) {
    const std::string name = dotted(argument.is(ValueKind::call) ? argument.parts[0] : argument);
    return name == "ctx" || name.ends_with(".ctx") || name.starts_with("context.") || name.ends_with(".Context");
  }

  /// The database object that an object of queries was made over.
  std::optional<Typed> made_over(const Value& object, Scope scope, int depth = 0) {
    constexpr int max_depth = 5;
    if (depth > max_depth)
      return std::nullopt;
    if (object.is(ValueKind::call)) {
      for (std::size_t i = 1; i < object.parts.size(); ++i)
        if (auto typed = type_of(project_, object.parts[i], scope); typed && typed->type != nullptr)
          return typed;
      return std::nullopt;
    }
    if (object.is(ValueKind::index) || (object.is(ValueKind::operation) && object.parts.size() == 1))
      return made_over(object.parts[0], scope, depth + 1);
    if (object.is(ValueKind::member))
      if (const Class* owner = own_class(project_, object.parts[0], scope))
        for (const auto& [field_scope, binding] : field_bindings(project_, scope.file, *owner, object.text))
          if (auto typed = made_over(binding->value, field_scope, depth + 1))
            return typed;
    const Definition found = definition_of(project_, object, scope);
    if (found.kind == Definition::parameter) {
      for (const auto& [given, given_scope] : arguments_for(project_, found.target, found.parameter_index))
        if (auto typed = made_over(given, given_scope, depth + 1))
          return typed;
    } else if (found.kind == Definition::bindings) {
      // Of several the last one before the use.
      const Binding* last = nullptr;
      for (const Binding* binding : found.bound)
        if (last == nullptr || binding->span.begin <= object.span.begin)
          last = binding;
      if (last != nullptr && !(last->value.is(ValueKind::name) && last->value.text == object.text))
        return made_over(last->value, {found.scope.file, last->routine}, depth + 1);
    }
    return std::nullopt;
  }

  LinkedProject& project_;
  Scope scope_;
  std::map<std::string, std::vector<Statement>> queries_; // that take or release a lock, by name
};

} // namespace

void collect_query_calls(LinkedProject& project) { QueryCalls(project).run(); }

std::set<RoutineRef> called_queries(const LinkedProject& project) {
  std::set<RoutineRef> called;
  for (const Execution& execution : project.executions)
    for (const std::size_t index : execution.readings) {
      const SqlReading& sql = project.readings[index].sql;
      if (sql.statements.empty() || sql.statements[0].span.file == execution.routine.file ||
          !project.position.contains(sql.statements[0].span.file))
        continue;
      const FileFacts& file = project.file(sql.statements[0].span.file);
      if (apis_of(file.language) != nullptr)
        continue;
      for (std::uint32_t i = 1; i < file.routines.size(); ++i)
        if (file.routines[i].span.contains(sql.statements[0].span) && file.routines[i].sql.name.empty())
          called.insert({file.file, i});
    }
  return called;
}

bool sent_by_code(const LinkedProject& project, RoutineRef file) {
  const auto numbered = [](const Value& value, const auto& self) -> bool {
    return (value.is(ValueKind::parameter) && value.label.empty()) ||
           std::ranges::any_of(value.parts, [&](const Value& part) { return self(part, self); });
  };
  const std::vector<Statement>& statements = project.file(file.file).statements;
  for (const Block& block : project.routine(file).flow.blocks)
    for (const Event& event : block.events)
      if (event.kind == EventKind::sql && event.number < statements.size() &&
          statements[event.number].kind != StatementKind::prepare)
        for (const SqlCall& call : statements[event.number].calls)
          if (std::ranges::any_of(call.arguments, [&](const Value& value) { return numbered(value, numbered); }))
            return true;
  return false;
}

} // namespace padlint
