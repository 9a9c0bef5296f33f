#include "analyzer/facts/class_scope.h"
#include "analyzer/facts/linked_project.h"

#include "analyzer/facts/marks.h"
#include "analyzer/facts/query_calls.h"
#include "analyzer/facts/senders.h"
#include "analyzer/facts/typing.h"
#include "analyzer/facts/wrapper_calls.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <set>

// A call is an execution when a database library says that its method sends SQL, or when nothing is known of the
// receiver but the text that it gets is SQL with a lock call.

namespace padlint {
namespace {

std::string start_of(const std::string& text) {
  std::string out = text.substr(0, 12);
  std::transform(out.begin(), out.end(), out.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return out;
}

class Executions {
public:
  explicit Executions(LinkedProject& project) : project_(project), wrapped_(project), senders_(project) {}

  std::vector<WrittenText> run() {
    for_each_routine([&](const Routine& routine) { find_listed(routine); });
    for_each_routine(
        [&](const Routine& routine) { for_each_call(routine, [&](const Event& event) { visit(event); }); });
    return std::move(written_);
  }

private:
  /// `see` gets each routine whose language has tables, with the scope, the tables and the batches of the routine.
  template <typename See>
  void for_each_routine(See see) {
    for (const FileFacts& file : project_.files)
      if (const Apis* apis = apis_of(file.language))
        for (std::uint32_t i = 0; i < file.routines.size(); ++i) {
          apis_ = apis;
          scope_ = {file.file, i};
          find_batches(file.routines[i]);
          see(file.routines[i]);
        }
  }

  void visit(const Event& event) {
    if (event.value.parts.empty())
      return;
    Execution execution{.routine = {scope_.file, scope_.routine},
                        .event = &event,
                        .span = event.span,
                        .call = spread_out(project_, event.value, scope_)};
    if (is_deferred(event.value)) { // stack.callback(conn.execute, "...", [...]): the call happens later
      const Value& outer = event.value;
      execution.call = make_call(outer.parts[1], {outer.parts.begin() + 2, outer.parts.end()}, outer.span);
      execution.deferred = true;
    }
    const Value callee = on_own_object(project_, execution.call.parts[0], scope_);
    if (callee.kind != execution.call.parts[0].kind)
      execution.call.parts.edit()[0] = callee;
    if (const WrapperCall wrapped = wrapper_of(project_, callee, scope_); wrapped.wrapper != nullptr)
      return add_wrapped(wrapped, std::move(execution));
    if (const Sender* own = senders_.of(execution.routine); own != nullptr && own->call == event.span)
      return; // its callers send the text
    if (const Sender* sender = senders_.of(callee, scope_)) {
      project_.senders.push_back(sender->sends);
      execution.sends = &project_.senders.back();
      execution.receiver = sender->receiver;
      execution.confidence = sender->receiver.confidence;
      return add(std::move(execution));
    }
    if (callee.is(ValueKind::member)) {
      if (on_text(execution))
        return;
      const ApiSends* any = nullptr;
      for (const ApiSends& sends : apis_->sends)
        if (has(sends.methods, callee.text)) {
          any = &sends;
          break;
        }
      if (any == nullptr) {
        if (!named(execution) && is_unknown_sender(execution.call, chain_of(event.value.parts[0]))) {
          execution.confidence = Confidence::likely;
          execution.unknown_method = true;
          add(std::move(execution));
        }
        return;
      }
      execution.receiver = type_of(project_, callee.parts[0], scope_, callee.text);
      if (execution.receiver && execution.receiver->instance_of != nullptr &&
          method_of(project_, execution.receiver->instance_file, *execution.receiver->instance_of, callee.text))
        return; // the project's own
      if (execution.receiver && execution.receiver->type != nullptr) {
        for (const ApiSends& sends : apis_->sends)
          if (has(sends.on, execution.receiver->type->name) && has(sends.methods, callee.text))
            execution.sends = &sends;
        if (execution.sends == nullptr ||
            (!execution.sends->clause.empty() && !mentions_lock(project_, execution.call, scope_)))
          return;
        execution.confidence = execution.receiver->confidence;
        return add(std::move(execution));
      }
      if (!targets_of(project_, callee, scope_).empty())
        return;
      if (named(execution) || makes_text(callee))
        return;
      if (const ApiSends* on_rows = sends_clause(*apis_, callee.text)) {
        if (!mentions_lock(project_, execution.call, scope_))
          return;
        execution.sends = on_rows;
        execution.receiver = presumed(callee.parts[0], on_rows->on.front());
        execution.confidence = Confidence::likely;
        return add(std::move(execution));
      }
      if (std::ranges::none_of(callee.text, [](unsigned char c) { return std::isalpha(c) != 0; }))
        return; // an operator
      // Nothing is known of the receiver: the text decides.
      execution.receiver.reset();
      execution.confidence = Confidence::likely;
      add(std::move(execution));
      return;
    }
    if (!named(execution))
      called(execution);
  }

  /// What the call gives is a text for another call to send.
  bool makes_text(const Value& callee) const {
    const std::string name = external_name(project_, callee, scope_);
    return !name.empty() && std::any_of(apis_->texts.begin(), apis_->texts.end(),
                                        [&](const ApiText& text) { return has_glob(text.names, name); });
  }

  /// The object itself is called: sql`SELECT ...`.
  void called(Execution& execution) {
    if (std::none_of(apis_->sends.begin(), apis_->sends.end(),
                     [](const ApiSends& sends) { return has(sends.methods, "()"); }))
      return;
    execution.receiver = type_of(project_, execution.call.parts[0], scope_, "()");
    if (!execution.receiver || execution.receiver->type == nullptr)
      return unknown_tag(execution);
    for (const ApiSends& sends : apis_->sends)
      if (has(sends.on, execution.receiver->type->name) && has(sends.methods, "()"))
        execution.sends = &sends;
    if (execution.sends == nullptr)
      return;
    execution.confidence = execution.receiver->confidence;
    add(std::move(execution));
  }

  /// A tag that nobody knows, before a text of SQL: a call without parentheses ends where the text ends.
  void unknown_tag(Execution& execution) {
    const Value& call = execution.call;
    const Value* text = argument(call, 0, {});
    const std::string name = external_name(project_, call.parts[0], scope_);
    if (text == nullptr || (!text->is(ValueKind::text) && !text->is(ValueKind::concat)) ||
        text->span.end != call.span.end || !targets_of(project_, call.parts[0], scope_).empty() ||
        (!name.empty() && definition_of(project_, call.parts[0], scope_).kind == Definition::external))
      return;
    execution.receiver.reset();
    execution.confidence = Confidence::likely;
    add(std::move(execution));
  }

  /// The text itself is executed: sql`SELECT ...`.execute(db).
  bool on_text(Execution& execution) {
    const Value& callee = execution.call.parts[0];
    for (const ApiSends& sends : apis_->sends) {
      if (!sends.on_text || !has(sends.methods, callee.text))
        continue;
      Value text = callee.parts[0];
      if (text.is(ValueKind::name))
        if (const Definition found = look_up(project_, scope_, text.text);
            found.kind == Definition::bindings && found.bound.size() == 1)
          text = Value(found.bound[0]->value);
      if (!text.is(ValueKind::call) || text.parts.empty())
        continue;
      if (!makes_text(text.parts[0]))
        continue;
      execution.sends = &sends;
      execution.receiver.reset();
      add(std::move(execution));
      return true;
    }
    return false;
  }

  /// The calls of the routine that send a list of statements in one transaction.
  void find_batches(const Routine& routine) {
    batches_.clear();
    if (apis_->batches.empty())
      return;
    for_each_call(routine, [&](const Event& event) {
      const Value& call = event.value;
      if (call.parts.size() < 2 || !call.parts[0].is(ValueKind::member))
        return;
      for (const ApiBatch& batch : apis_->batches) {
        if (!has(batch.methods, call.parts[0].text))
          continue;
        Value list = call.parts[1];
        if (list.is(ValueKind::name))
          if (const Definition found = look_up(project_, scope_, list.text);
              found.kind == Definition::bindings && !found.bound.empty())
            list = Value(found.bound[0]->value);
        const auto receiver = type_of(project_, call.parts[0].parts[0], scope_, call.parts[0].text);
        if (list.is(ValueKind::list) && receiver && receiver->type != nullptr && has(batch.on, receiver->type->name))
          batches_.emplace_back(list.span, *receiver);
      }
    });
  }

  /// The routines whose calls stand in such a list: they give a statement that is sent with the others of the list.
  void find_listed(const Routine& routine) {
    if (batches_.empty())
      return;
    for_each_call(routine, [&](const Event& event) {
      const auto holds = [&](const auto& batch) { return batch.first.contains(event.span); };
      if (!event.value.parts.empty() && std::any_of(batches_.begin(), batches_.end(), holds))
        for (const auto& [target, confidence] : targets_of(project_, event.value.parts[0], scope_))
          listed_.insert(target);
    });
  }

  /// Through what it is sent, when that is not what it is called on.
  void through(Execution& execution) {
    const Value* given = nullptr;
    if (execution.sends != nullptr)
      given = find_argument(execution.call, execution.sends->connection);
    Value chained;
    if (execution.sends != nullptr && given == nullptr && !execution.sends->connection_methods.empty()) {
      chained = connection_chained(project_, execution);
      given = chained.span.empty() ? nullptr : &chained;
    }
    if (given != nullptr && !given->is(ValueKind::null)) {
      std::optional<Typed> typed = type_of(project_, *given, scope_, execution.sends->methods.front());
      if (!typed || typed->type == nullptr)
        typed = presumed(*given, execution.sends->connection_type);
      execution.receiver = typed;
      execution.confidence = typed ? typed->confidence : Confidence::likely;
    }
    if (!execution.receiver || execution.receiver->type == nullptr)
      return;
    if (given == nullptr && execution.sends != nullptr && !execution.sends->connection.keywords.empty() &&
        has_unread_map(project_, execution.event->value, scope_)) {
      execution.receiver->kind = ApiKind::other;
      execution.receiver->from_caller = true;
    }
    for (const auto& [list, sender] : batches_)
      if (list.contains(execution.span)) {
        execution.receiver->transaction = true;
        execution.receiver->pool = execution.receiver->identity;
        execution.receiver->identity = identity_of(list);
      }
    Typed& typed = *execution.receiver;
    if ((typed.kind == ApiKind::pool || typed.kind == ApiKind::factory) && !typed.transaction &&
        (listed_.contains(execution.routine) || wrapped_(execution.routine))) {
      typed.kind = ApiKind::other;
      typed.from_caller = true;
      typed.confidence = weaker(typed.confidence, Confidence::likely);
      typed.steps.push_back({.text = "a wrapper around it may have begun a transaction", .span = execution.span});
    }
  }

  /// An object that nothing is known of but that the library takes it for this.
  std::optional<Typed> presumed(const Value& value, const std::string& type_name) const {
    const ApiType* type = type_name.empty() ? nullptr : apis_->type(type_name);
    if (type == nullptr)
      return std::nullopt;
    Typed typed;
    typed.type = type;
    typed.kind = type->kind;
    typed.transaction = type->transaction;
    typed.from_caller = true;
    typed.confidence = Confidence::likely;
    typed.identity = fmt::format("name:{}:{}:{}", scope_.file, scope_.routine, to_text(value));
    if (type->ambient)
      make_ambient(project_, typed, scope_.file);
    typed.steps.push_back({.text = fmt::format("what is given here is a `{}`", type->name),
                           .span = value.span,
                           .confidence = Confidence::likely});
    return typed;
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

  /// `expect.toBe` for `expect(x).toBe`: the names of a chain of calls.
  static std::string chain_of(const Value& callee) {
    if (callee.is(ValueKind::name))
      return callee.text;
    if (callee.parts.empty() || !(callee.is(ValueKind::member) || callee.is(ValueKind::call)))
      return {};
    return chain_of(callee.parts[0]) + (callee.is(ValueKind::member) ? "." + callee.text : "");
  }

  /// A method that nobody knows, of something that is no text, with a text of SQL that names a lock function.
  bool is_unknown_sender(const Value& call, const std::string& name) const {
    const Value& callee = call.parts[0];
    const Value* text = argument(call, 0, {});
    if (text == nullptr || (!text->is(ValueKind::text) && !text->is(ValueKind::concat)) ||
        callee.parts[0].is(ValueKind::text) || callee.parts[0].is(ValueKind::concat) ||
        !external_name(project_, callee, scope_).empty())
      return false;
    if (std::any_of(apis_->quiet_calls.begin(), apis_->quiet_calls.end(),
                    [&](const std::string& quiet) { return glob_name(quiet, name); }) ||
        library_method(*apis_, callee.text) || !targets_of(project_, callee, scope_).empty())
      return false;
    const Value& first = text->is(ValueKind::concat) && !text->parts.empty() ? text->parts[0] : *text;
    const std::string start = start_of(first.text);
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
    if (!wrapper.sql.given() || wrapped.release) {
      written_.push_back({.execution = index, .text = wrapped_sql(project_, wrapped, execution.call, scope_)});
      if (wrapper.releases.empty() && wrapper.level == Level::session)
        written_.push_back({.execution = index,
                            .text = wrapped_sql(project_, {&wrapper, true}, execution.call, scope_),
                            .deferred = true});
    }
    project_.executions.push_back(std::move(execution));
    project_.execution_at[project_.executions.back().span] = index;
  }

  bool named(Execution& execution) {
    const std::string name = external_name(project_, execution.call.parts[0], scope_);
    if (name.empty())
      return false;
    for (const ApiSends& sends : apis_->sends)
      if (has_glob(sends.names, name)) {
        execution.sends = &sends;
        add(std::move(execution));
        return true;
      }
    return false;
  }

  void add(Execution execution) {
    const std::size_t index = project_.executions.size();
    through(execution);
    project_.executions.push_back(std::move(execution));
    project_.execution_at[project_.executions.back().span] = index;
  }

  LinkedProject& project_;
  Wrapped wrapped_;
  Senders senders_;
  const Apis* apis_ = nullptr;
  Scope scope_;
  std::vector<std::pair<Span, Typed>> batches_; // of the routine
  std::set<RoutineRef> listed_;
  std::vector<WrittenText> written_;
};

} // namespace

void collect_executions(LinkedProject& project) {
  auto written = Executions(project).run();
  collect_query_calls(project);
  read_executions(project, std::move(written));
}

} // namespace padlint
