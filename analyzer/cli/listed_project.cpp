#include "analyzer/cli/listed_project.h"

#include "analyzer/host/host.h"
#include "analyzer/walk/traits.h"

#include <algorithm>
#include <ranges>
#include <set>
#include <string_view>

namespace padlint {
namespace {

bool is_settings_file(std::string_view path) { return path.substr(path.rfind('/') + 1) == settings_file_name; }

/// The innermost project that the path lies in.
ListedProject& project_of(std::vector<ListedProject>& projects, std::string_view path) {
  const auto holding = [&](const ListedProject& each) { return path.starts_with(each.folder); };
  return *std::ranges::find_if(projects | std::views::reverse, holding);
}

/// The settings files of the tree, outer ones first. Those in vendored and in excluded folders are somebody else's.
std::expected<ProjectSettings, SettingsFault> read_all_settings(const SourceTree& tree, const ListedTree& listed) {
  std::vector<FileId> found;
  for (FileId file = 0; file < listed.files.size(); ++file)
    if (const std::string& path = listed.files[file].path; is_settings_file(path) && !traits_of(path, "", {}).vendored)
      found.push_back(file);
  std::ranges::sort(found, {}, [&](FileId file) {
    const std::string_view path = listed.files[file].path;
    return path.substr(0, path.size() - settings_file_name.size());
  });

  ProjectSettings all;
  for (const FileId file : found) {
    const std::string& path = listed.files[file].path;
    if (all.excludes(path))
      continue;
    const auto text = tree.read(path, settings_file_limit);
    if (!text)
      return std::unexpected(SettingsFault{.path = path, .text = text.error().text});
    auto settings = read_settings(path, file, *text);
    if (!settings)
      return std::unexpected(std::move(settings.error()));
    all.files.push_back(std::move(*settings));
  }
  return all;
}

/// The folders that a package manifest makes a unit of its own.
std::vector<std::string> unit_folders(const std::vector<SourceEntry>& files) {
  std::set<std::string_view> manifests;
  for (const HostFiles& host : host_files())
    manifests.insert(host.manifests.begin(), host.manifests.end());
  std::set<std::string> folders;
  for (const SourceEntry& file : files) {
    const std::string_view path = file.path;
    const std::size_t name = path.rfind('/') + 1;
    if (name > 0 && manifests.contains(path.substr(name)))
      folders.emplace(path.substr(0, name));
  }
  return {folders.begin(), folders.end()};
}

} // namespace

std::expected<ListedTree, SettingsFault> list_projects(const SourceTree& tree, unsigned jobs) {
  Listing listing = tree.list(jobs);
  ListedTree result{.files = std::move(listing.entries), .notices = std::move(listing.notices)};
  auto settings = read_all_settings(tree, result);
  if (!settings)
    return std::unexpected(std::move(settings.error()));

  result.projects.push_back({});
  for (const Settings& each : settings->files)
    if (each.root && !each.folder.empty())
      result.projects.push_back({.folder = each.folder});
  for (ListedProject& each : result.projects)
    each.holds.resize(result.files.size());
  for (FileId file = 0; file < result.files.size(); ++file)
    if (const std::string& path = result.files[file].path; !settings->excludes(path))
      project_of(result.projects, path).holds[file] = true;
  for (Settings& each : settings->files) {
    std::ranges::copy(each.notices, std::back_inserter(result.notices));
    project_of(result.projects, each.folder).settings.files.push_back(std::move(each));
  }
  const std::vector<std::string> units = unit_folders(result.files);
  for (ListedProject& each : result.projects) {
    each.notes.unit_folders = units;
    for (const Settings& file : each.settings.files) {
      std::ranges::copy(file.wrappers, std::back_inserter(each.notes.wrappers));
      each.notes.single_runner |= file.single_runner;
    }
  }
  return result;
}

} // namespace padlint
