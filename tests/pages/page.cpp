#include "tests/pages/page.h"

#include <algorithm>
#include <sstream>

namespace padlint {
namespace {

/// The value of `name=value` among the words of a fence.
std::string word(const std::string& fence, const std::string& name) {
  std::istringstream words(fence);
  for (std::string each; words >> each;)
    if (each.starts_with(name + "="))
      return each.substr(name.size() + 1);
  return {};
}

PageProject& project_of(Page& page, const std::string& name) {
  const std::string& heading = page.headings.back();
  const auto found = std::ranges::find_if(
      page.projects, [&](const PageProject& each) { return each.heading == heading && each.name == name; });
  return found != page.projects.end()
             ? *found
             : page.projects.emplace_back(heading, name, MemoryFiles{}, std::set<std::string>{});
}

void add_block(Page& page, const std::string& fence, int number, std::string text) {
  const std::string file = word(fence, "file");
  if (file.empty() || page.headings.empty())
    return;
  const std::string name = word(fence, "project");
  PageProject& project = project_of(page, name.empty() ? "line " + std::to_string(number) : name);
  project.files.emplace(file, std::move(text));
  std::istringstream also(word(fence, "also"));
  for (std::string rule; std::getline(also, rule, ',');)
    project.also.insert(rule);
}

} // namespace

Page read_page(std::string_view text) {
  Page page;
  std::istringstream lines{std::string(text)};
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    if (line.starts_with("```")) {
      const int opened = number;
      std::string block;
      for (std::string inner; std::getline(lines, inner) && ++number && inner != "```";)
        block += inner + "\n";
      add_block(page, line, opened, std::move(block));
    } else if (line.starts_with("## ")) {
      page.headings.push_back(line.substr(3));
    } else if (line.starts_with("# ")) {
      page.title = line.substr(2);
    } else if (page.summary.empty()) {
      page.summary = line;
    }
  }
  return page;
}

} // namespace padlint
