#include "analyzer/cli/filters.h"

#include "analyzer/cli/precedence.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace padlint {
namespace {

bool contains(const std::vector<std::string>& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

/// The list that says which rules run for a path; nullptr when the profile does. The command line beats the settings.
const std::vector<std::string>* selection(std::string_view path, const FilterOptions& options,
                                          const ProjectSettings& settings) {
  if (options.select)
    return &*options.select;
  return options.profile == Profile::strict ? nullptr : settings.selected(path);
}

class Filter {
public:
  Filter(const FilterInput& filter_input, const FilterOptions& filter_options)
      : input(filter_input), options(filter_options) {
    for (const Rule* rule : input.rules)
      rules.emplace(rule->id, rule);
  }

  [[nodiscard]] const FileFacts& file(const Finding& finding) const { return file(finding.primary.file); }

  [[nodiscard]] bool selected(const Finding& finding) const {
    const auto* names = selection(file(finding).path, options, input.settings);
    if (names)
      return contains(*names, finding.rule);
    return !rules.at(finding.rule)->on_request || options.profile == Profile::strict;
  }

  /// The level that the settings give the rule, in place of its own.
  void relevel(Finding& finding) const {
    const auto level = input.settings.level(finding.rule, file(finding).path);
    if (level && *level)
      finding.level = **level;
  }

  [[nodiscard]] bool ignored(const Finding& finding) const {
    const std::string& path = file(finding).path;
    const auto level = input.settings.level(finding.rule, path);
    return contains(options.ignore, finding.rule) || input.settings.ignores(finding.rule, path) || (level && !*level);
  }

  /// A comment silences its own last line and the one after it.
  [[nodiscard]] bool suppressed(const Finding& finding) const {
    const FileFacts& facts = file(finding);
    if (facts.suppressions.empty())
      return false;
    const std::string_view text = input.text(facts.file);
    const std::uint32_t line = position_at(text, finding.primary.begin).line;
    return std::ranges::any_of(facts.suppressions, [&](const Suppression& suppression) {
      const std::uint32_t from = position_at(text, suppression.span.begin).line;
      const std::uint32_t to = position_at(text, suppression.span.end).line + 1;
      return from <= line && line <= to && (suppression.rules.empty() || contains(suppression.rules, finding.rule));
    });
  }

  /// Nobody edits generated and vendored files. Tests and examples show errors; the rest is on request.
  [[nodiscard]] bool fits_file(const Finding& finding) const {
    const FileFacts& facts = file(finding);
    if (facts.traits.generated || facts.traits.vendored)
      return false;
    if (!beside_the_code(facts) || shown_level(finding) == FindingLevel::error || options.profile == Profile::strict)
      return true;
    const auto* names = selection(facts.path, options, input.settings);
    return names && contains(*names, finding.rule);
  }

  /// What goes wrong in a test or an example is at most a note.
  void demote(Finding& finding) const {
    if (beside_the_code(file(finding)))
      finding.level = FindingLevel::note;
  }

  [[nodiscard]] bool requested(const Finding& finding) const {
    const auto in_request = [&](const Span& span) { return is_requested(file(span.file).path, options.paths); };
    return in_request(finding.primary) || std::ranges::any_of(finding.related, [&](const Related& related) {
             return related.deciding && in_request(related.span);
           });
  }

private:
  static bool beside_the_code(const FileFacts& facts) { return facts.traits.test || facts.traits.example; }

  [[nodiscard]] const FileFacts& file(FileId id) const {
    return *std::ranges::lower_bound(input.files, id, {}, &FileFacts::file);
  }

  const FilterInput& input;
  const FilterOptions& options;
  std::map<std::string_view, const Rule*> rules;
};

auto order(const Finding& finding) {
  return std::tie(finding.primary, finding.rule, finding.message); // files are numbered in the order of their paths
}

} // namespace

bool is_requested(std::string_view path, std::span<const std::string> requested) {
  return requested.empty() || std::ranges::any_of(requested, [&](std::string_view wanted) {
           return wanted.empty() || path == wanted || (path.starts_with(wanted) && path[wanted.size()] == '/');
         });
}

bool runs(const Rule& rule, const FilterOptions& options, const ProjectSettings& settings) {
  const auto named = [&](std::string_view folder) {
    const auto* names = selection(folder, options, settings);
    return names ? contains(*names, rule.id) : !rule.on_request || options.profile == Profile::strict;
  };
  return named("") || std::ranges::any_of(settings.files, [&](const Settings& each) { return named(each.folder); });
}

std::vector<Finding> filtered(std::vector<Finding> findings, const FilterInput& input, const FilterOptions& options) {
  const Filter filter(input, options);
  std::erase_if(findings, [&](const Finding& each) { return !filter.selected(each); });
  std::ranges::for_each(findings, [&](Finding& each) { filter.relevel(each); });
  findings = without_replaced(std::move(findings), input.rules);
  std::erase_if(findings, [&](const Finding& each) {
    return filter.ignored(each) || filter.suppressed(each) || each.confidence < options.min_confidence ||
           !filter.fits_file(each) || !filter.requested(each);
  });
  std::ranges::for_each(findings, [&](Finding& each) { filter.demote(each); });
  if (options.min_level)
    std::erase_if(findings, [&](const Finding& each) { return shown_level(each) < *options.min_level; });
  std::ranges::stable_sort(findings,
                           [](const Finding& left, const Finding& right) { return order(left) < order(right); });
  const auto repeated = std::ranges::unique(
      findings, [](const Finding& left, const Finding& right) { return order(left) == order(right); });
  findings.erase(repeated.begin(), repeated.end());
  return findings;
}

} // namespace padlint
