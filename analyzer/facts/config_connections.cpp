#include "analyzer/facts/config_connections.h"

#include "analyzer/config/config.h"
#include "analyzer/facts/environment.h"

#include <algorithm>
#include <cctype>

namespace padlint {
namespace {

std::string in_capitals(std::string_view text) {
  std::string out(text);
  std::ranges::transform(out, out.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return out;
}

/// The variable of the environment that overrides what the file says of a connection; empty for none.
std::string overriding_variable(const ConfigConnection& connection) {
  for (const auto& [entry, variable] : connection.table->variables)
    if (entry == connection.name)
      return variable;
  for (const auto& [entry, variable] : connection.table->variables)
    if (const std::size_t hole = variable.find("{}"); entry == "*" && hole != std::string::npos)
      return variable.substr(0, hole) + in_capitals(connection.name) + variable.substr(hole + 2);
  return {};
}

std::optional<Endpoint> of_address(const Expanded& address, Span span, const std::string& environment) {
  std::optional<Endpoint> endpoint = parse_connection(address.text);
  if (!endpoint)
    return std::nullopt;
  endpoint->span = address.only == nullptr ? span : address.only->span;
  endpoint->environment = environment;
  endpoint->confidence = weaker(endpoint->confidence, address.confidence);
  return endpoint;
}

std::optional<Endpoint> of_parts(const LinkedProject& project, const ConfigConnection& connection) {
  Endpoint endpoint{.environment = connection.environment, .span = connection.span};
  bool any = false;
  for (const auto& [setting, part] : connection.table->parts) {
    const auto found = connection.settings.find(setting);
    if (found == connection.settings.end())
      continue;
    const Expanded value = expanded(project, found->second->value, connection.environment, connection.span.file);
    endpoint.confidence = weaker(endpoint.confidence, value.confidence);
    std::string& place = part == "host"   ? endpoint.host
                         : part == "port" ? endpoint.port
                         : part == "user" ? endpoint.user
                                          : endpoint.database;
    if (!value.text.contains("${"))
      place = value.text;
    else if (part == "port")
      return std::nullopt; // the machine decides which way it goes
    any = true;
    if (part == "port" || (part == "host" && !connection.settings.contains("port")))
      endpoint.span = found->second->span;
  }
  if (endpoint.port.empty())
    endpoint.port = connection.table->port;
  return any ? std::optional(endpoint) : std::nullopt;
}

} // namespace

std::vector<ConfigConnection> config_connections(const LinkedProject& project, std::string_view config) {
  std::vector<ConfigConnection> found;
  const auto table = std::ranges::find_if(tools().connections, [&](const ConnectionConfig& each) {
    return std::ranges::find(each.configs, config) != each.configs.end();
  });
  if (table == tools().connections.end())
    return found;
  for (const FileId id : project.configured) {
    const FileFacts& file = project.file(id);
    std::vector<ConfigConnection> here;
    for (const ConfigFact& fact : file.configs) {
      if (fact.kind != config)
        continue;
      if (fact.setting.empty())
        here.push_back({.table = &*table,
                        .name = fact.target,
                        .environment = fact.environment,
                        .span = fact.span,
                        .settings = {}});
      else if (!here.empty())
        here.back().settings[fact.setting] = &fact;
    }
    int best = 0;
    for (const ConfigConnection& each : here)
      best = std::max(best, environment_rank(each.environment));
    std::ranges::copy_if(here, std::back_inserter(found),
                         [&](const ConfigConnection& each) { return environment_rank(each.environment) == best; });
  }
  return found;
}

std::vector<Endpoint> endpoints_of(const LinkedProject& project, const ConfigConnection& connection) {
  std::vector<Endpoint> found;
  const Confidence environment =
      environment_rank(connection.environment) == 0 ? Confidence::likely : Confidence::certain;
  auto add = [&](std::optional<Endpoint> endpoint) {
    if (!endpoint)
      return;
    endpoint->confidence = weaker(endpoint->confidence, environment);
    found.push_back(std::move(*endpoint));
  };
  const std::string variable = overriding_variable(connection);
  if (!variable.empty() && !settings_of(project, variable, connection.span.file).empty())
    add(of_address(expanded(project, "${" + variable + "}", connection.environment, connection.span.file),
                   connection.span, connection.environment));
  if (!found.empty())
    return found;
  for (const std::string& setting : connection.table->url)
    if (const auto url = connection.settings.find(setting); url != connection.settings.end()) {
      add(of_address(expanded(project, url->second->value, connection.environment, connection.span.file),
                     url->second->span, connection.environment));
      return found;
    }
  add(of_parts(project, connection));
  return found;
}

Answer leads_to_postgresql(const LinkedProject& project, const ConfigConnection& connection) {
  if (connection.table->server_setting.empty()) // the scheme of the address says it
    for (const std::string& setting : connection.table->url)
      if (const auto url = connection.settings.find(setting); url != connection.settings.end()) {
        const Expanded address = expanded(project, url->second->value, connection.environment, connection.span.file);
        return parse_connection(address.text)   ? Answer::yes
               : address.text.starts_with("${") ? Answer::unknown
                                                : Answer::no;
      }
  const auto server = connection.settings.find(connection.table->server_setting);
  if (server == connection.settings.end())
    return endpoints_of(project, connection).empty() ? Answer::unknown : Answer::yes;
  const Expanded value = expanded(project, server->second->value, connection.environment, connection.span.file);
  if (value.text.contains("${"))
    return Answer::unknown;
  return std::ranges::find(connection.table->server_values, value.text) == connection.table->server_values.end()
             ? Answer::no
             : Answer::yes;
}

} // namespace padlint
