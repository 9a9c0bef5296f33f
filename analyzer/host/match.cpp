#include "analyzer/host/walker.h"

#include <algorithm>
#include <iterator>

namespace padlint::host {

namespace {

Value make_true(Span span) { return {.kind = ValueKind::boolean, .span = span, .number = 1}; }

} // namespace

Value Walker::match(TSNode node, const Use& use) {
  const Children all = children(node);
  const RoleEntry& entry = language.entry(node);
  Action choice = make_action(ActionKind::breakable);
  choice.label = std::exchange(label, {});
  statement(all.at(entry.at(Slot::initial)));
  Value subject{.kind = ValueKind::list, .span = span(node)};
  for (const TSNode part_of_subject : all.all_at(entry.at(Slot::subject)))
    subject.parts.push_back(expression(part_of_subject, {ResultUse::tested, {}}));
  if (subject.parts.size() == 1)
    subject = Value(subject.parts[0]);

  std::vector<TSNode> cases;
  TSNode otherwise = no_node; // what happens for none of them
  for (const TSNode one : named_children(has_slot(node, Slot::body) ? all.at(entry.at(Slot::body)) : node))
    if (language.role(one) == Role::match_case)
      cases.push_back(one);
    else if (language.role(one) == Role::block)
      otherwise = one;
  if (!language.cases_fall_through) // what fits everything else may stand anywhere
    std::ranges::stable_partition(cases, [&](TSNode one) { return has_condition(one); });
  Action action = make_action(ActionKind::branch);
  Action above = make_action(ActionKind::either); // conditions of the cases above that fall through
  std::vector<Value> values;
  for (const TSNode one : cases) {
    Actions body;
    above.parts.push_back(match_case(one, subject, all.at(entry.at(Slot::name)), body, values, use));
    if (language.cases_fall_through && !exists(part(one, Slot::body)))
      continue;
    action.parts.push_back(above.parts.size() == 1 ? Action(std::move(above.parts[0])) : std::move(above));
    action.parts.push_back(make_action(ActionKind::sequence, std::move(body)));
    above = make_action(ActionKind::either);
  }
  if (exists(otherwise))
    action.parts.push_back(
        make_action(ActionKind::sequence, collect([&] { values.push_back(statement(otherwise, use)); })));
  if (language.break_leaves_match) {
    choice.parts.push_back(std::move(action));
    action = std::move(choice);
  }
  actions->push_back(std::move(action));
  return make_choice(std::move(values), span(node));
}

bool Walker::has_condition(TSNode one) {
  return exists(part(one, Slot::pattern)) || exists(part(one, Slot::values)) || exists(part(one, Slot::type));
}

/// The condition of a case, and what happens when it holds.
Action Walker::match_case(TSNode one, const Value& subject, TSNode name, Actions& body, std::vector<Value>& results,
                          const Use& use) {
  const Children parts = children(one);
  const RoleEntry& entry = language.entry(one);
  const std::vector<TSNode> patterns = parts.all_at(entry.at(Slot::pattern));
  const std::vector<TSNode> types = parts.all_at(entry.at(Slot::type));
  const bool asked = !subject.is(ValueKind::list) || !subject.parts.empty();
  Value fitting = patterns.empty() && types.empty() ? make_true(span(one)) : make_opaque(span(one));
  body = collect([&] {
    if (patterns.size() == 1 && asked)
      fitting = fits(patterns[0], subject);
    if (exists(name))
      bind(name, subject, types.size() == 1 ? type(types[0]) : Value{}, BindingRole::assigned);
  });
  Action fit_and_guard = make_test({}, fitting);
  if (!asked && !patterns.empty()) { // conditions, one of which has to hold
    fit_and_guard = make_action(ActionKind::either);
    for (const TSNode pattern : patterns)
      fit_and_guard.parts.push_back(condition(pattern));
  }
  if (const TSNode values = parts.at(entry.at(Slot::values)); exists(values))
    fit_and_guard = one_of(values, subject);
  if (const TSNode guard = parts.at(entry.at(Slot::guard)); exists(guard)) {
    Action holds = condition(children(guard).named_at(0));
    if (language.entry(guard).negated)
      holds = make_action(ActionKind::negate, {std::move(holds)});
    fit_and_guard = make_action(ActionKind::both, {std::move(fit_and_guard), std::move(holds)});
  }
  Actions done = collect([&] { results.push_back(statements(parts.all_at(entry.at(Slot::body)), use, span(one))); });
  std::ranges::move(done, std::back_inserter(body));
  return fit_and_guard;
}

/// The subject is equal to one of the values; without a subject, one of them holds.
Action Walker::one_of(TSNode values, const Value& subject) {
  Action any = make_action(ActionKind::either);
  const bool several = is_list(values);
  for (const TSNode value : several ? named_children(values) : std::vector{values}) {
    if (subject.is(ValueKind::list) && subject.parts.empty()) {
      any.parts.push_back(condition(value));
      continue;
    }
    Value known;
    Actions computed = collect([&] { known = expression(value); });
    any.parts.push_back(make_test(std::move(computed), make_operation("==", {subject, std::move(known)}, span(value))));
  }
  return any;
}

void Walker::choose(TSNode node) {
  Action choice = make_action(ActionKind::breakable);
  choice.label = std::exchange(label, {});
  Action action = make_action(ActionKind::branch);
  for (const TSNode one : named_children(node)) {
    if (language.role(one) != Role::match_case)
      continue;
    action.parts.push_back(make_test({}, make_opaque(span(one))));
    action.parts.push_back(make_action(ActionKind::sequence, collect([&] {
                                         statement(part(one, Slot::initial));
                                         statement(part(one, Slot::body));
                                       })));
  }
  if (action.parts.size() >= 2) // one of them happens: the last, if none of the others does
    action.parts.erase(action.parts.end() - 2);
  choice.parts.push_back(std::move(action));
  actions->push_back(std::move(choice));
}

/// The condition under which a pattern fits the subject; binds what the pattern names.
Value Walker::fits(TSNode pattern, const Value& subject) {
  const Deeper deeper(*this);
  const Span whole = exists(pattern) ? span(pattern) : subject.span;
  if (!deeper.allowed)
    return make_opaque(whole);
  const std::vector<TSNode> parts = named_children(pattern);
  switch (language.role(pattern)) {
  case Role::transparent: return parts.empty() ? make_true(whole) : fits(parts[0], subject);
  case Role::path:
    if (text_of(pattern).find('.') == std::string_view::npos) {
      std::vector<Binding>& to = facts.routines[routine].bindings;
      add_binding(to, std::string(text_of(pattern)), subject, {}, BindingRole::assigned, whole);
      return make_true(whole);
    }
    break;
  case Role::alias: {
    Value fitting = fits(part(pattern, Slot::value), subject);
    bind(part(pattern, Slot::name), subject, {}, BindingRole::assigned);
    return fitting;
  }
  case Role::list:
    for (std::size_t i = 0; i < parts.size(); ++i)
      fits(parts[i], make_index(subject, make_integer(static_cast<std::int64_t>(i), span(parts[i])), span(parts[i])));
    return make_opaque(whole);
  case Role::operation: {
    Value any{.kind = ValueKind::list, .span = whole};
    for (const TSNode alternative : parts)
      any.parts.push_back(silently(alternative));
    if (std::ranges::all_of(any.parts, &Value::constant))
      return make_operation("in", {subject, std::move(any)}, whole);
    return make_opaque(whole);
  }
  case Role::none:
    for (const TSNode inner : parts)
      if (language.role(inner) == Role::transparent)
        fits(inner, make_opaque(span(inner)));
    return make_opaque(whole);
  default: break;
  }
  return make_operation("==", {subject, silently(pattern)}, whole);
}

} // namespace padlint::host
