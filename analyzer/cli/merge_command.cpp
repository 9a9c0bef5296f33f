#include "analyzer/cli/commands.h"
#include "analyzer/cli/exit_code.h"
#include "analyzer/cli/input.h"
#include "analyzer/cli/output.h"
#include "analyzer/cli/report_command.h"
#include "analyzer/cli/stored_facts.h"
#include "analyzer/cli/version.h"

#include <fmt/format.h>

namespace padlint {
namespace {

std::expected<StoredFacts, std::string> read_all_facts(const std::vector<std::string>& paths) {
  std::vector<std::pair<std::string, FactsFile>> shards;
  for (const std::string& path : paths) {
    const auto text = read_input(path);
    if (!text)
      return std::unexpected(text.error());
    auto facts = read_facts_file(*text, padlint_version);
    if (!facts)
      return std::unexpected(fmt::format("{}: {}", path, facts.error()));
    shards.emplace_back(path, std::move(*facts));
  }
  return joined(std::move(shards));
}

/// An empty file says that nothing is missing: easy to test for in a shell.
int write_wants(const Missing& missing, const std::string& path) {
  const std::string text =
      missing.empty()
          ? std::string()
          : to_json(WantsFile{.program = std::string(padlint_version), .names = missing.names, .files = missing.files});
  const auto done = write_report(text, path);
  return done ? exit_clean : failed(done.error());
}

} // namespace

int run_merge(const Options& options) {
  const auto facts = read_all_facts(options.paths);
  if (!facts)
    return failed(facts.error());
  Missing missing;
  const RunInput input{.tree = tree_of(*facts),
                       .facts = [&](const auto&) { return supply_of(*facts, missing); },
                       .sources = [&](const auto&) { return sources_of(*facts); }};
  auto result = check(input, {.filter = filter_options(options, {}), .jobs = options.jobs});
  if (!result)
    return failed(to_text(result.error()));
  if (!options.wants.empty())
    return write_wants(missing, options.wants);
  if (!missing.empty())
    result->notices.push_back(
        {.kind = NoticeKind::warning,
         .id = "facts-incomplete",
         .text = fmt::format("{} names and {} files were not looked up: `padlint merge --wants FILE` asks for them",
                             missing.names.size(), missing.files.size())});
  return report(*result, options);
}

} // namespace padlint
