#include "analyzer/host/walker.h"

#include <algorithm>

namespace padlint::host {

namespace {

Value compound(ValueKind kind, Span span, std::string text = {}) {
  return {.kind = kind, .span = span, .text = std::move(text)};
}

} // namespace

Value Walker::expression(TSNode node, const Use& use) {
  const Deeper deeper(*this);
  if (!deeper.allowed || !exists(node))
    return make_opaque(span(node));
  switch (language.role(node)) {
  case Role::name:
    if (!silent)
      reads.push_back(text_of(node));
    return make_name(std::string(text_of(node)), span(node));
  case Role::local: return local(node, use);
  case Role::own_field: return own_field(node);
  case Role::word: return make_name(std::string(text_of(node)), span(node));
  case Role::path: return path(node);
  case Role::member: return member(node);
  case Role::slice: return slice(node);
  case Role::index: return index(node, use);
  case Role::call: return call(node, use);
  case Role::keyword: return expression(part(node, Slot::value), {ResultUse::passed, {}});
  case Role::spread: {
    Value value = compound(ValueKind::spread, span(node));
    value.parts.push_back(expression(children(node).named_at(0)));
    return value;
  }
  case Role::text: return in_type ? quoted_type(node) : text(node);
  case Role::text_mark: return marked_text(node);
  case Role::symbol: return symbol(node);
  case Role::joined: return joined_texts(node);
  case Role::integer: {
    std::string_view digits = text_of(node);
    if (digits.size() > 1 && language.integer_suffix.find(digits.back()) != std::string::npos)
      digits.remove_suffix(1);
    return decode_integer(digits, language.integer_separator, span(node));
  }
  case Role::boolean_true:
  case Role::boolean_false:
    return {.kind = ValueKind::boolean, .span = span(node), .number = language.role(node) == Role::boolean_true};
  case Role::null: return compound(ValueKind::null, span(node));
  case Role::list: return list(node, {});
  case Role::several: {
    const std::vector<TSNode> parts = named_children(node);
    return parts.size() == 1 ? expression(parts[0], use) : list(node, use);
  }
  case Role::map: return map(node);
  case Role::operation: return operation(node, use);
  case Role::conditional: return conditional(node, use);
  case Role::assign: {
    if (use.use != ResultUse::dropped && !silent) // the value goes on to who asked for it
      if (const TSNode target = part(node, Slot::target); language.role(target) == Role::name)
        reads.push_back(text_of(target));
    return assign(node);
  }
  case Role::augment: return augment(node);
  case Role::alias: return expression(part(node, Slot::value), use);
  case Role::lambda: return function_value(node, RoutineForm::anonymous);
  case Role::class_: return class_definition(node);
  case Role::handed_block: return expression(children(node).named_at(0), {ResultUse::passed, {}});
  case Role::comprehension: return comprehension(node);
  case Role::fallback: return fallback(node, use);
  case Role::transparent: {
    const TSNode inner = wrapped_by(node);
    return exists(inner) ? expression(inner, use) : statements(named_children(node), use, span(node));
  }
  case Role::yield: return yielded(node);
  case Role::construct: return construct(node);
  case Role::cast: return cast(node);
  case Role::counter: return make_integer(counter, span(node));
  case Role::parameter: return in_type ? expression(part(node, Slot::type)) : make_opaque(span(node));
  default: return statement(node, use);
  }
}

Value Walker::local(TSNode node, const Use& use) {
  if (is_variable(text_of(node))) {
    if (!silent)
      reads.push_back(text_of(node));
    return make_name(std::string(text_of(node)), span(node));
  }
  Value value = compound(ValueKind::call, span(node));
  value.parts.push_back(make_name(std::string(text_of(node)), span(node)));
  return happened(std::move(value), use);
}

/// Closures see the variables of the routine around them.
bool Walker::is_variable(std::string_view name) const {
  for (std::uint32_t at = routine;; at = facts.routines[at].parent) {
    if (variables.contains({at, name}))
      return true;
    if (facts.routines[at].form != RoutineForm::anonymous)
      return false;
  }
}

/// The marks in front of the name only say what kind of name it is.
Value Walker::own_field(TSNode node) {
  std::string_view name = text_of(node);
  name.remove_prefix(std::min(name.find_first_not_of("@$"), name.size()));
  const std::string& object = receiver.empty() ? language.receiver : receiver;
  return make_member(make_name(object, span(node)), std::string(name), span(node));
}

Value Walker::silently(TSNode node) {
  const bool before = std::exchange(silent, true);
  Value value = expression(node);
  silent = before;
  return value;
}

void Walker::event(EventKind kind, Span span, const Value& value, const Use& use) {
  if (silent)
    return;
  Event event{.kind = kind, .span = span, .value = bounded(value), .use = use.use, .target = use.target};
  actions->push_back({.kind = ActionKind::event, .event = std::move(event)});
}

void Walker::evaluate_children(TSNode node) {
  for (const TSNode child : named_children(node))
    expression(child);
}

TSNode Walker::unwrapped(TSNode node) {
  while (exists(node) && (language.role(node) == Role::transparent ||
                          (language.role(node) == Role::several && named_children(node).size() == 1))) {
    const TSNode inner = wrapped_by(node);
    if (!exists(inner))
      break;
    node = inner;
  }
  return node;
}

/// `a.b.c`, as members of a name.
Value Walker::path(TSNode node) {
  const std::string_view whole = text_of(node);
  const std::uint32_t begin = ts_node_start_byte(node);
  Value value;
  for (std::size_t at = 0; at <= whole.size();) {
    const std::size_t end = std::min(whole.find('.', at), whole.size());
    const Span here{facts.file, begin, begin + static_cast<std::uint32_t>(end)};
    std::string name(whole.substr(at, end - at));
    value = at == 0 ? make_name(std::move(name), here) : make_member(std::move(value), std::move(name), here);
    at = end + 1;
  }
  if (!silent)
    reads.push_back(whole.substr(0, whole.find('.')));
  return value;
}

Value Walker::member(TSNode node) {
  const Children parts = children(node);
  const RoleEntry& entry = language.entry(node);
  const TSNode name = parts.at(entry.at(Slot::name));
  const TSNode object = parts.at(entry.at(Slot::object));
  std::string text = exists(name) ? std::string(text_of(name)) : "";
  if (!exists(object))
    return make_name(std::move(text), span(node)); // of the outermost scope
  Value value = compound(ValueKind::member, span(node), std::move(text));
  value.parts.push_back(expression(object, {ResultUse::chained, {}}));
  return value;
}

Value Walker::list(TSNode node, const Use& use) {
  Value value = compound(ValueKind::list, span(node));
  for (const TSNode child : named_children(node)) {
    Value element = expression(child, use);
    if (value.parts.size() < max_value_parts)
      value.parts.push_back(std::move(element));
  }
  return value;
}

Value Walker::yielded(TSNode node) {
  std::vector<Value> values;
  for (const TSNode child : handed_on(node))
    values.push_back(expression(child, {ResultUse::passed, {}}));
  const Value value = values.empty() ? make_opaque(span(node)) : values[0]; // of several, what comes first
  event(EventKind::yield, span(node), value, {ResultUse::unknown, {}});
  facts.routines[routine].generator = true;
  return make_opaque(span(node));
}

Value Walker::index(TSNode node, const Use& use) {
  const Children parts = children(node);
  const RoleEntry& entry = language.entry(node);
  const bool is_call = !language.index_method.empty();
  const TSNode object = parts.at(entry.at(Slot::object));
  Value value = compound(ValueKind::index, span(node));
  value.parts.push_back(expression(object, {is_call ? ResultUse::chained : ResultUse::operand, {}}));
  std::vector<TSNode> keys = parts.all_at(entry.at(Slot::key));
  if (keys.size() == 1 && language.role(keys[0]) == Role::arguments)
    keys = named_children(keys[0]);
  if (is_call) { // its keys are arguments, and stand beside the object
    keys = parts.all_named();
    std::erase_if(keys, [&](TSNode key) { return ts_node_eq(key, object); });
  }
  Value several = compound(ValueKind::list, span(node));
  for (const TSNode key : keys)
    several.parts.push_back(language.role(key) == Role::pair ? entry_of(key) : expression(key));
  if (is_call) {
    Value call = compound(ValueKind::call, span(node));
    call.parts = several.parts;
    call.parts.edit().insert(call.parts.edit().begin(), make_member(value.parts[0], language.index_method, span(node)));
    happened(std::move(call), use);
  }
  value.parts.push_back(several.parts.size() == 1 ? Value(several.parts[0]) : std::move(several));
  return value;
}

/// `[begin:end]`: an end that is not written is null; with a step it is no run of elements.
Value Walker::slice(TSNode node) {
  const Children parts = children(node);
  const Place& object = language.entry(node).at(Slot::object);
  const TSNode sliced = parts.at(object);
  Value ends{.kind = ValueKind::operation, .span = span(node), .text = ":"};
  ends.parts.edit().resize(2, compound(ValueKind::null, span(node)));
  std::size_t at = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const TSNode child = parts.node(i);
    if (exists(sliced) && ts_node_eq(child, sliced))
      continue;
    if (!parts.named(i))
      at += text_of(child) == ":" ? 1 : 0;
    else if (at < 2)
      ends.parts.edit()[at] = expression(child);
    else
      ends = make_opaque(span(node));
  }
  if (!exists(sliced))
    return ends;
  Value value = compound(ValueKind::index, span(node));
  value.parts.push_back(expression(sliced));
  value.parts.push_back(std::move(ends));
  return value;
}

Value Walker::map(TSNode node) {
  Value value = compound(ValueKind::map, span(node));
  for (const TSNode child : named_children(node)) {
    Value entry = entry_of(child);
    if (value.parts.size() < max_value_parts)
      value.parts.push_back(std::move(entry));
  }
  return value;
}

/// An entry of a map: a pair, a name that is key and value, a method, or another map whose entries it takes.
Value Walker::entry_of(TSNode node) {
  Value entry;
  switch (language.role(node)) {
  case Role::pair: {
    const TSNode key_node = part(node, Slot::key);
    const Value key = expression(key_node);
    const bool labelled = key.is(ValueKind::text) || language.role(key_node) == Role::word;
    const TSNode value = part(node, Slot::value);
    if (!exists(value) && labelled) { // a name that is key and value
      entry = make_name(key.text, key.span);
      entry.label = key.text;
      return entry;
    }
    entry = labelled && language.role(unwrapped(value)) == Role::lambda
                ? function_value(unwrapped(value), RoutineForm::anonymous, key.text)
                : expression(value);
    entry.label = labelled ? key.text : "";
    return entry;
  }
  case Role::shorthand:
    if (!silent)
      reads.push_back(text_of(node));
    entry = make_name(std::string(text_of(node)), span(node));
    entry.label = entry.text;
    return entry;
  case Role::function:
    entry = function_value(node, RoutineForm::anonymous);
    entry.label = text_of(part(node, Slot::name));
    return entry;
  default: return expression(node);
  }
}

Value Walker::conditional(TSNode node, const Use& use) {
  const Children parts = children(node);
  const RoleEntry& entry = language.entry(node);
  Value value = compound(ValueKind::choice, span(node));
  Action test = condition(parts.at(entry.at(Slot::condition)));
  const auto arm = [&](Slot slot) {
    return collect([&] { value.parts.push_back(expression(parts.at(entry.at(slot)), use)); });
  };
  Actions then = arm(Slot::then);
  Actions otherwise = arm(Slot::else_);
  if (!then.empty() || !otherwise.empty() || !happens_nothing(test)) {
    Action branch = make_action(ActionKind::branch);
    branch.parts.push_back(std::move(test));
    branch.parts.push_back(make_action(ActionKind::sequence, std::move(then)));
    branch.parts.push_back(make_action(ActionKind::sequence, std::move(otherwise)));
    actions->push_back(std::move(branch));
  }
  return make_choice(value.parts.list(), span(node));
}

Value make_choice(std::vector<Value> values, Span span) {
  constexpr std::size_t most_choices = 4;
  Value flat = compound(ValueKind::choice, span);
  for (Value& value : values) {
    if (value.is(ValueKind::choice))
      std::ranges::copy(value.parts, std::back_inserter(flat.parts));
    else
      flat.parts.push_back(std::move(value));
  }
  if (flat.parts.size() == 1)
    return Value(flat.parts[0]);
  return flat.parts.empty() || flat.parts.size() > most_choices ? make_opaque(span) : flat;
}

/// An expression, and another one for the case that it raises.
Value Walker::fallback(TSNode node, const Use& use) {
  const Children parts = children(node);
  const RoleEntry& entry = language.entry(node);
  std::vector<Value> values;
  const auto evaluated = [&](Slot slot) {
    return collect([&] { values.push_back(expression(parts.at(entry.at(slot)), use)); });
  };
  Action action = make_action(ActionKind::attempt);
  action.parts.push_back(make_action(ActionKind::sequence, evaluated(Slot::value)));
  action.parts.push_back(make_action(ActionKind::sequence));
  action.parts.push_back(make_action(ActionKind::sequence));
  action.parts.push_back(make_action(ActionKind::handler, evaluated(Slot::else_)));
  action.parts.back().catches_all = true;
  actions->push_back(std::move(action));
  return make_choice(std::move(values), span(node));
}

Value Walker::comprehension(TSNode node) {
  std::vector<TSNode> bodies;
  std::vector<TSNode> all_clauses;
  for (const TSNode child : named_children(node)) {
    const Role role = language.role(child);
    (role == Role::each || role == Role::guard ? all_clauses : bodies).push_back(child);
  }
  clauses(all_clauses, 0, bodies);
  return make_opaque(span(node));
}

void Walker::clauses(const std::vector<TSNode>& all_clauses, std::size_t at, const std::vector<TSNode>& bodies) {
  const Deeper deeper(*this);
  if (!deeper.allowed)
    return;
  if (at == all_clauses.size()) {
    for (const TSNode body : bodies)
      expression(body);
    return;
  }
  const TSNode clause = all_clauses[at];
  Action action = make_action(ActionKind::loop);
  if (language.role(clause) == Role::each) {
    const Value source_value = expression(part(clause, Slot::source), {ResultUse::iterated, {}});
    collect([&] { bind(part(clause, Slot::target), source_value, {}, BindingRole::iterated); });
    action.parts.push_back(make_test({}, make_opaque(source_value.span)));
  } else {
    action.kind = ActionKind::branch;
    action.parts.push_back(condition(children(clause).named_at(0)));
  }
  Actions inside = collect([&] { clauses(all_clauses, at + 1, bodies); });
  if (inside.empty() && happens_nothing(action.parts[0]))
    return;
  action.parts.push_back(make_action(ActionKind::sequence, std::move(inside)));
  actions->push_back(std::move(action));
}

} // namespace padlint::host
