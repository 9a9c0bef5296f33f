#include "analyzer/host/walker.h"

#include <algorithm>

namespace padlint::host {

namespace {

/// The text without white space.
std::string packed(std::string_view text) {
  std::string out(text);
  std::erase_if(out, [](unsigned char c) { return std::isspace(c) != 0; });
  return out;
}

/// What a walker knows of the routine that it is in, kept while it is in another one.
struct Saved {
  Walker& walker;
  Actions* actions;
  std::uint32_t routine;
  std::vector<std::string_view> outers;
  int class_body;
  std::string receiver;
  int receiver_class;

  explicit Saved(Walker& at)
      : walker(at), actions(at.actions), routine(at.routine), outers(std::exchange(at.outers, {})),
        class_body(at.class_body), receiver(at.receiver), receiver_class(at.receiver_class) {}
  ~Saved() {
    walker.actions = actions;
    walker.routine = routine;
    walker.outers = std::move(outers);
    walker.class_body = class_body;
    walker.receiver = std::move(receiver);
    walker.receiver_class = receiver_class;
  }
  Saved(const Saved&) = delete;
  Saved& operator=(const Saved&) = delete;
};

} // namespace

std::uint32_t Walker::routine_of(TSNode node, RoutineForm form, std::vector<Value> annotations) {
  const auto number = static_cast<std::uint32_t>(facts.routines.size());
  const Children parts = children(node);
  const RoleEntry& entry = language.entry(node);
  Routine made{.form = form, .parent = routine, .span = span(node)};
  made.result_type = type(parts.at(entry.at(Slot::type)));
  made.annotations = std::move(annotations);
  if (const TSNode name = parts.at(entry.at(Slot::name)); exists(name)) {
    made.name = text_of(name);
    made.name_span = span(name);
  }
  if (class_body >= 0 && form == RoutineForm::function)
    made.owner = facts.classes[static_cast<std::size_t>(class_body)].name;
  facts.routines.push_back(std::move(made));

  std::vector<Parameter> declared;
  parameters(parts.at(entry.at(Slot::parameters)), declared);
  const Saved saved(*this);
  const std::size_t reads_before = reads.size();
  if (class_body >= 0 && language.receiver_is_first_parameter && !declared.empty()) {
    receiver = declared[0].name;
    receiver_class = class_body;
  } else if (std::ranges::find(declared, receiver, &Parameter::name) != declared.end()) {
    receiver_class = -1;
  }
  class_body = -1;
  routine = number;
  facts.routines[number].parameters = std::move(declared);

  Actions body_actions;
  actions = &body_actions;
  const TSNode body = parts.at(entry.at(Slot::body));
  if (language.role(body) == Role::block) {
    statement(body);
  } else {
    Value value = bounded(expression(body, {ResultUse::returned, {}})); // may add routines
    facts.routines[number].returns.push_back(std::move(value));
  }

  finish_routine(number, std::move(body_actions), reads_before);
  return number;
}

void Walker::finish_routine(std::uint32_t number, Actions body, std::size_t reads_before) {
  LoweredFlow lowered = lower(std::move(body));
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
  finished.reads.assign(reads.begin() + static_cast<std::ptrdiff_t>(reads_before), reads.end());
}

/// Defaults are evaluated where the routine is defined.
void Walker::parameters(TSNode node, std::vector<Parameter>& out) {
  for (const TSNode child : named_children(node)) {
    Parameter parameter{.name = std::string(text_of(child)), .span = span(child)};
    if (language.role(child) == Role::parameter) {
      const Children parts = children(child);
      const RoleEntry& entry = language.entry(child);
      parameter.name = text_of(parts.at(entry.at(Slot::name)));
      parameter.type = type(parts.at(entry.at(Slot::type)));
      if (const TSNode initial = parts.at(entry.at(Slot::initial)); exists(initial))
        parameter.initial = bounded(expression(initial, {ResultUse::stored, {}}));
    }
    out.push_back(std::move(parameter));
  }
}

void Walker::class_definition(TSNode node) {
  const Children parts = children(node);
  const RoleEntry& entry = language.entry(node);
  const auto number = facts.classes.size();
  Class made{.span = span(node), .routine = routine};
  if (const TSNode name = parts.at(entry.at(Slot::name)); exists(name))
    made.name = text_of(name);
  for (Value& base : arguments(parts.at(entry.at(Slot::bases))))
    if (base.label.empty())
      made.bases.push_back(bounded(base));
  facts.classes.push_back(std::move(made));
  const int around = std::exchange(class_body, static_cast<int>(number));
  statement(parts.at(entry.at(Slot::body)));
  class_body = around;
}

void Walker::decorated(TSNode node) {
  std::vector<Value> annotations;
  for (const TSNode child : named_children(node))
    if (language.role(child) == Role::annotation)
      annotations.push_back(bounded(expression(children(child).named_at(0), {ResultUse::passed, {}})));
  const TSNode definition = part(node, Slot::definition);
  if (language.role(definition) == Role::function)
    routine_of(definition, RoutineForm::function, std::move(annotations));
  else
    statement(definition);
}

void Walker::imports(TSNode node) {
  const Children parts = children(node);
  const RoleEntry& entry = language.entry(node);
  const TSNode module = parts.at(entry.at(Slot::module));
  const std::vector<TSNode> names = parts.all_at(entry.at(Slot::name));
  for (const TSNode imported : names) {
    const bool renamed = language.role(imported) == Role::alias;
    const std::string name = packed(text_of(renamed ? part(imported, Slot::value) : imported));
    const std::string local = renamed ? packed(text_of(part(imported, Slot::name))) : name;
    Import out{.local = local, .module = name, .span = span(imported)};
    if (exists(module)) {
      out.module = packed(text_of(module));
      out.name = name;
    } else if (!renamed && language.module_binds_first_part) {
      out.local = name.substr(0, name.find('.'));
    }
    facts.imports.push_back(std::move(out));
  }
  if (exists(module) && names.empty())
    facts.imports.push_back({.local = "*", .module = packed(text_of(module)), .name = "*", .span = span(node)});
}

} // namespace padlint::host
