#pragma once

#include "analyzer/core/confidence.h"
#include "analyzer/core/finding.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace padlint {

enum class Command { check, facts, merge, rules, explain };
enum class ReportFormat { text, sarif, json };
enum class FactsFormat { text, json };
enum class ColorChoice { automatic, always, never };

/// Which rules run by themselves: those that are on, or all of them.
enum class Profile { standard, strict };

/// The command line.
struct Options {
  Command command = Command::check;
  std::vector<std::string> paths; // as typed; of merge: facts files
  std::string root;               // as typed; empty: to be discovered
  std::string subject;            // of explain: a rule, or PATH:LINE

  ReportFormat format = ReportFormat::text;
  FactsFormat facts_format = FactsFormat::text;
  std::string wants;  // file of questions: facts answers them, merge asks them
  std::string output; // file for the report; empty: standard output
  ColorChoice color = ColorChoice::automatic;
  bool quiet = false; // no log, errors excepted

  std::optional<std::vector<std::string>> select; // rules that run; nothing: by profile and settings
  std::vector<std::string> ignore;
  Profile profile = Profile::standard;
  Confidence min_confidence = Confidence::likely;
  std::optional<FindingLevel> min_level; // that is reported; nothing: all, notes as one counted line of the text report
  std::optional<FindingLevel> fail_level = FindingLevel::warning; // that fails the run; nothing: none does
  bool strict = false;                                            // what could not be read fails the run
  unsigned jobs = 0;                                              // threads; 0: one for each processor
};

/// What to do with a command line: run, or print `text` and leave with `exit_code`.
struct CommandLine {
  std::optional<Options> options;
  std::string text;
  int exit_code = 0;
};

/// `arguments` are those after the program's name.
CommandLine parse_command_line(std::span<const char* const> arguments);

} // namespace padlint
