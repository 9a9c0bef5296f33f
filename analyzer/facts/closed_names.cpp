#include "analyzer/facts/key_sources.h"

#include <algorithm>

// Names that stand in the program are few, and hash to different numbers today as tomorrow. What comes from outside is
// an open set: some day two of its names meet.

namespace padlint {
namespace {

constexpr int max_depth = 12;
constexpr int max_hops = 3;

Answer both(Answer left, Answer right) {
  if (left == Answer::no || right == Answer::no)
    return Answer::no;
  return left == Answer::unknown || right == Answer::unknown ? Answer::unknown : Answer::yes;
}

class Closed {
public:
  explicit Closed(const LinkedProject& project) : project_(project) {}

  Answer of(const Value& value, const Standpoint& at, int depth) {
    if (depth > max_depth)
      return Answer::unknown;
    switch (value.kind) {
    case ValueKind::null:
    case ValueKind::boolean:
    case ValueKind::integer:
    case ValueKind::text: return Answer::yes;
    case ValueKind::concat:
    case ValueKind::choice:
    case ValueKind::list:
    case ValueKind::operation: return all(value.parts, 0, at, depth);
    case ValueKind::parameter: return of_placeholder(value, at, depth);
    case ValueKind::name:
      if (at.reading != nullptr)
        return Answer::no; // a column
      return of_definition(definition_of(project_, value, at.scope), value, at, depth);
    case ValueKind::member: return of_member(value, at, depth);
    case ValueKind::index:
      if (apis(at) != nullptr && has(apis(at)->environment_objects, external_name(project_, value.parts[0], at.scope)))
        return Answer::yes;
      return of(value.parts[0], at, depth + 1);
    case ValueKind::call: return of_call(value, at, depth);
    default: return Answer::unknown;
    }
  }

private:
  const Apis* apis(const Standpoint& at) const { return at.apis(project_); }

  Answer all(const SharedList<Value>& parts, std::size_t from, const Standpoint& at, int depth) {
    Answer answer = Answer::yes;
    for (std::size_t i = from; i < parts.size(); ++i)
      answer = both(answer, of(parts[i], at, depth + 1));
    return answer;
  }

  Answer of_placeholder(const Value& value, const Standpoint& at, int depth) {
    if (at.reading == nullptr)
      return Answer::no; // an argument of an SQL function
    const auto bound = bound_value(*at.reading, value);
    return bound ? of(bound->first, {.scope = bound->second}, depth + 1) : Answer::unknown;
  }

  Answer of_definition(const Definition& found, const Value& name, const Standpoint& at, int depth) {
    switch (found.kind) {
    case Definition::type:
    case Definition::routine:
    case Definition::module: return Answer::yes; // a part of the program
    case Definition::parameter:
      return of_parameter({found.scope.file, found.scope.routine}, found.parameter_index, at, depth);
    case Definition::bindings: {
      Answer answer = Answer::yes;
      for (const Binding* binding : found.bound) {
        const bool known = binding->role == BindingRole::assigned || binding->role == BindingRole::iterated;
        answer = both(answer, known ? of(binding->value,
                                         {.scope = {found.scope.file, binding->routine}, .frame = at.frame}, depth + 1)
                                    : Answer::unknown);
      }
      return answer;
    }
    case Definition::none:
      // The variables that PL/pgSQL gives a trigger name the trigger and its table; other names are columns.
      if (apis(at) == nullptr)
        return name.text == "tg_table_name" || name.text == "tg_name" || name.text == "tg_relname" ? Answer::yes
                                                                                                   : Answer::no;
      return has(apis(at)->code_names, name.text) ? Answer::yes : Answer::unknown;
    default: return Answer::unknown;
    }
  }

  bool is_closed_type(const Value& type, Scope scope) const {
    const Apis* known = project_.apis(scope.file);
    if (known == nullptr || type.is(ValueKind::opaque))
      return false;
    const Value& named = type.is(ValueKind::index) ? type.parts[0] : type;
    if (has(known->closed_types, external_name(project_, named, scope)))
      return true;
    const Definition found = definition_of(project_, named, scope);
    return found.kind == Definition::type &&
           std::any_of(found.type_definition->bases.begin(), found.type_definition->bases.end(),
                       [&](const Value& base) {
                         return has(known->closed_types, external_name(project_, base, {found.scope.file, 0}));
                       });
  }

  Answer of_parameter(RoutineRef ref, std::uint32_t index, const Standpoint& at, int depth) {
    const Routine& routine = project_.routine(ref);
    if (index < routine.parameters.size() && is_closed_type(routine.parameters[index].type, {ref.file, ref.index}))
      return Answer::yes;
    if (auto given = framed_argument(project_, ref, index, at.frame))
      return of(given->first, given->second, depth + 1);
    // What callers outside the project pass, nobody knows.
    const auto arguments = arguments_for(project_, ref, index);
    if (arguments.empty() || hops_ >= max_hops)
      return Answer::no;
    ++hops_;
    Answer answer = Answer::yes;
    for (const auto& [value, scope] : arguments)
      answer = both(answer, of(value, {.scope = scope}, depth + 1));
    --hops_;
    return answer;
  }

  Answer of_member(const Value& value, const Standpoint& at, int depth) {
    const Apis* known = apis(at);
    if (known == nullptr)
      return Answer::no;
    if (has(known->code_names, value.text) ||
        has(known->environment_objects, external_name(project_, value.parts[0], at.scope)))
      return Answer::yes;
    if (const Class* owner = own_class(project_, value.parts[0], at.scope)) {
      const auto bindings = field_bindings(project_, at.scope.file, *owner, value.text);
      Answer answer = bindings.empty() ? Answer::unknown : Answer::yes;
      for (const auto& [scope, binding] : bindings)
        answer = both(answer, of(binding->value, {.scope = scope, .frame = at.frame}, depth + 1));
      return answer;
    }
    const Definition found = definition_of(project_, value, at.scope);
    if (found.kind != Definition::none && found.kind != Definition::external)
      return of_definition(found, value, at, depth);
    // A part of one of a few things, such as the value of an enumeration.
    return of(value.parts[0], at, depth + 1);
  }

  Answer of_call(const Value& call, const Standpoint& at, int depth) {
    const Value& callee = call.parts[0];
    if (const Apis* known = apis(at)) {
      const std::string name = global_name(project_, callee, at.scope);
      if (!name.empty() && has(known->environment_calls, name))
        return Answer::yes;
      const auto targets = targets_of(project_, callee, at.scope);
      Answer answer = Answer::yes;
      for (const auto& [target, confidence] : targets) {
        const CallFrame frame{target, call, at};
        for (const Value& value : project_.routine(target).returns)
          answer = both(answer, of(value, {.scope = {target.file, target.index}, .frame = &frame}, depth + 1));
      }
      if (!targets.empty())
        return answer;
      if (callee.is(ValueKind::member) && external_name(project_, callee, at.scope).empty())
        if (const Answer object = of(callee.parts[0], at, depth + 1); object != Answer::unknown)
          return both(object, all(call.parts, 1, at, depth)); // text.encode(), sep.join(parts)
    }
    return call.parts.size() > 1 ? all(call.parts, 1, at, depth) : Answer::unknown;
  }

  const LinkedProject& project_;
  int hops_ = 0;
};

} // namespace

Answer is_closed(const LinkedProject& project, const Value& name, const Standpoint& at) {
  return Closed(project).of(name, at, 0);
}

} // namespace padlint
