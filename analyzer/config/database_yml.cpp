#include "analyzer/config/environment.h"
#include "analyzer/config/erb.h"
#include "analyzer/config/reader.h"
#include "analyzer/config/yaml.h"

#include <algorithm>

// Rails' config/database.yml: a map of environments, each a connection or a map of named ones. What an entry merges
// from another (`<<: *default`) counts as its own and keeps the place where it is written.
// Source: Rails guide, "Configuring Rails Applications", 3.15 to 3.16; ActiveRecord::DatabaseConfigurations.

namespace padlint {
namespace {

constexpr std::string_view only_database = "primary"; // the name of a connection that has none
constexpr std::size_t most_facts = 10'000;

struct DatabaseYmlReader {
  ConfigReader& reader;
  Yaml yaml;

  [[nodiscard]] bool maps(std::uint32_t node) const { return yaml.nodes[node].kind == YamlNode::mapping; }

  void read() {
    if (yaml.documents.empty())
      return;
    for (const YamlEntry& environment : yaml.entries(yaml.documents[0]))
      if (maps(environment.value_node))
        read_environment(environment);
  }

  void read_environment(const YamlEntry& environment) {
    const std::string_view known = environment_of(environment.key);
    if (known.empty() && yaml.nodes[environment.value_node].anchored)
      return; // what others merge
    reader.environment = known.empty() ? environment.key : known;
    const std::vector<YamlEntry> entries = yaml.entries(environment.value_node);
    const bool several = std::ranges::any_of(entries, [&](const YamlEntry& each) { return maps(each.value_node); });
    if (!several)
      return read_connection(environment, std::string(only_database), environment);
    for (const YamlEntry& each : entries)
      if (maps(each.value_node))
        read_connection(environment, each.key, each);
  }

  void read_connection(const YamlEntry& environment, const std::string& name, const YamlEntry& connection) {
    const YamlNode& key = yaml.nodes[connection.key_node];
    reader.fact(environment.key, name, {}, {}, reader.span(key.begin, key.end));
    for (const YamlEntry& setting : yaml.entries(connection.value_node)) {
      const YamlNode& value = yaml.nodes[setting.value_node];
      const YamlNode& setting_key = yaml.nodes[setting.key_node];
      if (value.kind != YamlNode::scalar || reader.facts.configs.size() >= most_facts)
        continue;
      const std::string_view source = reader.text.substr(value.begin, value.end - value.begin);
      reader.fact(environment.key, name, setting.key, source.contains("<%") ? erb_value(source) : value.value,
                  reader.span(setting_key.begin, std::max(value.end, setting_key.end)));
    }
  }
};

} // namespace

void read_database_yml(ConfigReader& reader) {
  DatabaseYmlReader yml{.reader = reader, .yaml = read_yaml(without_erb(reader.text))};
  yml.read();
  reader.yaml_problem(yml.yaml);
}

} // namespace padlint
