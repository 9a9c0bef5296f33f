#include "analyzer/cli/shard.h"

#include "analyzer/cli/filters.h"
#include "analyzer/cli/listed_project.h"
#include "analyzer/cli/rounds.h"
#include "analyzer/cli/tree_facts.h"
#include "analyzer/cli/version.h"
#include "analyzer/cli/worker_stack.h"
#include "sarif/line_hash.h"
#include "sarif/sources.h"

#include <algorithm>
#include <iterator>
#include <mutex>

namespace padlint {
namespace {

const std::string& path_of(const StoredFile& file) { return file.facts.path; }

class Shard {
public:
  Shard(const SourceTree& source_tree, const ListedTree& listed_tree, const ShardOptions& shard_options)
      : tree(source_tree), listed(listed_tree), options(shard_options),
        supply(tree_facts(tree, listed.files,
                          {.jobs = options.jobs,
                           .on_read = [this](const FileFacts& facts, std::string_view text) { keep(facts, text); }})) {}

  FactsFile run() {
    result.program = padlint_version;
    result.first_round = !options.wants;
    result.listing_notices = listed.notices;
    list_files();
    if (options.wants)
      answer(*options.wants);
    else
      for (const ListedProject& project : listed.projects)
        notice(supply.first_round(own_words(project), mine_in(project)));
    std::ranges::sort(result.files, {}, path_of);
    return std::move(result);
  }

private:
  /// The files that are asked about; those that the settings exclude are listed, and not read.
  void list_files() {
    mine.resize(listed.files.size());
    for (FileId file = 0; file < listed.files.size(); ++file) {
      const std::string& path = listed.files[file].path;
      if (!is_requested(path, options.paths))
        continue;
      result.listed.push_back(path);
      mine[file] = std::ranges::any_of(listed.projects, [&](const ListedProject& each) { return each.holds[file]; });
      // One that cannot be read has ended the run already, unless it is excluded.
      if (path.substr(path.rfind('/') + 1) == settings_file_name)
        if (auto text = tree.read(path, settings_file_limit))
          result.settings.push_back({.path = path, .text = std::move(*text)});
    }
  }

  [[nodiscard]] FileSet mine_in(const ListedProject& project) const {
    FileSet files = mine;
    for (FileId file = 0; file < files.size(); ++file)
      files[file] = files[file] && project.holds[file];
    return files;
  }

  void answer(const WantsFile& wants) {
    FileSet wanted(listed.files.size());
    for (FileId file = 0; file < listed.files.size(); ++file)
      if (mine[file] && std::ranges::binary_search(wants.files, listed.files[file].path)) {
        wanted[file] = true;
        result.looked_at.push_back(listed.files[file].path);
      }
    notice(supply.of_files(wanted));
    const std::vector<std::vector<FileId>> found = supply.holding(wants.names, mine);
    for (std::size_t name = 0; name < wants.names.size(); ++name) {
      StoredAnswer& each = result.answers.emplace_back(wants.names[name]);
      for (const FileId file : found[name])
        each.paths.push_back(listed.files[file].path);
      std::ranges::sort(each.paths);
    }
  }

  /// Called by the threads that read.
  void keep(const FileFacts& facts, std::string_view text) {
    StoredFile file = stored_file(facts, text, line_hashes(text), most_marked_lines);
    file.triggered = result.first_round;
    const std::lock_guard guard(mutex);
    result.files.push_back(std::move(file));
  }

  void notice(SuppliedFacts supplied) { std::ranges::move(supplied.notices, std::back_inserter(result.file_notices)); }

  const SourceTree& tree;
  const ListedTree& listed;
  const ShardOptions& options;
  FactsSupply supply;
  FileSet mine;
  std::mutex mutex;
  FactsFile result;
};

} // namespace

std::expected<FactsFile, SettingsFault> read_shard(const SourceTree& tree, const ShardOptions& options) {
  std::expected<FactsFile, SettingsFault> result;
  on_worker_stack([&] {
    const auto listed = list_projects(tree, options.jobs);
    if (listed)
      result = Shard(tree, *listed, options).run();
    else
      result = std::unexpected(listed.error());
  });
  return result;
}

} // namespace padlint
