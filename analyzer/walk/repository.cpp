#include "analyzer/walk/repository.h"

#include "analyzer/walk/disk.h"

#include <fcntl.h>
#include <filesystem>
#include <fstream>

namespace padlint {
namespace {

namespace fs = std::filesystem;

/// The first line of a small file of git's, after `label`; empty when there is none.
std::string pointer_in(const fs::path& file, std::string_view label) {
  std::ifstream stream(file);
  std::string line;
  std::getline(stream, line);
  return line.starts_with(label) ? line.substr(label.size()) : std::string();
}

} // namespace

std::string exclude_file(const std::string& top) {
  fs::path git = fs::path(top) / ".git";
  std::error_code error;
  // In a linked worktree and in a submodule `.git` is a file that names the folder.
  if (!fs::is_directory(git, error))
    git = fs::path(top) / pointer_in(git, "gitdir: ");
  if (const std::string common = pointer_in(git / "commondir", ""); !common.empty())
    git /= common;
  return git / "info" / "exclude";
}

std::shared_ptr<const IgnoreScope> with_ignore_file(std::shared_ptr<const IgnoreScope> outer, std::size_t base,
                                                    int from, const std::string& path, std::vector<Notice>& notices) {
  auto file = open_file(from, path.c_str());
  const auto text =
      file ? read_all(*file, path, ignore_file_limit) : std::unexpected(unreadable_file(path, std::move(file.error())));
  if (!text) {
    notices.push_back(text.error());
    return outer;
  }
  return std::make_shared<const IgnoreScope>(std::move(outer), base, IgnoreFile(*text));
}

RootRules rules_above(const std::string& root) {
  RootRules rules;
  std::error_code error;
  const fs::path folder = fs::canonical(root, error);
  if (error)
    return rules;
  fs::path top = folder;
  while (!fs::exists(top / ".git", error) && top.has_relative_path())
    top = top.parent_path();
  if (!fs::exists(top / ".git", error))
    return rules;

  const auto add = [&](std::size_t base, const std::string& path) {
    if (fs::is_regular_file(fs::symlink_status(path, error)))
      rules.scope = with_ignore_file(std::move(rules.scope), base, AT_FDCWD, path, rules.notices);
  };
  add(0, exclude_file(top));
  for (const fs::path& step : folder.lexically_relative(top)) {
    if (step == ".")
      break;
    add(rules.prefix.size(), top / rules.prefix / ".gitignore");
    rules.prefix += step.string() + "/";
  }
  return rules;
}

} // namespace padlint
