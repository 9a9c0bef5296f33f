#include "analyzer/config/config.h"
#include "analyzer/facts/config_connections.h"
#include "analyzer/facts/environment.h"

#include <algorithm>
#include <tuple>

namespace padlint {
namespace {

/// Follows a name to what it is bound to, as far as it is bound once.
std::pair<Value, Scope> origin(const LinkedProject& project, const Value& value, Scope scope) {
  std::pair<Value, Scope> at{value, scope};
  for (int hop = 0; hop < 6 && (at.first.is(ValueKind::name) || at.first.is(ValueKind::member)); ++hop) {
    const Definition found = definition_of(project, at.first, at.second);
    if (found.kind != Definition::bindings || found.bound.size() != 1 || found.bound[0]->role != BindingRole::assigned)
      break;
    at = {found.bound[0]->value, {found.scope.file, found.bound[0]->routine}};
  }
  return at;
}

/// The name of the environment variable that a value reads; its default, if the code gives one.
std::optional<std::string> variable_of(const LinkedProject& project, const Apis& apis, const Value& value, Scope scope,
                                       const Value** otherwise) {
  if (value.is(ValueKind::call) && !value.parts.empty()) {
    const std::string name = external_name(project, value.parts[0], scope);
    if (name.empty() || !has(apis.environment_calls, name))
      return std::nullopt;
    const Value* variable = argument(value, 0, {});
    if (variable == nullptr || !variable->is(ValueKind::text))
      return std::nullopt;
    *otherwise = argument(value, 1, "default");
    return variable->text;
  }
  if (value.is(ValueKind::index) && value.parts[1].is(ValueKind::text)) {
    const std::string name = external_name(project, value.parts[0], scope);
    if (has(apis.environment_objects, name.empty() ? dotted(value.parts[0]) : name))
      return value.parts[1].text;
  }
  if (value.is(ValueKind::member) && has(apis.environment_objects, dotted(value.parts[0])))
    return value.text;
  return std::nullopt;
}

std::vector<Endpoint> from_environment(const LinkedProject& project, const std::string& variable,
                                       const Value* otherwise, Scope scope) {
  std::vector<Endpoint> found;
  for (const ConfigFact* fact : settings_of(project, variable, scope.file))
    if (std::optional<Endpoint> endpoint = parse_connection(fact->value)) {
      endpoint->span = fact->span;
      endpoint->environment = fact->environment;
      if (environment_rank(fact->environment) == 0)
        endpoint->confidence = weaker(endpoint->confidence, Confidence::likely);
      found.push_back(std::move(*endpoint));
    }
  if (found.empty() && otherwise != nullptr)
    return endpoints_of(project, *otherwise, scope);
  return found;
}

/// The text of a URL that is put together; what only the environment knows counts with its setting or default.
std::vector<Endpoint> endpoints_of_text(const LinkedProject& project, const Value& value, Scope scope) {
  std::vector<Endpoint> found;
  const Apis& apis = *project.apis(scope.file);
  for (const ComposedText& composed : compose(project, value, scope)) {
    std::string text = composed.text.text;
    Confidence confidence = composed.confidence;
    for (std::size_t i = 0; i < composed.text.holes.size(); ++i) {
      const Value* otherwise = nullptr;
      std::string known;
      const auto [hole_value, hole_scope] = origin(project, composed.text.holes[i], composed.scope);
      if (const auto variable = variable_of(project, apis, hole_value, hole_scope, &otherwise)) {
        const auto settings = settings_of(project, *variable, scope.file);
        const auto fallback =
            otherwise == nullptr ? std::nullopt : constant_text(fold(project, *otherwise, hole_scope));
        known = !settings.empty() ? settings.front()->value : fallback.value_or("");
        if (settings.size() != 1)
          confidence = weaker(confidence, Confidence::likely);
      }
      const std::string hole = hole_name(i);
      for (std::size_t at = text.find(hole); at != std::string::npos; at = text.find(hole, at + known.size()))
        text.replace(at, hole.size(), known);
    }
    if (std::optional<Endpoint> endpoint = parse_connection(text)) {
      endpoint->span = value.span;
      endpoint->confidence = weaker(endpoint->confidence, confidence);
      found.push_back(std::move(*endpoint));
    }
  }
  return found;
}

} // namespace

std::vector<Endpoint> endpoints_of(const LinkedProject& project, const Value& value, Scope scope, int depth) {
  constexpr int max_depth = 6;
  const Apis* apis = project.apis(scope.file);
  if (apis == nullptr || depth > max_depth)
    return {};
  // Where the value is made: the name may be bound in a settings module.
  Value known = value;
  Scope where = scope;
  const Value* otherwise = nullptr;
  for (int hop = 0; hop < 6 && (known.is(ValueKind::name) || known.is(ValueKind::member)) &&
                    !variable_of(project, *apis, known, where, &otherwise);
       ++hop) {
    if (auto entry = entry_of(project, known, where)) {
      std::tie(known, where) = std::move(*entry);
      continue;
    }
    const Definition found = definition_of(project, known, where);
    if (found.kind == Definition::parameter) {
      std::vector<Endpoint> all;
      for (const auto& [passed, passed_scope] : arguments_for(project, found.target, found.parameter_index))
        if (!(passed.is(ValueKind::name) && passed.text == known.text && passed_scope == where)) {
          auto some = endpoints_of(project, passed, passed_scope, depth + 1);
          all.insert(all.end(), some.begin(), some.end());
        }
      return all;
    }
    if (found.kind == Definition::none && known.is(ValueKind::member)) {
      const Class* owner = own_class(project, known.parts[0], where);
      FileId owner_file = where.file;
      if (owner == nullptr)
        if (const auto object = type_of(project, known.parts[0], where, {}, depth + 1);
            object && object->instance_of != nullptr) {
          owner = object->instance_of;
          owner_file = object->instance_file;
        }
      const auto fields = owner == nullptr ? std::vector<std::pair<Scope, const Binding*>>{}
                                           : field_bindings(project, owner_file, *owner, known.text);
      if (fields.size() != 1)
        return {};
      if (owner != own_class(project, known.parts[0], where)) { // a class of settings: the environment may say more
        auto some = endpoints_of(project, fields[0].second->value, fields[0].first, depth + 1);
        for (Endpoint& endpoint : some)
          endpoint.confidence = weaker(endpoint.confidence, Confidence::likely);
        return some;
      }
      known = Value(fields[0].second->value);
      where = fields[0].first;
      continue;
    }
    if (found.kind != Definition::bindings || found.bound.size() != 1 || found.bound[0]->role != BindingRole::assigned)
      return {};
    where = {found.scope.file, found.bound[0]->routine};
    known = Value(found.bound[0]->value);
  }
  if (const auto variable = variable_of(project, *apis, known, where, &otherwise))
    return from_environment(project, *variable, otherwise, where);
  if (known.is(ValueKind::call) && !known.parts.empty()) {
    const std::string name = external_name(project, known.parts[0], where);
    for (const ApiUrl& url : apis->urls)
      if (has(url.names, name)) {
        std::vector<EndpointPart> parts;
        for (const auto& [keyword, part] : url.parts)
          if (const Value* part_value = argument(known, -1, keyword))
            parts.push_back({part, *part_value});
        return endpoints_of_parts(project, parts, where, known.span);
      }
    if (known.parts[0].is(ValueKind::member) && known.parts[0].text == "format")
      return endpoints_of_text(project, known, where);
    // A text method or a wrapper around the URL: make_url(X), str(X), X.replace(a, b).
    if (known.parts.size() > 1)
      if (auto inner = endpoints_of(project, known.parts[1], where, depth + 1); !inner.empty())
        return inner;
    if (known.parts[0].is(ValueKind::member))
      return endpoints_of(project, known.parts[0].parts[0], where, depth + 1);
    return {};
  }
  if (known.is(ValueKind::operation) && known.text == "or") {
    for (const Value& part : known.parts)
      if (auto some = endpoints_of(project, part, where, depth + 1); !some.empty())
        return some;
    return {};
  }
  return endpoints_of_text(project, known, where);
}

std::vector<Endpoint> endpoints_of_parts(const LinkedProject& project, const std::vector<EndpointPart>& parts,
                                         Scope scope, Span span) {
  const Apis* apis = project.apis(scope.file);
  if (apis == nullptr || parts.empty())
    return {};
  // Each environment that sets one of the variables is an endpoint of its own.
  std::map<std::string, Endpoint> by_environment;
  std::vector<std::pair<std::string, const ConfigFact*>> set;
  Endpoint base{.span = span};
  auto place = [](Endpoint& endpoint, std::string_view part) -> std::string& {
    return part == "host"   ? endpoint.host
           : part == "port" ? endpoint.port
           : part == "user" ? endpoint.user
                            : endpoint.database;
  };
  bool any = false;
  for (const EndpointPart& part : parts) {
    const Value* otherwise = nullptr;
    const auto [value, value_scope] = origin(project, part.value, scope);
    if (const auto variable = variable_of(project, *apis, value, value_scope, &otherwise)) {
      const auto settings = settings_of(project, *variable, scope.file);
      for (const ConfigFact* fact : settings)
        set.emplace_back(part.name, fact);
      if (settings.empty() && otherwise != nullptr)
        if (const auto text = constant_text(fold(project, *otherwise, value_scope))) {
          place(base, part.name) = *text;
          base.confidence = Confidence::likely;
          any = true;
        }
      continue;
    }
    if (const auto text = constant_text(fold(project, value, value_scope))) {
      place(base, part.name) = *text;
      any = true;
    } else {
      base.confidence = Confidence::likely;
    }
  }
  for (const auto& [part, fact] : set) // what holds everywhere comes first, a file of one environment overrides it
    if (fact->environment.empty()) {
      place(base, part) = fact->value;
      any = true;
    }
  for (const auto& [part, fact] : set)
    if (!fact->environment.empty()) {
      Endpoint& endpoint = by_environment.emplace(fact->environment, base).first->second;
      endpoint.environment = fact->environment;
      place(endpoint, part) = fact->value;
      endpoint.span = fact->span;
      if (environment_rank(fact->environment) == 0)
        endpoint.confidence = Confidence::likely;
    }
  std::vector<Endpoint> found;
  if (any)
    found.push_back(base);
  for (auto& [environment, endpoint] : by_environment)
    found.push_back(std::move(endpoint));
  return found;
}

namespace {

/// The entries of a map; what is spread into it comes where it stands, and what follows overrides it.
void collect_entries(const LinkedProject& project, const Value& map, Scope scope,
                     std::vector<std::pair<std::string, Value>>& out, int depth = 0) {
  for (const Value& part : map.parts) {
    if (part.is(ValueKind::spread) && !part.parts.empty()) {
      if (const Value inner = fold(project, part.parts[0], scope); inner.is(ValueKind::map) && depth < 4)
        collect_entries(project, inner, scope, out, depth + 1);
      continue;
    }
    std::erase_if(out, [&](const auto& entry) { return entry.first == part.label; });
    out.emplace_back(part.label, part);
  }
}

/// What the project's code binds to the table of settings and to its entries.
template <class Visit>
void each_binding(const LinkedProject& project, const ApiSettings& settings, Visit visit) {
  if (const auto files = project.settings.find(settings.name); files != project.settings.end())
    for (const FileId file : files->second)
      for (const Binding& binding : project.file(file).routines[0].bindings)
        visit(binding, Scope{file, 0});
}

template <class Visit>
void each_profile(const LinkedProject& project, const ApiSettings& settings, Visit visit) {
  each_binding(project, settings, [&](const Binding& binding, Scope scope) {
    if (binding.name == settings.name && binding.role == BindingRole::assigned) {
      const Value map = fold(project, binding.value, scope);
      if (map.is(ValueKind::map))
        for (const Value& entry : map.parts)
          visit(entry, scope);
    }
  });
}

} // namespace

std::vector<Endpoint> profile_endpoints(const LinkedProject& project, const ApiSettings& settings,
                                        const std::string& profile, FileId from) {
  std::vector<Endpoint> found;
  std::vector<Endpoint> elsewhere; // of another unit: settings may stand in a package of their own
  if (!settings.config.empty())
    for (const ConfigConnection& connection : config_connections(project, settings.config))
      if (connection.name == profile) {
        const std::vector<Endpoint> some = endpoints_of(project, connection);
        std::vector<Endpoint>& all = project.reaches(from, connection.span.file) ? found : elsewhere;
        all.insert(all.end(), some.begin(), some.end());
      }
  each_profile(project, settings, [&](const Value& entry, Scope scope) {
    if (entry.label != profile)
      return;
    std::vector<Endpoint> some;
    if (entry.is(ValueKind::map)) {
      std::vector<std::pair<std::string, Value>> fields;
      collect_entries(project, entry, scope, fields);
      std::vector<EndpointPart> parts;
      for (const auto& [key, target] : settings.parts)
        for (const auto& [label, value] : fields)
          if (label == key)
            parts.push_back({target, value});
      some = endpoints_of_parts(project, parts, scope, entry.span);
    } else { // a URL helper
      some = endpoints_of(project, entry, scope);
    }
    std::vector<Endpoint>& all = project.reaches(from, scope.file) ? found : elsewhere;
    all.insert(all.end(), some.begin(), some.end());
  });
  if (!found.empty())
    return found;
  for (Endpoint& endpoint : elsewhere)
    endpoint.confidence = weaker(endpoint.confidence, Confidence::likely);
  return elsewhere;
}

Answer transaction_per_request(const LinkedProject& project, const ApiSettings& settings) {
  Answer answer = Answer::unknown;
  // DATABASES["default"]["ATOMIC_REQUESTS"] = True
  const std::string slot = "[\"" + settings.atomic_key + "\"]";
  each_binding(project, settings, [&](const Binding& binding, Scope) {
    if (binding.name.starts_with(settings.name + "[") && binding.name.ends_with(slot) &&
        !(binding.value.is(ValueKind::boolean) && binding.value.number == 0))
      answer = Answer::yes;
  });
  if (answer == Answer::yes)
    return answer;
  each_profile(project, settings, [&](const Value& entry, Scope scope) {
    std::vector<std::pair<std::string, Value>> fields;
    collect_entries(project, entry, scope, fields);
    if (answer == Answer::unknown)
      answer = Answer::no;
    for (const auto& [label, value] : fields)
      if (label == settings.atomic_key && !(value.is(ValueKind::boolean) && value.number == 0))
        answer = Answer::yes;
  });
  return answer;
}

} // namespace padlint
