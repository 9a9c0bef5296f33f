#pragma once

#include "analyzer/cli/settings.h"
#include "analyzer/serial/facts_file.h"
#include "analyzer/walk/source_tree.h"

#include <expected>
#include <optional>
#include <string>
#include <vector>

namespace padlint {

struct ShardOptions {
  std::vector<std::string> paths; // files, or folders, relative to the root; empty: all
  std::optional<WantsFile> wants; // what to look for; nothing: what the first round reads
  unsigned jobs = 0;              // threads; 0: one for each processor
};

/// The facts of a part of a tree, to be merged with those of the other parts.
std::expected<FactsFile, SettingsFault> read_shard(const SourceTree& tree, const ShardOptions& options);

} // namespace padlint
