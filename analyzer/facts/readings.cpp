#include "analyzer/facts/composer.h"
#include "analyzer/facts/linked_project.h"

#include <algorithm>
#include <cctype>
#include <set>

// What the executions send. Texts are read in two steps: those that name a lock function or end transactions, then
// those that call one of the project's own SQL routines that takes a lock.

namespace padlint {
namespace {

std::string folded(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return out;
}

/// Texts that change the transaction or the session, and so matter without a lock.
bool controls_transaction(const std::string& text) {
  const std::size_t begin = text.find_first_not_of(" \t\r\n(");
  if (begin == std::string::npos)
    return false;
  for (const char* word :
       {"begin", "start transaction", "commit", "rollback", "end", "savepoint", "release", "abort", "discard"})
    if (text.compare(begin, std::char_traits<char>::length(word), word) == 0)
      return true;
  return false;
}

class Readings {
public:
  explicit Readings(LinkedProject& project) : project_(project) {}

  void run(std::vector<WrittenText> written) {
    std::set<std::size_t> known;
    for (const WrittenText& text : written)
      known.insert(text.execution);
    pending_ = std::move(written);
    for (std::size_t i = 0; i < project_.executions.size(); ++i)
      if (!known.contains(i))
        for (ComposedText& text : texts_of(project_.executions[i]))
          pending_.push_back({.execution = i, .text = std::move(text)});
    read_pending([](const std::string& text) {
      return text.find("advisory") != std::string::npos || controls_transaction(text);
    });
    collect_sql_routines();
    read_pending([&](const std::string& text) {
      return std::any_of(project_.sql_routines.begin(), project_.sql_routines.end(),
                         [&](const auto& routine) { return text.find(routine.first) != std::string::npos; });
    });
    drop_unknown();
  }

private:
  std::vector<ComposedText> texts_of(const Execution& execution) const {
    const Scope scope{execution.routine.file, execution.routine.index};
    const ApiSends* sends = execution.sends;
    if (sends != nullptr && (sends->builder || !sends->clause.empty()))
      return compose_query(project_, execution.call, clauses_chained_to(execution), *sends, scope);
    const Value* sql = sends == nullptr ? argument(execution.call, text_position(execution), {})
                       : sends->on_text ? &execution.call.parts[0].parts[0]
                                        : find_argument(execution.call, sends->sql);
    if (sql != nullptr && sends != nullptr && sends->routine)
      return call_of_routine(execution, *sql, scope);
    return sql == nullptr ? std::vector<ComposedText>() : compose(project_, *sql, scope);
  }

  /// `rpc('try_sync', { k: 1 })` is SELECT try_sync(1): arguments go by the names of the routine's parameters, where
  /// the project defines it.
  std::vector<ComposedText> call_of_routine(const Execution& execution, const Value& name, Scope scope) const {
    const Value known = fold(project_, name, scope);
    const auto plain = [](char c) { return c == '_' || c == '.' || std::isalnum(static_cast<unsigned char>(c)) != 0; };
    if (!known.is(ValueKind::text) || known.text.empty() || !std::ranges::all_of(known.text, plain))
      return {};
    std::vector<Value> arguments;
    if (const Value* given = find_argument(execution.call, execution.sends->binds))
      if (const Value map = fold(project_, *given, scope); map.is(ValueKind::map))
        arguments.assign(map.parts.begin(), map.parts.end());
    if (const auto named = project_.routines_by_name.find(known.text); named != project_.routines_by_name.end()) {
      const std::vector<Parameter>& parameters = project_.routine(named->second.back()).parameters;
      std::ranges::stable_sort(arguments, {}, [&](const Value& argument) {
        return std::ranges::find(parameters, argument.label, &Parameter::name) - parameters.begin();
      });
    }
    ComposedText out{.text = {}, .binds = {}, .scope = scope};
    append_for(out.text, "SELECT ", name.span);
    append_for(out.text, known.text, name.span);
    append_for(out.text, "(", name.span);
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      append_for(out.text, i > 0 ? ", " : "", name.span);
      Value argument = arguments[i];
      argument.label.clear();
      out.text.append_hole(argument);
    }
    append_for(out.text, ")", name.span);
    return {out};
  }

  /// The last of the calls that add clauses to the query which the execution begins: `query(...).filter(...).limit(1)`.
  const Value& clauses_chained_to(const Execution& execution) const {
    const Value* last = &execution.call;
    const Apis& apis = *project_.apis(execution.routine.file);
    for (const Block& block : project_.routine(execution.routine).flow.blocks)
      for (const Event& event : block.events)
        if (const Value* callee = event.value.is(ValueKind::call) ? &event.value.parts[0] : nullptr;
            callee != nullptr && callee->is(ValueKind::member) && callee->parts[0].span == last->span &&
            adds_a_clause(apis, callee->text))
          last = &event.value;
    return *last;
  }

  /// Of a method that may be that of several libraries: where the text stands.
  int text_position(const Execution& execution) const {
    const Scope scope{execution.routine.file, execution.routine.index};
    for (int i = 0; i < 3; ++i)
      if (const Value* value = argument(execution.call, i, {}); value != nullptr) {
        const Value known = fold(project_, *value, scope);
        if (known.is(ValueKind::text) || known.is(ValueKind::concat))
          return i;
      }
    return 0;
  }

  template <class Wanted>
  void read_pending(Wanted wanted) {
    std::vector<WrittenText> rest;
    for (WrittenText& pending : pending_) {
      if (wanted(folded(pending.text.text.text)))
        read(pending);
      else
        rest.push_back(std::move(pending));
    }
    pending_ = std::move(rest);
  }

  void read(WrittenText& pending) {
    Execution& execution = project_.executions[pending.execution];
    const Apis* apis = project_.apis(execution.routine.file);
    Reading reading{.text = std::move(pending.text.text),
                    .sql = {},
                    .binds = {},
                    .scope = pending.text.scope,
                    .deferred = pending.deferred,
                    .chosen = pending.text.chosen,
                    .confidence = pending.text.confidence};
    reading.sql = read_sql(reading.text, apis->placeholders);
    if (!reading.sql.sql)
      return;
    reading.binds = binds(execution, std::move(pending.text.binds));
    FileFacts& file = project_.files[project_.position.at(execution.routine.file)];
    reading.first_statement = file.statements.size();
    file.statements.insert(file.statements.end(), reading.sql.statements.begin(), reading.sql.statements.end());
    for (Routine routine : reading.sql.routines) {
      for (Block& block : routine.flow.blocks)
        for (Event& event : block.events)
          if (event.kind == EventKind::sql)
            event.number += static_cast<std::uint32_t>(reading.first_statement);
      project_.routines_by_name[routine.sql.name].push_back(
          {file.file, static_cast<std::uint32_t>(file.routines.size())});
      file.routines.push_back(std::move(routine));
    }
    own_bindings(file);
    execution.readings.push_back(project_.readings.size());
    project_.readings.push_back(std::move(reading));
  }

  /// What placeholders stand for: a list by position, a map by name, or the arguments after the text.
  std::vector<std::pair<Value, Scope>> binds(const Execution& execution, std::vector<std::pair<Value, Scope>> found) {
    const Scope scope{execution.routine.file, execution.routine.index};
    if (execution.sends == nullptr || execution.sends->binds_rest) {
      int skip =
          execution.sends == nullptr ? text_position(execution) + 1 : std::max(execution.sends->sql.position, 0) + 1;
      for (int i = skip; const Value* value = argument(execution.call, i, {}); ++i)
        found.emplace_back(*value, scope);
      if (execution.sends == nullptr && found.size() == 1)
        return spread(found[0].first, scope);
      return found;
    }
    if (const Value* value = find_argument(execution.call, execution.sends->binds)) {
      auto more = spread(*value, scope);
      if (execution.sends->bind_pairs)
        for (auto& [bound, where] : more)
          if (bound.is(ValueKind::list) && bound.parts.size() == 2)
            bound = Value(bound.parts[1]);
      found.insert(found.end(), more.begin(), more.end());
    }
    return found;
  }

  std::vector<std::pair<Value, Scope>> spread(const Value& value, Scope scope) {
    Value known = value;
    for (int hop = 0; hop < 3 && (known.is(ValueKind::name) || known.is(ValueKind::member)); ++hop) {
      const Definition found = definition_of(project_, known, scope);
      if (found.kind != Definition::bindings || found.bound.size() != 1 ||
          found.bound[0]->role != BindingRole::assigned)
        break;
      const Value& bound = found.bound[0]->value;
      if (!bound.is(ValueKind::list) && !bound.is(ValueKind::map) && !bound.is(ValueKind::name))
        break;
      scope = {found.scope.file, found.bound[0]->routine};
      known = Value(bound);
    }
    std::vector<std::pair<Value, Scope>> out;
    if (known.is(ValueKind::list) || known.is(ValueKind::map))
      for (const Value& part : known.parts)
        out.emplace_back(part, scope);
    else
      out.emplace_back(known, scope);
    return out;
  }

  /// Routines of the project's SQL in which a lock is taken or released, through others as well.
  void collect_sql_routines() {
    for (bool grown = true; grown;) {
      grown = false;
      for (const FileFacts& file : project_.files)
        for (std::uint32_t i = 0; i < file.routines.size(); ++i) {
          const Routine& routine = file.routines[i];
          if (routine.form != RoutineForm::sql_function && routine.form != RoutineForm::sql_procedure)
            continue;
          const std::string name = folded(routine.sql.name);
          std::vector<SqlWrapper>* known =
              project_.sql_routines.contains(name) ? &project_.sql_routines[name] : nullptr;
          if (known != nullptr && std::any_of(known->begin(), known->end(), [&](const SqlWrapper& w) {
                return w.routine == RoutineRef{file.file, i};
              }))
            continue;
          bool locks = false;
          bool works = false;
          for (const Block& block : routine.flow.blocks)
            for (const Event& event : block.events) {
              if (event.kind != EventKind::sql || event.number >= file.statements.size())
                continue;
              const Statement& statement = file.statements[event.number];
              works = works || statement.works || statement.kind != StatementKind::select;
              for (const SqlCall& call : statement.calls) {
                const auto inner = project_.sql_routines.find(call.name);
                const bool wrapper = inner != project_.sql_routines.end();
                locks = locks || lock_function(call.name) != nullptr || wrapper;
                works = works || (lock_function(call.name) == nullptr && !(wrapper && inner->second.back().only_locks));
              }
            }
          if (!locks)
            continue;
          project_.sql_routines[name].push_back({.routine = {file.file, i}, .only_locks = !works});
          grown = true;
        }
    }
  }

  /// Calls on receivers that nothing is known of count only when their text takes or releases a lock.
  void drop_unknown() {
    std::vector<Execution> kept;
    project_.execution_at.clear();
    for (Execution& execution : project_.executions) {
      bool locks = false;
      for (std::size_t index : execution.readings)
        for (const Statement& statement : project_.readings[index].sql.statements)
          for (const SqlCall& call : statement.calls)
            locks = locks || lock_function(call.name) != nullptr || project_.sql_routines.contains(call.name);
      if (execution.sends == nullptr && !locks)
        continue;
      project_.execution_at[execution.span] = kept.size();
      kept.push_back(std::move(execution));
    }
    project_.executions = std::move(kept);
  }

  LinkedProject& project_;
  std::vector<WrittenText> pending_;
};

} // namespace

void read_executions(LinkedProject& project, std::vector<WrittenText> written) {
  Readings(project).run(std::move(written));
}

std::optional<std::pair<Value, Scope>> bound_value(const Reading& reading, const Value& parameter) {
  if (parameter.text == "hole") {
    const auto index = static_cast<std::size_t>(parameter.number);
    if (index < reading.text.holes.size())
      return {{reading.text.holes[index], reading.scope}};
    return std::nullopt;
  }
  if (!parameter.label.empty()) {
    for (const auto& bind : reading.binds)
      if (bind.first.label == parameter.label)
        return bind;
    return std::nullopt;
  }
  if (parameter.number >= 0 && static_cast<std::size_t>(parameter.number) < reading.binds.size())
    return reading.binds[static_cast<std::size_t>(parameter.number)];
  return std::nullopt;
}

} // namespace padlint
