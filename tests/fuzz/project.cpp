#include "analyzer/cli/pipeline.h"
#include "analyzer/core/rule.h"
#include "sarif/report.h"
#include "tests/fuzz/harness/fuzz.h"
#include "tests/pages/page.h"

#include <nlohmann/json.hpp>

// The whole way, from a tree to the reports. The input is a rule's page: its code blocks are the files of the trees.

namespace {

using namespace padlint;

void check_tree(const MemoryFiles& files) {
  CheckOptions options{.jobs = 1};
  options.filter.profile = Profile::strict;
  options.filter.min_confidence = Confidence::possible;
  const auto result = check(memory_tree(files), options);
  if (!result)
    return; // a wrong settings file
  const RunReport report{.version = "0",
                         .rules = all_rules(),
                         .rule_page = rule_page,
                         .sources = result->sources,
                         .findings = result->findings,
                         .notices = result->notices,
                         .coverage = result->coverage};
  std::string sarif, text, log;
  write_sarif(sarif, report);
  fuzz::require(nlohmann::json::accept(sarif), "the SARIF is no JSON");
  write_text(text, report, {.color = true, .min_level = FindingLevel::note});
  write_notices(log, report, {});
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  for (const PageProject& project : read_page(fuzz::text_of(data, size)).projects)
    check_tree(project.files);
  return 0;
}
