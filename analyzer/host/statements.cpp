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
  case Role::each: each(node); break;
  case Role::attempt: attempt(node); break;
  case Role::managed: block({node}, 0); break;
  case Role::scoped: scoped(named_children(part(node, Slot::items)), 0, part(node, Slot::body)); break;
  case Role::match: match(node); break;
  case Role::leave_return: leave_return(node); break;
  case Role::leave_throw: leave_throw(node); break;
  case Role::leave_break: actions->push_back(make_action(ActionKind::leave_break, {}, span(node))); break;
  case Role::leave_continue: actions->push_back(make_action(ActionKind::leave_continue, {}, span(node))); break;
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
  case Role::parameter: evaluate_children(node); break;
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
  parts.push_back(condition(all.at(entry.at(Slot::condition))));
  parts.push_back(make_action(ActionKind::sequence, collect([&] { statement(all.at(entry.at(Slot::then))); })));
  for (const TSNode other : all.all_at(entry.at(Slot::else_))) {
    if (language.role(other) == Role::branch)
      arms(parts, other);
    else
      parts.push_back(make_action(ActionKind::sequence, collect([&] { statement(other); })));
  }
}

void Walker::loop(TSNode node) {
  const Children all = children(node);
  const RoleEntry& entry = language.entry(node);
  if (const TSNode initial = all.at(entry.at(Slot::initial)); exists(initial))
    statement(initial);
  Action action = make_action(ActionKind::loop);
  const TSNode tested = all.at(entry.at(Slot::condition));
  const bool always = !exists(tested) || !ts_node_is_named(tested) || language.role(tested) == Role::ignored;
  action.parts.push_back(always ? make_test({}, {.kind = ValueKind::boolean, .span = span(node), .number = 1})
                                : condition(tested));
  action.parts.push_back(make_action(ActionKind::sequence, collect([&] {
                                       statement(all.at(entry.at(Slot::body)));
                                       if (const TSNode step = all.at(entry.at(Slot::step)); exists(step))
                                         expression(step, {ResultUse::dropped, {}});
                                     })));
  action.parts.push_back(make_action(ActionKind::sequence, collect([&] { statement(all.at(entry.at(Slot::else_))); })));
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

void Walker::each(TSNode node) {
  const Children all = children(node);
  const RoleEntry& entry = language.entry(node);
  const Value elements = expression(all.at(entry.at(Slot::source)), {ResultUse::iterated, {}});
  Action action = make_action(ActionKind::loop);
  action.parts.push_back(make_test({}, make_opaque(elements.span))); // whether there is another element
  action.parts.push_back(make_action(ActionKind::sequence, collect([&] {
                                       bind(all.at(entry.at(Slot::target)), elements, {}, BindingRole::iterated);
                                       statement(all.at(entry.at(Slot::body)));
                                     })));
  action.parts.push_back(make_action(ActionKind::sequence, collect([&] { statement(all.at(entry.at(Slot::else_))); })));
  actions->push_back(std::move(action));
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
    Value value = bounded(expression(child, {ResultUse::returned, {}})); // may add routines
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
