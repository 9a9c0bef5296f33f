#pragma once

#include "analyzer/core/finding.h"
#include "analyzer/core/notice.h"
#include "analyzer/core/rule.h"
#include "sarif/sources.h"

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// What one run found, for the writers. A writer is one function in one file that appends a report in its format to a
// text: the same RunReport gives the same bytes.

namespace padlint {

/// How much of the project was understood: without it, silence could mean that nothing was read.
struct Coverage {
  std::size_t files_listed = 0;
  std::vector<std::size_t> files_read;       // in each round
  std::size_t sql_texts = 0;                 // texts that call a lock function
  std::size_t sql_understood = 0;            // ... and were read as SQL
  std::size_t names_given_up = 0;            // names that were too short or too frequent to look for
  std::vector<std::string> deciding_configs; // paths of the configuration files that decided findings, sorted
};

struct RunReport {
  std::string version;                                         // of padlint
  std::span<const Rule* const> rules;                          // all, sorted by id
  std::function<std::string_view(std::string_view)> rule_page; // by id; Markdown
  Sources sources;
  std::vector<Finding> findings; // what is to be reported, sorted by path, place and rule
  std::vector<Notice> notices;
  Coverage coverage;
  bool successful = true; // false only when the run itself failed
};

struct TextOptions {
  bool color = false;
  bool quiet = false;                             // findings only: no counts, no coverage
  FindingLevel min_level = FindingLevel::warning; // findings below it are counted, not shown
};

/// For people: a line `path:line:column: level: message [rule]` for each finding, with its source and what decided it;
/// then what is not shown, then the coverage line.
void write_text(std::string& out, const RunReport& report, const TextOptions& options);

/// For the log: a line `path:line:column: level: text [id]` for each Notice.
void write_notices(std::string& out, const RunReport& report, const TextOptions& options);

/// SARIF 2.1.0, as GitHub code scanning wants it.
void write_sarif(std::string& out, const RunReport& report);

/// padlint's own JSON, for scripts: json.md.
void write_json(std::string& out, const RunReport& report);

/// The address of a rule's page.
std::string rule_uri(std::string_view rule);

/// `Session-level lock here.` from `session-level lock here`, secrets masked: for formats that want a sentence.
std::string sentence(std::string_view message);

/// The related places in the order in which they are shown: the deciding ones first.
std::vector<const Related*> ordered_related(const Finding& finding);

} // namespace padlint
