#include "analyzer/cli/settings_node.h"

#include <toml++/toml.h>

#include <algorithm>

namespace padlint {
namespace {

Position position_of(const toml::source_region& region) {
  return {.line = region.begin.line, .column = region.begin.column};
}

SettingsNode node_of(const toml::node& value) {
  SettingsNode node{.position = position_of(value.source())};
  if (const auto* text = value.as_string()) {
    node.kind = SettingsNode::text;
    node.value = text->get();
  } else if (const auto* boolean = value.as_boolean()) {
    node.kind = SettingsNode::boolean;
    node.number = boolean->get() ? 1 : 0;
  } else if (const auto* integer = value.as_integer()) {
    node.kind = SettingsNode::integer;
    node.number = integer->get();
  } else if (const auto* array = value.as_array()) {
    node.kind = SettingsNode::array;
    for (const toml::node& element : *array)
      node.parts.push_back(node_of(element));
  } else if (const auto* table = value.as_table()) {
    node.kind = SettingsNode::table;
    for (const auto& [key, entry] : *table) {
      node.parts.push_back(node_of(entry));
      node.parts.back().key = key.str();
      node.parts.back().key_position = position_of(key.source());
    }
    std::ranges::sort(node.parts, {}, [](const SettingsNode& part) {
      return std::pair(part.key_position.line, part.key_position.column);
    });
  }
  return node;
}

/// Each part of a dotted key is a table in the one before, and tables are parsed, walked and freed by recursion.
constexpr std::ptrdiff_t most_dots_of_a_line = 1000;

/// The first line with more dots, from 1; 0 for none.
std::uint32_t line_with_too_many_dots(std::string_view text) {
  std::uint32_t number = 1;
  for (std::size_t begin = 0; begin < text.size(); ++number) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    if (std::ranges::count(text.substr(begin, end - begin), '.') > most_dots_of_a_line)
      return number;
    begin = end + 1;
  }
  return 0;
}

} // namespace

std::expected<SettingsNode, SettingsFault> parse_settings(std::string_view text) {
  if (const std::uint32_t line = line_with_too_many_dots(text))
    return std::unexpected(SettingsFault{.position = {.line = line}, .text = "too many dots for one key"});
  try {
    return node_of(toml::parse(text));
  } catch (const toml::parse_error& fault) {
    return std::unexpected(
        SettingsFault{.position = position_of(fault.source()), .text = std::string(fault.description())});
  }
}

} // namespace padlint
