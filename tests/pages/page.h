#pragma once

#include "analyzer/walk/source_tree.h"

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace padlint {

/// The code blocks under one heading that form one project.
struct PageProject {
  std::string heading;
  std::string name; // as `project=` says; the line of the fence for a block that is alone
  MemoryFiles files;
  std::set<std::string> also; // other rules that report it
};

/// A rule's page: its title, the paragraph below it, its headings and its projects, in order.
struct Page {
  std::string title;
  std::string summary;
  std::vector<std::string> headings;
  std::vector<PageProject> projects;
};

/// Reads a page. A block without `file=` in its fence is there to be read only.
Page read_page(std::string_view text);

} // namespace padlint
