#include "analyzer/facts/senders.h"

#include "analyzer/facts/class_scope.h"
#include "analyzer/facts/typing.h"

#include <algorithm>

namespace padlint {
namespace {

constexpr int max_hops = 3;

/// The one call whose result a routine returns, by itself or through a name.
const Value* returned_call(const Routine& routine) {
  const Value* call = nullptr;
  for (const Value& value : routine.returns) {
    const Value* given = &value;
    if (given->is(ValueKind::name)) {
      const Binding* only = nullptr;
      for (const Binding& binding : routine.bindings)
        if (binding.name == given->text) {
          if (only != nullptr)
            return nullptr;
          only = &binding;
        }
      if (only == nullptr || only->role != BindingRole::assigned)
        return nullptr;
      given = &only->value;
    }
    if (!given->is(ValueKind::call) || given->parts.empty() || (call != nullptr && call->span != given->span))
      return nullptr;
    call = given;
  }
  return call;
}

/// Which parameter of the routine a value is; the object of a method does not count.
std::optional<int> parameter_of(const Routine& routine, const Value& value) {
  const Value& name = value.is(ValueKind::spread) && !value.parts.empty() ? value.parts[0] : value;
  if (!name.is(ValueKind::name))
    return std::nullopt;
  const bool bound_anew = std::ranges::any_of(routine.bindings, [&](const Binding& b) { return b.name == name.text; });
  for (std::size_t i = routine.owner.empty() ? 0 : 1; i < routine.parameters.size() && !bound_anew; ++i)
    if (routine.parameters[i].name == name.text)
      return static_cast<int>(i) - (routine.owner.empty() ? 0 : 1);
  return std::nullopt;
}

/// An argument of the library's call as the routine has it.
std::optional<ApiArgument> moved(const Routine& routine, const Value& call, const ApiArgument& wanted) {
  const Value* given = find_argument(call, wanted);
  if (given == nullptr)
    return ApiArgument{};
  const auto position = parameter_of(routine, *given);
  if (!position)
    return std::nullopt;
  ApiArgument argument = wanted;
  argument.position = *position;
  argument.keywords.push_back(given->is(ValueKind::name) ? given->text : std::string());
  std::erase(argument.keywords, std::string());
  return argument;
}

} // namespace

const Sender* Senders::of(const Value& callee, Scope scope) {
  const auto targets = targets_of(project_, callee, scope);
  return targets.size() == 1 && targets[0].second == Confidence::certain ? of(targets[0].first) : nullptr;
}

const Sender* Senders::find(RoutineRef ref, int depth) {
  const auto [entry, fresh] = known_.try_emplace(ref);
  if (fresh && depth < max_hops && called_plainly(ref))
    if (auto sender = handed_on(ref, depth))
      known_[ref] = std::move(sender);
  const std::optional<Sender>& found = known_[ref];
  return found ? &*found : nullptr;
}

bool Senders::called_plainly(RoutineRef ref) const {
  const auto sites = project_.callers.find(ref);
  return sites != project_.callers.end() && std::ranges::all_of(sites->second, [&](std::size_t index) {
           const CallSite& site = project_.calls[index];
           if (site.block != nullptr || !site.transaction.empty() || !site.handed_to.is(ValueKind::opaque) ||
               !site.call.is(ValueKind::call) || site.confidence != Confidence::certain)
             return false;
           return targets_of(project_, site.call.parts[0], {site.caller.file, site.caller.index}).size() == 1;
         });
}

std::optional<Sender> Senders::handed_on(RoutineRef ref, int depth) {
  const Routine& routine = project_.routine(ref);
  const Scope scope{ref.file, ref.index};
  const Apis* apis = project_.apis(ref.file);
  const Value* call = returned_call(routine);
  if (apis == nullptr || call == nullptr || routine.generator || !call->parts[0].is(ValueKind::member))
    return std::nullopt;
  const Value callee = on_own_object(project_, call->parts[0], scope);
  Sender sender{.sends = {}, .receiver = {}, .call = call->span};
  const auto receiver = type_of(project_, callee.parts[0], scope, callee.text);
  if (receiver && receiver->type != nullptr) {
    const auto sends = std::ranges::find_if(apis->sends, [&](const ApiSends& entry) {
      return has(entry.on, receiver->type->name) && has(entry.methods, callee.text);
    });
    if (sends == apis->sends.end())
      return std::nullopt;
    sender.sends = *sends;
    sender.receiver = *receiver;
  } else if (const auto targets = targets_of(project_, callee, scope); targets.size() == 1) {
    const Sender* other = find(targets[0].first, depth + 1);
    if (other == nullptr)
      return std::nullopt;
    sender.sends = other->sends;
    sender.receiver = other->receiver;
  } else {
    return std::nullopt;
  }
  ApiSends& sends = sender.sends;
  if (sends.builder || sends.on_text || sends.connection.given() || !sends.connection_methods.empty() ||
      sender.receiver.identity.starts_with("param:") || sender.receiver.identity.empty())
    return std::nullopt;
  const auto sql = moved(routine, *call, sends.sql);
  if (!sql || !sql->given())
    return std::nullopt;
  if (sends.binds_rest) { // the rest of the arguments follows the text here too
    for (std::size_t i = 2; i < call->parts.size(); ++i)
      if (parameter_of(routine, call->parts[i]) != sql->position + static_cast<int>(i) - 1)
        return std::nullopt;
  } else if (sends.binds.given()) {
    const auto binds = moved(routine, *call, sends.binds);
    if (!binds)
      return std::nullopt;
    sends.binds = *binds;
  }
  sends.sql = *sql;
  Typed& through = sender.receiver;
  if (through.identity.starts_with('@') && through.kind == ApiKind::connection) { // a connection for each call
    if (through.pool.empty() || through.pool.starts_with('?') || through.transaction)
      return std::nullopt;
    through.kind = ApiKind::pool;
    through.identity = through.pool;
    through.pool.clear();
  }
  return sender;
}

} // namespace padlint
