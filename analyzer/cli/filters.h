#pragma once

#include "analyzer/cli/options.h"
#include "analyzer/cli/settings.h"
#include "analyzer/core/file_facts.h"
#include "analyzer/core/finding.h"
#include "analyzer/core/rule.h"

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// From what the rules found to what is reported. The order matters: a rule that does not run replaces nothing, but one
// whose finding is ignored, suppressed or too uncertain to show still does, so that silencing the true cause of a
// fault does not bring its weaker neighbours up.

namespace padlint {

/// What of the command line decides which findings are reported.
struct FilterOptions {
  std::vector<std::string> paths; // files, or folders, relative to the root; empty: all
  std::optional<std::vector<std::string>> select;
  std::vector<std::string> ignore;
  Profile profile = Profile::standard;
  Confidence min_confidence = Confidence::likely;
  std::optional<FindingLevel> min_level;
};

/// What filtering asks about the files of the project.
struct FilterInput {
  std::span<const FileFacts> files; // sorted by FileFacts::file
  const ProjectSettings& settings;
  std::span<const Rule* const> rules;
  std::function<std::string_view(FileId)> text; // of a file, for the lines of suppressions
};

/// Whether `path` is one of the requested files, or lies in a requested folder.
bool is_requested(std::string_view path, std::span<const std::string> requested);

/// Whether the rule runs at all.
bool runs(const Rule& rule, const FilterOptions& options, const ProjectSettings& settings);

/// A finding and why it is not reported, empty for one that is.
struct Judged {
  Finding finding;
  std::string reason;
};

/// All findings with what becomes of them: sorted by path, place and rule, each once.
std::vector<Judged> judged(std::vector<Finding> findings, const FilterInput& input, const FilterOptions& options);

/// The findings to be reported, in the same order.
std::vector<Finding> filtered(std::vector<Finding> findings, const FilterInput& input, const FilterOptions& options);

} // namespace padlint
