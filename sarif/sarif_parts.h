#pragma once

#include "sarif/report.h"

#include <nlohmann/json.hpp>

// The parts of a SARIF log. Numbers in brackets of comments are sections of the SARIF 2.1.0 standard.

namespace padlint {

using Json = nlohmann::ordered_json;

/// run.tool.driver.rules: all rules, in the order of the report.
Json sarif_rules(const RunReport& report);

/// run.tool.driver.notifications and run.invocations.
struct SarifNotices {
  Json descriptors = Json::array();
  Json invocations = Json::array();
};
SarifNotices sarif_notices(const RunReport& report, std::size_t results_dropped, IndexedSources& sources);

/// run.results, and how many findings had to be left out.
struct SarifResults {
  Json results = Json::array();
  std::size_t dropped = 0;
};
SarifResults sarif_results(const RunReport& report, IndexedSources& sources);

/// physicalLocation (3.29); without a region when it is nullptr.
Json sarif_place(std::string_view path, const Region* region);

/// multiformatMessageString (3.12)
inline Json sarif_text(std::string text) { return {{"text", std::move(text)}}; }

} // namespace padlint
