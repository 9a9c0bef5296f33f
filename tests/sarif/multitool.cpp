#include "sarif/fingerprint.h"
#include "tests/sarif/sample.h"

#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

// Microsoft's validator of SARIF, with the rules of the standard and of GitHub code scanning. Its exit code says
// nothing: what it found is in the log that it writes.

namespace padlint {
namespace {

using Json = nlohmann::json;
namespace fs = std::filesystem;

const fs::path multitool =
    fs::path(PADLINT_SOURCE_DIR) / "tests/clients/node_modules/@microsoft/sarif-multitool-linux/Sarif.Multitool";

/// `error SARIF1004: text` for each thing that the validator finds wrong.
std::string complaints(const Sample& sample, const std::string& name) {
  const fs::path folder = fs::path(PADLINT_BINARY_DIR) / "sarif-validation";
  fs::create_directories(folder);
  const std::string report = folder / (name + ".sarif");
  const std::string verdict = folder / (name + ".verdict.sarif");
  std::ofstream(report) << sample.sarif();
  fs::remove(verdict);
  const std::string command =
      fmt::format("DOTNET_SYSTEM_GLOBALIZATION_INVARIANT=1 '{}' validate '{}' --rule-kind 'Sarif;Ghas' -o '{}' "
                  "--log ForceOverwrite >'{}.log' 2>&1",
                  multitool.string(), report, verdict, verdict);
  EXPECT_EQ(std::system(command.c_str()), 0) << command;
  std::ifstream stream(verdict);
  const Json log = Json::parse(stream, nullptr, false);
  if (log.is_discarded())
    return "no verdict: " + command;
  std::string found;
  for (const Json& run : log["runs"])
    for (const Json& result : run.value("results", Json::array()))
      if (result.value("level", "warning") != "note")
        found += fmt::format("{} {}: {}\n", result.value("level", "warning"), result.value("ruleId", ""),
                             result["message"].dump());
  return found;
}

struct Multitool : testing::Test {
  void SetUp() override {
    if (!fs::exists(multitool))
      GTEST_SKIP() << "not installed: npm ci in tests/clients";
    // npm runs no install scripts here, so that the program is not yet executable.
    fs::permissions(multitool, fs::perms::owner_exec, fs::perm_options::add);
  }
};

TEST_F(Multitool, HasNothingAgainstACleanReport) { EXPECT_EQ(complaints(Sample{}, "clean"), ""); }

TEST_F(Multitool, HasNothingAgainstFindingsAndNotices) {
  Sample sample{{"deploy/pg bouncer#1.ini", "[pgbouncer]\npool_mode = transaction\n"},
                {"jobs/caf\xC3\xA9.py", "\xF0\x9F\x94\x92 lock(1); lock(2)\nlock(\n  3)\n"}};
  Finding& leak = sample.add("leaked-session-lock", FindingLevel::error, sample.find(1, "lock(1)"), "the lock stays");
  leak.decide(sample.find(0, "pool_mode = transaction"), "`pool_mode` is set here [sic]");
  leak.advice = "use `pg_advisory_xact_lock(1)`";
  leak.symbol = "sync";
  sample.add("leaked-session-lock", FindingLevel::error, sample.find(1, "lock(2)"), "the lock stays");
  sample.add("hashtext-key", FindingLevel::warning, sample.find(1, "lock(\n  3)"), "the key `a[0](1)` is made");
  sample.add("session-lock", FindingLevel::note, sample.find(1, "lock(\n  3)"), "a lock").confidence =
      Confidence::possible;
  fill_fingerprints(sample.report.findings, sample.report.sources);
  sample.report.notices = {
      {.kind = NoticeKind::warning, .id = "syntax-error", .path = "jobs/caf\xC3\xA9.py", .text = "cannot be parsed"},
      {.kind = NoticeKind::error, .id = "unreadable-file", .path = "b c.sql", .text = "no such file"},
      {.kind = NoticeKind::note, .id = "general", .text = "a note"}};
  EXPECT_EQ(complaints(sample, "full"), "");
}

TEST_F(Multitool, WouldComplain) {
  Sample sample{{"/absolute.sql", "lock\n"}};
  sample.report.version = "";
  sample.add("no-such-rule", FindingLevel::error, sample.find(0, "lock"), "");
  EXPECT_NE(complaints(sample, "wrong"), "");
}

} // namespace
} // namespace padlint
