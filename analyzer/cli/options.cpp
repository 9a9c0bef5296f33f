#include "analyzer/cli/options.h"

#include "analyzer/cli/exit_code.h"
#include "analyzer/cli/nearest.h"
#include "analyzer/cli/version.h"
#include "analyzer/core/rule.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

namespace padlint {
namespace {

const std::string version_text = fmt::format("padlint {}", padlint_version);

constexpr const char* description =
    "padlint: a linter for PostgreSQL advisory locks. It reads a whole repository (application code, SQL, psql\n"
    "scripts, pooler and framework settings), finds where the project takes or loses an advisory lock, and reports\n"
    "what will go wrong.";

constexpr const char* footer =
    "Without a command padlint checks: `padlint src` is `padlint check src`.\n"
    "Exit status: 0 nothing at or above --fail-level, 1 findings, 2 usage, settings, input, output or internal error.\n"
    "Settings stand in .padlint.toml at the root; a comment `padlint: ignore[rule] reason` silences a line.";

/// An option whose value is one of a few names. CLI11's own check puts the list into the help a second time.
template <typename T>
void add_choice(CLI::App& app, const char* flags, T& target, const std::vector<std::pair<std::string, T>>& choices,
                const char* help) {
  std::string names;
  for (const auto& [name, value] : choices)
    names += (names.empty() ? "" : "|") + name;
  app.add_option_function<std::string>(
         flags,
         [=, &target](const std::string& word) {
           for (const auto& [name, value] : choices)
             if (name == word) {
               target = value;
               return;
             }
           throw CLI::ValidationError(CLI::detail::split(flags, ',').back(),
                                      fmt::format("`{}` is none of {}", word, names));
         },
         help)
      ->type_name(names);
}

/// Splits comma lists, and refuses what is no rule.
std::vector<std::string> read_rules(const std::vector<std::string>& lists, const char* option) {
  std::vector<std::string_view> known;
  for (const Rule* rule : all_rules())
    known.push_back(rule->id);
  std::vector<std::string> ids;
  for (const std::string& list : lists)
    for (const std::string& id : CLI::detail::split(list, ',')) {
      if (id.empty())
        continue;
      if (std::ranges::find(known, id) == known.end()) {
        const std::string_view near = nearest(id, known);
        throw CLI::ValidationError(option, near.empty() ? fmt::format("no rule `{}`; `padlint rules` lists them", id)
                                                        : fmt::format("no rule `{}`; did you mean `{}`?", id, near));
      }
      ids.push_back(id);
    }
  if (ids.empty())
    throw CLI::ValidationError(option, "names no rule; `padlint rules` lists them");
  return ids;
}

void add_rule_list(CLI::App& app, const char* flag, const std::function<void(std::vector<std::string>)>& keep,
                   const char* help) {
  app.add_option_function<std::vector<std::string>>(
         flag, [flag, keep](const std::vector<std::string>& lists) { keep(read_rules(lists, flag)); }, help)
      ->type_name("RULE,...")
      ->allow_extra_args(false);
}

void add_root_option(CLI::App& app, Options& options) {
  app.add_option(
         "--root", options.root,
         "folder of the project (default: from the first path upwards to .git, or to a .padlint.toml with root = "
         "true)")
      ->type_name("DIR");
}

void add_project_options(CLI::App& app, Options& options) {
  app.add_option("PATH", options.paths, "files or folders to report on (default: the whole project)")->type_name("");
  add_root_option(app, options);
}

void add_output_option(CLI::App& app, Options& options) {
  app.add_option("-o,--output", options.output, "write to this file instead of standard output")->type_name("FILE");
}

void add_run_options(CLI::App& app, Options& options) {
  app.add_option("-j,--jobs", options.jobs, "threads (default: one for each processor)")
      ->check(CLI::Range(1U, 1024U).description(""))
      ->type_name("N");
  app.add_flag("-q,--quiet", options.quiet, "log errors only");
}

void add_check_options(CLI::App& app, Options& options) {
  using enum FindingLevel;
  add_choice<ReportFormat>(app, "-f,--format", options.format,
                           {{"text", ReportFormat::text}, {"sarif", ReportFormat::sarif}, {"json", ReportFormat::json}},
                           "form of the report (text)");
  add_output_option(app, options);
  add_choice<ColorChoice>(
      app, "--color", options.color,
      {{"auto", ColorChoice::automatic}, {"always", ColorChoice::always}, {"never", ColorChoice::never}},
      "colours of the text report (auto: on a terminal, unless NO_COLOR is set)");
  add_rule_list(app, "--select", [&](auto ids) { options.select = std::move(ids); }, "run these rules only");
  add_rule_list(app, "--ignore", [&](auto ids) { options.ignore = std::move(ids); }, "do not report these rules");
  add_choice<Profile>(app, "--profile", options.profile, {{"default", Profile::standard}, {"strict", Profile::strict}},
                      "strict: also the rules that run on request");
  add_choice<Confidence>(
      app, "--min-confidence", options.min_confidence,
      {{"certain", Confidence::certain}, {"likely", Confidence::likely}, {"possible", Confidence::possible}},
      "least certainty that is reported (likely)");
  add_choice<std::optional<FindingLevel>>(app, "--min-level", options.min_level,
                                          {{"note", note}, {"warning", warning}, {"error", error}},
                                          "least level that is reported (all; the text report only counts notes)");
  add_choice<std::optional<FindingLevel>>(
      app, "--fail-level", options.fail_level,
      {{"note", note}, {"warning", warning}, {"error", error}, {"none", std::nullopt}},
      "least level that makes the exit status 1 (warning)");
  app.add_flag("--strict", options.strict, "exit status 2 when a file could not be read");
}

} // namespace

CommandLine parse_command_line(std::span<const char* const> arguments) {
  Options options;
  CLI::App app(description, "padlint");
  app.footer(footer);
  app.set_help_flag("");
  app.set_help_all_flag("-h,--help", "print this help");
  app.set_version_flag("-V,--version", version_text, "print the version");
  app.require_subcommand(1);

  CLI::App* check = app.add_subcommand("check", "find what goes wrong with advisory locks");
  add_project_options(*check, options);
  add_run_options(*check, options);
  add_check_options(*check, options);
  CLI::App* facts = app.add_subcommand("facts", "print what padlint knows of files, or store it for `merge`");
  add_project_options(*facts, options);
  add_run_options(*facts, options);
  add_choice<FactsFormat>(*facts, "-f,--format", options.facts_format,
                          {{"text", FactsFormat::text}, {"json", FactsFormat::json}},
                          "text for people, json for `merge` (text)");
  add_output_option(*facts, options);
  facts->add_option("--wants", options.wants, "with json: answer the questions that `merge --wants` wrote to this file")
      ->type_name("FILE");
  CLI::App* merge = app.add_subcommand("merge", "report from stored facts, as check does from the sources");
  merge->add_option("FACTS", options.paths, "files that `facts --format json` wrote")->required()->type_name("");
  add_run_options(*merge, options);
  add_check_options(*merge, options);
  merge
      ->add_option("--wants", options.wants,
                   "no report: write the questions that the facts leave open to this file, which is empty for none")
      ->type_name("FILE");
  CLI::App* rules = app.add_subcommand("rules", "list the rules");
  CLI::App* explain =
      app.add_subcommand("explain", "print the page of a rule, or what padlint sees in a line and why it reports it");
  explain->add_option("SUBJECT", options.subject, "a rule, or a line of a file as PATH:LINE")
      ->required()
      ->type_name("");
  add_root_option(*explain, options);
  for (CLI::App* command : {check, facts, merge, rules, explain}) {
    command->set_help_all_flag(""); // inherited
    command->set_help_flag("-h,--help", "print this help");
  }

  // A command line that starts with no command is a check; CLI11 takes the words last first.
  constexpr std::array<std::string_view, 9> starts = {"check", "facts",  "merge", "rules",    "explain",
                                                      "-h",    "--help", "-V",    "--version"};
  std::vector<std::string> words(arguments.begin(), arguments.end());
  if (words.empty() || std::ranges::find(starts, words.front()) == starts.end())
    words.insert(words.begin(), "check");
  std::ranges::reverse(words);

  try {
    app.parse(std::move(words));
    if (facts->parsed())
      options.command = Command::facts;
    else if (merge->parsed())
      options.command = Command::merge;
    else if (rules->parsed())
      options.command = Command::rules;
    else if (explain->parsed())
      options.command = Command::explain;
    return {.options = std::move(options)};
  } catch (const CLI::CallForAllHelp&) {
    return {.text = app.help("", CLI::AppFormatMode::All)};
  } catch (const CLI::CallForHelp&) {
    return {.text = app.help()};
  } catch (const CLI::CallForVersion&) {
    return {.text = version_text + "\n"};
  } catch (const CLI::ParseError& error) {
    return {.text = fmt::format("{}\nTry `padlint --help`.", error.what()), .exit_code = exit_failed};
  }
}

} // namespace padlint
