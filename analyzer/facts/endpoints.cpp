#include "analyzer/config/config.h"
#include "analyzer/facts/linked_project.h"

#include <algorithm>

namespace padlint {
namespace {

bool has(const std::vector<std::string>& list, std::string_view word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

/// Production and files for no environment in particular decide; others only where nothing else exists.
int environment_rank(const std::string& environment) {
  return environment.empty() || environment == "production" ? 1 : 0;
}

std::vector<Endpoint> from_environment(const LinkedProject& project, const std::string& variable, const Value* otherwise, Scope scope) {
  std::vector<Endpoint> found;
  int best = -1;
  for (const FileFacts& file : project.files)
    for (const ConfigFact& fact : file.configs) {
      if (fact.kind != "env" || fact.setting != variable)
        continue;
      std::optional<Endpoint> endpoint = parse_connection(fact.value);
      if (!endpoint)
        continue;
      const int rank = environment_rank(fact.environment);
      if (rank < best)
        continue;
      if (rank > best)
        found.clear();
      best = rank;
      endpoint->span = fact.span;
      endpoint->environment = fact.environment;
      if (rank == 0)
        endpoint->confidence = Confidence::likely;
      found.push_back(std::move(*endpoint));
    }
  if (found.empty() && otherwise != nullptr)
    return endpoints_of(project, *otherwise, scope);
  return found;
}

} // namespace

std::vector<Endpoint> endpoints_of(const LinkedProject& project, const Value& value, Scope scope) {
  const Apis* apis = project.apis(scope.file);
  if (apis == nullptr)
    return {};
  // Where the value is made: the name may be bound in a settings module.
  Value known = value;
  Scope where = scope;
  for (int hop = 0; hop < 6 && (known.is(ValueKind::name) || known.is(ValueKind::member)); ++hop) {
    const Definition found = definition_of(project, known, where);
    if (found.kind == Definition::parameter) {
      std::vector<Endpoint> all;
      for (const auto& [passed, passed_scope] : arguments_for(project, found.target, found.parameter_index))
        if (!(passed.is(ValueKind::name) && passed.text == known.text && passed_scope == where)) {
          auto some = endpoints_of(project, passed, passed_scope);
          all.insert(all.end(), some.begin(), some.end());
        }
      return all;
    }
    if (found.kind == Definition::none && known.is(ValueKind::member)) {
      const Class* owner = own_class(project, known.parts[0], where);
      const auto fields = owner == nullptr ? std::vector<std::pair<Scope, const Binding*>>{} : field_bindings(project, where.file, *owner, known.text);
      if (fields.size() != 1)
        return {};
      known = Value(fields[0].second->value);
      where = fields[0].first;
      continue;
    }
    if (found.kind != Definition::bindings || found.bound.size() != 1 || found.bound[0]->role != BindingRole::assigned)
      return {};
    where = {found.scope.file, found.bound[0]->routine};
    known = Value(found.bound[0]->value);
  }
  if (known.is(ValueKind::call) && !known.parts.empty()) {
    const std::string name = external_name(project, known.parts[0], where);
    if (!name.empty() && has(apis->environment_calls, name))
      if (const Value* variable = argument(known, 0, {}); variable != nullptr && variable->is(ValueKind::text)) {
        const Value* otherwise = argument(known, 1, "default");
        return from_environment(project, variable->text, otherwise, where);
      }
    // A text method or a wrapper around the URL: make_url(X), str(X), X.replace(a, b).
    for (std::size_t i = 1; i < known.parts.size() && i < 2; ++i)
      if (auto inner = endpoints_of(project, known.parts[i], where); !inner.empty())
        return inner;
    if (known.parts[0].is(ValueKind::member))
      return endpoints_of(project, known.parts[0].parts[0], where);
    return {};
  }
  if (known.is(ValueKind::index) && known.parts[1].is(ValueKind::text)) {
    const std::string name = external_name(project, known.parts[0], where);
    if (!name.empty() && has(apis->environment_objects, name))
      return from_environment(project, known.parts[1].text, nullptr, where);
  }
  if (known.is(ValueKind::operation) && known.text == "or") {
    for (const Value& part : known.parts)
      if (auto some = endpoints_of(project, part, where); !some.empty())
        return some;
    return {};
  }
  const Value folded = fold(project, known, where);
  if (!folded.is(ValueKind::text))
    return {};
  std::optional<Endpoint> endpoint = parse_connection(folded.text);
  if (!endpoint)
    return {};
  endpoint->span = known.span;
  return {*endpoint};
}

std::vector<Endpoint> profile_endpoints(const LinkedProject& project, const ApiSettings& settings, std::string profile) {
  std::vector<Endpoint> found;
  for (const FileFacts& file : project.files) {
    if (file.routines.empty() || file.traits.test)
      continue;
    for (const Binding& binding : file.routines[0].bindings) {
      if (binding.name != settings.name || binding.role != BindingRole::assigned)
        continue;
      const Scope scope{file.file, 0};
      const Value map = fold(project, binding.value, scope);
      if (!map.is(ValueKind::map))
        continue;
      for (const Value& entry : map.parts) {
        if (entry.label != profile)
          continue;
        if (!entry.is(ValueKind::map)) { // a URL helper
          auto some = endpoints_of(project, entry, scope);
          found.insert(found.end(), some.begin(), some.end());
          continue;
        }
        // {**base, "HOST": ...}: what is spread comes first, and what follows overrides it.
        Endpoint endpoint{.span = entry.span};
        auto apply = [&](const Value& fields, auto&& self) -> void {
          for (const Value& part : fields.parts) {
            if (part.is(ValueKind::spread) && !part.parts.empty()) {
              const Value inner = fold(project, part.parts[0], scope);
              if (inner.is(ValueKind::map))
                self(inner, self);
              continue;
            }
            for (const auto& [key, target] : settings.parts)
              if (part.label == key) {
                std::optional<std::string> text = constant_text(part);
                if (!text && part.is(ValueKind::call))
                  if (const Value* otherwise = argument(part, 1, "default"))
                    text = constant_text(*otherwise), endpoint.confidence = Confidence::likely;
                (target == "host" ? endpoint.host : target == "port" ? endpoint.port : target == "user" ? endpoint.user : endpoint.database) = text.value_or("");
              }
          }
        };
        apply(entry, apply);
        if (!endpoint.host.empty() || !endpoint.database.empty())
          found.push_back(std::move(endpoint));
      }
    }
  }
  return found;
}

} // namespace padlint
