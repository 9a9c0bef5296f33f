#include "sarif/fingerprint.h"
#include "tests/sarif/sample.h"

#include <gtest/gtest.h>
#include <set>

namespace padlint {
namespace {

std::string fingerprint(const std::string& path, const std::string& text, std::string rule = "r",
                        std::string symbol = "f") {
  Sample sample{{path, text}};
  sample.add(std::move(rule), FindingLevel::error, sample.find(0, "lock"), "m").symbol = std::move(symbol);
  sample.report.findings[0].primary.end = static_cast<std::uint32_t>(sample.files[0].second.find(')') + 1);
  fill_fingerprints(sample.report.findings, sample.report.sources);
  return sample.report.findings[0].fingerprint;
}

TEST(Fingerprint, OutlivesOtherEdits) {
  const std::string first = fingerprint("a.py", "lock(1, 2)");
  EXPECT_EQ(first.size(), 16U);
  EXPECT_EQ(fingerprint("a.py", "# more\n\n  lock(1, 2)  # text"), first);
  EXPECT_EQ(fingerprint("a.py", "lock(1,\n     2)"), first);
}

TEST(Fingerprint, TellsPlacesApart) {
  const std::string first = fingerprint("a.py", "lock(1, 2)");
  EXPECT_NE(fingerprint("b.py", "lock(1, 2)"), first);
  EXPECT_NE(fingerprint("a.py", "lock(1, 3)"), first);
  EXPECT_NE(fingerprint("a.py", "lock(1, 2)", "s"), first);
  EXPECT_NE(fingerprint("a.py", "lock(1, 2)", "r", "g"), first);
}

TEST(Fingerprint, EqualPlacesGetOrdinalsInTheOrderOfTheFile) {
  Sample sample{{"a.py", "lock() lock() lock()"}};
  for (const int nth : {2, 0, 1})
    sample.add("r", FindingLevel::error, sample.find(0, "lock()", nth), "m");
  fill_fingerprints(sample.report.findings, sample.report.sources);
  std::set<std::string> all;
  for (const Finding& finding : sample.report.findings)
    all.insert(finding.fingerprint);
  EXPECT_EQ(all.size(), 3U);
  Sample alone{{"a.py", "lock()"}};
  alone.add("r", FindingLevel::error, alone.find(0, "lock()"), "m");
  fill_fingerprints(alone.report.findings, alone.report.sources);
  EXPECT_EQ(sample.report.findings[1].fingerprint, alone.report.findings[0].fingerprint);
}

} // namespace
} // namespace padlint
