#include "analyzer/host/walker.h"

#include <algorithm>
#include <iterator>

namespace padlint::host {

namespace {

/// What a walker knows of the routine that it is in, kept while it is in another one.
struct Saved {
  Walker& walker;
  Actions* actions;
  std::uint32_t routine;
  std::vector<std::string_view> outers;
  int class_body;
  int class_around;
  std::string receiver;
  int receiver_class;
  std::string block_parameter;
  std::vector<Value>* inlined_returns;

  explicit Saved(Walker& at)
      : walker(at), actions(at.actions), routine(at.routine), outers(std::exchange(at.outers, {})),
        class_body(at.class_body), class_around(at.class_around), receiver(at.receiver),
        receiver_class(at.receiver_class), block_parameter(at.block_parameter),
        inlined_returns(std::exchange(at.inlined_returns, nullptr)) {}
  ~Saved() {
    walker.actions = actions;
    walker.routine = routine;
    walker.outers = std::move(outers);
    walker.class_body = class_body;
    walker.class_around = class_around;
    walker.block_parameter = std::move(block_parameter);
    walker.receiver = std::move(receiver);
    walker.receiver_class = receiver_class;
    walker.inlined_returns = inlined_returns;
  }
  Saved(const Saved&) = delete;
  Saved& operator=(const Saved&) = delete;
};

} // namespace

Value Walker::function_value(TSNode node, RoutineForm form, std::string name) {
  const std::uint32_t number = routine_of(node, form, std::move(name));
  return {.kind = ValueKind::function, .span = span(node), .number = number};
}

std::uint32_t Walker::routine_of(TSNode node, RoutineForm form, std::string bound_to) {
  const auto number = static_cast<std::uint32_t>(facts.routines.size());
  const Children parts = children(node);
  const RoleEntry& entry = language.entry(node);
  Routine made{.form = form, .parent = routine, .span = span(node)};
  made.result_type = type(parts.at(entry.at(Slot::type)));
  if (form == RoutineForm::function)
    made.annotations = std::exchange(annotations, {});
  if (const TSNode name = parts.at(entry.at(Slot::name)); exists(name)) {
    made.name = text_of(name);
    made.name_span = span(name);
  }
  if (!bound_to.empty())
    made.name = std::move(bound_to);
  const bool method = class_around >= 0 && form == RoutineForm::function;
  if (method)
    made.owner = facts.classes[static_cast<std::size_t>(class_around)].name;
  facts.routines.push_back(std::move(made));

  std::vector<Parameter> declared;
  std::vector<std::pair<TSNode, std::string>> patterns;
  const bool without_object = method && std::ranges::any_of(facts.routines[number].annotations, [&](const Value& mark) {
                                return std::ranges::count(language.static_methods, dotted(mark)) != 0;
                              });
  if (method && (!language.receiver.empty() || without_object)) // the object comes first, written or not
    declared.push_back({.name = language.receiver, .span = {facts.file, span(node).begin, span(node).begin}});
  const TSNode object = parts.at(entry.at(Slot::receiver)); // of a method that stands outside of its type
  Value outer_type;
  if (exists(object)) {
    parameters(object, number, declared, patterns);
    outer_type = declared.empty() ? Value{} : named_type(declared[0].type);
    facts.routines[number].owner = outer_type.text;
  }
  const Saved saved(*this);
  if (form == RoutineForm::function)
    block_parameter.clear();
  parameters(parts.at(entry.at(Slot::parameters)), number, declared, patterns);
  const std::size_t reads_before = reads.size();
  if (exists(object)) {
    receiver = declared.empty() ? "" : declared[0].name;
    receiver_class = outer_type.text.empty() ? -1 : part_of(outer_type, outer_type.text);
  } else if (without_object) {
    receiver_class = -1;
  } else if ((method && !language.receiver.empty()) ||
             (class_body >= 0 && language.receiver_is_first_parameter && !declared.empty())) {
    receiver = declared[0].name;
    receiver_class = class_around;
  } else if (std::ranges::find(declared, receiver, &Parameter::name) != declared.end()) {
    receiver_class = -1;
  }
  class_body = -1;
  if (form == RoutineForm::function)
    class_around = -1;
  routine = number;
  facts.routines[number].parameters = std::move(declared);
  results(parts.at(entry.at(Slot::type)));

  Actions body_actions;
  actions = &body_actions;
  for (const auto& [pattern, name] : patterns)
    bind(pattern, make_name(name, span(pattern)), {}, BindingRole::assigned);
  const TSNode body = parts.at(entry.at(Slot::body));
  if (language.role(body) == Role::block && !language.last_value_is_result) {
    statement(body);
  } else {
    Value value = bounded(expression(body, {ResultUse::returned, {}})); // may add routines
    std::vector<Value>& returns = facts.routines[number].returns;
    if (language.last_value_is_result && value.is(ValueKind::choice))
      std::ranges::move(value.parts, std::back_inserter(returns));
    else
      returns.push_back(std::move(value));
  }

  finish_routine(number, std::move(body_actions), reads_before);
  return number;
}

void Walker::finish_routine(std::uint32_t number, Actions body, std::size_t reads_before) {
  LoweredFlow lowered = lower(std::move(body), language.calls_raise);
  Routine& finished = facts.routines[number];
  if (!lowered.complete)
    facts.notices.push_back({.id = "routine-too-large",
                             .path = facts.path,
                             .span = finished.span,
                             .text = "more paths than are looked at: the rest of the routine is left out"});
  finished.flow = std::move(lowered.flow);
  const auto first = reads.begin() + static_cast<std::ptrdiff_t>(reads_before);
  std::sort(first, reads.end());
  reads.erase(std::unique(first, reads.end()), reads.end());
  finished.bindings.shrink_to_fit();
  finished.reads.assign(reads.begin() + static_cast<std::ptrdiff_t>(reads_before), reads.end());
}

/// Defaults are evaluated where the routine is defined. A pattern's parameter has a name that no source can have.
/// Several names may share one type, and a type may have no name.
void Walker::parameters(TSNode node, std::uint32_t number, std::vector<Parameter>& out,
                        std::vector<std::pair<TSNode, std::string>>& patterns) {
  std::vector<TSNode> nodes = named_children(node);
  if (exists(node) && language.role(node) == Role::name)
    nodes = {node};
  out.reserve(out.size() + nodes.size());
  for (const TSNode child : nodes) {
    const Children parts = children(child);
    const RoleEntry& entry = language.entry(child);
    if (entry.role == Role::block_parameter) {
      const TSNode name = parts.at(entry.at(Slot::name));
      block_parameter = exists(name) ? text_of(name) : text_of(child);
      variables.insert({number, exists(name) ? text_of(name) : text_of(child)});
      continue;
    }
    const bool in_parts = entry.role == Role::parameter || entry.role == Role::assign;
    TSNode named = in_parts ? parts.at(entry.at(entry.role == Role::assign ? Slot::target : Slot::name)) : child;
    if (entry.role == Role::parameter && language.role(named) == Role::assign)
      named = part(named, Slot::target);
    variables.insert({number, text_of(named)});
    Parameter parameter{.name = std::string(text_of(named)), .span = span(child)};
    if (const Role role = language.role(named); role == Role::map || role == Role::list) {
      parameter.name = "{" + std::to_string(out.size()) + "}";
      patterns.emplace_back(named, parameter.name);
    }
    parameter.type = type(parts.at(entry.at(Slot::type)));
    const TSNode initial = parts.at(entry.at(entry.role == Role::assign ? Slot::value : Slot::initial));
    if (in_parts && exists(initial))
      parameter.initial = bounded(expression(initial, {ResultUse::stored, {}}));
    if (class_body >= 0 && entry.role == Role::parameter && exists(parts.at(entry.at(Slot::field))))
      facts.classes[static_cast<std::size_t>(class_body)].fields.push_back(
          {.name = parameter.name,
           .value = make_name(parameter.name, span(named)),
           .type = parameter.type,
           .routine = number,
           .span = span(named)});
    out.push_back(parameter);
    if (entry.role != Role::parameter)
      continue;
    for (const TSNode further : parts.all_at(entry.at(Slot::name)))
      if (!ts_node_eq(further, named)) {
        parameter.name = text_of(further);
        parameter.span = span(further);
        out.push_back(parameter);
      }
  }
}

/// Results that have names are names of the routine.
void Walker::results(TSNode node) {
  for (const TSNode child : named_children(node))
    if (language.role(child) == Role::parameter)
      for (const TSNode name : children(child).all_at(language.entry(child).at(Slot::name))) {
        bind(name, {}, type(part(child, Slot::type)), BindingRole::assigned);
        reads.push_back(text_of(name));
      }
}

/// The name in a type: `Store` of `Store[T]`.
Value Walker::named_type(const Value& type) { return type.is(ValueKind::index) ? type.parts[0] : type; }

std::uint32_t Walker::anonymous(TSNode around) {
  const auto number = static_cast<std::uint32_t>(facts.routines.size());
  facts.routines.push_back({.form = RoutineForm::anonymous, .parent = routine, .span = span(around)});
  const Saved saved(*this);
  const std::size_t reads_before = reads.size();
  routine = number;
  Actions body;
  actions = &body;
  expression(around, {ResultUse::dropped, {}});
  finish_routine(number, std::move(body), reads_before);
  return number;
}

/// A class is an expression too: the name by which it is known, made up where it has none.
Value Walker::class_definition(TSNode node) {
  const Children parts = children(node);
  const RoleEntry& entry = language.entry(node);
  const auto number = facts.classes.size();
  Class made{.span = span(node), .routine = routine};
  if (const TSNode name = parts.at(entry.at(Slot::name)); exists(name))
    made.name = dotted(silently(name));
  else
    made.name = "class@" + std::to_string(made.span.begin);
  annotations.clear();
  Value known_as = make_name(made.name, span(node));
  const bool around_silent = std::exchange(silent, false); // also where it is a type
  const bool around_in_type = std::exchange(in_type, false);
  for (Value& base : arguments(parts.at(entry.at(Slot::bases))))
    if (base.label.empty())
      made.bases.push_back(bounded(base));
  facts.classes.push_back(std::move(made));
  const int body_around = std::exchange(class_body, static_cast<int>(number));
  const int around = std::exchange(class_around, class_body);
  const TSNode body = parts.at(entry.at(Slot::body));
  facts.classes[number].interface = language.role(body) == Role::interface;
  if (!exists(body))
    statements(parts.all_named(), {ResultUse::dropped, {}}, span(node));
  else if (language.role(body) == Role::block || language.role(body) == Role::attempt)
    statement(body);
  else if (language.role(body) != Role::interface) { // made of another type, which may hold classes itself
    Value base = type(body);
    facts.classes[number].bases.push_back(std::move(base));
  }
  class_body = body_around;
  class_around = around;
  silent = around_silent;
  in_type = around_in_type;
  annotations.clear();
  return known_as;
}

void Walker::type_alias(TSNode node) {
  const Children parts = children(node);
  const RoleEntry& entry = language.entry(node);
  const TSNode name = parts.at(entry.at(Slot::name));
  if (!exists(name))
    return;
  Value value = type(parts.at(entry.at(Slot::value))); // may hold routines itself
  facts.routines[routine].bindings.push_back(
      {.name = std::string(text_of(name)), .value = std::move(value), .routine = routine, .span = span(name)});
}

void Walker::field(TSNode node) {
  if (class_body < 0 || silent)
    return;
  const Children parts = children(node);
  const RoleEntry& entry = language.entry(node);
  const Value declared = type(parts.at(entry.at(Slot::type)));
  const std::vector<TSNode> names = parts.all_at(entry.at(Slot::name));
  for (const TSNode name : names)
    add_binding(facts.classes[static_cast<std::size_t>(class_body)].bindings, std::string(text_of(name)), {}, declared,
                BindingRole::assigned, span(name));
  if (names.empty())
    facts.classes[static_cast<std::size_t>(class_body)].bases.push_back(declared);
}

/// Where the file adds to a type that is declared here or elsewhere.
int Walker::part_of(const Value& named, std::string_view name) {
  const auto known = std::ranges::find_if(
      facts.classes, [&](const Class& one) { return one.name == name && to_text(one.part_of) == to_text(named); });
  if (known != facts.classes.end())
    return static_cast<int>(known - facts.classes.begin());
  facts.classes.push_back({.name = std::string(name), .span = named.span, .part_of = named});
  return static_cast<int>(facts.classes.size()) - 1;
}

void Walker::decorated(TSNode node) {
  for (const TSNode child : named_children(node))
    if (language.role(child) == Role::annotation)
      annotate(child);
  statement(part(node, Slot::definition));
}

/// Marks the definition that comes next.
void Walker::annotate(TSNode node) {
  Value value = bounded(expression(children(node).named_at(0), {ResultUse::passed, {}}));
  annotations.push_back(std::move(value));
}

} // namespace padlint::host
