#pragma once

#include "analyzer/cli/facts_supply.h"
#include "analyzer/cli/listed_project.h"

#include <cstddef>
#include <string>
#include <vector>

// A project is read in rounds, so that a tree without locks costs no more than a search. Round 1 reads the files with a
// trigger word, and every configuration file. What these refer to and do not define names the files of the next round:
// those that hold one of the wanted names, wherever they are. After round 3 what is still unknown stays so.

namespace padlint {

constexpr std::size_t most_rounds = 3;
constexpr std::size_t shortest_wanted_name = 4; // bytes; shorter ones are everywhere
constexpr std::size_t most_files_of_a_name = 200;

struct ReadProject {
  std::vector<FileFacts> facts;            // sorted by file
  std::vector<Notice> notices;             // about files without facts
  std::vector<std::size_t> files_in_round; // read in each round
  std::size_t names_dropped = 0;           // wanted names that are too short or too frequent to look for
};

/// The words, in lower case, by which the first round finds files of this project beside those that every project has:
/// the wrappers that its settings name.
std::vector<std::string> own_words(const ListedProject& project);

/// Reads the project as the supply gives its facts.
ReadProject read_project(const FactsSupply& supply, const ListedTree& listed, const ListedProject& project);

} // namespace padlint
