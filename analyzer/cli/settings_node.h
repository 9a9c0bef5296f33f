#pragma once

#include "analyzer/cli/settings.h"

#include <cstdint>
#include <expected>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace padlint {

/// A value of a settings file, free of the library that parsed it.
struct SettingsNode {
  enum Kind { text, boolean, integer, array, table, other } kind = other;
  std::string key;                 // of an entry of a table
  std::string value;               // of a text
  std::int64_t number = 0;         // of an integer; 0 or 1 of a boolean
  std::vector<SettingsNode> parts; // elements, or entries as the file orders them
  Position position;               // of the value
  Position key_position;
};

/// The top-level table of a TOML text.
std::expected<SettingsNode, SettingsFault> parse_settings(std::string_view text);

/// A part of the program that has settings lists its key here, with the function that reads the value.
struct SettingsSection {
  std::string_view key;
  std::expected<void, SettingsFault> (*read)(const SettingsNode& node, Settings& settings);
};

/// `[[wrapper]]` (settings_wrapper.cpp).
std::expected<void, SettingsFault> read_wrappers(const SettingsNode& node, Settings& settings);

/// The sections of this version.
std::span<const SettingsSection> settings_sections();

/// The fault "unknown <what> <word>", naming the nearest of the known words.
SettingsFault unknown_word(std::string_view what, std::string_view word, Position position,
                           std::span<const std::string_view> known);

} // namespace padlint
