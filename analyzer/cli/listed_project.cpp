#include "analyzer/cli/listed_project.h"

#include "analyzer/walk/traits.h"

#include <algorithm>
#include <ranges>
#include <string_view>

namespace padlint {
namespace {

bool is_settings_file(std::string_view path) { return path.substr(path.rfind('/') + 1) == settings_file_name; }

/// The innermost project that the path lies in.
ListedProject& project_of(std::vector<ListedProject>& projects, std::string_view path) {
  const auto holding = [&](const ListedProject& each) { return path.starts_with(each.folder); };
  return *std::ranges::find_if(projects | std::views::reverse, holding);
}

} // namespace

std::expected<ListedTree, SettingsFault> list_projects(const SourceTree& tree, unsigned jobs) {
  Listing listing = tree.list(jobs);
  ListedTree result{.files = std::move(listing.entries), .notices = std::move(listing.notices)};
  std::vector<Settings> settings;
  for (FileId file = 0; file < result.files.size(); ++file) {
    const std::string& path = result.files[file].path;
    if (!is_settings_file(path) || traits_of(path, "", {}).vendored)
      continue;
    const auto text = tree.read(path, settings_file_limit);
    if (!text)
      return std::unexpected(SettingsFault{.path = path, .text = text.error().text});
    auto read = read_settings(path, file, *text);
    if (!read)
      return std::unexpected(read.error());
    std::ranges::move(read->notices, std::back_inserter(result.notices));
    settings.push_back(std::move(*read));
  }

  std::ranges::sort(settings, {}, &Settings::folder);
  result.projects.push_back({});
  for (const Settings& each : settings)
    if (each.root && !each.folder.empty())
      result.projects.push_back({.folder = each.folder});
  for (Settings& each : settings)
    project_of(result.projects, each.folder).settings.files.push_back(std::move(each));
  for (ListedProject& each : result.projects)
    each.holds.resize(result.files.size());
  for (FileId file = 0; file < result.files.size(); ++file) {
    const std::string& path = result.files[file].path;
    ListedProject& project = project_of(result.projects, path);
    project.holds[file] = !project.settings.excludes(path);
  }
  return result;
}

} // namespace padlint
