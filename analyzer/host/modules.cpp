#include "analyzer/host/walker.h"

#include <algorithm>

// What a file takes from other modules and what it gives them.

namespace padlint::host {

namespace {

/// The text without white space.
std::string packed(std::string_view text) {
  std::string out(text);
  std::erase_if(out, [](unsigned char c) { return std::isspace(c) != 0; });
  return out;
}

/// A path as facts write modules: `./a` is `.a`, `../a/b` is `..a/b`, one dot for each folder up.
std::string module_name(std::string_view path) {
  std::string dots;
  while (path == "." || path == ".." || path.starts_with("./") || path.starts_with("../")) {
    const std::size_t width = path.starts_with("..") ? 2 : 1;
    dots += dots.empty() || width == 2 ? "." : "";
    if (width == 2 && dots.size() == 1)
      dots += ".";
    path.remove_prefix(std::min(width + 1, path.size()));
  }
  while (path.ends_with('/'))
    path.remove_suffix(1);
  return dots + std::string(path);
}

/// `github.com/acme/db/v2` and `gopkg.in/acme/db.v2` are named db.
std::string name_of(std::string_view path) {
  const auto is_version = [](std::string_view part) {
    return part.size() > 1 && part[0] == 'v' && part.find_first_not_of("0123456789", 1) == std::string_view::npos;
  };
  const auto last = [&] { return path.substr(path.rfind('/') + 1); };
  if (is_version(last()) && last().size() < path.size())
    path.remove_suffix(last().size() + 1);
  std::string_view name = last();
  if (const std::size_t dot = name.rfind('.'); dot != std::string_view::npos && is_version(name.substr(dot + 1)))
    name = name.substr(0, dot);
  return std::string(name);
}

} // namespace

/// `import name "path/of/module"` binds the module: without a name, under the last part of its path.
void Walker::module_import(TSNode node) {
  const Value path = silently(part(node, Slot::source));
  const std::string name(text_of(part(node, Slot::name)));
  if (!path.is(ValueKind::text) || path.text.empty() || (!name.empty() && name == language.blank))
    return;
  Import out{.local = name.empty() ? name_of(path.text) : name, .module = path.text, .span = span(node)};
  if (name == ".")
    out.local = out.name = "*";
  facts.imports.push_back(std::move(out));
}

void Walker::imports(TSNode node) {
  if (has_slot(node, Slot::source))
    return module_import(node);
  const Children parts = children(node);
  const RoleEntry& entry = language.entry(node);
  const TSNode module = parts.at(entry.at(Slot::module));
  for (const TSNode child : parts.all_named())
    if (language.role(child) == Role::import)
      imports(child);
  if (language.role(module) == Role::text) {
    for (const TSNode child : parts.all_named())
      if (!ts_node_eq(child, module))
        import_clause(child, module_of(module));
    return;
  }
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

/// The module that a text names; empty when it is none that is known before the program runs.
std::string Walker::module_of(TSNode node) {
  const Value text = exists(node) ? silently(node) : Value{};
  return text.is(ValueKind::text) ? module_name(text.text) : std::string();
}

/// A bare name in an import is what the module gives to those who import the module itself.
void Walker::import_clause(TSNode node, const std::string& module) {
  if (module.empty())
    return;
  switch (language.role(node)) {
  case Role::name:
    facts.imports.push_back(
        {.local = std::string(text_of(node)), .module = module, .name = "default", .span = span(node)});
    break;
  case Role::alias: {
    const std::string name(text_of(part(node, Slot::value)));
    const TSNode local = part(node, Slot::name);
    facts.imports.push_back({.local = exists(local) ? std::string(text_of(local)) : name,
                             .module = module,
                             .name = name,
                             .span = span(node)});
    break;
  }
  case Role::namespace_:
    facts.imports.push_back(
        {.local = std::string(text_of(children(node).named_at(0))), .module = module, .span = span(node)});
    break;
  default:
    for (const TSNode child : named_children(node))
      import_clause(child, module);
  }
}

void Walker::exports(TSNode node) {
  const Children parts = children(node);
  const RoleEntry& entry = language.entry(node);
  for (const TSNode child : parts.all_named())
    if (language.role(child) == Role::annotation)
      annotate(child);
  const TSNode definition = parts.at(entry.at(Slot::definition));
  const bool is_default = exists(parts.at(entry.at(Slot::default_)));
  const auto add = [&](std::string name, const Value& value, Span where) {
    add_binding(facts.routines[0].bindings, std::move(name), value, {}, BindingRole::assigned, where);
  };
  if (const TSNode module = parts.at(entry.at(Slot::module)); exists(module)) {
    const std::string name = module_of(module);
    const std::size_t before = facts.imports.size();
    for (const TSNode child : parts.all_named())
      if (!ts_node_eq(child, module))
        import_clause(child, name);
    if (facts.imports.size() == before && !name.empty())
      facts.imports.push_back({.local = "*", .module = name, .name = "*", .span = span(node)});
  } else if (exists(definition)) {
    statement(definition);
    if (const TSNode name = part(definition, Slot::name); is_default && exists(name))
      add("default", make_name(std::string(text_of(name)), span(name)), span(name));
  } else if (const TSNode value = parts.at(entry.at(Slot::value)); exists(value)) {
    if (language.role(unwrapped(value)) == Role::lambda)
      routine_of(unwrapped(value), RoutineForm::function, "default");
    else
      add("default", expression(value, {ResultUse::stored, {}}), span(value));
  } else {
    for (const TSNode clause : parts.all_named())
      for (const TSNode child : named_children(clause))
        if (const TSNode alias = part(child, Slot::name); language.role(child) == Role::alias && exists(alias))
          add(std::string(text_of(alias)), make_name(std::string(text_of(part(child, Slot::value))), span(child)),
              span(child));
  }
}

/// `require("pg")`, or a member of what it gives.
std::optional<Import> Walker::imported_by(TSNode value) {
  const RoleEntry& entry = language.entry(value);
  if (language.import_calls.empty() || (entry.role != Role::call && entry.role != Role::member))
    return std::nullopt;
  const Children parts = children(value);
  if (entry.role == Role::call) {
    if (std::ranges::find(language.import_calls, text_of(parts.at(entry.at(Slot::callee)))) ==
        language.import_calls.end())
      return std::nullopt;
    const std::vector<TSNode> given = named_children(parts.at(entry.at(Slot::arguments)));
    if (given.size() != 1 || language.role(given[0]) != Role::text)
      return std::nullopt;
    Import import{.module = module_of(given[0]), .name = "default"};
    return import.module.empty() ? std::nullopt : std::optional(std::move(import));
  }
  std::optional<Import> import = imported_by(unwrapped(parts.at(entry.at(Slot::object))));
  if (import && import->name != "default")
    return std::nullopt;
  if (import)
    import->name = text_of(parts.at(entry.at(Slot::name)));
  return import;
}

/// Whether `target = value` takes names from a module.
bool Walker::import_into(TSNode target, TSNode value) {
  const Role role = language.role(target);
  if (language.import_calls.empty() || (role != Role::name && role != Role::map))
    return false;
  std::optional<Import> import = imported_by(value);
  if (!import || (role == Role::map && import->name != "default"))
    return false;
  const auto add = [&](TSNode local, std::string name) {
    facts.imports.push_back(
        {.local = std::string(text_of(local)), .module = import->module, .name = std::move(name), .span = span(local)});
  };
  if (role == Role::name) {
    add(target, import->name);
    return true;
  }
  for (const TSNode child : named_children(target)) {
    const bool pair = language.role(child) == Role::pair;
    const TSNode local = pair ? part(child, Slot::value) : child;
    if (const Role known = language.role(local); known == Role::name || known == Role::shorthand)
      add(local, std::string(text_of(pair ? part(child, Slot::key) : child)));
  }
  return true;
}

} // namespace padlint::host
