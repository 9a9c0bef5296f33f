#pragma once

#include "analyzer/cli/facts_supply.h"
#include "analyzer/cli/progress.h"
#include "analyzer/walk/source_tree.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace padlint {

struct TreeFactsOptions {
  unsigned jobs = 0;                   // threads; 0: one for each processor
  std::span<const std::string> always; // files that the first round reads whatever they hold
  ProgressCount* progress = nullptr;
  /// Told of every file that is read, with its text; on worker threads. May be empty.
  std::function<void(const FileFacts& facts, std::string_view text)> on_read;
};

/// Facts that are read from the sources of a tree when they are asked for. The first round reads the files with a
/// trigger word, and every configuration file. All that is given has to outlive the supply.
FactsSupply tree_facts(const SourceTree& tree, const std::vector<SourceEntry>& files, TreeFactsOptions options);

} // namespace padlint
