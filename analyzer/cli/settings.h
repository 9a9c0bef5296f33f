#pragma once

#include "analyzer/core/finding.h"
#include "analyzer/core/notice.h"
#include "analyzer/core/span.h"
#include "analyzer/facts/wrapper.h"
#include "analyzer/walk/glob.h"

#include <cstdint>
#include <expected>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// `.padlint.toml`: what a project asks of padlint. One file at the root; files in folders below it hold for the files
// of their folder, the innermost first.

namespace padlint {

constexpr std::string_view settings_file_name = ".padlint.toml";
constexpr std::uint64_t settings_file_limit = std::uint64_t{1} << 20; // bytes

/// A glob that fits files and folders; like git, one without a slash fits their names in any folder.
struct PathPattern {
  Glob glob;
  bool anchored = false; // it began with '/': from the settings file's folder on
};

/// What one settings file says.
struct Settings {
  std::string path;   // of the settings file, relative to the root of the run
  std::string folder; // that it holds for: empty for the root, else it ends with '/'
  bool root = false;  // the folder is a project of its own: no fact and no setting crosses its border
  std::optional<std::vector<std::string>> select;                         // rules that run; nothing: all that are on
  std::vector<std::string> ignore;                                        // rules that are not reported
  std::vector<PathPattern> exclude;                                       // files, and folders, that are not read
  std::vector<PathPattern> tests;                                         // files, and folders, to be taken for tests
  std::map<std::string, std::optional<FindingLevel>, std::less<>> levels; // by rule; nothing: off
  std::vector<Wrapper> wrappers;
  bool single_runner = false; // migrations run from one place
  std::vector<Notice> notices;
};

/// Why a settings file cannot be used. A wrong setting ends the run: it would be silence where a finding is expected.
struct SettingsFault {
  std::string path;
  Position position;
  std::string text;
};

/// `.padlint.toml:3:1: unknown key ...`
std::string to_text(const SettingsFault& fault);

/// Reads the settings file at `path`, which is file `file` of the tree.
std::expected<Settings, SettingsFault> read_settings(std::string_view path, FileId file, std::string_view text);

/// All settings files of one project.
struct ProjectSettings {
  std::vector<Settings> files; // sorted by folder, so that a folder comes before those inside it

  [[nodiscard]] bool excludes(std::string_view path) const;
  [[nodiscard]] bool is_test(std::string_view path) const;
  [[nodiscard]] bool ignores(std::string_view rule, std::string_view path) const;
  /// The rules that the innermost file with `select` names for this path; nullptr when none has one.
  [[nodiscard]] const std::vector<std::string>* selected(std::string_view path) const;
  /// The level that the innermost file gives the rule; nothing when none does, nothing inside for "off".
  [[nodiscard]] std::optional<std::optional<FindingLevel>> level(std::string_view rule, std::string_view path) const;
};

} // namespace padlint
