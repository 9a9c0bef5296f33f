#include "tests/sarif/sample.h"

#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <nlohmann/json.hpp>

namespace padlint {
namespace {

using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

std::string written(const Sample& sample) {
  std::string out;
  write_json(out, sample.report);
  return out;
}

/// A report with everything that a report may have.
void fill(Sample& sample) {
  Finding& finding =
      sample.add("hashtext-key", FindingLevel::error, sample.find(0, "pg_lock(1)"), "key made by `hashtext`");
  finding.symbol = "Jobs.run";
  finding.advice = "use another one";
  finding.fingerprint = "0123456789abcdef";
  finding.relate(sample.find(0, "x\xc3\xa4"), "seen here");
  finding.decide(sample.find(1, "mode"), "password=hunter2 decides");
  finding.decided_by({.text = "`c` is bound here", .span = sample.find(0, "SELECT"), .confidence = Confidence::likely});
  finding.quiet("a pool of one connection", Answer::unknown);
  finding.quiet("a probe", Answer::no);
  sample.report.notices.push_back({.kind = NoticeKind::error, .id = "too-large", .path = "big\xff.sql", .text = "big"});
  sample.report.notices.push_back(
      {.kind = NoticeKind::note, .id = "odd-line", .path = "b.ini", .span = sample.find(1, "mode"), .text = "odd"});
  sample.report.notices.push_back({.id = "facts-incomplete", .text = "no file"});
  sample.report.coverage = {.files_listed = 3,
                            .files_read = {1, 1},
                            .sql_texts = 2,
                            .sql_understood = 1,
                            .names_given_up = 4,
                            .deciding_configs = {"b.ini"}};
}

TEST(JsonReport, SaysAllThatAReportKnows) {
  Sample sample = {{"a.sql", "x\xc3\xa4; SELECT\n  pg_lock(1)\n"}, {"b.ini", "\nmode = t\n"}};
  fill(sample);
  const Json json = Json::parse(written(sample));
  EXPECT_EQ(json["version"], 1);
  EXPECT_EQ(json["padlint"], "0.1.0");
  EXPECT_EQ(json["successful"], true);
  EXPECT_EQ(json["findings"].dump(),
            R"([{"rule":"hashtext-key","level":"note","confidence":"possible","message":"key made by `hashtext`",)"
            R"("advice":"use another one",)"
            R"("place":{"path":"a.sql","line":2,"column":3,"end_line":2,"end_column":13},)"
            R"("symbol":"Jobs.run","fingerprint":"0123456789abcdef",)"
            R"("related":[{"text":"password=*** decides","deciding":true,)"
            R"("place":{"path":"b.ini","line":2,"column":1,"end_line":2,"end_column":5}},)"
            R"({"text":"seen here","deciding":false,)"
            R"("place":{"path":"a.sql","line":1,"column":1,"end_line":1,"end_column":3}}],)"
            R"("derivation":[{"text":"`c` is bound here","confidence":"likely",)"
            R"("place":{"path":"a.sql","line":1,"column":5,"end_line":1,"end_column":11}}],)"
            R"("quiet_conditions":[{"text":"a pool of one connection","answer":"unknown"},)"
            R"({"text":"a probe","answer":"no"}]}])");
  EXPECT_EQ(json["notices"].dump(),
            "[{\"id\":\"too-large\",\"level\":\"error\",\"text\":\"big\",\"path\":\"big\xEF\xBF\xBD.sql\"},"
            "{\"id\":\"odd-line\",\"level\":\"note\",\"text\":\"odd\",\"path\":\"b.ini\","
            "\"place\":{\"path\":\"b.ini\",\"line\":2,\"column\":1,\"end_line\":2,\"end_column\":5}},"
            "{\"id\":\"facts-incomplete\",\"level\":\"warning\",\"text\":\"no file\"}]");
  EXPECT_EQ(json["coverage"].dump(),
            R"({"files_listed":3,"files_read":[1,1],"sql_texts":2,"sql_understood":1,"names_given_up":4,)"
            R"("deciding_configs":["b.ini"]})");
}

const fs::path root = PADLINT_SOURCE_DIR;

/// What the validator says against a text.
std::string complaints(const std::string& json) {
  const fs::path folder = fs::path(PADLINT_BINARY_DIR) / "json-validation";
  fs::create_directories(folder);
  std::ofstream(folder / "report.json") << json;
  const std::string command = fmt::format(
      "node '{}' '{}' '{}' >'{}' 2>&1", (root / "tests/clients/validate.mjs").string(),
      (root / "sarif/json.schema.json").string(), (folder / "report.json").string(), (folder / "verdict").string());
  const int status = std::system(command.c_str());
  std::ifstream verdict(folder / "verdict");
  std::string text{std::istreambuf_iterator<char>(verdict), {}};
  return status != 0 && text.empty() ? "the validator failed" : text;
}

struct JsonSchema : testing::Test {
  void SetUp() override {
    if (!fs::exists(root / "tests/clients/node_modules/ajv"))
      GTEST_SKIP() << "not installed: npm ci in tests/clients";
  }
};

TEST_F(JsonSchema, TakesWhatIsWritten) {
  EXPECT_EQ(complaints(written(Sample{})), "");
  Sample sample = {{"a.sql", "x\xc3\xa4; SELECT\n  pg_lock(1)\n"}, {"b.ini", "\nmode = t\n"}};
  fill(sample);
  EXPECT_EQ(complaints(written(sample)), "");
}

// A schema that takes everything would prove nothing.
TEST_F(JsonSchema, RefusesWhatIsNotWritten) {
  Sample sample = {{"a.sql", "x\xc3\xa4; SELECT\n  pg_lock(1)\n"}, {"b.ini", "\nmode = t\n"}};
  fill(sample);
  const Json good = Json::parse(written(sample));
  const auto changed = [&](const char* pointer, Json value) {
    Json json = good;
    json[Json::json_pointer(pointer)] = std::move(value);
    return complaints(json.dump());
  };
  EXPECT_EQ(changed("/version", 2), "/version must be equal to constant\n");
  EXPECT_NE(changed("/more", 1), "");
  EXPECT_NE(changed("/findings/0/level", "fatal"), "");
  EXPECT_NE(changed("/findings/0/place/line", 0), "");
  EXPECT_NE(changed("/findings/0/quiet_conditions/0/answer", "yes"), "");
  EXPECT_NE(changed("/coverage", Json::object()), "");
}

} // namespace
} // namespace padlint
