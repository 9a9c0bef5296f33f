#pragma once

#include "analyzer/cli/facts_supply.h"
#include "analyzer/serial/facts_file.h"
#include "analyzer/walk/source_tree.h"
#include "sarif/sources.h"

#include <expected>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace padlint {

/// The facts of several shards, joined: one tree again, as far as they tell of it.
struct StoredFacts {
  struct Answer {
    FileSet asked; // files whose shard was asked for the name
    std::vector<FileId> found;
  };
  std::vector<SourceEntry> files; // sorted by path; FileIds index it
  MemoryFiles settings;
  std::vector<Notice> listing_notices;
  std::vector<Notice> file_notices;
  std::map<FileId, StoredFile> stored;
  FileSet readable;  // files that some reader may take
  FileSet looked_at; // ... and was offered as wanted
  std::map<std::string, Answer, std::less<>> answers;

  [[nodiscard]] FileId id_of(std::string_view path) const;
};

/// What was asked of the stored facts and is not in them: the files whose shards have to tell more.
struct Missing {
  std::vector<std::string> names;
  std::vector<std::string> files;
  [[nodiscard]] bool empty() const { return names.empty() && files.empty(); }
};

/// Joins facts files, each with its name for messages. The error is a sentence: files that tell of two states of the
/// sources, or no first round.
std::expected<StoredFacts, std::string> joined(std::vector<std::pair<std::string, FactsFile>> shards);

/// The listing and the settings files of the sources.
SourceTree tree_of(const StoredFacts& facts);

/// What the facts hold. The first question that they cannot answer in full goes to `missing`; what comes after it
/// builds on half an answer, and is not asked. All that is given has to outlive the supply.
FactsSupply supply_of(const StoredFacts& facts, Missing& missing);

/// The lines that the facts have kept.
Sources sources_of(const StoredFacts& facts);

} // namespace padlint
