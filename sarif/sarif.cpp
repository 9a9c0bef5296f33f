#include "sarif/sarif_parts.h"

#include <fmt/format.h>

// One run, all of whose bytes follow from the report: no times, no absolute paths, no random identifiers.

namespace padlint {

namespace {

/// A relative reference (RFC 3986) of one path: every byte is encoded that is not unreserved, and ':' too, which in a
/// first segment would read as a scheme.
std::string encoded_path(std::string_view path) {
  constexpr std::string_view unreserved = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/";
  std::string uri;
  for (const char c : path)
    uri += unreserved.contains(c) ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  return uri;
}

} // namespace

Json sarif_place(std::string_view path, const Region* region) {
  Json place = {{"artifactLocation", {{"uri", encoded_path(path)}, {"uriBaseId", "%SRCROOT%"}}}};
  if (region != nullptr)
    place["region"] = {{"startLine", region->line},
                       {"startColumn", region->column},
                       {"endLine", region->end_line},
                       {"endColumn", region->end_column}};
  return place;
}

void write_sarif(std::string& out, const RunReport& report) {
  IndexedSources sources(report.sources);
  SarifResults results = sarif_results(report, sources);
  SarifNotices notices = sarif_notices(report, results.dropped, sources);
  const Coverage& coverage = report.coverage;
  const Json driver = {{"name", "padlint"},
                       {"fullName", "padlint, a linter for PostgreSQL advisory locks"},
                       {"semanticVersion", report.version},
                       {"informationUri", "https://github.com/padlint/padlint"},
                       {"rules", sarif_rules(report)},
                       {"notifications", std::move(notices.descriptors)}};
  Json run = {
      {"tool", {{"driver", driver}}},
      {"invocations", std::move(notices.invocations)},
      // Without a uri: readers that join it with a path would leave the repository (3.14.14).
      {"originalUriBaseIds", {{"%SRCROOT%", {{"description", sarif_text("The root of the checked project.")}}}}},
      {"columnKind", "utf16CodeUnits"},
      {"results", std::move(results.results)},
      {"properties",
       {{"filesListed", coverage.files_listed},
        {"filesRead", coverage.files_read},
        {"sqlTexts", coverage.sql_texts},
        {"sqlUnderstood", coverage.sql_understood},
        {"namesGivenUp", coverage.names_given_up}}}};
  const Json log = {{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
                    {"version", "2.1.0"},
                    {"runs", Json::array({std::move(run)})}};
  out += log.dump(1, ' ', false, Json::error_handler_t::replace);
  out += '\n';
}

} // namespace padlint
