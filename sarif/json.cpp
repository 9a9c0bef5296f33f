#include "analyzer/core/mask.h"
#include "sarif/report.h"
#include "sarif/unicode.h"

#include <nlohmann/json.hpp>

// padlint's own format: all that a report knows, for scripts. sarif/json.md describes it, sarif/json.schema.json is its
// JSON Schema; both change with this file.

namespace padlint {

namespace {

using Json = nlohmann::ordered_json;

constexpr int format_version = 1;

/// Foreign text: no secrets, valid UTF-8.
std::string text_of(std::string_view text) { return valid_utf8(masked(text)); }

struct JsonWriter {
  IndexedSources& sources;

  Json place(const Span& span) {
    const Region region = sources.region(span, ColumnUnit::code_point);
    return {{"path", valid_utf8(sources.path(span.file))},
            {"line", region.line},
            {"column", region.column},
            {"end_line", region.end_line},
            {"end_column", region.end_column}};
  }

  Json finding(const Finding& finding) {
    Json related = Json::array();
    for (const Related* each : ordered_related(finding))
      related.push_back({{"text", text_of(each->text)}, {"deciding", each->deciding}, {"place", place(each->span)}});
    Json derivation = Json::array();
    for (const Step& step : finding.derivation)
      derivation.push_back(
          {{"text", text_of(step.text)}, {"confidence", to_text(step.confidence)}, {"place", place(step.span)}});
    Json conditions = Json::array();
    for (const QuietCondition& condition : finding.quiet_conditions)
      conditions.push_back({{"text", text_of(condition.text)}, {"answer", to_text(condition.answer)}});
    return {{"rule", finding.rule},
            {"level", to_text(shown_level(finding))},
            {"confidence", to_text(finding.confidence)},
            {"message", text_of(finding.message)},
            {"advice", text_of(finding.advice)},
            {"place", place(finding.primary)},
            {"symbol", text_of(finding.symbol)},
            {"fingerprint", finding.fingerprint},
            {"related", std::move(related)},
            {"derivation", std::move(derivation)},
            {"quiet_conditions", std::move(conditions)}};
  }

  Json notice(const Notice& notice) {
    Json json = {{"id", notice.id}, {"level", level_of(notice.kind)}, {"text", text_of(notice.text)}};
    if (!notice.path.empty())
      json["path"] = valid_utf8(notice.path);
    if (!notice.span.empty())
      json["place"] = place(notice.span);
    return json;
  }

  static std::string_view level_of(NoticeKind kind) {
    switch (kind) {
    case NoticeKind::note: return "note";
    case NoticeKind::warning: return "warning";
    case NoticeKind::error: return "error";
    }
    return "";
  }
};

Json coverage_of(const Coverage& coverage) {
  Json configs = Json::array();
  for (const std::string& path : coverage.deciding_configs)
    configs.push_back(valid_utf8(path));
  return {{"files_listed", coverage.files_listed},     {"files_read", coverage.files_read},
          {"sql_texts", coverage.sql_texts},           {"sql_understood", coverage.sql_understood},
          {"names_given_up", coverage.names_given_up}, {"deciding_configs", std::move(configs)}};
}

} // namespace

void write_json(std::string& out, const RunReport& report) {
  IndexedSources sources(report.sources);
  JsonWriter writer{.sources = sources};
  Json findings = Json::array();
  for (const Finding& each : report.findings)
    findings.push_back(writer.finding(each));
  Json notices = Json::array();
  for (const Notice& each : report.notices)
    notices.push_back(writer.notice(each));
  const Json json = {{"version", format_version},       {"padlint", report.version},
                     {"successful", report.successful}, {"findings", std::move(findings)},
                     {"notices", std::move(notices)},   {"coverage", coverage_of(report.coverage)}};
  out += json.dump(1, ' ', false, Json::error_handler_t::replace);
  out += '\n';
}

} // namespace padlint
