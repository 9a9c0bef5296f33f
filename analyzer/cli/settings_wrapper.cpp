#include "analyzer/cli/settings_node.h"

#include <fmt/format.h>

#include <array>

// `[[wrapper]]`: functions that lock, or send SQL, in a way that padlint cannot see.

namespace padlint {
namespace {

using Done = std::expected<void, SettingsFault>;

std::unexpected<SettingsFault> fault(Position position, std::string text) {
  return std::unexpected(SettingsFault{.position = position, .text = std::move(text)});
}

/// One text or a list of texts.
Done read_names(const SettingsNode& node, std::vector<std::string>& names) {
  const std::vector<SettingsNode> one = {node};
  for (const SettingsNode& each : node.kind == SettingsNode::array ? node.parts : one) {
    if (each.kind != SettingsNode::text || each.value.empty())
      return fault(each.position, fmt::format("`{}` must be a name, or a list of names", node.key));
    names.push_back(each.value);
  }
  return {};
}

/// The position of an argument from 0, its name, or a list of both for one that may be given either way.
Done read_argument(const SettingsNode& node, std::string_view key, ApiArgument& argument) {
  if (node.kind == SettingsNode::integer && node.number >= 0 && node.number < 100)
    argument.position = static_cast<int>(node.number);
  else if (node.kind == SettingsNode::text)
    argument.keywords.push_back(node.value);
  else
    return fault(node.position, fmt::format("`{}` must be the position of an argument, from 0, or its name", key));
  return {};
}

Done read_key(const SettingsNode& node, Wrapper& wrapper) {
  const std::vector<SettingsNode> one = {node};
  for (const SettingsNode& each : node.kind == SettingsNode::array ? node.parts : one) {
    wrapper.key.emplace_back();
    if (Done done = read_argument(each, "key", wrapper.key.back()); !done)
      return done;
  }
  if (wrapper.key.empty() || wrapper.key.size() > 2)
    return fault(node.position, "`key` must be one argument, or two for the (int4, int4) form");
  return {};
}

Done read_flag(const SettingsNode& node, bool& flag) {
  if (node.kind != SettingsNode::boolean)
    return fault(node.position, fmt::format("`{}` must be true or false", node.key));
  flag = node.number == 1;
  return {};
}

Done read_level(const SettingsNode& node, Wrapper& wrapper) {
  if (node.kind != SettingsNode::text || (node.value != "session" && node.value != "transaction"))
    return fault(node.position, "`level` must be \"session\" or \"transaction\"");
  wrapper.level = node.value == "transaction" ? Level::transaction : Level::session;
  return {};
}

struct Key {
  std::string_view name;
  Done (*read)(const SettingsNode&, Wrapper&);
};
constexpr std::array<Key, 9> keys = {{
    {"call", [](const SettingsNode& node, Wrapper& wrapper) { return read_names(node, wrapper.calls); }},
    {"release", [](const SettingsNode& node, Wrapper& wrapper) { return read_names(node, wrapper.releases); }},
    {"key", read_key},
    {"sql", [](const SettingsNode& node, Wrapper& wrapper) { return read_argument(node, "sql", wrapper.sql); }},
    {"handle",
     [](const SettingsNode& node, Wrapper& wrapper) { return read_argument(node, "handle", wrapper.handle); }},
    {"level", read_level},
    {"try", [](const SettingsNode& node, Wrapper& wrapper) { return read_flag(node, wrapper.tries); }},
    {"shared", [](const SettingsNode& node, Wrapper& wrapper) { return read_flag(node, wrapper.shared); }},
    {"transaction", [](const SettingsNode& node, Wrapper& wrapper) { return read_flag(node, wrapper.transaction); }},
}};

Done read_one(const SettingsNode& node, Settings& settings) {
  if (node.kind != SettingsNode::table)
    return fault(node.position, "`wrapper` must be a list of tables: [[wrapper]]");
  Wrapper wrapper;
  for (const SettingsNode& entry : node.parts) {
    const auto* key = std::ranges::find(keys, entry.key, &Key::name);
    if (key == keys.end()) {
      std::array<std::string_view, keys.size()> names;
      std::ranges::transform(keys, names.begin(), &Key::name);
      return std::unexpected(unknown_word("key of a wrapper", entry.key, entry.key_position, names));
    }
    if (Done done = key->read(entry, wrapper); !done)
      return done;
  }
  if (wrapper.calls.empty() || wrapper.key.empty() == !wrapper.sql.given())
    return fault(node.position, "a wrapper needs `call`, and either `key` or `sql`");
  settings.wrappers.push_back(std::move(wrapper));
  return {};
}

} // namespace

Done read_wrappers(const SettingsNode& node, Settings& settings) {
  if (node.kind != SettingsNode::array)
    return fault(node.position, "`wrapper` must be a list of tables: [[wrapper]]");
  for (const SettingsNode& each : node.parts)
    if (Done done = read_one(each, settings); !done)
      return done;
  return {};
}

} // namespace padlint
