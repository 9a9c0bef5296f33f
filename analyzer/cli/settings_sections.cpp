#include "analyzer/cli/nearest.h"
#include "analyzer/cli/settings_node.h"
#include "analyzer/core/rule.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace padlint {
namespace {

using Done = std::expected<void, SettingsFault>;

std::unexpected<SettingsFault> fault(Position position, std::string text) {
  return std::unexpected(SettingsFault{.position = position, .text = std::move(text)});
}

std::vector<std::string_view> rule_ids() {
  std::vector<std::string_view> ids;
  for (const Rule* rule : all_rules())
    ids.push_back(rule->id);
  return ids;
}

Done check_rule(std::string_view id, Position position) {
  const std::vector<std::string_view> known = rule_ids();
  if (std::ranges::find(known, id) == known.end())
    return std::unexpected(unknown_word("rule", id, position, known));
  return {};
}

std::expected<std::vector<std::string>, SettingsFault> read_texts(const SettingsNode& node) {
  if (node.kind != SettingsNode::array)
    return fault(node.position, fmt::format("`{}` must be a list of texts", node.key));
  std::vector<std::string> texts;
  for (const SettingsNode& part : node.parts) {
    if (part.kind != SettingsNode::text)
      return fault(part.position, fmt::format("`{}` must be a list of texts", node.key));
    texts.push_back(part.value);
  }
  return texts;
}

std::expected<std::vector<std::string>, SettingsFault> read_rules(const SettingsNode& node) {
  auto ids = read_texts(node);
  for (const SettingsNode& part : node.parts)
    if (ids)
      if (const Done known = check_rule(part.value, part.position); !known)
        return std::unexpected(known.error());
  return ids;
}

Done keep(std::expected<std::vector<std::string>, SettingsFault> read, auto& target) {
  if (!read)
    return std::unexpected(std::move(read.error()));
  target = std::move(*read);
  return {};
}

Done keep_patterns(std::expected<std::vector<std::string>, SettingsFault> read, std::vector<PathPattern>& target) {
  if (!read)
    return std::unexpected(std::move(read.error()));
  target.clear();
  for (std::string_view pattern : *read) {
    if (pattern.ends_with('/'))
      pattern.remove_suffix(1);
    const bool anchored = pattern.starts_with('/');
    target.push_back({.glob = Glob(pattern.substr(anchored ? 1 : 0)), .anchored = anchored});
  }
  return {};
}

Done read_root(const SettingsNode& node, Settings& settings) {
  if (node.kind != SettingsNode::boolean)
    return fault(node.position, "`root` must be true or false");
  settings.root = node.number == 1;
  return {};
}

Done read_select(const SettingsNode& node, Settings& settings) { return keep(read_rules(node), settings.select); }

Done read_ignore(const SettingsNode& node, Settings& settings) { return keep(read_rules(node), settings.ignore); }

Done read_exclude(const SettingsNode& node, Settings& settings) {
  return keep_patterns(read_texts(node), settings.exclude);
}

Done read_levels(const SettingsNode& node, Settings& settings) {
  constexpr std::array<std::string_view, 4> names = {"off", "note", "warning", "error"};
  if (node.kind != SettingsNode::table)
    return fault(node.position, "`levels` must be a table of rules");
  for (const SettingsNode& entry : node.parts) {
    if (Done known = check_rule(entry.key, entry.key_position); !known)
      return known;
    const auto name = std::ranges::find(names, entry.value);
    if (entry.kind != SettingsNode::text || name == names.end())
      return fault(entry.position, "a level is \"error\", \"warning\", \"note\" or \"off\"");
    std::optional<FindingLevel> level;
    if (name != names.begin())
      level = static_cast<FindingLevel>(name - names.begin() - 1);
    settings.levels.insert_or_assign(entry.key, level);
  }
  return {};
}

Done read_paths(const SettingsNode& node, Settings& settings) {
  constexpr std::array<std::string_view, 1> keys = {"tests"};
  if (node.kind != SettingsNode::table)
    return fault(node.position, "`paths` must be a table");
  for (const SettingsNode& entry : node.parts) {
    if (entry.key != "tests")
      return std::unexpected(unknown_word("key", entry.key, entry.key_position, keys));
    if (Done done = keep_patterns(read_texts(entry), settings.tests); !done)
      return done;
  }
  return {};
}

Done read_migrations(const SettingsNode& node, Settings& settings) {
  constexpr std::array<std::string_view, 1> keys = {"single_runner"};
  if (node.kind != SettingsNode::table)
    return fault(node.position, "`migrations` must be a table");
  for (const SettingsNode& entry : node.parts) {
    if (entry.key != keys[0])
      return std::unexpected(unknown_word("key", entry.key, entry.key_position, keys));
    if (entry.kind != SettingsNode::boolean)
      return fault(entry.position, "`single_runner` must be true or false");
    settings.single_runner = entry.number == 1;
  }
  return {};
}

/// A section that a later version reads: a project may share one file between versions.
Done read_later(const SettingsNode& node, Settings& settings) {
  settings.notices.push_back({.kind = NoticeKind::note,
                              .id = "config-key-unused",
                              .text = fmt::format("`{}` is not used by this version", node.key)});
  return {};
}

constexpr auto sections = std::to_array<SettingsSection>({
    {"root", read_root},
    {"select", read_select},
    {"ignore", read_ignore},
    {"exclude", read_exclude},
    {"levels", read_levels},
    {"paths", read_paths},
    {"keys", read_later},
    {"wrapper", read_wrappers},
    {"migrations", read_migrations},
    {"endpoint", read_later},
    {"override", read_later},
});

} // namespace

std::span<const SettingsSection> settings_sections() { return sections; }

SettingsFault unknown_word(std::string_view what, std::string_view word, Position position,
                           std::span<const std::string_view> known) {
  const std::string_view near = nearest(word, known);
  return {.position = position,
          .text = near.empty() ? fmt::format("unknown {} `{}`", what, word)
                               : fmt::format("unknown {} `{}`; did you mean `{}`?", what, word, near)};
}

} // namespace padlint
