#include "analyzer/facts/linked_project.h"
#include "analyzer/facts/wrapper_calls.h"

#include <algorithm>
#include <cctype>
#include <set>

// A call is an execution when a database library says that its method sends SQL, or when nothing is known of the
// receiver but the text that it gets is SQL with a lock call. Texts are read in two steps: those that name a lock
// function or end transactions, then those that call one of the project's own SQL routines that takes a lock.

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

struct Pending {
  std::size_t execution;
  ComposedText text;
  bool deferred = false;
};

class Executions {
public:
  explicit Executions(LinkedProject& project) : project_(project) {}

  void run() {
    for (const FileFacts& file : project_.files)
      if (const Apis* apis = apis_of(file.language))
        for (std::uint32_t i = 0; i < file.routines.size(); ++i) {
          apis_ = apis;
          scope_ = {file.file, i};
          for_each_call(file.routines[i], [&](const Event& event) { visit(event); });
        }
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
  void visit(const Event& event) {
    if (event.value.parts.empty())
      return;
    Execution execution{
        .routine = {scope_.file, scope_.routine}, .event = &event, .span = event.span, .call = event.value};
    if (is_deferred(event.value)) { // stack.callback(conn.execute, "...", [...]): the call happens later
      const Value& outer = event.value;
      execution.call = make_call(outer.parts[1], {outer.parts.begin() + 2, outer.parts.end()}, outer.span);
      execution.deferred = true;
    }
    const Value callee = execution.call.parts[0];
    if (const WrapperCall wrapped = wrapper_of(project_, callee, scope_); wrapped.wrapper != nullptr)
      return add_wrapped(wrapped, std::move(execution));
    if (callee.is(ValueKind::member)) {
      const ApiSends* any = nullptr;
      for (const ApiSends& sends : apis_->sends)
        if (has(sends.methods, callee.text)) {
          any = &sends;
          break;
        }
      if (any == nullptr) {
        if (!named(execution) && is_unknown_sender(execution.call)) {
          execution.confidence = Confidence::likely;
          execution.unknown_method = true;
          add(std::move(execution));
        }
        return;
      }
      execution.receiver = type_of(project_, callee.parts[0], scope_, callee.text);
      if (execution.receiver && execution.receiver->instance_of != nullptr)
        return;
      if (execution.receiver && execution.receiver->type != nullptr) {
        for (const ApiSends& sends : apis_->sends)
          if (has(sends.on, execution.receiver->type->name) && has(sends.methods, callee.text))
            execution.sends = &sends;
        if (execution.sends == nullptr)
          return;
        execution.confidence = execution.receiver->confidence;
        return add(std::move(execution));
      }
      if (!targets_of(project_, callee, scope_).empty())
        return;
      if (named(execution))
        return;
      // Nothing is known of the receiver: the text decides.
      execution.receiver.reset();
      execution.confidence = Confidence::likely;
      add(std::move(execution));
      return;
    }
    named(execution);
  }

  bool is_deferred(const Value& call) const {
    const Value& callee = call.parts[0];
    if (call.parts.size() < 3 || !(call.parts[1].is(ValueKind::member) || call.parts[1].is(ValueKind::name)))
      return false;
    return std::any_of(apis_->controls.begin(), apis_->controls.end(), [&](const ApiControl& control) {
      if (control.effect != ApiEffect::release_deferred)
        return false;
      if (callee.is(ValueKind::member) && has(control.methods, callee.text))
        return true;
      const std::string name = external_name(project_, callee, scope_);
      return !name.empty() && has(control.names, name);
    });
  }

  /// A method that nobody knows, of something that is no text, with a text of SQL that names a lock function.
  bool is_unknown_sender(const Value& call) const {
    const Value& callee = call.parts[0];
    const Value* text = argument(call, 0, {});
    if (text == nullptr || (!text->is(ValueKind::text) && !text->is(ValueKind::concat)) ||
        callee.parts[0].is(ValueKind::text) || callee.parts[0].is(ValueKind::concat) ||
        !external_name(project_, callee, scope_).empty())
      return false;
    const std::string name = dotted(callee);
    if (std::any_of(apis_->quiet_calls.begin(), apis_->quiet_calls.end(),
                    [&](const std::string& quiet) { return glob_name(quiet, name); }) ||
        library_method(*apis_, callee.text) || !targets_of(project_, callee, scope_).empty())
      return false;
    const Value& first = text->is(ValueKind::concat) && !text->parts.empty() ? text->parts[0] : *text;
    const std::string start = folded(first.text).substr(0, 12);
    return start.find("select") != std::string::npos || start.find("with") != std::string::npos;
  }

  /// A call that the project's settings say the SQL of. Where they name no release, the wrapper releases by itself.
  void add_wrapped(const WrapperCall& wrapped, Execution execution) {
    const Wrapper& wrapper = *wrapped.wrapper;
    const Value& callee = execution.call.parts[0];
    if (const Value* handle = find_argument(execution.call, wrapper.handle))
      execution.receiver = type_of(project_, *handle, scope_);
    else if (callee.is(ValueKind::member))
      execution.receiver = type_of(project_, callee.parts[0], scope_, callee.text);
    if (execution.receiver && execution.receiver->type == nullptr)
      execution.receiver.reset();
    if (execution.receiver)
      execution.receiver->transaction = execution.receiver->transaction || wrapper.transaction;
    const bool own_session = !wrapper.handle.given() && (wrapper.transaction || wrapper.level == Level::session);
    project_.wrappers.push_back(sends_of(wrapper, own_session));
    execution.sends = &project_.wrappers.back();
    const std::size_t index = project_.executions.size();
    if (wrapper.sql.given() && !wrapped.release)
      return add(std::move(execution));
    pending_.push_back({.execution = index, .text = wrapped_sql(wrapped, execution.call, scope_)});
    if (wrapper.releases.empty() && wrapper.level == Level::session)
      pending_.push_back(
          {.execution = index, .text = wrapped_sql({&wrapper, true}, execution.call, scope_), .deferred = true});
    project_.executions.push_back(std::move(execution));
    project_.execution_at[project_.executions.back().span] = index;
  }

  bool named(Execution& execution) {
    const std::string name = external_name(project_, execution.call.parts[0], scope_);
    if (name.empty())
      return false;
    for (const ApiSends& sends : apis_->sends)
      if (has(sends.names, name)) {
        execution.sends = &sends;
        add(std::move(execution));
        return true;
      }
    return false;
  }

  void add(Execution execution) {
    const std::size_t index = project_.executions.size();
    std::vector<ComposedText> texts;
    if (execution.sends != nullptr && execution.sends->builder)
      texts = compose_query(project_, execution.call, scope_);
    else {
      const Value* sql = execution.sends == nullptr ? argument(execution.call, 0, {})
                                                    : find_argument(execution.call, execution.sends->sql);
      if (sql != nullptr)
        texts = compose(project_, *sql, scope_);
    }
    project_.executions.push_back(std::move(execution));
    project_.execution_at[project_.executions.back().span] = index;
    for (ComposedText& text : texts)
      pending_.push_back({.execution = index, .text = std::move(text)});
  }

  template <class Wanted>
  void read_pending(Wanted wanted) {
    std::vector<Pending> rest;
    for (Pending& pending : pending_) {
      if (wanted(folded(pending.text.text.text)))
        read(pending);
      else
        rest.push_back(std::move(pending));
    }
    pending_ = std::move(rest);
  }

  void read(Pending& pending) {
    Execution& execution = project_.executions[pending.execution];
    const Apis* apis = project_.apis(execution.routine.file);
    Reading reading{.text = std::move(pending.text.text),
                    .sql = {},
                    .binds = {},
                    .scope = pending.text.scope,
                    .deferred = pending.deferred,
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
      int skip = execution.sends == nullptr ? 1 : std::max(execution.sends->sql.position, 0) + 1;
      for (int i = skip; const Value* value = argument(execution.call, i, {}); ++i)
        found.emplace_back(*value, scope);
      if (execution.sends == nullptr && found.size() == 1)
        return spread(found[0].first, scope);
      return found;
    }
    if (const Value* value = find_argument(execution.call, execution.sends->binds)) {
      auto more = spread(*value, scope);
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
  const Apis* apis_ = nullptr;
  Scope scope_;
  std::vector<Pending> pending_;
};

} // namespace

void collect_executions(LinkedProject& project) { Executions(project).run(); }

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
