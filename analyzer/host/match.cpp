#include "analyzer/host/walker.h"

#include <algorithm>
#include <iterator>

namespace padlint::host {

namespace {

Value make_true(Span span) { return {.kind = ValueKind::boolean, .span = span, .number = 1}; }

} // namespace

void Walker::match(TSNode node) {
  const Children all = children(node);
  const RoleEntry& entry = language.entry(node);
  Value subject{.kind = ValueKind::list, .span = span(node)};
  for (const TSNode part_of_subject : all.all_at(entry.at(Slot::subject)))
    subject.parts.push_back(expression(part_of_subject, {ResultUse::tested, {}}));
  if (subject.parts.size() == 1)
    subject = Value(subject.parts[0]);

  Action action = make_action(ActionKind::branch);
  Action above = make_action(ActionKind::either); // conditions of the cases above that fall through
  for (const TSNode one : named_children(all.at(entry.at(Slot::body)))) {
    if (language.role(one) != Role::match_case)
      continue;
    const Children parts = children(one);
    const RoleEntry& case_entry = language.entry(one);
    const std::vector<TSNode> patterns = parts.all_at(case_entry.at(Slot::pattern));
    Value fitting = patterns.empty() ? make_true(span(one)) : make_opaque(span(one));
    Actions body = collect([&] {
      if (patterns.size() == 1)
        fitting = fits(patterns[0], subject);
    });
    Action fit_and_guard = make_test({}, fitting);
    const TSNode guard = parts.at(case_entry.at(Slot::guard));
    if (exists(guard))
      fit_and_guard = make_action(ActionKind::both, {std::move(fit_and_guard), condition(children(guard).named_at(0))});
    const std::vector<TSNode> nodes = parts.all_at(case_entry.at(Slot::body));
    Actions statements = collect([&] { block(nodes, 0); });
    std::ranges::move(statements, std::back_inserter(body));
    above.parts.push_back(std::move(fit_and_guard));
    if (language.cases_fall_through && nodes.empty())
      continue;
    fit_and_guard = above.parts.size() == 1 ? std::move(above.parts[0]) : std::move(above);
    above = make_action(ActionKind::either);
    action.parts.push_back(std::move(fit_and_guard));
    action.parts.push_back(make_action(ActionKind::sequence, std::move(body)));
  }
  if (language.break_leaves_match)
    action = make_action(ActionKind::breakable, {std::move(action)});
  actions->push_back(std::move(action));
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
