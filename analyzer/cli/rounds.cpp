#include "analyzer/cli/rounds.h"

#include "analyzer/facts/project_facts.h"
#include "analyzer/walk/text.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <string_view>

namespace padlint {
namespace {

constexpr std::size_t most_module_hops = 2;

std::string_view without_extension(std::string_view path) {
  const std::size_t dot = path.rfind('.');
  return path.substr(0, dot != std::string_view::npos && dot > path.rfind('/') + 1 ? dot : path.size());
}

} // namespace

std::vector<std::string> own_words(const ListedProject& project) {
  std::vector<std::string> words;
  for (const Wrapper& wrapper : project.notes.wrappers)
    for (const std::vector<std::string>* names : {&wrapper.calls, &wrapper.releases})
      for (const std::string& name : *names)
        words.push_back(lower_ascii(name.substr(name.find_last_of(".:#") + 1)));
  return words;
}

namespace {

class Rounds {
public:
  Rounds(const FactsSupply& facts_supply, const ListedTree& listed_tree, const ListedProject& listed_project)
      : supply(facts_supply), listed(listed_tree), project(listed_project), unread(listed_project.holds) {}

  ReadProject run() {
    result.files_in_round.push_back(0);
    take(supply.first_round(own_words(project), unread));
    for (std::size_t round = 2; round <= most_rounds; ++round) {
      const FileSet wanted = wanted_files();
      if (std::ranges::find(wanted, true) == wanted.end())
        break;
      result.files_in_round.push_back(0);
      take(supply.of_files(wanted));
      // Modules are found by their paths, so what they import costs no further look through the tree.
      for (std::size_t hop = 0; hop < most_module_hops; ++hop) {
        FileSet modules(listed.files.size());
        const Wants wants = find_wants(result.facts, project.notes);
        mark(files_of(wants.modules), modules);
        mark(files_of_packages(wants), modules);
        if (std::ranges::find(modules, true) == modules.end())
          break;
        take(supply.of_files(modules));
      }
    }
    return std::move(result);
  }

private:
  void take(SuppliedFacts supplied) {
    result.files_in_round.back() += supplied.facts.size();
    for (FileFacts& facts : supplied.facts) {
      unread[facts.file] = false;
      facts.traits.test |= project.settings.is_test(facts.path);
      result.facts.push_back(std::move(facts));
    }
    std::ranges::sort(result.facts, {}, &FileFacts::file);
    std::ranges::move(supplied.notices, std::back_inserter(result.notices));
  }

  /// The unread files that hold what the facts so far refer to. No round looks for one name twice.
  FileSet wanted_files() {
    const Wants wants = find_wants(result.facts, project.notes);
    std::vector<std::string> names;
    for (const std::string& name : wants.names) {
      std::string lower = lower_ascii(name);
      if (!looked_for.insert(lower).second)
        continue;
      if (lower.size() < shortest_wanted_name)
        ++result.names_dropped;
      else
        names.push_back(std::move(lower));
    }
    FileSet wanted(listed.files.size());
    if (!names.empty())
      mark(supply.holding(names, unread), wanted);
    mark(files_of(wants.modules), wanted);
    mark(files_of_packages(wants), wanted);
    return wanted;
  }

  /// Marks the files of each name, but for names that are found in too many.
  void mark(const std::vector<std::vector<FileId>>& found, FileSet& wanted) {
    for (const std::vector<FileId>& files : found)
      if (files.size() > most_files_of_a_name)
        ++result.names_dropped;
      else
        for (const FileId file : files)
          wanted[file] = true;
  }

  /// For each module path the unread files whose path, without its extension, ends in it.
  std::vector<std::vector<FileId>> files_of(const std::vector<std::string>& modules) {
    std::vector<std::vector<FileId>> found(modules.size());
    for (FileId file = 0; file < unread.size() && !modules.empty(); ++file) {
      if (!unread[file])
        continue;
      const std::string_view path = without_extension(listed.files[file].path);
      for (std::size_t at = 0, slash = 0; slash != std::string_view::npos; at = slash + 1) {
        const auto module = std::ranges::lower_bound(modules, path.substr(at));
        if (module != modules.end() && *module == path.substr(at))
          found[static_cast<std::size_t>(module - modules.begin())].push_back(file);
        slash = path.find('/', at);
      }
    }
    return found;
  }

  /// For each wanted folder, and for each imported path that leads to one, the unread files that stand directly in it.
  std::vector<std::vector<FileId>> files_of_packages(const Wants& wants) {
    std::vector<std::vector<FileId>> found(wants.folders.size() + wants.packages.size());
    if (found.empty())
      return found;
    std::map<std::string, std::vector<std::size_t>, std::less<>> by_last_part; // of the packages
    for (std::size_t i = 0; i < wants.packages.size(); ++i) {
      const std::string_view path = std::string_view(wants.packages[i]).substr(0, wants.packages[i].rfind('/'));
      by_last_part[std::string(path.substr(path.rfind('/') + 1))].push_back(i);
    }
    for (FileId file = 0; file < unread.size(); ++file) {
      const std::string_view path = listed.files[file].path;
      const std::size_t dot = path.rfind('.');
      const std::size_t slash = path.rfind('/');
      if (!unread[file] || dot == std::string_view::npos || (slash != std::string_view::npos && dot < slash))
        continue;
      const std::string_view folder = path.substr(0, slash == std::string_view::npos ? 0 : slash + 1);
      const std::string ending = "*" + std::string(path.substr(dot));
      const auto wanted = std::ranges::lower_bound(wants.folders, std::string(folder) + ending);
      if (wanted != wants.folders.end() && *wanted == std::string(folder) + ending)
        found[static_cast<std::size_t>(wanted - wants.folders.begin())].push_back(file);
      if (folder.empty())
        continue;
      const std::string_view bare = folder.substr(0, folder.size() - 1);
      const auto packages = by_last_part.find(bare.substr(bare.rfind('/') + 1));
      if (packages == by_last_part.end())
        continue;
      for (const std::size_t i : packages->second)
        if (const std::string_view package = wants.packages[i];
            package.ends_with("/" + ending) && leads_to(package.substr(0, package.size() - ending.size()), folder))
          found[wants.folders.size() + i].push_back(file);
    }
    return found;
  }

  const FactsSupply& supply;
  const ListedTree& listed;
  const ListedProject& project;
  FileSet unread; // files of the project
  std::set<std::string, std::less<>> looked_for;
  ReadProject result;
};

} // namespace

ReadProject read_project(const FactsSupply& supply, const ListedTree& listed, const ListedProject& project) {
  return Rounds(supply, listed, project).run();
}

} // namespace padlint
