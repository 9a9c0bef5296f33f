#include "analyzer/host/walker.h"

#include <algorithm>

// When a call happens: where it stands, at the end of the routine, or beside it; and the expressions that look like
// calls, or are written like them.

namespace padlint::host {

Value Walker::call(TSNode node, const Use& use) {
  const TSNode function = unwrapped(part(node, Slot::callee));
  if (language.role(function) == Role::lambda && !silent)
    return inlined(function, arguments(part(node, Slot::arguments)));
  if (std::optional<Value> value = continued(node, use))
    return *value;
  if (std::optional<Import> import = silent ? std::nullopt : imported_by(node)) {
    import->local = "{" + import->module + "}"; // a name that no source can have
    import->span = span(node);
    Value name = make_name(import->local, span(node));
    facts.imports.push_back(std::move(*import));
    return name;
  }
  Value value = called(node);
  if (const TSNode block = part(node, Slot::block); exists(block))
    return with_block(std::move(value), block, use);
  if (is_own_block(value.parts.back()))
    return with_own_block(std::move(value), use);
  value = happened(std::move(value), use);
  filled(part(node, Slot::arguments), value);
  return value;
}

/// The callee and the arguments, which are evaluated before the call happens.
Value Walker::called(TSNode node) {
  const Children parts = children(node);
  const RoleEntry& entry = language.entry(node);
  Value called = callee(parts, entry);
  std::vector<Value> values = arguments(parts.at(entry.at(Slot::arguments)));
  values.insert(values.begin(), std::move(called));
  if (values.size() > max_value_parts)
    values.resize(max_value_parts);
  return {.kind = ValueKind::call, .span = span(node), .parts = std::move(values)};
}

/// What is called: an expression, or a method by its name.
Value Walker::callee(const Children& parts, const RoleEntry& entry) {
  if (const TSNode whole = parts.at(entry.at(Slot::callee)); exists(whole))
    return expression(whole);
  const TSNode name = parts.at(entry.at(Slot::name));
  const TSNode object = parts.at(entry.at(Slot::object));
  if (!exists(name))
    return expression(object);
  if (!exists(object))
    return make_name(std::string(text_of(name)), span(name));
  const Span whole{facts.file, ts_node_start_byte(object), ts_node_end_byte(name)};
  return make_member(expression(object, {ResultUse::chained, {}}), std::string(text_of(name)), whole);
}

/// A call happens. Of some there is no way back.
Value Walker::happened(Value call, const Use& use) {
  if (runs_own_block(call)) {
    event(EventKind::yield, call.span, call.parts.size() > 1 ? call.parts[1] : make_opaque(call.span), {});
    facts.routines[routine].generator = true;
    return make_opaque(call.span);
  }
  event(EventKind::call, call.span, call, use);
  if (silent)
    return call;
  const std::string name = dotted(call.parts[0]);
  if (std::ranges::find(language.never_returns, name) != language.never_returns.end())
    actions->push_back(make_action(ActionKind::leave_throw, {}, call.span));
  if (class_body >= 0 && std::ranges::find(language.mixins, name) != language.mixins.end())
    for (std::size_t i = 1; i < call.parts.size(); ++i)
      facts.classes[static_cast<std::size_t>(class_body)].bases.push_back(bounded(call.parts[i]));
  return call;
}

/// An object as a call of its type, with its fields as keywords; a list or map of a type that has no name as itself.
Value Walker::construct(TSNode node) {
  const Children parts = children(node);
  const RoleEntry& entry = language.entry(node);
  const Value made = type(parts.at(entry.at(Slot::type)));
  const TSNode body = parts.at(entry.at(Slot::body));
  const Value& name = made.is(ValueKind::index) ? made.parts[0] : made;
  if (dotted(name).empty())
    return elements(body, Value{.kind = ValueKind::list, .span = span(node)}, false);
  Value value = Value{.kind = ValueKind::call, .span = span(node)};
  value.parts.push_back(name);
  value = elements(body, std::move(value), true);
  if (silent)
    return value;
  const auto number = static_cast<std::size_t>(part_of(name, name.text));
  for (std::size_t i = 1; i < value.parts.size(); ++i)
    if (Value given = value.parts[i]; !given.label.empty()) {
      std::string field_name = std::exchange(given.label, {});
      facts.classes[number].fields.push_back(
          {.name = std::move(field_name), .value = bounded(given), .type = {}, .routine = routine, .span = given.span});
    }
  return value;
}

/// Adds elements to a value, which becomes a map where one of them has a key.
Value Walker::elements(TSNode node, Value value, bool names_are_keys) {
  for (const TSNode child : named_children(node)) {
    Value element;
    if (language.role(child) == Role::pair) {
      const TSNode key = unwrapped(part(child, Slot::key));
      const bool name = names_are_keys && language.role(key) == Role::name;
      Value known = name ? make_text(std::string(text_of(key)), span(key), {}) : expression(key);
      element = expression(part(child, Slot::value), {ResultUse::stored, {}});
      element.label = known.is(ValueKind::text) ? std::move(known.text) : "";
      if (value.is(ValueKind::list))
        value.kind = ValueKind::map;
    } else {
      element = expression(child, {ResultUse::stored, {}});
    }
    if (value.parts.size() < max_value_parts)
      value.parts.push_back(std::move(element));
  }
  return value;
}

Value Walker::cast(TSNode node) {
  const Children parts = children(node);
  const RoleEntry& entry = language.entry(node);
  Value value = expression(parts.at(entry.at(Slot::value)));
  return make_operation("as", {std::move(value), type(parts.at(entry.at(Slot::type)))}, span(node));
}

/// A function that is called where it stands: its parameters are names for the arguments, and return leaves only it.
/// Gives what it returns, where that is one thing.
Value Walker::inlined(TSNode lambda, const std::vector<Value>& values) {
  std::vector<Parameter> declared;
  std::vector<std::pair<TSNode, std::string>> patterns;
  parameters(part(lambda, Slot::parameters), routine, declared, patterns);
  for (std::size_t i = 0; i < declared.size() && i < values.size(); ++i) {
    const auto pattern = std::ranges::find(patterns, declared[i].name, &std::pair<TSNode, std::string>::second);
    if (pattern != patterns.end())
      bind(pattern->first, values[i], {}, BindingRole::assigned);
    else if (!(values[i].is(ValueKind::name) && values[i].text == declared[i].name))
      add_binding(facts.routines[routine].bindings, declared[i].name, values[i], declared[i].type,
                  BindingRole::assigned, declared[i].span);
  }
  std::vector<Value> returns;
  std::vector<Value>* const around = std::exchange(inlined_returns, &returns);
  const TSNode body = part(lambda, Slot::body);
  Action action = make_action(ActionKind::inlined);
  action.parts = collect([&] {
    if (language.role(body) == Role::block)
      statement(body);
    else
      returns.push_back(expression(body));
  });
  inlined_returns = around;
  actions->push_back(std::move(action));
  return returns.size() == 1 ? returns[0] : make_opaque(span(lambda));
}

/// `f(x).then(g).catch(h).finally(k)`: g happens after f, h when one of them raises, k in any case.
std::optional<Value> Walker::continued(TSNode node, const Use& use) {
  if (silent || language.continuations.empty())
    return std::nullopt;
  const TSNode callee = unwrapped(part(node, Slot::callee));
  if (language.role(callee) != Role::member)
    return std::nullopt;
  const auto kind = std::ranges::find(language.continuations, text_of(part(callee, Slot::name)));
  if (kind == language.continuations.end())
    return std::nullopt;
  const TSNode object = unwrapped(part(callee, Slot::object));
  const std::vector<TSNode> given = named_children(part(node, Slot::arguments));
  if (language.role(object) != Role::call || given.empty())
    return std::nullopt;
  const TSNode function = unwrapped(given[0]);
  const Role form = language.role(function);
  if (form != Role::lambda && form != Role::name && form != Role::member)
    return std::nullopt;
  if (kind == language.continuations.begin()) {
    const bool asks = form != Role::lambda || exists(children(part(function, Slot::parameters)).named_at(0)) ||
                      language.role(part(function, Slot::parameters)) == Role::name;
    const Value value = expression(object, {asks ? ResultUse::operand : ResultUse::dropped, {}});
    for (std::size_t i = 1; i < given.size(); ++i)
      expression(given[i], {ResultUse::passed, {}});
    return continuation(function, {value}, use, span(node));
  }
  Value value;
  Action action = make_action(ActionKind::attempt);
  action.parts.push_back(make_action(ActionKind::sequence, collect([&] { value = expression(object, use); })));
  action.parts.push_back(make_action(ActionKind::sequence));
  action.parts.push_back(make_action(ActionKind::sequence));
  Actions happens = collect([&] { continuation(function, {}, {ResultUse::dropped, {}}, span(node)); });
  action.cleans_up = kind == language.continuations.end() - 1;
  if (action.cleans_up) {
    action.parts[2].parts = std::move(happens);
  } else {
    Action handler = make_action(ActionKind::handler, std::move(happens));
    handler.catches_all = true;
    action.parts.push_back(std::move(handler));
  }
  actions->push_back(std::move(action));
  return value;
}

Value Walker::continuation(TSNode function, const std::vector<Value>& values, const Use& use, Span where) {
  if (language.role(function) == Role::lambda)
    return inlined(function, values);
  const Value call = make_call(expression(function), values, where);
  event(EventKind::call, where, call, use);
  return call;
}

/// `f(&name)`: what the call writes there.
void Walker::filled(TSNode node, const Value& call) {
  if (silent || language.address_of.empty() || !exists(node))
    return;
  for (const TSNode argument : named_children(node))
    if (const TSNode name = addressed(argument); exists(name)) {
      std::vector<Binding>& to = facts.routines[routine].bindings;
      add_binding(to, std::string(text_of(name)), call, {}, BindingRole::filled, span(name));
    }
}

/// What it is called with is evaluated here; the call itself happens on every way out that comes later.
void Walker::deferred(TSNode node) {
  const TSNode put_off = unwrapped(children(node).named_at(0));
  Action action = make_action(ActionKind::deferred, {}, span(node));
  if (language.role(put_off) != Role::call) {
    expression(put_off);
    return;
  }
  const TSNode callee = unwrapped(part(put_off, Slot::callee));
  if (language.role(callee) == Role::lambda) {
    action.parts = collect([&] { inlined(callee, arguments(part(put_off, Slot::arguments))); });
  } else {
    const Value value = called(put_off);
    action.parts = collect([&] { happened(value, {ResultUse::dropped, {}}); });
  }
  actions->push_back(std::move(action));
}

/// The call is a routine of its own, which this one hands over.
void Walker::spawn(TSNode node) {
  const TSNode beside = unwrapped(children(node).named_at(0));
  Value started = make_call(make_opaque(span(node)), {}, span(node));
  const std::uint32_t number = anonymous(beside);
  started.parts.push_back({.kind = ValueKind::function, .span = span(beside), .number = number});
  event(EventKind::call, span(node), started, {ResultUse::dropped, {}});
}

std::vector<Value> Walker::arguments(TSNode node) {
  const Use passed{ResultUse::passed, {}};
  std::vector<Value> out;
  if (!exists(node))
    return out;
  if (language.role(node) == Role::text)
    return {text(node, true)};
  if (language.role(node) != Role::arguments)
    return {expression(node, passed)};
  const std::vector<TSNode> nodes = named_children(node);
  out.reserve(nodes.size() + 1); // a callee comes before them
  for (const TSNode child : nodes) {
    if (language.role(child) == Role::pair) {
      out.push_back(entry_of(child));
      continue;
    }
    Value value = exists(addressed(child)) ? silently(child) : expression(child, passed);
    if (language.role(child) == Role::keyword)
      value.label = text_of(part(child, Slot::name));
    else if (language.role(child) == Role::handed_block)
      value.label = block_label;
    out.push_back(std::move(value));
  }
  return out;
}

/// The values that a statement hands on: those of its list of arguments, if the grammar puts one there.
std::vector<TSNode> Walker::handed_on(TSNode node) {
  std::vector<TSNode> values = named_children(node);
  if (values.size() == 1 && language.role(values[0]) == Role::arguments)
    return named_children(values[0]);
  return values;
}

} // namespace padlint::host
