#include "analyzer/facts/library_locks.h"

#include "analyzer/facts/typing.h"

#include <fmt/format.h>

#include <algorithm>

// The locks that the calls of a program ask libraries for. What the library does with the connection is not in the
// sources; its table says whose connection it uses, and the call or the settings where that one leads.

namespace padlint {
namespace {

std::string_view last_part(std::string_view name) { return name.substr(name.find_last_of(".:/#") + 1); }

class Collector {
public:
  explicit Collector(ProjectFacts& facts) : facts_(facts), project_(*facts.linked) {}

  void run() {
    for (const FileFacts& file : project_.files)
      if (const Apis* apis = apis_of(file.language); apis != nullptr && !apis->library_locks.empty())
        for (std::uint32_t i = 0; i < file.routines.size(); ++i) {
          apis_ = apis;
          scope_ = {file.file, i};
          for_each_call(file.routines[i], [&](const Event& event) { visit(event.value); });
          for (const Value& annotation : file.routines[i].annotations)
            visit(annotation);
          assignments(file.routines[i]);
        }
  }

private:
  void visit(const Value& call) {
    if (!call.is(ValueKind::call) || call.parts.empty() ||
        !asks_for_lock(*apis_, project_.file(scope_.file), call.parts[0]))
      return;
    const std::string name = external_name(project_, call.parts[0], scope_);
    for (const ApiLibraryLock& lock : apis_->library_locks) {
      std::optional<Typed> receiver;
      if (fits(lock, call.parts[0], name, receiver))
        return add(lock, call, receiver);
    }
  }

  /// Whether a member is set to the constant that an entry of a table names.
  static bool sets(const Binding& binding, const ApiAssignment& wanted) {
    const std::string& target = binding.name;
    return binding.role == BindingRole::assigned && target.ends_with(wanted.member) &&
           (target.size() == wanted.member.size() || target[target.size() - wanted.member.size() - 1] == '.') &&
           constant_text(binding.value) == wanted.value;
  }

  bool set_anywhere(const std::vector<ApiAssignment>& wanted) const {
    for (const FileFacts& file : project_.files)
      if (apis_of(file.language) == apis_)
        for (const Routine& routine : file.routines)
          for (const Binding& binding : routine.bindings)
            if (std::ranges::any_of(wanted, [&](const ApiAssignment& each) { return sets(binding, each); }))
              return true;
    return false;
  }

  void assignments(const Routine& routine) {
    for (const Binding& binding : routine.bindings)
      for (const ApiLibraryLock& lock : apis_->library_locks)
        if (std::ranges::any_of(lock.assigned, [&](const ApiAssignment& each) { return sets(binding, each); }) &&
            !set_anywhere(lock.unless))
          add(lock, make_call(make_name(binding.name, binding.span), {}, binding.span), std::nullopt);
  }

  bool fits(const ApiLibraryLock& lock, const Value& callee, const std::string& name, std::optional<Typed>& receiver) {
    if (!name.empty() && has(lock.names, name))
      return true;
    if (!has(lock.methods, callee.text))
      return false;
    if (lock.on.empty())
      return targets_of(project_, callee, scope_).empty();
    if (!callee.is(ValueKind::member))
      return false;
    receiver = type_of(project_, callee.parts[0], scope_, callee.text);
    return receiver && receiver->type != nullptr && has(lock.on, receiver->type->name);
  }

  void add(const ApiLibraryLock& table, const Value& written, const std::optional<Typed>& receiver) {
    const Value call = spread_out(project_, written, scope_);
    if (!table.endpoint.inside.empty() && !endpoint_argument(table, call))
      return;
    LibraryLock lock{.span = call.span,
                     .routine = RoutineRef{scope_.file, scope_.routine},
                     .library = table.library,
                     .taker = dotted(call.parts[0]).empty() ? call.parts[0].text : dotted(call.parts[0]),
                     .level = table.level,
                     .tool = table.tool,
                     .transaction_level = table.transaction_level,
                     .direct = table.direct};
    const auto is_on = [&](const std::vector<ApiSwitch>& switches) {
      bool on = false;
      for (const ApiSwitch& each : switches)
        if (const auto answer = switched(project_, each, call, scope_)) {
          on = on || *answer == Answer::yes;
          if (*answer == Answer::unknown)
            lock.steps.push_back({.text = "a switch of the call has a value that cannot be read",
                                  .span = call.span,
                                  .confidence = Confidence::likely});
        }
      return on;
    };
    if (is_on(table.transaction))
      lock.level = Level::transaction;
    if (is_on(table.session))
      lock.level = Level::session;
    lock.off = is_on(table.off);
    if (lock.off)
      lock.decided = call.span;
    lock.begins = table.begins;
    const auto may_be_on = [&](const ApiSwitch& each) {
      return switched(project_, each, call, scope_).value_or(Answer::no) != Answer::no;
    };
    lock.answers = std::ranges::any_of(
                       table.tries,
                       [&](const ApiSwitch& each) { return switched(project_, each, call, scope_) == Answer::yes; }) &&
                   std::ranges::none_of(table.raises, may_be_on);
    find_taking(table, project_.file(scope_.file).routines[scope_.routine], lock);
    Handle used = handle(table, call, receiver);
    if (table.needs_endpoint && used.endpoints.empty())
      return;
    lock.confidence = used.confidence;
    lock.handle = static_cast<HandleId>(facts_.handles.size());
    facts_.handles.push_back(std::move(used));
    facts_.library_locks.push_back(std::move(lock));
  }

  std::optional<Value> endpoint_argument(const ApiLibraryLock& table, const Value& call) const {
    const Value* given = find_argument(call, table.endpoint);
    if (given == nullptr || table.endpoint.inside.empty())
      return given == nullptr ? std::nullopt : std::optional(*given);
    const Value map = fold(project_, *given, scope_);
    for (const Value& part : map.parts)
      if (part.label == table.endpoint.inside)
        return part;
    return std::nullopt;
  }

  Handle handle(const ApiLibraryLock& table, const Value& call, const std::optional<Typed>& receiver) const {
    if (receiver)
      return handle_of(*receiver, dotted(call.parts[0].parts[0]));
    if (const Value* value = find_argument(call, table.handle))
      if (const auto typed = type_of(project_, *value, scope_); typed && typed->type != nullptr)
        return handle_of(*typed, dotted(*value));
    Handle handle{.kind = HandleKind::pinned, .text = table.library, .type = table.connection};
    if (const auto url = endpoint_argument(table, call))
      handle.endpoints = endpoints_of(project_, *url, scope_);
    if (const ApiType* own = table.connection.empty() ? nullptr : apis_->type(table.connection)) {
      handle.endpoints = connection_endpoints(table, call);
      if (own->ambient && find_argument(call, table.profile) == nullptr)
        share(handle, *own);
    }
    return handle;
  }

  /// The library locks on the connection that the thread works with.
  void share(Handle& handle, const ApiType& own) const {
    handle.identity = ambient_identity(own);
    for (const ApiSettings& settings : apis_->settings)
      if (settings.type == own.name && own.session.empty())
        handle.identity += ":" + settings.default_profile;
    handle.ambient = true;
    handle.from_caller = true;
    handle.autocommit = own.autocommit ? Answer::yes : Answer::no;
  }

  /// Where the library's own connection leads, by the settings of its framework.
  std::vector<Endpoint> connection_endpoints(const ApiLibraryLock& table, const Value& call) const {
    for (const ApiSettings& settings : apis_->settings) {
      if (settings.type != table.connection)
        continue;
      if (call.parts[0].is(ValueKind::member)) // a class may have chosen another one
        if (const auto typed = type_of(project_, call.parts[0].parts[0], scope_, call.parts[0].text);
            typed && typed->type != nullptr && typed->type->name == table.connection)
          return typed->endpoints;
      std::string profile = settings.default_profile;
      if (const Value* named = find_argument(call, table.profile)) {
        const auto text = constant_text(fold(project_, *named, scope_));
        if (!text)
          return {};
        profile = *text;
      }
      return profile_endpoints(project_, settings, profile, scope_.file);
    }
    return {};
  }

  ProjectFacts& facts_;
  const LinkedProject& project_;
  const Apis* apis_ = nullptr;
  Scope scope_;
};

} // namespace

bool asks_for_lock(const Apis& apis, const FileFacts& file, const Value& callee) {
  const auto comes_from_import = [&](const std::string& name) {
    const std::string_view package = std::string_view(name).substr(0, name.find('.'));
    return std::ranges::any_of(file.imports, [&](const Import& import) { return import.module.starts_with(package); });
  };
  return std::ranges::any_of(apis.library_locks, [&](const ApiLibraryLock& lock) {
    if (has(lock.methods, callee.text))
      return lock.on.empty() || std::ranges::any_of(lock.on, comes_from_import);
    return std::ranges::any_of(lock.names, [&](const std::string& name) {
      return name == callee.text ||
             (last_part(name) == callee.text && (comes_from_import(name) || name == dotted(callee)));
    });
  });
}

void collect_library_locks(ProjectFacts& facts) {
  Collector(facts).run();
  collect_tool_locks(facts);
  std::ranges::stable_sort(facts.library_locks, {}, &LibraryLock::span);
  for (LibraryLockId id = 0; id < facts.library_locks.size(); ++id)
    facts.library_locks[id].id = id;
}

} // namespace padlint
