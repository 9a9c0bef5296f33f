#include "analyzer/facts/linked_project.h"
#include "analyzer/facts/project_facts.h"

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
  if (apis.packages || has(apis.index_names, last))
    parts.pop_back();
  return parts;
}

namespace {

/// How many last parts of an imported path are those of a folder. One alone may be chance, unless it is the whole path
/// of the folder.
std::size_t shared_tail(const std::vector<std::string>& folder, const std::vector<std::string>& wanted) {
  std::size_t count = 0;
  while (count < folder.size() && count < wanted.size() &&
         folder[folder.size() - 1 - count] == wanted[wanted.size() - 1 - count])
    ++count;
  return count > 1 || count == folder.size() ? count : 0;
}

/// A path that does not begin with a host is one of the language's own library, if it has but one part.
std::optional<FileId> package_file(const LinkedProject& project, FileId importer, const std::string& path) {
  const std::vector<std::string> wanted = split(path, "/");
  const auto candidates = project.modules.find(wanted.back());
  if (candidates == project.modules.end() || (wanted.size() == 1 && path.find('.') == std::string::npos))
    return std::nullopt;
  const Apis* apis = project.apis(importer);
  std::optional<FileId> best;
  std::pair<std::size_t, std::size_t> best_shared;
  for (const FileId candidate : candidates->second) {
    if (project.apis(candidate) != apis || project.file(candidate).traits.vendored)
      continue;
    const std::vector<std::string> folder = module_path(*apis, project.file(candidate).path);
    const std::size_t tail = shared_tail(folder, wanted);
    const std::pair shared{tail, common_prefix(folder, module_path(*apis, project.file(importer).path))};
    if (tail > 0 && (!best || shared > best_shared)) {
      best = candidate;
      best_shared = shared;
    }
  }
  return best;
}

} // namespace

bool leads_to(std::string_view package, std::string_view folder) {
  const auto parts = [](std::string_view path) {
    while (path.ends_with('/'))
      path.remove_suffix(1);
    return split(path, "/");
  };
  return !folder.empty() && shared_tail(parts(folder), parts(package)) > 0;
}

std::string library_of(const Apis& apis, std::string_view name) {
  if (!apis.packages)
    return std::string(name.substr(0, name.find('.')));
  const std::size_t slash = name.rfind('/');
  const std::size_t dot = name.find('.', slash == std::string_view::npos ? 0 : slash);
  const std::string path = without_versions(name.substr(0, dot));
  constexpr std::size_t host_owner_project = 3;
  std::size_t end = 0;
  for (std::size_t part = 0; part < host_owner_project && end != std::string::npos; ++part)
    end = path.find('/', part == 0 ? 0 : end + 1);
  return path.substr(0, end);
}

std::string without_versions(std::string_view path) {
  std::string out;
  for (const std::string& part : split(path, "/")) {
    const bool version =
        part.size() > 1 && part[0] == 'v' && part.find_first_not_of("0123456789", 1) == std::string::npos;
    if (!version || out.empty())
      out += (out.empty() ? "" : "/") + part;
  }
  return out;
}

const std::vector<FileId>& package_of(const LinkedProject& project, FileId file) {
  static const std::vector<FileId> none;
  const Apis* apis = project.apis(file);
  if (apis == nullptr || !apis->packages)
    return none;
  const std::string& path = project.file(file).path;
  const auto found = project.packages.find(apis->language + ":" + path.substr(0, path.rfind('/') + 1));
  return found == project.packages.end() ? none : found->second;
}

namespace {

std::optional<FileId> find_module_file(const LinkedProject& project, FileId importer, std::string_view module) {
  const Apis* apis = project.apis(importer);
  if (apis == nullptr || module.empty())
    return std::nullopt;
  if (apis->packages)
    return package_file(project, importer, without_versions(module));
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

} // namespace

std::optional<FileId> module_file(const LinkedProject& project, FileId importer, std::string_view module) {
  const auto [known, fresh] = project.caches.module_files.try_emplace({importer, std::string(module)});
  if (fresh)
    known->second = find_module_file(project, importer, module);
  return known->second;
}

} // namespace padlint
