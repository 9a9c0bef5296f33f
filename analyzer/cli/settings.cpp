#include "analyzer/cli/settings.h"

#include "analyzer/cli/settings_node.h"

#include <fmt/format.h>

#include <algorithm>
#include <ranges>

namespace padlint {
namespace {

/// The byte at which a line and column of a text begin.
std::uint32_t offset_of(Position position, std::string_view text) {
  std::size_t offset = 0;
  for (std::uint32_t line = 1; line < position.line; ++line) {
    const std::size_t end = text.find('\n', offset);
    if (end == std::string_view::npos)
      return static_cast<std::uint32_t>(text.size());
    offset = end + 1;
  }
  const auto continues = [&] { return offset < text.size() && (text[offset] & 0xc0) == 0x80; };
  for (std::uint32_t column = 1; column < position.column && offset < text.size(); ++column)
    do
      ++offset;
    while (continues());
  return static_cast<std::uint32_t>(offset);
}

Span key_span(const SettingsNode& entry, FileId file, std::string_view text) {
  const std::uint32_t begin = offset_of(entry.key_position, text);
  return {.file = file, .begin = begin, .end = begin + static_cast<std::uint32_t>(entry.key.size())};
}

/// Whether a pattern fits the path below `folder`, or a folder on the way to it.
bool fits(const std::vector<PathPattern>& patterns, std::string_view folder, std::string_view path) {
  if (patterns.empty() || !path.starts_with(folder))
    return false;
  path.remove_prefix(folder.size());
  const auto fitting = [&](std::string_view part) {
    return std::ranges::any_of(patterns, [&](const PathPattern& each) {
      return each.anchored ? each.glob.matches(part) : each.glob.fits(part);
    });
  };
  for (std::size_t slash = path.find('/'); slash != std::string_view::npos; slash = path.find('/', slash + 1))
    if (fitting(path.substr(0, slash)))
      return true;
  return fitting(path);
}

} // namespace

std::string to_text(const SettingsFault& fault) {
  return fmt::format("{}:{}:{}: {}", fault.path, fault.position.line, fault.position.column, fault.text);
}

std::expected<Settings, SettingsFault> read_settings(std::string_view path, FileId file, std::string_view text) {
  const auto in_file = [&](SettingsFault fault) {
    fault.path = path;
    return std::unexpected(std::move(fault));
  };
  const auto table = parse_settings(text);
  if (!table)
    return in_file(table.error());
  std::vector<std::string_view> keys;
  for (const SettingsSection& section : settings_sections())
    keys.push_back(section.key);

  Settings settings{.path = std::string(path), .folder = std::string(path.substr(0, path.rfind('/') + 1))};
  for (const SettingsNode& entry : table->parts) {
    const auto section = std::ranges::find(settings_sections(), entry.key, &SettingsSection::key);
    if (section == settings_sections().end())
      return in_file(unknown_word("key", entry.key, entry.key_position, keys));
    const std::size_t noticed = settings.notices.size();
    if (auto read = section->read(entry, settings); !read)
      return in_file(read.error());
    for (Notice& notice : settings.notices | std::views::drop(noticed)) {
      notice.path = settings.path;
      notice.span = key_span(entry, file, text);
    }
  }
  return settings;
}

bool ProjectSettings::excludes(std::string_view path) const {
  return std::ranges::any_of(files, [&](const Settings& each) { return fits(each.exclude, each.folder, path); });
}

bool ProjectSettings::is_test(std::string_view path) const {
  return std::ranges::any_of(files, [&](const Settings& each) { return fits(each.tests, each.folder, path); });
}

bool ProjectSettings::ignores(std::string_view rule, std::string_view path) const {
  return std::ranges::any_of(files, [&](const Settings& each) {
    return path.starts_with(each.folder) && std::ranges::find(each.ignore, rule) != each.ignore.end();
  });
}

const std::vector<std::string>* ProjectSettings::selected(std::string_view path) const {
  for (const Settings& each : files | std::views::reverse)
    if (path.starts_with(each.folder) && each.select)
      return &*each.select;
  return nullptr;
}

std::optional<std::optional<FindingLevel>> ProjectSettings::level(std::string_view rule, std::string_view path) const {
  for (const Settings& each : files | std::views::reverse)
    if (path.starts_with(each.folder))
      if (const auto found = each.levels.find(rule); found != each.levels.end())
        return found->second;
  return std::nullopt;
}

} // namespace padlint
