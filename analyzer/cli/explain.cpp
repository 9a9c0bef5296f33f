#include "analyzer/cli/explain.h"

#include "analyzer/cli/printed.h"
#include "analyzer/cli/worker_stack.h"
#include "analyzer/core/mask.h"
#include "analyzer/core/rule.h"
#include "sarif/unicode.h"

#include <fmt/format.h>

#include <algorithm>

namespace padlint {
namespace {

/// Foreign text: no secrets, no control characters.
std::string shown(std::string_view text) { return printable(masked(text)); }

class Explanation {
public:
  Explanation(const LinkedFacts& linked_facts, const Sources& all_sources, FileId of_file, std::uint32_t of_line)
      : linked(linked_facts), project(linked_facts.facts), sources(all_sources), file(of_file), line(of_line) {}

  std::string text(const FilterOptions& options) {
    describe_line();
    for (const LockCall& lock : project.locks)
      if (covers_line(lock.span) || begins_here(lock.execution))
        describe_lock(lock);
    for (const LockRelease& release : project.releases)
      if (covers_line(release.span) || begins_here(release.execution))
        describe_site(fmt::format("{} in `{}`", to_text(release), symbol_of(release.routine)), release.span,
                      project.handle(release));
    for (const LibraryLock& lock : project.library_locks)
      if (covers_line(lock.span)) {
        any_site = true;
        out += fmt::format("\n{} @{}\n", shown(to_text(lock)), place(lock.span));
        describe_steps(lock.steps);
      }
    if (!any_site)
      tell_nearest();
    describe_findings(options);
    return std::move(out);
  }

private:
  bool covers_line(const Span& span) {
    const Region region = sources.region(span, ColumnUnit::code_point);
    return span.file == file && region.line <= line && line <= region.end_line;
  }
  bool begins_here(const Span& span) {
    return span.file == file && sources.region(span, ColumnUnit::code_point).line == line;
  }

  std::string place(const Span& span) {
    const Region region = sources.region(span, ColumnUnit::code_point);
    return fmt::format("{}:{}:{}", printable(sources.path(span.file)), region.line, region.column);
  }

  std::string symbol_of(const RoutineRef& routine) {
    const std::string symbol = project.symbol(routine);
    return symbol.empty() ? std::string("the file") : symbol;
  }

  void describe_line() {
    const LineIndex* index = sources.index(file);
    if (index != nullptr && line <= index->begins.size())
      out += fmt::format("{}:{}: {}\n", printable(sources.path(file)), line, shown(index->line(line)));
  }

  void describe_steps(const std::vector<Step>& steps) {
    for (const Step& step : steps)
      out += fmt::format("    {:<8} {}: {}\n", to_text(step.confidence), place(step.span), shown(step.text));
  }

  void describe_site(const std::string& what, const Span& span, const Handle& handle) {
    any_site = true;
    out += fmt::format("\n{} @{}\n", shown(what), place(span));
    out += fmt::format("  sent through: {}\n", shown(to_text(handle)));
    describe_steps(handle.steps);
  }

  void describe_lock(const LockCall& lock) {
    describe_site(fmt::format("{} in `{}`", to_text(lock), symbol_of(lock.routine)), lock.span, project.handle(lock));
    const TransactionAnswer transaction = project.transaction_of(lock);
    out += fmt::format("  transaction: {}, {}\n", to_text(transaction.state), to_text(transaction.confidence));
    describe_steps(transaction.steps);
  }

  void tell_nearest() {
    out += "\nno lock call and no release in this line";
    std::vector<std::uint32_t> lines;
    for (const LockCall& lock : project.locks)
      if (lock.span.file == file)
        lines.push_back(sources.region(lock.span, ColumnUnit::code_point).line);
    const auto distance = [&](std::uint32_t other) { return other < line ? line - other : other - line; };
    const auto nearest = std::ranges::min_element(lines, {}, distance);
    out += nearest == lines.end() ? ", nor in the file\n"
                                  : fmt::format("; the nearest lock call is in line {}\n", *nearest);
  }

  void describe_findings(const FilterOptions& options) {
    Report report;
    for (const Rule* rule : all_rules())
      rule->check(project, report);
    bool any = false;
    for (const Judged& each : judged_findings(std::move(report.findings), linked, sources.sources, options))
      any |= describe_if_here(each.finding, each.reason.empty() ? "reported" : "not reported: " + each.reason);
    for (const Finding& each : report.silent)
      any |= describe_if_here(each, "not reported: the rule is silent here");
    if (!any)
      out += "\nno rule has anything to say about this line\n";
    else
      out += "\nno other rule has anything to say about this line\n";
  }

  /// True for a finding that is in this line, or decided by it.
  bool describe_if_here(const Finding& finding, std::string_view fate) {
    const bool here = covers_line(finding.primary);
    const bool decided = std::ranges::any_of(
        finding.related, [&](const Related& related) { return related.deciding && covers_line(related.span); });
    if (!here && !decided)
      return false;
    out += fmt::format("\n{} [{}] {}, {}\n", to_text(shown_level(finding)), finding.rule, to_text(finding.confidence),
                       fate);
    if (!here)
      out += fmt::format("  at {}, decided here\n", place(finding.primary));
    out += fmt::format("  {}\n", shown(finding.message));
    for (const Related& related : finding.related)
      out += fmt::format("  {} {}: {}\n", related.deciding ? "decided by" : "see", place(related.span),
                         shown(related.text));
    if (!finding.derivation.empty())
      out += "  because\n";
    describe_steps(finding.derivation);
    if (!finding.quiet_conditions.empty())
      out += "  silent if\n";
    for (const QuietCondition& condition : finding.quiet_conditions)
      out += fmt::format("    {:<8} {}\n", to_text(condition.answer), shown(condition.text));
    return true;
  }

  const LinkedFacts& linked;
  const ProjectFacts& project;
  IndexedSources sources;
  FileId file;
  std::uint32_t line;
  bool any_site = false;
  std::string out;
};

} // namespace

std::expected<std::string, std::string> explain_line(const SourceTree& tree, const std::string& path,
                                                     std::uint32_t line, const CheckOptions& options) {
  const auto read = read_tree(tree, options);
  if (!read)
    return std::unexpected(to_text(read.error()));
  for (const LinkedFacts& project : read->projects)
    if (const auto facts = std::ranges::find(project.facts.files(), path, &FileFacts::path);
        facts != project.facts.files().end()) {
      std::string text;
      on_worker_stack([&] { text = Explanation(project, read->sources, facts->file, line).text(options.filter); });
      return text;
    }
  return std::unexpected(fmt::format("{}: not read: it is ignored or of no known kind, or it holds no word of interest "
                                     "and nothing refers to it",
                                     path));
}

} // namespace padlint
