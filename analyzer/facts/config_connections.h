#pragma once

#include "analyzer/facts/linked_project.h"
#include "analyzer/facts/tools.h"

namespace padlint {

/// A connection that a configuration file describes.
struct ConfigConnection {
  const ConnectionConfig* table = nullptr;
  std::string name;
  std::string environment;
  Span span; // its name
  std::map<std::string, const ConfigFact*> settings;

  [[nodiscard]] bool has(const ToolSetting& wanted) const {
    const auto found = settings.find(wanted.setting);
    return found != settings.end() && found->second->value == wanted.value;
  }
};

/// The connections of all configuration files of a kind, of the environments that decide.
std::vector<ConfigConnection> config_connections(const LinkedProject& project, std::string_view config);

/// Where a connection leads; nothing when that is not known, or it is no connection to PostgreSQL.
std::vector<Endpoint> endpoints_of(const LinkedProject& project, const ConfigConnection& connection);

/// Whether it leads to PostgreSQL, as far as its settings tell.
Answer leads_to_postgresql(const LinkedProject& project, const ConfigConnection& connection);

} // namespace padlint
