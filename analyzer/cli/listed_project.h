#pragma once

#include "analyzer/cli/settings.h"
#include "analyzer/core/notice.h"
#include "analyzer/walk/source_tree.h"

#include <expected>
#include <string>
#include <vector>

namespace padlint {

/// The files of one project: all of the tree, except for folders with a settings file that says `root = true`. Each of
/// those is a project of its own.
struct ListedProject {
  std::string folder;      // empty for the tree's root, else it ends with '/'
  std::vector<bool> holds; // by file: whether it belongs to the project and is not excluded
  ProjectSettings settings;
  ProjectNotes notes; // what the settings and the list of files say to the linker
};

struct ListedTree {
  std::vector<SourceEntry> files;      // sorted by path; FileIds index it
  std::vector<ListedProject> projects; // sorted by folder; the first one is the root's
  std::vector<Notice> notices;
};

/// Lists the tree and reads its settings files.
std::expected<ListedTree, SettingsFault> list_projects(const SourceTree& tree, unsigned jobs);

} // namespace padlint
