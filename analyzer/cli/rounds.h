#pragma once

#include "analyzer/cli/listed_project.h"
#include "analyzer/cli/progress.h"
#include "analyzer/core/file_facts.h"
#include "analyzer/core/notice.h"
#include "analyzer/walk/source_tree.h"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

// A project is read in rounds, so that a tree without locks costs no more than a search. Round 1 reads the files with a
// trigger word, and every configuration file. What these refer to and do not define names the files of the next round:
// those that hold one of the wanted names, wherever they are. After round 3 what is still unknown stays so.

namespace padlint {

constexpr std::size_t most_rounds = 3;
constexpr std::size_t shortest_wanted_name = 4; // bytes; shorter ones are everywhere
constexpr std::size_t most_files_of_a_name = 200;

struct RoundOptions {
  unsigned jobs = 0;                   // threads; 0: one for each processor
  std::span<const std::string> always; // files that are read whatever they hold
  ProgressCount* progress = nullptr;
};

struct ReadProject {
  std::vector<FileFacts> facts;            // sorted by file
  std::vector<Notice> notices;             // about files without facts
  std::vector<std::size_t> files_in_round; // read in each round
  std::size_t names_dropped = 0;           // wanted names that are too short or too frequent to look for
};

ReadProject read_project(const SourceTree& tree, const ListedTree& listed, const ListedProject& project,
                         const RoundOptions& options);

} // namespace padlint
