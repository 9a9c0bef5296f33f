#include "analyzer/cli/pipeline.h"

#include "analyzer/cli/file_texts.h"
#include "analyzer/cli/listed_project.h"
#include "analyzer/cli/rounds.h"
#include "analyzer/cli/tree_facts.h"
#include "analyzer/cli/worker_stack.h"
#include "sarif/fingerprint.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

namespace padlint {
namespace {

void add_coverage(Coverage& coverage, const ReadProject& read, const LinkCoverage& linked) {
  if (coverage.files_read.size() < read.files_in_round.size())
    coverage.files_read.resize(read.files_in_round.size());
  for (std::size_t round = 0; round < read.files_in_round.size(); ++round)
    coverage.files_read[round] += read.files_in_round[round];
  coverage.sql_texts += linked.texts_found;
  coverage.sql_understood += linked.texts_understood;
  coverage.names_given_up += linked.names_given_up + read.names_dropped;
  coverage.deciding_configs.insert(coverage.deciding_configs.end(), linked.configs.begin(), linked.configs.end());
}

/// A comment that silences no rule of ours is a mistake that nobody would see.
void check_suppressions(const ProjectFacts& project, std::vector<Notice>& notices) {
  for (const FileFacts& file : project.files())
    for (const Suppression& suppression : file.suppressions)
      for (const std::string& id : suppression.rules)
        if (std::ranges::find(all_rules(), id, &Rule::id) == all_rules().end())
          notices.push_back({.kind = NoticeKind::warning,
                             .id = "unknown-rule",
                             .path = file.path,
                             .span = suppression.span,
                             .text = fmt::format("the comment names no rule: `{}`", id)});
}

void sort_notices(std::vector<Notice>& notices) {
  const auto key = [](const Notice& notice) { return std::tie(notice.path, notice.span, notice.id, notice.text); };
  std::ranges::stable_sort(notices, [&](const Notice& left, const Notice& right) { return key(left) < key(right); });
  const auto repeated =
      std::ranges::unique(notices, [&](const Notice& left, const Notice& right) { return key(left) == key(right); });
  notices.erase(repeated.begin(), repeated.end());
}

/// Whether anything of the project could be reported.
bool is_concerned(const ListedTree& listed, const ListedProject& project, const FilterOptions& filter) {
  for (FileId file = 0; file < listed.files.size(); ++file)
    if (project.holds[file] && is_requested(listed.files[file].path, filter.paths))
      return true;
  return false;
}

RunInput input_of(const SourceTree& tree, const CheckOptions& options) {
  return {.tree = tree,
          .facts =
              [&](const std::vector<SourceEntry>& files) {
                return tree_facts(tree, files,
                                  {.jobs = options.jobs, .always = options.always_read, .progress = options.progress});
              },
          .sources = [&](const std::vector<SourceEntry>& files) { return file_texts(tree, files); }};
}

std::expected<ReadTree, SettingsFault> read_here(const RunInput& input, const CheckOptions& options) {
  auto listed = list_projects(input.tree, options.jobs);
  if (!listed)
    return std::unexpected(listed.error());
  ReadTree result{.notices = std::move(listed->notices)};
  result.coverage.files_listed = listed->files.size();
  result.listed_on_request = static_cast<std::size_t>(std::ranges::count_if(
      listed->files, [&](const SourceEntry& entry) { return is_requested(entry.path, options.filter.paths); }));

  const FactsSupply supply = input.facts(listed->files);
  for (ListedProject& project : listed->projects) {
    if (!is_concerned(*listed, project, options.filter))
      continue;
    ReadProject read = read_project(supply, *listed, project);
    ProjectFacts facts = link(std::move(read.facts), project.notes);
    add_coverage(result.coverage, read, facts.coverage);
    std::ranges::move(read.notices, std::back_inserter(result.notices));
    for (const FileFacts& file : facts.files())
      std::ranges::copy(file.notices, std::back_inserter(result.notices));
    std::ranges::copy(facts.notices, std::back_inserter(result.notices));
    check_suppressions(facts, result.notices);
    result.projects.push_back({.facts = std::move(facts), .settings = std::move(project.settings)});
  }
  std::ranges::sort(result.coverage.deciding_configs);
  sort_notices(result.notices);
  result.sources = input.sources(listed->files);
  return result;
}

FilterInput filter_input(const LinkedFacts& project, const Sources& sources) {
  return {.files = project.facts.files(), .settings = project.settings, .rules = all_rules(), .text = [&](FileId file) {
            const std::string* text = sources.text(file);
            return text ? std::string_view(*text) : std::string_view();
          }};
}

std::vector<Finding> findings_of(const LinkedFacts& project, const Sources& sources, const FilterOptions& options) {
  Report report;
  for (const Rule* rule : all_rules())
    if (runs(*rule, options, project.settings))
      rule->check(project.facts, report);
  return filtered(std::move(report.findings), filter_input(project, sources), options);
}

std::expected<CheckResult, SettingsFault> check_here(const RunInput& input, const CheckOptions& options) {
  auto read = read_here(input, options);
  if (!read)
    return std::unexpected(read.error());
  CheckResult result{.notices = std::move(read->notices),
                     .coverage = std::move(read->coverage),
                     .listed_on_request = read->listed_on_request,
                     .sources = std::move(read->sources)};
  for (const LinkedFacts& project : read->projects)
    std::ranges::move(findings_of(project, result.sources, options.filter), std::back_inserter(result.findings));
  std::ranges::stable_sort(result.findings, {}, &Finding::primary); // each project's own are sorted
  fill_fingerprints(result.findings, result.sources);
  return result;
}

} // namespace

std::vector<Judged> judged_findings(std::vector<Finding> findings, const LinkedFacts& project, const Sources& sources,
                                    const FilterOptions& options) {
  return judged(std::move(findings), filter_input(project, sources), options);
}

std::expected<ReadTree, SettingsFault> read_tree(const SourceTree& tree, const CheckOptions& options) {
  std::expected<ReadTree, SettingsFault> result;
  on_worker_stack([&] { result = read_here(input_of(tree, options), options); });
  return result;
}

std::expected<CheckResult, SettingsFault> check(const RunInput& input, const CheckOptions& options) {
  std::expected<CheckResult, SettingsFault> result;
  on_worker_stack([&] { result = check_here(input, options); });
  return result;
}

std::expected<CheckResult, SettingsFault> check(const SourceTree& tree, const CheckOptions& options) {
  return check(input_of(tree, options), options);
}

} // namespace padlint
