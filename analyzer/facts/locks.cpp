#include "analyzer/facts/key_sources.h"
#include "analyzer/facts/keys.h"
#include "analyzer/facts/linked_project.h"
#include "analyzer/facts/project_facts.h"
#include "analyzer/facts/query_calls.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

// Executions and SQL events become locks, releases and effects. An effect is what the dataflows know of an event: which
// session it is about and what happens there.

namespace padlint {
namespace {

class Locks {
public:
  explicit Locks(ProjectFacts& facts) : facts_(facts), project_(*facts.linked) {}

  void run() {
    superseded_ = superseded_routines(project_);
    // Bodies first: what a routine of the project's SQL does is done by its callers.
    for (const FileFacts& file : project_.files)
      for (std::uint32_t i = 0; i < file.routines.size(); ++i)
        if (is_sql_body(file.routines[i]) && !superseded_.contains({file.file, i}))
          sql_routine({file.file, i}, file.routines[i]);
    bodies_done_ = true;
    for (const FileFacts& file : project_.files)
      for (std::uint32_t i = 0; i < file.routines.size(); ++i)
        if (is_sql_body(file.routines[i]) && !superseded_.contains({file.file, i}))
          wrapper_calls_in_body({file.file, i}, file.routines[i]);
    for (const FileFacts& file : project_.files)
      if (apis_of(file.language) == nullptr && !file.routines.empty() && !is_sql_body(file.routines[0]))
        sql_routine({file.file, 0}, file.routines[0]);
    for (const Execution& execution : project_.executions)
      host(execution);
  }

private:
  static bool is_sql_body(const Routine& routine) {
    return routine.form == RoutineForm::sql_function || routine.form == RoutineForm::sql_procedure ||
           routine.form == RoutineForm::sql_do;
  }

  // ---- handles

  HandleId add(Handle handle) {
    for (HandleId i = 0; i < facts_.handles.size(); ++i)
      if (const Handle& known = facts_.handles[i];
          known.identity == handle.identity && known.text == handle.text && known.kind == handle.kind)
        return i;
    facts_.handles.push_back(std::move(handle));
    return static_cast<HandleId>(facts_.handles.size() - 1);
  }

  HandleId host_handle(const Execution& execution) {
    const Value& callee = execution.call.parts[0];
    Handle handle;
    handle.text = callee.is(ValueKind::member) ? dotted(callee.parts[0]) : dotted(callee);
    if (!execution.receiver) {
      handle.identity = fmt::format("name:{}:{}:{}", execution.routine.file, execution.routine.index,
                                    handle.text.empty() ? fmt::format("@{}", execution.span.begin) : handle.text);
      handle.from_caller = true;
      handle.confidence = Confidence::likely;
      if (callee.is(ValueKind::member) && callee.parts[0].is(ValueKind::name))
        if (const Definition found =
                look_up(project_, {execution.routine.file, execution.routine.index}, callee.parts[0].text);
            found.kind == Definition::parameter) // whatever the callers pass
          handle.identity = fmt::format("param:{}:{}:{}", found.target.file, found.target.index, callee.parts[0].text);
      if (execution.sends != nullptr && !execution.sends->session.empty()) { // the library's own session
        handle.kind = HandleKind::pinned;
        handle.type = execution.sends->session;
        handle.identity = fmt::format("ambient:{}:{}", execution.sends->session, execution.routine.file);
        handle.from_caller = false;
        handle.autocommit = execution.sends->autocommit || set_to_false(project_, execution.call, execution.span,
                                                                        execution.sends->atomic_field)
                                ? Answer::yes
                                : Answer::no;
        if (handle.autocommit == Answer::yes)
          handle.identity += ":autocommit";
        handle.confidence = Confidence::certain;
      }
      return add(std::move(handle));
    }
    return add(handle_of(*execution.receiver, std::move(handle.text)));
  }

  /// Statements of SQL files and of functions run in the session of whoever runs them.
  HandleId sql_handle(RoutineRef ref, const Routine& routine) {
    Handle handle;
    handle.kind = HandleKind::pinned;
    handle.text = "the session";
    handle.identity = session_of(ref, routine);
    const bool script = routine.form == RoutineForm::file && !sent_by_code(project_, ref);
    handle.from_caller = !script;
    handle.autocommit = script ? Answer::yes : Answer::unknown;
    return add(std::move(handle));
  }

  static std::string session_of(RoutineRef ref, const Routine& routine) {
    return routine.form == RoutineForm::file ? fmt::format("script:{}", ref.file) : std::string("session");
  }

  // ---- host executions

  void host(const Execution& execution) {
    if (execution.readings.empty()) {
      if (execution.receiver)
        project_.effects[execution.routine][{execution.span, EventKind::call}].push_back(
            {.kind = Effect::work, .identity = execution.receiver->identity});
      return;
    }
    const HandleId handle = host_handle(execution);
    std::vector<Effect>& effects = project_.effects[execution.routine][{execution.span, EventKind::call}];
    const std::string identity = facts_.handles[handle].identity;
    const Chosen chosen = chosen_by_flags(execution);
    for (std::size_t index : execution.readings) {
      const Reading& reading = project_.readings[index];
      const bool message = reading.sql.top_level > 1 && reading.binds.empty() && execution.sends != nullptr &&
                           execution.sends->simple_protocol;
      if (message)
        effects.push_back({.kind = Effect::begin, .identity = identity, .scoped = true});
      for (std::size_t s = 0; s < reading.sql.top_level; ++s) {
        const Statement& statement = reading.sql.statements[s];
        control(statement, facts_.handles[handle], effects);
        for (const SqlCall& call : statement.calls) {
          std::vector<Value> parts;
          for (const Value& part : call.arguments)
            parts.push_back(resolved(project_, reading, part));
          Key key = key_of(project_, std::move(parts));
          find_sources(key, call, {.scope = {execution.routine.file, execution.routine.index}, .reading = &reading});
          Confidence confidence = weaker(weaker(execution.confidence, reading.confidence),
                                         statement.parsed ? Confidence::certain : Confidence::likely);
          if (reading.chosen && chosen.kind)
            confidence = Confidence::possible;
          TryResult result = call.position == SqlPosition::select_list && !call.rows.in_exists_list
                                 ? result_of(project_, execution)
                                 : TryResult::read;
          if (reading.chosen && chosen.wait && result == TryResult::dropped)
            result = TryResult::unknown; // where it waits, there is no answer
          place(call, std::move(key),
                {execution.routine, execution.span, handle, result, confidence, !statement.works,
                 execution.deferred || reading.deferred},
                effects);
        }
        effects.push_back({.kind = Effect::work, .identity = identity});
      }
      if (message)
        effects.push_back({.kind = Effect::commit, .identity = identity, .scoped = true});
    }
  }

  /// What the code picks by flags, of the functions that one call may send.
  struct Chosen {
    bool kind = false; // taken or released, for the session or the transaction
    bool wait = false; // or only tried
  };

  Chosen chosen_by_flags(const Execution& execution) const {
    std::set<std::pair<LockFunction::Effect, Level>> kinds;
    std::set<bool> waits;
    for (const std::size_t index : execution.readings)
      if (const Reading& reading = project_.readings[index]; reading.chosen)
        for (const Statement& statement : reading.sql.statements)
          for (const SqlCall& call : statement.calls)
            if (const LockFunction* function = lock_function(call.name)) {
              kinds.emplace(function->effect, function->level);
              waits.insert(function->waits);
            }
    return {.kind = kinds.size() > 1, .wait = waits.size() > 1};
  }

  static void control(const Statement& statement, const Handle& handle, std::vector<Effect>& effects) {
    if (statement.kind == StatementKind::begin)
      effects.push_back({.kind = Effect::begin, .identity = handle.identity, .pool = handle.pool});
    else if (statement.kind == StatementKind::commit)
      effects.push_back({.kind = Effect::commit, .identity = handle.identity});
    else if (statement.kind == StatementKind::rollback)
      effects.push_back({.kind = Effect::rollback, .identity = handle.identity});
  }

  struct Where {
    RoutineRef routine;
    Span execution;
    HandleId handle;
    TryResult result;
    Confidence confidence;
    bool lone;
    bool deferred = false;
  };

  void place(const SqlCall& call, Key key, const Where& where, std::vector<Effect>& effects) {
    const std::string identity = facts_.handles[where.handle].identity;
    const bool own_schema = call.schema.empty() || call.schema == "pg_catalog";
    if (const LockFunction* function = own_schema ? lock_function(call.name) : nullptr) {
      if (function->effect == LockFunction::acquire) {
        LockCall lock{.id = static_cast<LockId>(facts_.locks.size()),
                      .span = call.span,
                      .execution = where.execution,
                      .routine = where.routine,
                      .handle = where.handle,
                      .function = function,
                      .key = std::move(key),
                      .position = call.position,
                      .rows = call.rows,
                      .result = function->waits ? TryResult::read : where.result,
                      .lone = where.lone,
                      .wrapped = std::nullopt,
                      .confidence = where.confidence};
        effects.push_back({.kind = Effect::acquire, .id = lock.id, .identity = identity});
        facts_.locks.push_back(std::move(lock));
      } else {
        LockRelease release{.id = static_cast<LockId>(facts_.releases.size()),
                            .span = call.span,
                            .execution = where.execution,
                            .routine = where.routine,
                            .handle = where.handle,
                            .function = function,
                            .key = std::move(key),
                            .confidence = where.confidence};
        effects.push_back(
            {.kind = Effect::release, .id = release.id, .identity = identity, .deferred = where.deferred});
        facts_.releases.push_back(std::move(release));
      }
      return;
    }
    if (!bodies_done_)
      return;
    auto wrapped = project_.sql_routines.find(call.name);
    if (wrapped == project_.sql_routines.end())
      return;
    for (auto wrapper = wrapped->second.rbegin(); wrapper != wrapped->second.rend(); ++wrapper)
      if (!superseded_.contains(wrapper->routine))
        return wrapper_call(call, key, *wrapper, where, effects);
  }

  /// The locks and releases of a routine, and of those that it calls.
  void gather(RoutineRef ref, std::vector<LockId>& locks, std::vector<LockId>& releases, int depth = 0) const {
    for (const LockCall& lock : facts_.locks)
      if (lock.routine == ref && !lock.wrapped)
        locks.push_back(lock.id);
    for (const LockRelease& release : facts_.releases)
      if (release.routine == ref && !release.wrapped)
        releases.push_back(release.id);
    const FileFacts& file = project_.file(ref.file);
    for (const Block& block : file.routines[ref.index].flow.blocks)
      for (const Event& event : block.events)
        if (event.kind == EventKind::sql && event.number < file.statements.size() && depth < 3)
          for (const SqlCall& call : file.statements[event.number].calls)
            if (auto inner = project_.sql_routines.find(call.name);
                inner != project_.sql_routines.end() && inner->second.back().routine != ref)
              gather(inner->second.back().routine, locks, releases, depth + 1);
  }

  /// A call of the project's own SQL routine does what the routine does, as far as it outlives the routine: a lock that
  /// the routine releases itself is its own business.
  void wrapper_call(const SqlCall& call, const Key& arguments, const SqlWrapper& wrapper, const Where& where,
                    std::vector<Effect>& effects) {
    const Routine& routine = project_.routine(wrapper.routine);
    if (routine.sql.returns == "trigger" || routine.parameters.size() < call.arguments.size())
      return;
    std::vector<LockId> locks;
    std::vector<LockId> releases;
    gather(wrapper.routine, locks, releases);
    const std::string& identity = facts_.handles[where.handle].identity;
    if (releases.empty())
      for (LockId id : locks) {
        LockCall lock = facts_.locks[id];
        const bool answers = returned_.contains(id);
        lock.id = static_cast<LockId>(facts_.locks.size());
        lock.span = call.span;
        lock.execution = where.execution;
        lock.routine = where.routine;
        lock.handle = where.handle;
        lock.key = substituted(lock.key, routine, arguments);
        lock.result = answers && !lock.waits() ? where.result : TryResult::read;
        lock.position = call.position;
        lock.rows = call.rows;
        lock.lone = wrapper.only_locks && where.lone;
        lock.wrapped = id;
        lock.confidence = weaker(where.confidence, lock.confidence);
        effects.push_back({.kind = Effect::acquire, .id = lock.id, .identity = identity});
        facts_.locks.push_back(std::move(lock));
      }
    else if (locks.empty())
      for (LockId id : releases) {
        LockRelease release = facts_.releases[id];
        release.id = static_cast<LockId>(facts_.releases.size());
        release.span = call.span;
        release.execution = where.execution;
        release.routine = where.routine;
        release.handle = where.handle;
        release.key = substituted(release.key, routine, arguments);
        release.wrapped = true;
        effects.push_back(
            {.kind = Effect::release, .id = release.id, .identity = identity, .deferred = where.deferred});
        facts_.releases.push_back(std::move(release));
      }
  }

  // ---- SQL files and bodies

  void sql_routine(RoutineRef ref, const Routine& routine) {
    const FileFacts& file = project_.file(ref.file);
    HandleId handle = 0;
    bool made = false;
    const std::string identity = session_of(ref, routine);
    auto& effects = project_.effects[ref];
    for (const Block& block : routine.flow.blocks)
      for (const Event& event : block.events) {
        const std::pair<Span, EventKind> key{event.span, event.kind};
        if (effects.contains(key))
          continue; // a copy
        if (event.kind == EventKind::begin || event.kind == EventKind::commit) {
          effects[key].push_back(
              {.kind = event.kind == EventKind::begin ? Effect::begin : Effect::commit, .identity = identity});
          continue;
        }
        if (event.kind != EventKind::sql || event.number >= file.statements.size())
          continue;
        if (!made)
          handle = sql_handle(ref, routine);
        made = true;
        const Statement& statement = file.statements[event.number];
        std::vector<Effect>& list = effects[key];
        control(statement, facts_.handles[handle], list);
        for (const SqlCall& call : statement.calls) {
          const LockId first = static_cast<LockId>(facts_.locks.size());
          place(call, arguments_of(call, {ref.file, ref.index}),
                {ref, statement.span, handle, sql_result(routine, event, call),
                 statement.parsed ? Confidence::certain : Confidence::likely, !statement.works},
                list);
          if (event.use == ResultUse::returned && call.position == SqlPosition::select_list &&
              facts_.locks.size() > first)
            returned_.insert(first);
        }
        list.push_back({.kind = Effect::work, .identity = identity});
      }
  }

  void wrapper_calls_in_body(RoutineRef ref, const Routine& routine) {
    const FileFacts& file = project_.file(ref.file);
    std::set<std::uint32_t> seen;
    for (const Block& block : routine.flow.blocks)
      for (const Event& event : block.events) {
        if (event.kind != EventKind::sql || event.number >= file.statements.size() || !seen.insert(event.number).second)
          continue;
        const Statement& statement = file.statements[event.number];
        for (const SqlCall& call : statement.calls)
          if (lock_function(call.name) == nullptr && project_.sql_routines.contains(call.name) &&
              project_.sql_routines[call.name].back().routine != ref)
            place(call, arguments_of(call, {ref.file, ref.index}),
                  {ref, statement.span, sql_handle(ref, routine), sql_result(routine, event, call), Confidence::certain,
                   !statement.works},
                  project_.effects[ref][{event.span, event.kind}]);
      }
  }

  Key arguments_of(const SqlCall& call, Scope scope) {
    std::vector<Value> parts;
    for (const Value& part : call.arguments)
      parts.push_back(fold(project_, part, scope));
    Key key = key_of(project_, std::move(parts));
    find_sources(key, call, {.scope = scope});
    return key;
  }

  void find_sources(Key& key, const SqlCall& call, const Standpoint& at) const {
    for (const Value& part : call.arguments)
      key.sources.push_back(source_of(project_, part, at));
  }

  static TryResult sql_result(const Routine& routine, const Event& event, const SqlCall& call) {
    if (call.position != SqlPosition::select_list || call.rows.in_exists_list)
      return TryResult::read;
    switch (event.use) {
    case ResultUse::dropped: return TryResult::dropped;
    case ResultUse::stored: // a script's variables are read by the program that runs it
      return routine.form == RoutineForm::file || event.target.empty() || has(routine.reads, event.target)
                 ? TryResult::read
                 : TryResult::dropped;
    case ResultUse::unknown: return TryResult::unknown;
    default: return TryResult::read;
    }
  }

  ProjectFacts& facts_;
  LinkedProject& project_;
  bool bodies_done_ = false;
  std::set<RoutineRef> superseded_;
  std::set<LockId> returned_; // the routine gives the lock's own answer to its caller
};

} // namespace

void collect_locks(ProjectFacts& facts) { Locks(facts).run(); }

} // namespace padlint
