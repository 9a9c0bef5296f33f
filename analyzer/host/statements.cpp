#include "analyzer/host/walker.h"

#include <algorithm>

namespace padlint::host {

/// `use` is what becomes of the value, in languages whose statements have one: the value of a block is that of its last
/// statement.
Value Walker::statement(TSNode node, const Use& use) {
  const Deeper deeper(*this);
  if (!deeper.allowed)
    return make_opaque(span(node));
  switch (language.role(node)) {
  case Role::block: return statements(named_children(node), use, span(node));
  case Role::statement:
    for (const TSNode child : named_children(node))
      expression(child, {ResultUse::dropped, {}});
    break;
  case Role::branch: return branch(node, use);
  case Role::loop: loop(node); break;
  case Role::repeat: repeat(node); break;
  case Role::each: each(node, part(node, Slot::body), part(node, Slot::else_)); break;
  case Role::attempt: return attempt(node, use);
  case Role::managed: statements({node}, use, span(node)); break;
  case Role::scoped: scoped(named_children(part(node, Slot::items)), 0, part(node, Slot::body)); break;
  case Role::match: return match(node, use);
  case Role::choose: choose(node); break;
  case Role::leave_return: leave_return(node); break;
  case Role::leave_throw: leave_throw(node); break;
  case Role::leave_break: leave_part(ActionKind::leave_break, node); break;
  case Role::leave_continue: leave_part(ActionKind::leave_continue, node); break;
  case Role::leave_retry: leave_part(ActionKind::leave_retry, node); break;
  case Role::labelled: labelled(node); break;
  case Role::deferred: deferred(node); break;
  case Role::spawn: spawn(node); break;
  case Role::series: series(node); break;
  case Role::field: field(node); break;
  case Role::assertion: assertion(node); break;
  case Role::function: routine_of(node, RoutineForm::function); break;
  case Role::class_: class_definition(node); break;
  case Role::type_alias: type_alias(node); break;
  case Role::decorated: decorated(node); break;
  case Role::import: imports(node); break;
  case Role::export_: exports(node); break;
  case Role::annotation: annotate(node); break;
  case Role::outer:
    for (const TSNode name : named_children(node))
      outers.push_back(text_of(name));
    break;
  case Role::comment:
  case Role::interface:
  case Role::text_body:
  case Role::ignored: break;
  case Role::none:
  case Role::arguments:
  case Role::hole:
  case Role::pair:
  case Role::guard:
  case Role::handler:
  case Role::cleanup:
  case Role::match_case:
  case Role::namespace_:
  case Role::shorthand:
  case Role::block_parameter:
  case Role::loop_head: evaluate_children(node); break;
  default: return expression(node, use);
  }
  return make_opaque(span(node));
}

/// Statements in order, from `at` on; what is managed until the end of the block has the rest of them inside.
Value Walker::statements(const std::vector<TSNode>& nodes, const Use& use, Span whole, std::size_t at) {
  Value value = make_opaque(whole);
  for (; at < nodes.size(); ++at) {
    if (language.role(nodes[at]) == Role::managed) {
      managed(named_children(nodes[at]), 0, nodes, at + 1);
      return value;
    }
    value = statement(nodes[at], at + 1 == nodes.size() ? use : Use{ResultUse::dropped, {}});
  }
  return value;
}

void Walker::managed(const std::vector<TSNode>& bindings, std::size_t at, const std::vector<TSNode>& nodes,
                     std::size_t next) {
  const Deeper deeper(*this);
  if (at == bindings.size() || !deeper.allowed) {
    statements(nodes, {ResultUse::dropped, {}}, {}, next);
    return;
  }
  const TSNode target = part(bindings[at], Slot::target);
  const TSNode value = part(bindings[at], Slot::value);
  Action action = make_action(ActionKind::scoped);
  const Value held = expression(value, {ResultUse::passed, {}});
  action.event = {.kind = EventKind::enter, .span = span(value), .value = bounded(held)};
  action.event.target = stored_in(target).target;
  action.parts = collect([&] {
    bind(target, held, {}, BindingRole::scoped);
    managed(bindings, at + 1, nodes, next);
  });
  actions->push_back(std::move(action));
}

Value Walker::branch(TSNode node, const Use& use) {
  Action action = make_action(ActionKind::branch);
  std::vector<Value> values;
  arms(action.parts, values, node, use);
  const bool no_else = action.parts.size() % 2 == 0;
  if (no_else && language.last_value_is_result && use.use != ResultUse::dropped)
    values.push_back({.kind = ValueKind::null, .span = {facts.file, span(node).end, span(node).end}});
  actions->push_back(std::move(action));
  return make_choice(std::move(values), span(node));
}

/// A condition and its body, and then those of the alternatives.
void Walker::arms(Actions& parts, std::vector<Value>& values, TSNode node, const Use& use) {
  const Children all = children(node);
  const RoleEntry& entry = language.entry(node);
  const auto body = [&](TSNode statements_of) {
    return make_action(ActionKind::sequence, collect([&] { values.push_back(statement(statements_of, use)); }));
  };
  statement(all.at(entry.at(Slot::initial)));
  parts.push_back(tested(all, entry));
  parts.push_back(body(all.at(entry.at(Slot::then))));
  for (const TSNode other : all.all_at(entry.at(Slot::else_))) {
    if (language.role(other) == Role::branch && !exists(part(other, Slot::initial)))
      arms(parts, values, other, use);
    else
      parts.push_back(body(other));
  }
}

/// The condition of a branch or loop.
Action Walker::tested(const Children& parts, const RoleEntry& entry) {
  Action test = condition(parts.at(entry.at(Slot::condition)));
  return entry.negated ? make_action(ActionKind::negate, {std::move(test)}) : test;
}

void Walker::loop(TSNode node) {
  const TSNode body = part(node, Slot::body);
  const TSNode otherwise = part(node, Slot::else_);
  if (language.entry(node).tests_after && language.role(body) == Role::attempt)
    return repeat(node);
  if (has_slot(node, Slot::condition))
    return round_and_round(node, body, otherwise);
  const TSNode head = children(node).named_at(0);
  if (language.role(head) == Role::each)
    each(head, body, otherwise);
  else
    round_and_round(ts_node_eq(head, body) ? no_node : head, body, otherwise);
}

/// `head` has the slots of a loop, or is the condition itself; without one the loop never ends.
void Walker::round_and_round(TSNode head, TSNode body, TSNode otherwise) {
  Action action = make_action(ActionKind::loop);
  action.label = std::exchange(label, {});
  const bool slots = language.role(head) == Role::loop_head || language.role(head) == Role::loop;
  if (slots)
    statement(part(head, Slot::initial));
  const TSNode asked = slots ? part(head, Slot::condition) : head;
  const bool always = !exists(asked) || !ts_node_is_named(asked) || language.role(asked) == Role::ignored;
  action.parts.push_back(always  ? make_test({}, {.kind = ValueKind::boolean, .span = span(body), .number = 1})
                         : slots ? tested(children(head), language.entry(head))
                                 : condition(asked));
  for (const TSNode inner : {body, otherwise})
    action.parts.push_back(make_action(ActionKind::sequence, collect([&] { statement(inner); })));
  if (const TSNode step = slots ? part(head, Slot::step) : no_node; exists(step))
    action.parts.push_back(make_action(ActionKind::sequence, collect([&] { statement(step); })));
  actions->push_back(std::move(action));
}

/// The condition stands after the body: a round without it ends the loop.
void Walker::repeat(TSNode node) {
  const Children all = children(node);
  const RoleEntry& entry = language.entry(node);
  Action action = make_action(ActionKind::loop);
  action.parts.push_back(make_test({}, {.kind = ValueKind::boolean, .span = span(node), .number = 1}));
  action.parts.push_back(make_action(ActionKind::sequence, collect([&] {
                                       statement(all.at(entry.at(Slot::body)));
                                       Action leave = make_action(ActionKind::branch);
                                       leave.parts.push_back(make_action(ActionKind::negate, {tested(all, entry)}));
                                       leave.parts.push_back(make_action(ActionKind::leave_break, {}, span(node)));
                                       actions->push_back(std::move(leave));
                                     })));
  actions->push_back(std::move(action));
}

void Walker::each(TSNode clause, TSNode body, TSNode otherwise) {
  Action action = make_action(ActionKind::loop);
  action.label = std::exchange(label, {});
  const Value elements = expression(part(clause, Slot::source), {ResultUse::iterated, {}});
  action.parts.push_back(make_test({}, make_opaque(elements.span))); // whether there is another element
  action.parts.push_back(make_action(ActionKind::sequence, collect([&] {
                                       if (const TSNode target = part(clause, Slot::target); exists(target))
                                         bind(target, elements, {}, BindingRole::iterated);
                                       statement(body);
                                     })));
  action.parts.push_back(make_action(ActionKind::sequence, collect([&] { statement(otherwise); })));
  actions->push_back(std::move(action));
}

void Walker::labelled(TSNode node) {
  const TSNode name = part(node, Slot::label);
  label = text_of(name);
  for (const TSNode child : named_children(node))
    if (!ts_node_eq(child, name))
      statement(child);
  label.clear();
}

Value Walker::attempt(TSNode node, const Use& use) {
  const Children all = children(node);
  const RoleEntry& entry = language.entry(node);
  const TSNode body = all.at(entry.at(Slot::body));
  TSNode unraised = all.at(entry.at(Slot::else_));
  std::vector<TSNode> body_statements;
  std::vector<TSNode> around;
  for (const TSNode child : all.all_named()) {
    const Role role = language.role(child);
    if (role == Role::handler || role == Role::cleanup)
      around.push_back(child);
    else if (!exists(body) && !(exists(unraised) && ts_node_eq(child, unraised)))
      body_statements.push_back(child);
    else if (exists(body) && !ts_node_eq(child, body))
      unraised = child;
  }
  if (exists(body))
    body_statements = {body};
  if (around.empty() && !exists(unraised))
    return statements(body_statements, use, span(node));

  std::vector<Value> values;
  const auto sequence = [&](const std::vector<TSNode>& nodes, const Use& last) {
    return make_action(ActionKind::sequence, collect([&] {
                         Value value = statements(nodes, last, span(node));
                         if (last.use != ResultUse::dropped)
                           values.push_back(std::move(value));
                       }));
  };
  const Use dropped{ResultUse::dropped, {}};
  Action action = make_action(ActionKind::attempt);
  action.parts.push_back(sequence(body_statements, exists(unraised) ? dropped : use));
  action.parts.push_back(
      sequence(exists(unraised) ? std::vector{unraised} : std::vector<TSNode>{}, exists(unraised) ? use : dropped));
  action.parts.push_back(make_action(ActionKind::sequence));
  for (const TSNode child : around) {
    if (language.role(child) == Role::handler) {
      action.parts.push_back(handler(child, values, use));
    } else {
      action.cleans_up = true;
      action.parts[2] = sequence(named_children(child), dropped);
    }
  }
  actions->push_back(std::move(action));
  return make_choice(std::move(values), span(node));
}

Action Walker::handler(TSNode node, std::vector<Value>& values, const Use& use) {
  const Children all = children(node);
  const RoleEntry& entry = language.entry(node);
  Action action = make_action(ActionKind::handler);
  const TSNode caught = all.at(entry.at(Slot::value));
  const Value classes = exists(caught) ? silently(caught) : Value{};
  const auto catches_all = [&](const Value& value) {
    return std::ranges::find(language.catch_all, dotted(value)) != language.catch_all.end();
  };
  action.catches_all = !exists(caught) || catches_all(classes) ||
                       (classes.is(ValueKind::list) && std::ranges::any_of(classes.parts, catches_all));
  action.parts = collect([&] {
    if (exists(caught) && language.role(caught) == Role::alias)
      bind(part(caught, Slot::name), classes, {}, BindingRole::caught);
    if (const TSNode name = all.at(entry.at(Slot::name)); exists(name))
      bind(name, exists(caught) ? classes : make_opaque(span(name)), {}, BindingRole::caught);
    values.push_back(statement(all.at(entry.at(Slot::body)), use));
  });
  return action;
}

/// `with a as x, b as y`: the second item is inside the first.
void Walker::scoped(const std::vector<TSNode>& items, std::size_t at, TSNode body) {
  const Deeper deeper(*this);
  if (at == items.size() || !deeper.allowed) {
    statement(body);
    return;
  }
  const TSNode item = unwrapped(items[at]);
  const TSNode bound = language.role(item) == Role::alias ? part(item, Slot::name) : no_node;
  const Value managed = expression(item, {ResultUse::passed, {}});
  Action action = make_action(ActionKind::scoped);
  action.event = {.kind = EventKind::enter, .span = span(item), .value = bounded(managed)};
  if (exists(bound))
    action.event.target = stored_in(bound).target;
  action.parts = collect([&] {
    if (exists(bound))
      bind(bound, managed, {}, BindingRole::scoped);
    scoped(items, at + 1, body);
  });
  actions->push_back(std::move(action));
}

void Walker::leave_return(TSNode node) {
  for (const TSNode child : handed_on(node)) {
    Value value = bounded(expression(child, {inlined_returns ? ResultUse::operand : ResultUse::returned, {}}));
    (inlined_returns ? *inlined_returns : facts.routines[routine].returns).push_back(std::move(value));
  }
  actions->push_back(make_action(ActionKind::leave_return, {}, span(node)));
}

/// Ends a round, a loop or a block, perhaps with a value.
void Walker::leave_part(ActionKind kind, TSNode node) {
  for (const TSNode child : handed_on(node))
    expression(child, {ResultUse::returned, {}});
  actions->push_back(make_action(kind, {}, span(node)));
  actions->back().label = text_of(part(node, Slot::label));
}

void Walker::leave_throw(TSNode node) {
  for (const TSNode child : named_children(node))
    expression(child, {ResultUse::passed, {}});
  actions->push_back(make_action(ActionKind::leave_throw, {}, span(node)));
}

void Walker::assertion(TSNode node) {
  const std::vector<TSNode> parts = named_children(node);
  if (parts.empty())
    return;
  Action action = make_action(ActionKind::branch);
  action.parts.push_back(make_action(ActionKind::negate, {condition(parts[0])}));
  action.parts.push_back(make_action(ActionKind::sequence, collect([&] {
                                       for (std::size_t i = 1; i < parts.size(); ++i)
                                         expression(parts[i], {ResultUse::passed, {}});
                                       actions->push_back(make_action(ActionKind::leave_throw, {}, span(node)));
                                     })));
  actions->push_back(std::move(action));
}

} // namespace padlint::host
