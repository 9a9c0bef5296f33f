#include "analyzer/cli/stored_facts.h"

#include "analyzer/cli/readers.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>

namespace padlint {
namespace {

using Shard = std::pair<std::string, FactsFile>;

class Join {
public:
  std::expected<StoredFacts, std::string> run(std::vector<Shard> shards) {
    std::set<std::string> paths;
    for (const auto& [name, shard] : shards)
      paths.insert(shard.listed.begin(), shard.listed.end());
    const FileKinds& kinds = readers().kinds;
    for (const std::string& path : paths) {
      facts.files.push_back({path});
      facts.readable.push_back(kinds.of_path(path).file_class != FileClass::none || kinds.asks_first_line(path));
    }
    facts.looked_at.resize(facts.files.size());
    FileSet begun(facts.files.size());
    for (auto& [name, shard] : shards) {
      if (shard.first_round)
        for (const std::string& path : shard.listed)
          begun[facts.id_of(path)] = true;
      if (auto added = add(name, std::move(shard)); !added)
        return std::unexpected(std::move(added.error()));
    }
    if (const auto gap = std::ranges::find(begun, false); gap != begun.end())
      return std::unexpected(
          fmt::format("{}: only wants were answered for it; the facts of the first round are missing",
                      facts.files[static_cast<std::size_t>(gap - begun.begin())].path));
    return std::move(facts);
  }

private:
  std::expected<void, std::string> add(const std::string& name, FactsFile shard) {
    const auto stray = [&](const std::string& path) {
      return std::unexpected(fmt::format("{}: damaged: {} is not among its files", name, path));
    };
    const auto is_listed = [&](const std::string& path) { return std::ranges::binary_search(shard.listed, path); };
    for (StoredText& each : shard.settings) {
      const auto [known, is_new] = facts.settings.emplace(each.path, each.text);
      if (!is_new && known->second != each.text)
        return changed(name, each.path);
    }
    for (const std::string& path : shard.looked_at) {
      if (!is_listed(path))
        return stray(path);
      facts.looked_at[facts.id_of(path)] = true;
    }
    for (StoredAnswer& each : shard.answers) {
      StoredFacts::Answer& answer = facts.answers[each.name];
      answer.asked.resize(facts.files.size());
      for (const std::string& path : shard.listed)
        answer.asked[facts.id_of(path)] = true;
      for (const std::string& path : each.paths) {
        if (!is_listed(path))
          return stray(path);
        answer.found.push_back(facts.id_of(path));
      }
    }
    for (StoredFile& each : shard.files) {
      if (!is_listed(each.facts.path))
        return stray(each.facts.path);
      const FileId file = facts.id_of(each.facts.path);
      number_file(each.facts, file);
      const auto known = facts.stored.find(file);
      if (known == facts.stored.end()) {
        facts.stored.emplace(file, std::move(each));
        continue;
      }
      if (known->second.hash != each.hash)
        return changed(name, facts.files[file].path);
      known->second.triggered |= each.triggered;
    }
    std::ranges::move(shard.listing_notices, std::back_inserter(facts.listing_notices));
    std::ranges::move(shard.file_notices, std::back_inserter(facts.file_notices));
    return {};
  }

  static std::unexpected<std::string> changed(const std::string& name, const std::string& path) {
    return std::unexpected(fmt::format(
        "{}: {} is another file here than in the facts before: all parts have to see one state", name, path));
  }

  StoredFacts facts;
};

struct Supply {
  const StoredFacts& facts;
  Missing& missing;

  [[nodiscard]] SuppliedFacts first_round(const FileSet& files) const {
    SuppliedFacts result{.notices = facts.file_notices};
    for (const auto& [file, stored] : facts.stored)
      if (stored.triggered && files[file])
        result.facts.push_back(stored.facts);
    return result;
  }

  [[nodiscard]] std::vector<std::vector<FileId>> holding(const std::vector<std::string>& names,
                                                         const FileSet& files) const {
    std::vector<std::vector<FileId>> found(names.size());
    std::vector<std::string> unanswered;
    for (std::size_t i = 0; i < names.size(); ++i) {
      const auto answer = facts.answers.find(names[i]);
      bool complete = answer != facts.answers.end();
      for (FileId file = 0; file < files.size() && complete; ++file)
        complete = !files[file] || !facts.readable[file] || answer->second.asked[file];
      if (!complete)
        unanswered.push_back(names[i]);
      if (answer != facts.answers.end()) {
        std::set<FileId> unique; // shards may overlap
        std::ranges::copy_if(answer->second.found, std::inserter(unique, unique.end()),
                             [&](FileId file) { return files[file]; });
        found[i].assign(unique.begin(), unique.end());
      }
    }
    if (missing.empty())
      missing.names = std::move(unanswered);
    return found;
  }

  [[nodiscard]] SuppliedFacts of_files(const FileSet& files) const {
    SuppliedFacts result;
    std::vector<std::string> unknown;
    for (FileId file = 0; file < files.size(); ++file) {
      if (!files[file])
        continue;
      if (const auto stored = facts.stored.find(file); stored != facts.stored.end())
        result.facts.push_back(stored->second.facts);
      else if (facts.readable[file] && !facts.looked_at[file])
        unknown.push_back(facts.files[file].path);
    }
    if (missing.empty())
      missing.files = std::move(unknown);
    return result;
  }
};

} // namespace

FileId StoredFacts::id_of(std::string_view path) const {
  return static_cast<FileId>(std::ranges::lower_bound(files, path, {}, &SourceEntry::path) - files.begin());
}

std::expected<StoredFacts, std::string> joined(std::vector<std::pair<std::string, FactsFile>> shards) {
  return Join().run(std::move(shards));
}

SourceTree tree_of(const StoredFacts& facts) {
  SourceTree tree = memory_tree(facts.settings);
  tree.list = [&facts](unsigned) { return Listing{.entries = facts.files, .notices = facts.listing_notices}; };
  return tree;
}

FactsSupply supply_of(const StoredFacts& facts, Missing& missing) {
  const Supply supply{.facts = facts, .missing = missing};
  return {.first_round = [supply](const auto&, const FileSet& files) { return supply.first_round(files); },
          .holding = [supply](const auto& names, const FileSet& files) { return supply.holding(names, files); },
          .of_files = [supply](const FileSet& files) { return supply.of_files(files); }};
}

Sources sources_of(const StoredFacts& facts) {
  const auto texts = std::make_shared<std::map<FileId, std::string>>();
  return {.path = [&facts](FileId file) -> std::string_view { return facts.files[file].path; },
          .text = [&facts, texts](FileId file) -> const std::string* {
            if (const auto known = texts->find(file); known != texts->end())
              return &known->second;
            if (const auto stored = facts.stored.find(file); stored != facts.stored.end())
              return &texts->emplace(file, text_of(stored->second)).first->second;
            const auto settings = facts.settings.find(facts.files[file].path);
            return settings == facts.settings.end() ? nullptr : &settings->second;
          },
          .line_hashes =
              [&facts](FileId file) {
                std::vector<std::string> hashes;
                if (const auto stored = facts.stored.find(file); stored != facts.stored.end())
                  for (const StoredLine& line : stored->second.lines) {
                    hashes.resize(line.number);
                    hashes.back() = line.hash;
                  }
                return hashes;
              }};
}

} // namespace padlint
