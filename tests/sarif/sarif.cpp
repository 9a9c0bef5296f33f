#include "tests/sarif/sample.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace padlint {
namespace {

using Json = nlohmann::ordered_json;

Json run_of(const Sample& sample) {
  const Json log = Json::parse(sample.sarif());
  EXPECT_EQ(log["runs"].size(), 1U);
  return log["runs"][0];
}

TEST(Sarif, ACleanRunHasAnEmptyListOfResults) {
  const Json run = run_of(Sample{});
  EXPECT_TRUE(run["results"].is_array());
  EXPECT_TRUE(run["results"].empty());
  EXPECT_EQ(run["columnKind"], "utf16CodeUnits");
  EXPECT_EQ(run["originalUriBaseIds"].dump(),
            R"({"%SRCROOT%":{"description":{"text":"The root of the checked project."}}})");
  EXPECT_EQ(run["invocations"].dump(), R"([{"executionSuccessful":true,"toolExecutionNotifications":[]}])");
}

TEST(Sarif, ARuleHasAllThatGitHubWants) {
  const Json driver = run_of(Sample{})["tool"]["driver"];
  EXPECT_EQ(driver["semanticVersion"], "0.1.0");
  EXPECT_EQ(driver["rules"].size(), 3U);
  EXPECT_EQ(driver["rules"][0].dump(1),
            R"({
 "id": "hashtext-key",
 "name": "HashtextKey",
 "shortDescription": {
  "text": "A lock key is made with hashtext()."
 },
 "fullDescription": {
  "text": "A key is made with hashtext(), which is internal."
 },
 "help": {
  "text": "A key is made with hashtext(),\nwhich is internal.\n\n## Why\nIt may change.\n",
  "markdown": "A key is made with hashtext(),\nwhich is internal.\n\n## Why\nIt may change.\n\n\n[hashtext-key](https://github.com/padlint/padlint/blob/main/rules/hashtext-key.md)\n"
 },
 "helpUri": "https://github.com/padlint/padlint/blob/main/rules/hashtext-key.md",
 "defaultConfiguration": {
  "level": "warning"
 },
 "properties": {
  "tags": [
   "postgresql",
   "advisory-locks",
   "concurrency"
  ],
  "precision": "high",
  "problem.severity": "warning"
 }
})");
}

TEST(Sarif, AResultWithAllItsParts) {
  Sample sample(
      {{"deploy/pg bouncer.ini", "pool_mode = transaction\n"}, {"jobs/caf\xC3\xA9.py", "\xF0\x9F\x94\x92 lock(1)\n"}});
  Finding& finding =
      sample.add("leaked-session-lock", FindingLevel::error, sample.find(1, "lock(1)"), "the lock stays");
  finding.confidence = Confidence::likely;
  finding.decide(sample.find(0, "pool_mode"), "the mode [x] is set here");
  finding.advice = "use `pg_advisory_xact_lock(1)`";
  finding.symbol = "sync";
  finding.fingerprint = "0123456789abcdef";
  EXPECT_EQ(run_of(sample)["results"].dump(1), R"([
 {
  "ruleId": "leaked-session-lock",
  "ruleIndex": 1,
  "level": "warning",
  "message": {
   "text": "The lock stays. See: [the mode \\[x\\] is set here](1). Use `pg_advisory_xact_lock(1)`."
  },
  "locations": [
   {
    "physicalLocation": {
     "artifactLocation": {
      "uri": "jobs/caf%C3%A9.py",
      "uriBaseId": "%SRCROOT%"
     },
     "region": {
      "startLine": 1,
      "startColumn": 4,
      "endLine": 1,
      "endColumn": 11
     }
    },
    "logicalLocations": [
     {
      "fullyQualifiedName": "sync"
     }
    ]
   }
  ],
  "relatedLocations": [
   {
    "id": 1,
    "physicalLocation": {
     "artifactLocation": {
      "uri": "deploy/pg%20bouncer.ini",
      "uriBaseId": "%SRCROOT%"
     },
     "region": {
      "startLine": 1,
      "startColumn": 1,
      "endLine": 1,
      "endColumn": 10
     }
    },
    "message": {
     "text": "The mode [x] is set here."
    }
   }
  ],
  "partialFingerprints": {
   "primaryLocationLineHash": "16165ddfdf777243:1",
   "padlint/v1": "0123456789abcdef"
  },
  "properties": {
   "confidence": "likely"
  }
 }
])");
}

TEST(Sarif, OneResultForEachRuleAndLine) {
  Sample sample{{"a.sql", "lock(1); lock(2); lock(3)\nlock(4)\n"}};
  sample.add("session-lock", FindingLevel::note, sample.find(0, "lock(1)"), "first");
  sample.add("session-lock", FindingLevel::error, sample.find(0, "lock(2)"), "second");
  sample.add("hashtext-key", FindingLevel::note, sample.find(0, "lock(2)"), "other rule");
  sample.add("session-lock", FindingLevel::error, sample.find(0, "lock(3)"), "third");
  sample.add("session-lock", FindingLevel::note, sample.find(0, "lock(4)"), "other line");
  std::string printed;
  const Json run = run_of(sample);
  for (const Json& result : run["results"]) {
    printed += result["message"]["text"].get<std::string>();
    for (const Json& related : result.value("relatedLocations", Json::array()))
      printed += " + " + related["message"]["text"].get<std::string>();
    printed += "\n";
  }
  EXPECT_EQ(printed, "Second. + First. + Third.\nOther rule.\nOther line.\n");
}

TEST(Sarif, NoticesAreNotifications) {
  Sample sample{{"a.sql", "x\ny z\n"}};
  sample.report.notices = {
      {.kind = NoticeKind::warning,
       .id = "syntax-error",
       .path = "a.sql",
       .span = sample.find(0, "z"),
       .text = "bad z"},
      {.kind = NoticeKind::error, .id = "unreadable-file", .path = "b.sql", .text = "no such file"},
      {.kind = NoticeKind::note, .id = "syntax-error", .text = "password=x"}};
  const Json run = run_of(sample);
  EXPECT_EQ(run["tool"]["driver"]["notifications"].size(), 2U);
  EXPECT_EQ(run["tool"]["driver"]["notifications"][0]["shortDescription"]["text"], "Syntax error.");
  std::string printed;
  for (const Json& notification : run["invocations"][0]["toolExecutionNotifications"])
    printed += notification.dump() + "\n";
  EXPECT_EQ(printed,
            R"({"descriptor":{"id":"syntax-error","index":0},"level":"warning","message":{"text":"Bad z."},)"
            R"("locations":[{"physicalLocation":{"artifactLocation":{"uri":"a.sql","uriBaseId":"%SRCROOT%"},)"
            R"("region":{"startLine":2,"startColumn":3,"endLine":2,"endColumn":4}}}]})"
            "\n"
            R"({"descriptor":{"id":"unreadable-file","index":1},"level":"error","message":{"text":"No such file."},)"
            R"("locations":[{"physicalLocation":{"artifactLocation":{"uri":"b.sql","uriBaseId":"%SRCROOT%"}}}]})"
            "\n"
            R"({"descriptor":{"id":"syntax-error","index":0},"level":"note","message":{"text":"Password=***."}})"
            "\n");
}

TEST(Sarif, SecretsAndBadBytesStayOut) {
  Sample sample{{"a\xFF#?:b.sql", "lock \xFF\n"}};
  Finding& finding =
      sample.add("session-lock", FindingLevel::error, sample.find(0, "lock"), "bad \xFF password=hunter2, jobs[0](1)");
  finding.advice = "postgres://u:hunter2@h";
  finding.decide(finding.primary, "pwd='hunter2'");
  const std::string text = sample.sarif();
  EXPECT_FALSE(text.contains("hunter2"));
  EXPECT_FALSE(text.contains('\xFF'));
  const Json result = Json::parse(text)["runs"][0]["results"][0];
  EXPECT_EQ(result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"], "a%FF%23%3F%3Ab.sql");
  EXPECT_TRUE(result["message"]["text"].get<std::string>().starts_with("Bad \uFFFD password=***, jobs[0\\](1)."));
}

TEST(Sarif, MoreResultsThanCodeScanningTakes) {
  Sample sample{{"a.sql", ""}};
  std::string& text = sample.files[0].second;
  for (std::uint32_t i = 0; i < 25'010; ++i) {
    sample.add("session-lock", i % 2 == 0 ? FindingLevel::note : FindingLevel::error,
               {.begin = i * 2, .end = i * 2 + 1}, "m");
    text += "x\n";
  }
  const Json run = run_of(sample);
  EXPECT_EQ(run["results"].size(), 25'000U);
  EXPECT_EQ(run["results"].back()["level"], "error");
  EXPECT_EQ(run["results"].back()["locations"][0]["physicalLocation"]["region"]["startLine"], 25'010);
  const Json notification = run["invocations"][0]["toolExecutionNotifications"][0];
  EXPECT_EQ(notification["descriptor"]["id"], "results-dropped");
  EXPECT_TRUE(notification["message"]["text"].get<std::string>().starts_with("10 results"));
}

TEST(Sarif, SameReportSameBytes) {
  Sample sample{{"a.sql", "lock\n"}};
  sample.add("session-lock", FindingLevel::error, sample.find(0, "lock"), "m");
  EXPECT_EQ(sample.sarif(), sample.sarif());
}

} // namespace
} // namespace padlint
