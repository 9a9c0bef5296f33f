#include "analyzer/config/environment.h"
#include "analyzer/config/reader.h"
#include "analyzer/config/yaml.h"

#include <algorithm>
#include <array>
#include <map>

// Settings with dotted names: Spring's application.properties and application.yml, Flyway's flyway.conf. What concerns
// the connection of migrations is kept; `${other.key}` is put in, `${NAME:default}` is written as `${NAME:-default}`.
// A file of several YAML documents is several lists of settings, and each may be for a profile of its own.
// Source: Spring Boot reference, "Externalized Configuration"; Flyway documentation, "Configuration Files".

namespace padlint {
namespace {

constexpr std::array<std::string_view, 3> kept = {"spring.flyway.", "spring.datasource.", "flyway."};
constexpr std::array<std::string_view, 2> profile_keys = {"spring.config.activate.on-profile", "spring.profiles"};
constexpr std::string_view connection_name = "migrations";
constexpr std::size_t most_settings = 2000;
constexpr std::size_t most_parts = 20'000;  // of a document, counted each time that an alias stands for it
constexpr std::size_t most_references = 64; // that one value leads to
constexpr int most_hops = 4;

struct Setting {
  std::string value;
  Span span;
};
using Settings = std::map<std::string, Setting>; // of one document, by dotted name

class KeysReader {
public:
  explicit KeysReader(ConfigReader& reader) : reader_(reader) {}

  void lines() {
    Settings settings;
    for (std::size_t begin = 0; begin < reader_.text.size() && settings.size() < most_settings;) {
      const std::size_t end = std::min(reader_.text.find('\n', begin), reader_.text.size());
      std::size_t at = begin;
      const std::string_view line = trimmed(reader_.text.substr(begin, end - begin), at);
      begin = end + 1;
      if (line.empty() || line[0] == '#' || line[0] == '!')
        continue;
      const std::size_t separator = line.find_first_of("=:");
      if (separator == std::string_view::npos)
        continue;
      std::size_t ignored = 0;
      settings[std::string(trimmed(line.substr(0, separator), ignored))] = {
          .value = std::string(trimmed(line.substr(separator + 1), ignored)),
          .span = reader_.span(at, at + line.size())};
    }
    emit(settings);
  }

  void documents() {
    const Yaml yaml = read_yaml(reader_.text);
    for (const std::uint32_t root : yaml.documents) {
      Settings settings;
      std::size_t parts = 0;
      flatten(yaml, root, {}, settings, parts);
      emit(settings);
    }
    reader_.yaml_problem(yaml);
  }

private:
  void flatten(const Yaml& yaml, std::uint32_t node, const std::string& prefix, Settings& out, std::size_t& parts) {
    for (const YamlEntry& entry : yaml.entries(node)) {
      const std::string key = prefix.empty() ? entry.key : prefix + "." + entry.key;
      const YamlNode& value = yaml.nodes[entry.value_node];
      if (out.size() >= most_settings || ++parts > most_parts)
        return;
      if (value.kind == YamlNode::mapping)
        flatten(yaml, entry.value_node, key, out, parts);
      else if (value.kind == YamlNode::scalar)
        out[key] = {.value = value.value,
                    .span = reader_.span(yaml.nodes[entry.key_node].begin,
                                         std::max(value.end, yaml.nodes[entry.key_node].end))};
    }
  }

  /// The value with references to other settings put in.
  static std::string resolved(const Settings& settings, std::string_view value, std::size_t& references, int hops = 0) {
    std::string out;
    for (std::size_t at = 0; at < value.size();) {
      const std::size_t begin = value.find("${", at);
      const std::size_t end = begin == std::string_view::npos ? begin : value.find('}', begin);
      if (end == std::string_view::npos || hops > most_hops || references++ >= most_references)
        return out.append(value.substr(at));
      out += value.substr(at, begin - at);
      const std::string_view inside = value.substr(begin + 2, end - begin - 2);
      const std::size_t colon = inside.find(':');
      const auto other = settings.find(std::string(inside.substr(0, colon)));
      if (other != settings.end())
        out += resolved(settings, other->second.value, references, hops + 1);
      else if (colon != std::string_view::npos)
        out.append("${").append(inside.substr(0, colon)).append(":-").append(inside.substr(colon + 1)).append("}");
      else
        out += value.substr(begin, end + 1 - begin);
      at = end + 1;
    }
    return out;
  }

  void emit(const Settings& settings) {
    const std::string file_environment = reader_.environment;
    for (const std::string_view key : profile_keys)
      if (const auto profile = settings.find(std::string(key)); profile != settings.end()) {
        const std::string_view known = environment_of(profile->second.value);
        reader_.environment = known.empty() ? profile->second.value : std::string(known);
      }
    bool named = false;
    for (const auto& [key, setting] : settings) {
      if (std::ranges::none_of(kept, [&](std::string_view prefix) { return key.starts_with(prefix); }))
        continue;
      if (!named)
        reader_.fact({}, connection_name, {}, {}, setting.span);
      named = true;
      std::size_t references = 0;
      reader_.fact({}, connection_name, key, resolved(settings, setting.value, references), setting.span);
    }
    reader_.environment = file_environment;
  }

  ConfigReader& reader_;
};

} // namespace

void read_dotted_lines(ConfigReader& reader) { KeysReader(reader).lines(); }

void read_dotted_yaml(ConfigReader& reader) { KeysReader(reader).documents(); }

} // namespace padlint
