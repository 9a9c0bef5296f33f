#include "analyzer/config/reader.h"
#include "analyzer/config/yaml.h"

#include <algorithm>
#include <array>

// Command lines that run migrations: in a Procfile, a Dockerfile, a shell script, the scripts of package.json, the
// steps of a pipeline. They are not understood as shell; a line that speaks of migrations or of advisory locks is
// handed on as it is, with those that it is continued on.

namespace padlint {
namespace {

constexpr std::array<std::string_view, 4> words = {"migrat", "advisory", "ADVISORY", "db:"};
constexpr std::size_t longest_command = 4096;

bool speaks_of_migrations(std::string_view line) {
  return std::ranges::any_of(words, [&](std::string_view word) { return line.contains(word); });
}

} // namespace

void read_commands(ConfigReader& reader) {
  const std::string_view text = reader.text;
  for (std::size_t begin = 0; begin < text.size();) {
    std::size_t end = std::min(text.find('\n', begin), text.size());
    while (end > begin && end < text.size() && text[end - 1] == '\\') // goes on
      end = std::min(text.find('\n', end + 1), text.size());
    std::size_t at = begin;
    const std::string_view line = trimmed(text.substr(begin, end - begin), at);
    begin = end + 1;
    if (line.starts_with('#') || line.starts_with("//") || line.size() > longest_command || !speaks_of_migrations(line))
      continue;
    reader.fact({}, {}, "command", line, reader.span(at, at + line.size()));
  }
}

void read_package_json(ConfigReader& reader) {
  if (!speaks_of_migrations(reader.text))
    return;
  const Yaml yaml = read_yaml(reader.text);
  reader.yaml_problem(yaml);
  if (yaml.documents.empty())
    return;
  for (const YamlEntry& entry : yaml.entries(yaml.documents[0]))
    if (entry.key == "scripts")
      for (const YamlEntry& script : yaml.entries(entry.value_node))
        if (const YamlNode& value = yaml.nodes[script.value_node];
            value.kind == YamlNode::scalar && speaks_of_migrations(value.value))
          reader.fact("scripts", script.key, "command", value.value, reader.span(value.begin, value.end));
}

} // namespace padlint
