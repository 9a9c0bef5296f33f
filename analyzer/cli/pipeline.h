#pragma once

#include "analyzer/cli/facts_supply.h"
#include "analyzer/cli/filters.h"
#include "analyzer/cli/progress.h"
#include "analyzer/cli/settings.h"
#include "analyzer/core/finding.h"
#include "analyzer/core/notice.h"
#include "analyzer/facts/project_facts.h"
#include "analyzer/walk/source_tree.h"
#include "sarif/report.h"

#include <expected>
#include <vector>

// The way of the data: list, sift and read in rounds, link, rules, precedence, filters. The result is a function of the
// tree and the options; the number of threads changes nothing in it.

namespace padlint {

struct CheckOptions {
  FilterOptions filter;
  unsigned jobs = 0;                    // threads; 0: one for each processor
  std::vector<std::string> always_read; // files that are read whatever they hold
  ProgressCount* progress = nullptr;    // counts files, where given
};

struct CheckResult {
  std::vector<Finding> findings; // to be reported: filtered, sorted, with fingerprints
  std::vector<Notice> notices;   // sorted by path and place
  Coverage coverage;
  std::size_t listed_on_request = 0; // files of the tree under the requested paths, excluded ones too
  Sources sources;
};

/// What a run is made from: a tree of sources, or facts that others have made of one.
struct RunInput {
  SourceTree tree; // its listing and its settings files
  std::function<FactsSupply(const std::vector<SourceEntry>& files)> facts;
  std::function<Sources(const std::vector<SourceEntry>& files)> sources;
};

/// Checks a tree.
std::expected<CheckResult, SettingsFault> check(const SourceTree& tree, const CheckOptions& options);
std::expected<CheckResult, SettingsFault> check(const RunInput& input, const CheckOptions& options);

/// One project of a tree, linked, with what reading it was like.
struct LinkedFacts {
  ProjectFacts facts;
  ProjectSettings settings;
};

/// What becomes of findings of the project: see filters.h.
std::vector<Judged> judged_findings(std::vector<Finding> findings, const LinkedFacts& project, const Sources& sources,
                                    const FilterOptions& options);

/// What `check` has before it runs the rules: the projects that hold a requested path.
struct ReadTree {
  std::vector<LinkedFacts> projects;
  std::vector<Notice> notices;
  Coverage coverage;
  std::size_t listed_on_request = 0;
  Sources sources;
};

std::expected<ReadTree, SettingsFault> read_tree(const SourceTree& tree, const CheckOptions& options);

} // namespace padlint
