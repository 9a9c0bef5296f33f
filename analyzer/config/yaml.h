#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// YAML as the readers of configuration files want it: a bounded tree that keeps its places. JSON is YAML too.

namespace padlint {

struct YamlNode {
  enum Kind { scalar, mapping, sequence } kind = scalar;
  std::string value;                // of a scalar, decoded; aliases are the nodes that they stand for
  std::vector<std::uint32_t> parts; // elements; of a mapping key, value, key, value ...
  std::size_t begin = 0;            // bytes of the text, without quotes
  std::size_t end = 0;
  bool anchored = false;
};

struct YamlEntry {
  std::string key;
  std::uint32_t key_node = 0;
  std::uint32_t value_node = 0;
};

/// Texts are read up to these bounds; what lies behind them is a fault.
constexpr std::size_t most_yaml_nodes = 100'000;
constexpr std::size_t most_yaml_depth = 64;

struct Yaml {
  std::vector<YamlNode> nodes;
  std::vector<std::uint32_t> documents; // roots
  /// Where reading stopped: no YAML from here on, or beyond the bounds. What stands before it is there.
  struct Fault {
    std::size_t offset = 0;
    std::string_view text;
  };
  std::optional<Fault> fault;

  /// The entries of a mapping with those that `<<` merges into it, which its own override; of one key the last. Nothing
  /// for another node.
  [[nodiscard]] std::vector<YamlEntry> entries(std::uint32_t node) const;
};

Yaml read_yaml(std::string_view text);

} // namespace padlint
