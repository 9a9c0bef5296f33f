#include "analyzer/cli/request.h"

#include "analyzer/cli/settings.h"
#include "analyzer/walk/source_tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>

namespace padlint {
namespace {

namespace fs = std::filesystem;

bool has_root_settings(const fs::path& folder) {
  std::error_code error;
  if (!fs::is_regular_file(folder / settings_file_name, error))
    return false;
  const auto text = work_tree(folder.string()).read(settings_file_name, settings_file_limit);
  const auto settings = text ? read_settings(settings_file_name, 0, *text) : std::unexpected(SettingsFault());
  return settings && settings->root;
}

/// The nearest folder, from `start` upwards, that is the top of a repository or says that it is a root.
std::optional<fs::path> discovered_root(const fs::path& start) {
  std::error_code error;
  for (fs::path folder = start;; folder = folder.parent_path()) {
    if (fs::exists(folder / ".git", error) || has_root_settings(folder))
      return folder;
    if (folder == folder.parent_path())
      return std::nullopt;
  }
}

bool lies_in(const fs::path& path, const fs::path& folder) {
  const auto [end_of_folder, rest] = std::ranges::mismatch(folder, path);
  return end_of_folder == folder.end();
}

std::expected<fs::path, std::string> existing(const std::string& typed) {
  std::error_code error;
  fs::path path = fs::canonical(typed, error);
  if (error)
    return std::unexpected(fmt::format("{}: {}", typed, error.message()));
  return path;
}

std::expected<fs::path, std::string> root_of(const Options& options, const std::vector<fs::path>& paths) {
  std::error_code error;
  if (!options.root.empty()) {
    auto root = existing(options.root);
    if (root && !fs::is_directory(*root, error))
      return std::unexpected(fmt::format("{}: not a folder", options.root));
    return root;
  }
  const auto here = existing(".");
  if (!here)
    return here;
  const auto folder_of = [&](const fs::path& path) {
    return fs::is_directory(path, error) ? path : path.parent_path();
  };
  const fs::path first = paths.empty() ? *here : folder_of(paths.front());
  auto root = discovered_root(first);
  for (std::size_t i = 1; i < paths.size(); ++i)
    if (const auto other = discovered_root(folder_of(paths[i]))) {
      if (root && lies_in(*root, *other))
        root = other; // the first one is a project inside this one
      else if (!root || !lies_in(*other, *root))
        return std::unexpected(fmt::format("{} and {} lie in different projects: name one at a time, or give --root",
                                           options.paths[0], options.paths[i]));
    }
  if (root)
    return *root;
  // Without a repository around it, a folder that is named alone is taken for the project, as a file's folder is.
  const bool alone = paths.size() == 1 && fs::is_directory(paths[0], error);
  return lies_in(first, *here) && !alone ? *here : first;
}

} // namespace

std::expected<Request, std::string> resolve_request(const Options& options) {
  std::vector<fs::path> paths;
  for (const std::string& typed : options.paths) {
    const auto path = existing(typed);
    if (!path)
      return std::unexpected(path.error());
    paths.push_back(*path);
  }
  const auto root = root_of(options, paths);
  if (!root)
    return std::unexpected(root.error());

  Request request{.root = root->string()};
  for (std::size_t i = 0; i < paths.size(); ++i) {
    if (!lies_in(paths[i], *root))
      return std::unexpected(fmt::format("{}: outside of the root {}", options.paths[i], root->string()));
    const std::string path = paths[i].lexically_relative(*root).generic_string();
    request.paths.push_back(path == "." ? "" : path);
  }
  if (std::ranges::find(request.paths, "") != request.paths.end())
    request.paths.clear();
  return request;
}

} // namespace padlint
