#include "analyzer/facts/linked_project.h"

#include <algorithm>
#include <cctype>

// A module is a path: `tide.db` is the file whose path ends in tide/db.<extension>, and of several the one nearest to
// the importing file.

namespace padlint {
namespace {

std::vector<std::string> split(std::string_view text, std::string_view separator) {
  std::vector<std::string> parts;
  std::size_t begin = 0;
  while (begin <= text.size()) {
    std::size_t end = separator.empty() ? std::string_view::npos : text.find(separator, begin);
    if (end == std::string_view::npos)
      end = text.size();
    parts.emplace_back(text.substr(begin, end - begin));
    begin = end + std::max<std::size_t>(separator.size(), 1);
  }
  return parts;
}

std::size_t common_prefix(const std::vector<std::string>& left, const std::vector<std::string>& right) {
  std::size_t count = 0;
  while (count < left.size() && count < right.size() && left[count] == right[count])
    ++count;
  return count;
}

bool ends_with(const std::vector<std::string>& path, const std::vector<std::string>& tail) {
  return tail.size() <= path.size() && std::equal(tail.rbegin(), tail.rend(), path.rbegin());
}

/// The parts of a module's name that lead to a file. Where names without dots before them are packages, one leads to a
/// file only from one of the folders that stand for the project's own.
std::vector<std::string> parts_of(const Apis& apis, std::string_view name, bool relative) {
  if (apis.module_separator != ".")
    for (const std::string& extension : apis.extensions)
      if (name.ends_with("." + extension)) {
        name.remove_suffix(extension.size() + 1);
        break;
      }
  while (relative && apis.module_separator.size() == 1 && name.starts_with(apis.module_separator))
    name.remove_prefix(1);
  if (name.empty())
    return {};
  std::vector<std::string> parts = split(name, apis.module_separator);
  if (!relative && !apis.module_roots.empty()) {
    if (parts.size() < 2 || !has(apis.module_roots, parts[0]))
      return {};
    if (std::isalpha(static_cast<unsigned char>(parts[0][0])) == 0)
      parts.erase(parts.begin());
  }
  return parts;
}

} // namespace

std::vector<std::string> module_path(const Apis& apis, const std::string& path) {
  std::vector<std::string> parts = split(path, "/");
  std::string& last = parts.back();
  if (std::size_t dot = last.rfind('.'); dot != std::string::npos)
    last.resize(dot);
  if (has(apis.index_names, last))
    parts.pop_back();
  return parts;
}

std::optional<FileId> module_file(const LinkedProject& project, FileId importer, std::string_view module) {
  const Apis* apis = project.apis(importer);
  if (apis == nullptr || module.empty())
    return std::nullopt;
  std::size_t dots = module.find_first_not_of('.');
  if (dots == std::string_view::npos)
    dots = module.size();
  std::vector<std::string> wanted = parts_of(*apis, module.substr(dots), dots > 0);
  const std::vector<std::string> here = split(project.file(importer).path, "/");
  if (dots > 0) { // relative: the folder of the importing file, one up for each further dot
    if (here.size() < dots)
      return std::nullopt;
    std::vector<std::string> base(here.begin(), here.end() - static_cast<std::ptrdiff_t>(dots));
    base.insert(base.end(), wanted.begin(), wanted.end());
    wanted = std::move(base);
  }
  if (!wanted.empty() && has(apis->index_names, wanted.back()))
    wanted.pop_back();
  if (wanted.empty())
    return std::nullopt;
  auto candidates = project.modules.find(wanted.back());
  if (candidates == project.modules.end())
    return std::nullopt;
  std::optional<FileId> best;
  std::size_t best_common = 0;
  for (FileId candidate : candidates->second) {
    const std::vector<std::string> path = module_path(*apis, project.file(candidate).path);
    if (project.apis(candidate) != apis)
      continue;
    if (dots > 0 ? path != wanted : !ends_with(path, wanted))
      continue;
    const std::size_t common = common_prefix(path, here);
    if (!best || common > best_common) {
      best = candidate;
      best_common = common;
    }
  }
  return best;
}

} // namespace padlint
