#include "analyzer/core/mask.h"
#include "sarif/sarif_parts.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <numeric>
#include <tuple>

// Code scanning tells results apart by rule, file and the hash of their first line. So findings of one rule on one line
// become one result, with the others as related locations, instead of alerts that swallow each other.

namespace padlint {

namespace {

constexpr std::size_t most_results = 25'000; // more, and GitHub refuses the file
constexpr std::size_t most_related = 100;    // that GitHub keeps
constexpr std::size_t most_links = 3;        // in a message

struct Result {
  const Finding* finding = nullptr;
  Region region;
  std::vector<const Finding*> others; // of the same rule on the same line
};

std::vector<Result> one_a_line(const std::vector<Finding>& findings, IndexedSources& sources) {
  std::vector<Result> results;
  std::map<std::tuple<FileId, std::uint32_t, std::string_view>, std::size_t> known;
  for (const Finding& finding : findings) {
    const Region region = sources.region(finding.primary, ColumnUnit::utf16);
    const auto [entry, is_new] = known.try_emplace({finding.primary.file, region.line, finding.rule}, results.size());
    if (is_new) {
      results.push_back({.finding = &finding, .region = region});
      continue;
    }
    Result& result = results[entry->second];
    const bool worse = shown_level(finding) > shown_level(*result.finding);
    result.others.push_back(worse ? result.finding : &finding);
    if (worse)
      std::tie(result.finding, result.region) = std::tuple(&finding, region);
  }
  return results;
}

/// Leaves out the last ones of the lowest levels.
std::size_t drop_surplus(std::vector<Result>& results) {
  if (results.size() <= most_results)
    return 0;
  const std::size_t dropped = results.size() - most_results;
  const auto level = [](const Result& result) { return shown_level(*result.finding); };
  std::vector<std::size_t> by_level(results.size());
  std::iota(by_level.begin(), by_level.end(), std::size_t{0});
  std::ranges::stable_sort(by_level, std::ranges::greater(), [&](std::size_t i) { return level(results[i]); });
  by_level.resize(most_results);
  std::ranges::sort(by_level);
  std::vector<Result> kept;
  for (const std::size_t i : by_level)
    kept.push_back(std::move(results[i]));
  results = std::move(kept);
  return dropped;
}

/// The text of a link (3.11.6).
std::string link_text(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '[' || c == ']' || c == '\\')
      result.push_back('\\');
    result.push_back(c);
  }
  return result;
}

/// Plain text in which nothing reads as a link: `a[0](1)` would be one.
std::string without_links(std::string text) {
  for (std::size_t at = text.find("]("); at != std::string::npos; at = text.find("](", at + 3))
    text.insert(at, 1, '\\');
  return text;
}

struct ResultWriter {
  const RunReport& report;
  IndexedSources& sources;

  [[nodiscard]] Json rule_index(std::string_view id) const {
    const auto found = std::ranges::find(report.rules, id, &Rule::id);
    return found == report.rules.end() ? -1 : found - report.rules.begin();
  }

  /// location (3.28)
  Json related_place(const Span& span, std::string_view text, std::size_t id) {
    const Region region = sources.region(span, ColumnUnit::utf16);
    return {{"id", id},
            {"physicalLocation", sarif_place(sources.path(span.file), &region)},
            {"message", sarif_text(without_links(sentence(text)))}};
  }

  Json related_places(const Result& result) {
    Json places = Json::array();
    for (const Related* related : ordered_related(*result.finding))
      if (places.size() < most_related)
        places.push_back(related_place(related->span, related->text, places.size() + 1));
    for (const Finding* other : result.others)
      if (places.size() < most_related)
        places.push_back(related_place(other->primary, other->message, places.size() + 1));
    return places;
  }

  /// `Message. See [what decides](1). Advice.`: GitHub shows only those related locations that the text links to.
  static std::string message(const Finding& finding) {
    std::string text = without_links(sentence(finding.message));
    const std::vector<const Related*> related = ordered_related(finding);
    std::string links;
    for (std::size_t i = 0; i < related.size() && related[i]->deciding && i < most_links; ++i)
      links += fmt::format("{}[{}]({})", i == 0 ? "" : ", ", link_text(masked(related[i]->text)), i + 1);
    if (!links.empty())
      text += fmt::format(" See: {}.", links);
    if (!finding.advice.empty())
      text += " " + without_links(sentence(finding.advice));
    return text;
  }

  /// result (3.27)
  Json write(const Result& result) {
    const Finding& finding = *result.finding;
    const FileId file = finding.primary.file;
    Json location = {{"physicalLocation", sarif_place(sources.path(file), &result.region)}};
    if (!finding.symbol.empty())
      location["logicalLocations"] = Json::array({{{"fullyQualifiedName", finding.symbol}}});
    Json json = {{"ruleId", finding.rule},
                 {"ruleIndex", rule_index(finding.rule)},
                 {"level", to_text(shown_level(finding))},
                 {"message", sarif_text(message(finding))},
                 {"locations", Json::array({std::move(location)})}};
    if (Json places = related_places(result); !places.empty())
      json["relatedLocations"] = std::move(places);
    Json& fingerprints = json["partialFingerprints"] = Json::object();
    if (std::string hash = sources.line_hash(file, result.region.line); !hash.empty())
      fingerprints["primaryLocationLineHash"] = std::move(hash);
    if (!finding.fingerprint.empty())
      fingerprints["padlint/v1"] = finding.fingerprint;
    json["properties"] = {{"confidence", to_text(finding.confidence)}};
    return json;
  }
};

} // namespace

SarifResults sarif_results(const RunReport& report, IndexedSources& sources) {
  std::vector<Result> results = one_a_line(report.findings, sources);
  SarifResults written{.dropped = drop_surplus(results)};
  ResultWriter writer{.report = report, .sources = sources};
  for (const Result& result : results)
    written.results.push_back(writer.write(result));
  return written;
}

} // namespace padlint
