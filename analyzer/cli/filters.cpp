#include "analyzer/cli/filters.h"

#include "analyzer/cli/precedence.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
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

  /// Why the finding is not reported, as far as it alone tells; empty when nothing stands against it.
  [[nodiscard]] std::string reason_against(const Finding& finding) const {
    if (ignored(finding))
      return "the settings or --ignore leave its rule out";
    if (const auto line = suppressing_line(finding))
      return fmt::format("the comment in line {} silences it", *line);
    if (finding.confidence < options.min_confidence)
      return fmt::format("it is only {}: --min-confidence", to_text(finding.confidence));
    if (!fits_file(finding))
      return "its file is generated, vendored, a test or an example";
    return requested(finding) ? "" : "its file is not asked for";
  }

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

  /// The line of the comment that silences the finding: it does so for its own lines and the one after it.
  [[nodiscard]] std::optional<std::uint32_t> suppressing_line(const Finding& finding) const {
    const FileFacts& facts = file(finding);
    if (facts.suppressions.empty())
      return std::nullopt;
    const std::string_view text = input.text(facts.file);
    const std::uint32_t line = position_at(text, finding.primary.begin).line;
    for (const Suppression& suppression : facts.suppressions) {
      const std::uint32_t from = position_at(text, suppression.span.begin).line;
      const std::uint32_t to = position_at(text, suppression.span.end).line + 1;
      if (from <= line && line <= to && (suppression.rules.empty() || contains(suppression.rules, finding.rule)))
        return from;
    }
    return std::nullopt;
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

std::vector<Judged> judged(std::vector<Finding> findings, const FilterInput& input, const FilterOptions& options) {
  const Filter filter(input, options);
  std::vector<Judged> result;
  std::vector<Finding> selected;
  for (Finding& each : findings)
    if (filter.selected(each))
      selected.push_back(std::move(each));
    else
      result.push_back({.finding = std::move(each), .reason = "its rule is not among those that run"});
  std::ranges::for_each(selected, [&](Finding& each) { filter.relevel(each); });
  const std::vector<std::string_view> replacing = replacing_rules(selected, input.rules);
  std::vector<std::string> reasons;
  for (std::size_t i = 0; i < selected.size(); ++i)
    reasons.push_back(replacing[i].empty() ? filter.reason_against(selected[i])
                                           : fmt::format("{} replaces it", replacing[i]));
  for (std::size_t i = 0; i < selected.size(); ++i) {
    filter.demote(selected[i]);
    if (reasons[i].empty() && options.min_level && shown_level(selected[i]) < *options.min_level)
      reasons[i] = "its level is below --min-level";
    result.push_back({.finding = std::move(selected[i]), .reason = std::move(reasons[i])});
  }
  const auto key = [](const Judged& each) {
    return std::tuple_cat(order(each.finding), std::tuple(!each.reason.empty()));
  };
  std::ranges::stable_sort(result, [&](const Judged& left, const Judged& right) { return key(left) < key(right); });
  const auto repeated = std::ranges::unique(
      result, [](const Judged& left, const Judged& right) { return order(left.finding) == order(right.finding); });
  result.erase(repeated.begin(), repeated.end());
  // One text may name several functions, of which flags pick one: what the rule says of them it says once.
  std::set<std::tuple<std::string, Span, std::vector<Span>>> said;
  std::erase_if(result, [&](const Judged& each) {
    std::vector<Span> places;
    for (const Related& related : each.finding.related)
      places.push_back(related.span);
    return each.reason.empty() && !said.emplace(each.finding.rule, each.finding.primary, std::move(places)).second;
  });
  return result;
}

std::vector<Finding> filtered(std::vector<Finding> findings, const FilterInput& input, const FilterOptions& options) {
  std::vector<Finding> reported;
  for (Judged& each : judged(std::move(findings), input, options))
    if (each.reason.empty())
      reported.push_back(std::move(each.finding));
  return reported;
}

} // namespace padlint
