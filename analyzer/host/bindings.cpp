#include "analyzer/host/walker.h"

#include <algorithm>
#include <fmt/format.h>

namespace padlint::host {

namespace {

/// The text by which facts know a place that can be bound: `conn`, `conn.autocommit`, `state["pool"]`. Empty when the
/// place depends on a value of the run.
std::string place_text(const Value& place) {
  if (place.is(ValueKind::name))
    return place.text;
  if ((!place.is(ValueKind::member) && !place.is(ValueKind::index)) || place.parts.empty())
    return {};
  const std::string object = place_text(place.parts[0]);
  if (object.empty() || place.is(ValueKind::member))
    return object.empty() ? object : fmt::format("{}.{}", object, place.text);
  const Value& key = place.parts.back();
  return key.is(ValueKind::text) || key.is(ValueKind::integer) ? fmt::format("{}[{}]", object, to_text(key)) : "";
}

/// Where what is called without arguments may as well be a member: `config.jobs.adapter`.
Value members_only(Value value) {
  if (value.is(ValueKind::call) && value.parts.size() == 1)
    return members_only(value.parts[0]);
  if (value.is(ValueKind::member) && !value.parts.empty())
    value.parts.edit()[0] = members_only(value.parts[0]);
  return value;
}

} // namespace

Value Walker::type(TSNode node) {
  if (!exists(node))
    return {};
  const bool before = std::exchange(in_type, true);
  Value value = silently(node);
  in_type = before;
  return bounded(value);
}

/// A type in quotes is parsed where it stands.
Value Walker::quoted_type(TSNode node) {
  const Span whole = span(node);
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  if (const Children quotes = children(node); quotes.size() >= 2) {
    begin = ts_node_end_byte(quotes.node(0));
    end = ts_node_start_byte(quotes.node(quotes.size() - 1));
  }
  if (begin >= end)
    return make_opaque(whole);
  const Tree tree = parse(language, source, begin, end);
  if (!tree || ts_node_has_error(ts_tree_root_node(tree.get())))
    return make_opaque(whole);
  const std::vector<TSNode> statements = named_children(ts_tree_root_node(tree.get()));
  if (statements.size() != 1 || language.role(statements[0]) != Role::statement)
    return make_opaque(whole);
  return expression(children(statements[0]).named_at(0));
}

Use Walker::stored_in(TSNode target) {
  target = unwrapped(target);
  if (language.role(target) == Role::several) // the answer comes first, then what goes with it
    return stored_in(children(target).named_at(0));
  if (const Role role = language.role(target); role == Role::list || role == Role::map)
    return {ResultUse::operand, {}}; // unpacked
  if (!language.blank.empty() && text_of(target) == language.blank)
    return {ResultUse::dropped, {}};
  return {ResultUse::stored, place_text(place(target))};
}

/// The place that a target names, without looking what is in it.
Value Walker::place(TSNode target) {
  const Children parts = children(target);
  const RoleEntry& entry = language.entry(target);
  if (entry.role == Role::local)
    return make_name(std::string(text_of(target)), span(target));
  const bool before = std::exchange(silent, true);
  Value value = entry.role == Role::call ? members_only(callee(parts, entry)) : expression(target);
  silent = before;
  return value;
}

/// The value of `value`, each element of a list known to go to its own target.
Value Walker::assigned_value(const std::vector<TSNode>& written, TSNode value) {
  const bool unpacked = written.size() == 1 && is_list(unwrapped(written[0]));
  const std::vector<TSNode> targets = unpacked ? named_children(unwrapped(written[0])) : written;
  const std::vector<TSNode> values = named_children(unwrapped(value));
  const auto spread = [&](TSNode node) { return language.role(node) == Role::spread; };
  const bool lists = (unpacked || targets.size() > 1) && is_list(unwrapped(value));
  if (!lists || targets.size() != values.size() || std::ranges::any_of(targets, spread) ||
      std::ranges::any_of(values, spread))
    return expression(value, stored_in(written[0]));
  Value out{.kind = ValueKind::list, .span = span(value)};
  for (std::size_t i = 0; i < values.size(); ++i)
    out.parts.push_back(assigned_value({targets[i]}, values[i]));
  return out;
}

/// A function without name that is bound to a name is a function of that name: `const take = async () => {}`.
Value Walker::named_function(TSNode target, TSNode value) {
  if (!exists(value) || language.role(unwrapped(value)) != Role::lambda)
    return {};
  target = unwrapped(target);
  if (const Role role = language.role(target); role == Role::name || role == Role::local || role == Role::word)
    return function_value(unwrapped(value), RoutineForm::function, std::string(text_of(target)));
  const std::string place = language.exports.empty() ? "" : place_text(silently(target));
  for (const std::string& object : language.exports)
    if (place.starts_with(object + "."))
      return function_value(unwrapped(value), RoutineForm::function, place.substr(object.size() + 1));
  return {};
}

Value Walker::assign(TSNode node) {
  const Children parts = children(node);
  // One kind of node for `=` and `+=`.
  if (const std::string& op = operator_of(parts).name; op.size() > 1 && op.ends_with('=') && op != ":=")
    return augment(node);
  return assign_value(node, parts.at(language.entry(node).at(Slot::value)));
}

Value Walker::assign_value(TSNode node, TSNode value_node) {
  const Children parts = children(node);
  const RoleEntry& entry = language.entry(node);
  const std::vector<TSNode> targets = parts.all_at(entry.at(Slot::target));
  const TSNode first = targets.empty() ? parts.at(entry.at(Slot::target)) : targets[0];
  if (const Value function = exists(first) ? named_function(first, value_node) : Value{};
      function.is(ValueKind::function))
    return function;
  if (exists(first) && exists(value_node) && import_into(unwrapped(first), unwrapped(value_node)))
    return make_opaque(span(node));
  const Value declared = type(parts.at(entry.at(Slot::type)));
  if (!exists(first))
    return expression(value_node);
  if (!exists(value_node)) {
    for (const TSNode target : targets)
      bind(target, {}, declared, BindingRole::assigned);
    return make_opaque(span(node));
  }
  Value value = assigned_value(targets.empty() ? std::vector{first} : targets, value_node);
  bind_all(targets.empty() ? std::vector{first} : targets, value, declared, BindingRole::assigned);
  return value;
}

void Walker::bind_all(const std::vector<TSNode>& targets, const Value& value, const Value& declared, BindingRole role) {
  if (targets.size() == 1)
    bind(targets[0], value, declared, role);
  else
    unpack(targets, value, role);
}

/// Declarations in order: one without a value has that of the one before, computed anew.
void Walker::series(TSNode node) {
  const std::int64_t around = std::exchange(counter, 0);
  TSNode value = no_node;
  for (const TSNode declaration : named_children(node)) {
    if (const TSNode own = part(declaration, Slot::value); exists(own))
      value = own;
    assign_value(declaration, value);
    ++counter;
  }
  counter = around;
}

Value Walker::augment(TSNode node) {
  const Children parts = children(node);
  const RoleEntry& entry = language.entry(node);
  const TSNode target = parts.at(entry.at(Slot::target));
  std::string op = operator_of(parts).name;
  if (op.ends_with('='))
    op.pop_back();
  const bool chooses = op == "and" || op == "or"; // `a ||= b` stores b
  std::vector<Value> operands;
  operands.push_back(language.role(target) == Role::local ? place(target) : expression(target));
  operands.push_back(expression(parts.at(entry.at(Slot::value)), chooses ? stored_in(target) : Use{}));
  Value value{.kind = ValueKind::operation, .span = span(node), .text = op};
  const bool joins = std::ranges::find(language.joins, op) != language.joins.end();
  if (joins && (operands[1].is(ValueKind::text) || operands[1].is(ValueKind::concat)))
    value = make_concat(std::move(operands), span(node));
  else
    value.parts = std::move(operands);
  bind(target, value, {}, BindingRole::assigned);
  return value;
}

void Walker::bind(TSNode target, const Value& value, const Value& declared, BindingRole role) {
  target = unwrapped(target);
  switch (language.role(target)) {
  case Role::name:
  case Role::local:
  case Role::word:
  case Role::shorthand: bind_name(target, value, declared, role); break;
  case Role::assign: bind(part(target, Slot::target), value, declared, role); break; // with a default
  case Role::several:
  case Role::list: unpack(named_children(target), value, role); break;
  case Role::map: unpack_map(target, value, role); break;
  case Role::spread: bind(children(target).named_at(0), make_opaque(value.span), {}, role); break;
  default: bind_place(target, value, declared, role);
  }
}

void Walker::bind_name(TSNode target, const Value& value, const Value& declared, BindingRole role) {
  if (!silent)
    variables.insert({routine, text_of(target)});
  std::string name(text_of(target));
  if (!language.blank.empty() && name == language.blank)
    return;
  const bool handed_out = std::ranges::find(outers, name) != outers.end();
  std::vector<Binding>& to = class_body >= 0 ? facts.classes[static_cast<std::size_t>(class_body)].bindings
                                             : facts.routines[handed_out ? 0 : routine].bindings;
  add_binding(to, std::move(name), value, declared, role, span(target));
}

/// What is bound to the object of the file's exports, or to a member of it, is what importers get under that name.
void Walker::bind_export(std::string_view place, const Value& value, Span where) {
  for (const std::string& object : language.exports) {
    if (!place.starts_with(object))
      continue;
    const auto add = [&](std::string name, const Value& what) {
      if (!what.is(ValueKind::name) || what.text != name)
        add_binding(facts.routines[0].bindings, std::move(name), what, {}, BindingRole::assigned, where);
    };
    if (place.size() > object.size() + 1 && place[object.size()] == '.')
      add(std::string(place.substr(object.size() + 1)), value);
    else if (place == object && value.is(ValueKind::map))
      for (const Value& entry : value.parts)
        add(entry.label, entry);
    else if (place == object)
      add("default", value);
  }
}

/// A member or an element. A member of the object itself is a field of its class.
void Walker::bind_place(TSNode target, const Value& value, const Value& declared, BindingRole role) {
  const bool only_names = language.role(target) == Role::call || language.role(target) == Role::own_field;
  const Value place = only_names ? this->place(target) : expression(target);
  const bool field = place.is(ValueKind::member) && receiver_class >= 0 && place.parts[0].is(ValueKind::name) &&
                     place.parts[0].text == receiver;
  std::vector<Binding>& to =
      field ? facts.classes[static_cast<std::size_t>(receiver_class)].fields : facts.routines[routine].bindings;
  std::string name = place_text(place);
  bind_export(name, value, span(target));
  if (name.empty())
    return;
  const std::size_t before = to.size();
  add_binding(to, std::move(name), value, declared, role, span(target));
  if (field && to.size() > before)
    to.back().name = place.text;
}

void Walker::add_binding(std::vector<Binding>& to, std::string name, const Value& value, const Value& declared,
                         BindingRole role, Span where) {
  if (silent)
    return;
  const bool declared_only = value.span.empty();
  if (role != BindingRole::scoped && class_body < 0 && !declared_only) {
    // What an element or an exception is, no text says: the name is another one from here on.
    const bool known = role == BindingRole::assigned || role == BindingRole::filled;
    const Value assigned = known ? value : make_opaque(where);
    event(EventKind::assign, where, assigned, {ResultUse::unknown, name});
  }
  to.push_back({.name = std::move(name),
                .role = role,
                .value = bounded(value),
                .type = declared,
                .routine = routine,
                .span = where});
}

void Walker::unpack(const std::vector<TSNode>& elements, const Value& value, BindingRole role) {
  const auto rest = [&](TSNode node) { return language.role(node) == Role::spread; };
  const auto spread = [](const Value& part) { return part.is(ValueKind::spread); };
  const bool pairwise = role == BindingRole::assigned && value.is(ValueKind::list) &&
                        value.parts.size() == elements.size() && std::ranges::none_of(elements, rest) &&
                        std::ranges::none_of(value.parts, spread);
  bool after_rest = false;
  for (std::size_t i = 0; i < elements.size(); ++i) {
    after_rest = after_rest || rest(elements[i]);
    if (pairwise) {
      bind(elements[i], value.parts[i], {}, role);
      continue;
    }
    const auto from_end = static_cast<std::int64_t>(elements.size());
    const std::int64_t position = static_cast<std::int64_t>(i) - (after_rest ? from_end : 0);
    Value element{.kind = ValueKind::index, .span = span(elements[i])};
    element.parts.push_back(bounded(value));
    element.parts.push_back(make_integer(position, span(elements[i])));
    bind(elements[i], element, {}, role);
  }
}

/// Each name gets the entry of its key.
void Walker::unpack_map(TSNode target, const Value& value, BindingRole role) {
  for (const TSNode child : named_children(target)) {
    TSNode key = child;
    TSNode bound = child;
    switch (language.role(child)) {
    case Role::pair:
      key = part(child, Slot::key);
      bound = part(child, Slot::value);
      break;
    case Role::assign: key = part(child, Slot::target); break;
    case Role::spread: bind(children(child).named_at(0), make_opaque(value.span), {}, role); continue;
    default: break;
    }
    bind(bound, make_member(bounded(value), std::string(text_of(key)), span(child)), {}, role);
  }
}

} // namespace padlint::host
