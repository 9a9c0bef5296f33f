#include "analyzer/config/reader.h"

#include <algorithm>

// A Compose file: services with an image, or built here, and the environment that each runs in. Variables of the
// machine (`${NAME}`) stay as they are written.
// Source: Compose specification, "services": image, environment.

namespace padlint {
namespace {

constexpr std::size_t most_facts = 10'000;

struct ComposeReader {
  ConfigReader& reader;
  Yaml yaml;

  void read() {
    for (const std::uint32_t document : yaml.documents)
      for (const YamlEntry& section : yaml.entries(document))
        if (section.key == "services")
          for (const YamlEntry& service : yaml.entries(section.value_node))
            read_service(service);
  }

  void read_service(const YamlEntry& service) {
    const std::vector<YamlEntry> entries = yaml.entries(service.value_node);
    const auto image = std::ranges::find(entries, "image", &YamlEntry::key);
    put(service, "image", image == entries.end() ? std::string() : yaml.nodes[image->value_node].value,
        image == entries.end() ? yaml.nodes[service.key_node] : yaml.nodes[image->value_node]);
    for (const YamlEntry& entry : entries)
      if (entry.key == "environment")
        read_environment(service, entry.value_node);
  }

  /// A map, or a list of `NAME=value`.
  void read_environment(const YamlEntry& service, std::uint32_t node) {
    for (const YamlEntry& variable : yaml.entries(node))
      if (const YamlNode& value = yaml.nodes[variable.value_node]; value.kind == YamlNode::scalar)
        put(service, variable.key, value.value, value);
    if (yaml.nodes[node].kind == YamlNode::sequence)
      for (const std::uint32_t part : yaml.nodes[node].parts)
        if (const YamlNode& line = yaml.nodes[part]; line.kind == YamlNode::scalar)
          if (const std::size_t sign = line.value.find('='); sign != std::string::npos)
            put(service, line.value.substr(0, sign), line.value.substr(sign + 1), line);
  }

  void put(const YamlEntry& service, std::string_view setting, std::string_view value, const YamlNode& at) {
    if (reader.facts.configs.size() < most_facts)
      reader.fact("services", service.key, setting, value, reader.span(at.begin, at.end));
  }
};

} // namespace

void read_compose(ConfigReader& reader) {
  ComposeReader compose{.reader = reader, .yaml = read_yaml(reader.text)};
  compose.read();
  reader.yaml_problem(compose.yaml);
}

} // namespace padlint
