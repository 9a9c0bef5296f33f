#include "analyzer/host/walker.h"

#include <algorithm>

namespace padlint::host {

void Walker::statement(TSNode node) {
  const Deeper deeper(*this);
  if (!deeper.allowed)
    return;
  switch (language.role(node)) {
  case Role::block: block(named_children(node), 0); break;
  case Role::statement:
    for (const TSNode child : named_children(node))
      expression(child, {ResultUse::dropped, {}});
    break;
  case Role::branch: branch(node); break;
  case Role::loop: loop(node); break;
  case Role::repeat: repeat(node); break;
  case Role::each: each(node, part(node, Slot::body), part(node, Slot::else_)); break;
  case Role::attempt: attempt(node); break;
  case Role::managed: block({node}, 0); break;
  case Role::scoped: scoped(named_children(part(node, Slot::items)), 0, part(node, Slot::body)); break;
  case Role::match: match(node); break;
  case Role::choose: choose(node); break;
  case Role::leave_return: leave_return(node); break;
  case Role::leave_throw: leave_throw(node); break;
  case Role::leave_break:
  case Role::leave_continue:
    actions->push_back(
        make_action(language.role(node) == Role::leave_break ? ActionKind::leave_break : ActionKind::leave_continue, {},
                    span(node)));
    actions->back().label = text_of(part(node, Slot::label));
    break;
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
  case Role::loop_head: evaluate_children(node); break;
  default: expression(node, {ResultUse::dropped, {}});
  }
}

/// Statements in order; what is managed until the end of the block has the rest of them inside.
void Walker::block(const std::vector<TSNode>& nodes, std::size_t at) {
  for (; at < nodes.size(); ++at) {
    if (language.role(nodes[at]) == Role::managed)
      return managed(named_children(nodes[at]), 0, nodes, at + 1);
    statement(nodes[at]);
  }
}

void Walker::managed(const std::vector<TSNode>& bindings, std::size_t at, const std::vector<TSNode>& nodes,
                     std::size_t next) {
  const Deeper deeper(*this);
  if (at == bindings.size() || !deeper.allowed)
    return block(nodes, next);
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

void Walker::branch(TSNode node) {
  Action action = make_action(ActionKind::branch);
  arms(action.parts, node);
  actions->push_back(std::move(action));
}

/// A condition and its body, and then those of the alternatives.
void Walker::arms(Actions& parts, TSNode node) {
  const Children all = children(node);
  const RoleEntry& entry = language.entry(node);
  statement(all.at(entry.at(Slot::initial)));
  parts.push_back(condition(all.at(entry.at(Slot::condition))));
  parts.push_back(make_action(ActionKind::sequence, collect([&] { statement(all.at(entry.at(Slot::then))); })));
  for (const TSNode other : all.all_at(entry.at(Slot::else_))) {
    if (language.role(other) == Role::branch && !exists(part(other, Slot::initial)))
      arms(parts, other);
    else
      parts.push_back(make_action(ActionKind::sequence, collect([&] { statement(other); })));
  }
}

void Walker::loop(TSNode node) {
  const TSNode body = part(node, Slot::body);
  const TSNode otherwise = part(node, Slot::else_);
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
  const TSNode tested = slots ? part(head, Slot::condition) : head;
  const bool always = !exists(tested) || !ts_node_is_named(tested) || language.role(tested) == Role::ignored;
  action.parts.push_back(always ? make_test({}, {.kind = ValueKind::boolean, .span = span(body), .number = 1})
                                : condition(tested));
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
                                       leave.parts.push_back(make_action(
                                           ActionKind::negate, {condition(all.at(entry.at(Slot::condition)))}));
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

void Walker::attempt(TSNode node) {
  const TSNode body = part(node, Slot::body);
  Action action = make_action(ActionKind::attempt);
  action.parts.push_back(make_action(ActionKind::sequence, collect([&] { statement(body); })));
  action.parts.push_back(make_action(ActionKind::sequence));
  action.parts.push_back(make_action(ActionKind::sequence));
  for (const TSNode child : named_children(node)) {
    const Role role = language.role(child);
    if (role == Role::handler) {
      action.parts.push_back(handler(child));
    } else if (role == Role::cleanup) {
      action.cleans_up = true;
      action.parts[2].parts = collect([&] {
        for (const TSNode inner : named_children(child))
          statement(inner);
      });
    } else if (!ts_node_eq(child, body)) {
      action.parts[1].parts = collect([&] { statement(child); });
    }
  }
  actions->push_back(std::move(action));
}

Action Walker::handler(TSNode node) {
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
      bind(name, classes, {}, BindingRole::caught);
    statement(all.at(entry.at(Slot::body)));
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
  for (const TSNode child : named_children(node)) {
    Value value = bounded(expression(child, {in_inlined ? ResultUse::operand : ResultUse::returned, {}}));
    if (!in_inlined)
      facts.routines[routine].returns.push_back(std::move(value));
  }
  actions->push_back(make_action(ActionKind::leave_return, {}, span(node)));
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
