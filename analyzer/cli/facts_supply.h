#pragma once

#include "analyzer/core/file_facts.h"
#include "analyzer/core/notice.h"

#include <functional>
#include <string>
#include <vector>

namespace padlint {

/// By FileId, for all files of the listing.
using FileSet = std::vector<bool>;

struct SuppliedFacts {
  std::vector<FileFacts> facts; // in any order
  std::vector<Notice> notices;  // about files without facts
};

/// Where the rounds get the facts of files from: their sources, or facts that were stored.
struct FactsSupply {
  /// The facts of those of the files that the first round reads: configurations, and what holds a word of interest or
  /// one of these, which are in lower case.
  std::function<SuppliedFacts(const std::vector<std::string>& words, const FileSet& files)> first_round;
  /// For each name, which is in lower case, those of the files that hold it as a word.
  std::function<std::vector<std::vector<FileId>>(const std::vector<std::string>& names, const FileSet& files)> holding;
  /// The facts of all of the files.
  std::function<SuppliedFacts(const FileSet& files)> of_files;
};

} // namespace padlint
