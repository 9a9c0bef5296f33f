#include "analyzer/facts/touches.h"

#include "analyzer/facts/class_scope.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace padlint {
namespace {

using Touch = Touches::Touch;

constexpr int max_helpers = 2;

Touch stronger(Touch left, Touch right) {
  if (left.kind != right.kind)
    return left.kind > right.kind ? left : right;
  return left.confidence > right.confidence ? left : right;
}

/// The verbs of SQL, as the first word of a text or as the name of what builds a statement.
Touch of_verb(std::string_view text) {
  while (!text.empty() && (std::isspace(static_cast<unsigned char>(text.front())) != 0 || text.front() == '('))
    text.remove_prefix(1);
  std::string word;
  for (const char c : text.substr(0, 12)) {
    if (std::isalpha(static_cast<unsigned char>(c)) == 0)
      break;
    word += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  for (const char* verb : {"insert", "update", "delete", "merge", "truncate", "create", "alter", "drop", "refresh"})
    if (word == verb)
      return {.kind = Touch::changes};
  for (const char* verb : {"call", "do"})
    if (word == verb)
      return {.kind = Touch::changes, .confidence = Confidence::likely};
  return {.kind = Touch::uses};
}

/// `update(Table).where(...)`, `table.insert().values(...)`: a verb of SQL somewhere along the chain of calls.
Touch of_builder(const Value& value, int depth = 0) {
  if (depth > max_value_depth || value.parts.empty())
    return {.kind = Touch::uses};
  const Value& inner = value.parts[0];
  if (value.is(ValueKind::call) && (inner.is(ValueKind::name) || inner.is(ValueKind::member)))
    for (const char* verb : {"insert", "update", "delete", "merge", "upsert"})
      if (inner.text == verb)
        return {.kind = Touch::changes};
  return of_builder(inner, depth + 1);
}

} // namespace

Touches::Touches(const ProjectFacts& facts, RoutineRef routine, std::string identity, bool any_session, int depth)
    : facts_(facts), project_(*facts.linked), apis_(project_.apis(routine.file)), routine_(routine),
      scope_{routine.file, routine.index}, identity_(std::move(identity)), any_session_(any_session), depth_(depth) {}

Touch Touches::of(const Event& event) const {
  const auto [entry, fresh] = known_.try_emplace({event.span, event.kind});
  if (fresh)
    entry->second = look(event);
  return entry->second;
}

Touch Touches::look(const Event& event) const {
  if (event.kind == EventKind::sql) {
    const std::vector<Statement>& statements = project_.file(routine_.file).statements;
    return event.number < statements.size() ? statement(statements[event.number]) : Touch{};
  }
  if (apis_ == nullptr)
    return {};
  if (event.kind == EventKind::yield) // the caller's block works with what it is given
    return is_session(event.value) ? Touch{.kind = Touch::changes, .confidence = Confidence::likely} : Touch{};
  if (event.kind != EventKind::call || event.value.parts.empty())
    return {};
  if (const auto found = project_.execution_at.find(event.span); found != project_.execution_at.end())
    return execution(project_.executions[found->second]);
  return call(event.value);
}

Touch Touches::statement(const Statement& statement) const {
  if (!statement.writes.empty())
    return {.kind = Touch::changes};
  const Touch likely{.kind = Touch::changes, .confidence = Confidence::likely};
  if (statement.kind == StatementKind::call || statement.kind == StatementKind::do_block ||
      statement.kind == StatementKind::execute)
    return likely;
  // `PERFORM refresh_totals(id)`: a function that reads no row of a table may be there for what it does.
  Touch found{.kind = statement.works ? Touch::uses : Touch::nothing};
  if (statement.reads.empty())
    for (const SqlCall& call : statement.calls)
      found = stronger(found, function(call));
  return found;
}

Touch Touches::function(const SqlCall& call) const {
  if (lock_function(call.name) != nullptr || call.name.starts_with("dblink")) // contrib/dblink: another session
    return {};
  const Touch likely{.kind = Touch::changes, .confidence = Confidence::likely};
  const auto named = project_.routines_by_name.find(call.name);
  if (named == project_.routines_by_name.end() || depth_ >= max_helpers)
    return likely;
  Touch found;
  for (const RoutineRef ref : named->second) {
    const Touches body(facts_, ref, {}, true, depth_ + 1);
    for (const Block& block : project_.routine(ref).flow.blocks)
      for (const Event& event : block.events)
        found = stronger(found, body.of(event));
  }
  return found;
}

Touch Touches::execution(const Execution& execution) const {
  if (!any_session_ && (!execution.receiver || execution.receiver->identity != identity_))
    return {};
  Touch found;
  if (!execution.readings.empty()) {
    for (const std::size_t index : execution.readings)
      for (const Statement& each : project_.readings[index].sql.statements)
        found = stronger(found, statement(each));
    return found;
  }
  const Value* sql = execution.sends == nullptr ? nullptr : find(execution.call, execution.sends->sql);
  if (sql == nullptr)
    return {.kind = Touch::uses};
  for (const ComposedText& text : compose(project_, *sql, scope_))
    found = stronger(found, of_verb(text.text.text));
  return stronger(found, of_builder(*sql));
}

Touch Touches::call(const Value& call) const {
  const bool given = std::any_of(call.parts.begin() + 1, call.parts.end(),
                                 [&](const Value& argument) { return is_session(argument); });
  if (writes(call, given))
    return {.kind = Touch::changes};
  if (!given && !any_session_ && !identity_.starts_with("ambient:"))
    return {};
  if (const auto found = inside(call))
    return *found;
  if (!given)
    return {};
  // What gets the session works with it; of a function of some library only its table tells how.
  const Value& callee = call.parts[0];
  const std::string library = external_name(project_, callee, scope_);
  return library.empty() || (callee.is(ValueKind::name) && library == callee.text)
             ? Touch{.kind = Touch::changes, .confidence = Confidence::likely}
             : Touch{.kind = Touch::uses};
}

bool Touches::writes(const Value& call, bool given) const {
  const Value callee = on_own_object(project_, call.parts[0], scope_);
  if (!callee.is(ValueKind::member))
    return false;
  for (const ApiWrites& entry : apis_->writes) {
    if (!has(entry.methods, callee.text))
      continue;
    if (!entry.ambient.empty() && !any_session_ && !identity_.starts_with(fmt::format("ambient:{}", entry.ambient)))
      continue;
    if (entry.on.empty() && (given || !entry.ambient.empty()))
      return true;
    // The object, or what it was made from: `Cart.objects.filter(pk=1).update(...)`.
    const Value* object = &callee.parts[0];
    for (int steps = 0; object != nullptr && steps < max_value_depth; ++steps) {
      if (const auto typed = type_of(project_, *object, scope_, callee.text);
          typed && typed->type != nullptr && has(entry.on, typed->type->name) &&
          (any_session_ || !entry.ambient.empty() || typed->identity == identity_))
        return true;
      object = object->parts.empty() ? nullptr : &object->parts[0];
    }
  }
  return false;
}

std::optional<Touch> Touches::inside(const Value& call) const {
  if (depth_ >= max_helpers)
    return std::nullopt;
  std::optional<Touch> found;
  for (const auto& [target, confidence] : targets_of(project_, call.parts[0], scope_)) {
    const Touches helper(facts_, target, {}, true, depth_ + 1);
    if (!found)
      found = Touch{};
    for (const Block& block : project_.routine(target).flow.blocks)
      for (const Event& event : block.events)
        found = stronger(*found, helper.of(event));
    found->confidence = weaker(found->confidence, confidence);
  }
  return found;
}

bool Touches::is_session(const Value& value, std::string_view method) const {
  if (any_session_ || identity_.starts_with("ambient:"))
    return false;
  const auto typed = type_of(project_, value, scope_, method);
  return typed && !typed->identity.empty() && typed->identity == identity_;
}

} // namespace padlint
