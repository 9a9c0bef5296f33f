#include "analyzer/cli/pipeline.h"

#include "sarif/report.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace padlint {
namespace {

CheckResult checked(MemoryFiles files, CheckOptions options = {}) {
  return check(memory_tree(std::move(files)), options).value();
}

/// `path level rule`, a line each.
std::string found(const CheckResult& result) {
  std::string text;
  for (const Finding& finding : result.findings)
    text += fmt::format("{} {} {}\n", result.sources.path(finding.primary.file), to_text(shown_level(finding)),
                        finding.rule);
  return text;
}

std::string noticed(const CheckResult& result) {
  std::string text;
  for (const Notice& notice : result.notices)
    text += to_text(notice) + "\n";
  return text;
}

constexpr const char* lock = "SELECT pg_advisory_lock(41);\n";
constexpr const char* no_lock = "SELECT 1;\n";
constexpr const char* wrapper = "CREATE FUNCTION take_gate() RETURNS void LANGUAGE sql AS $$\n"
                                "  SELECT pg_advisory_lock(41)\n$$;\n";

TEST(Pipeline, ReadsOnlyFilesWithATriggerWord) {
  const CheckResult result = checked({{"a.sql", lock}, {"b.sql", no_lock}, {"c.txt", lock}});
  EXPECT_EQ(found(result), "a.sql note session-lock\n");
  EXPECT_EQ(result.coverage.files_listed, 3U);
  EXPECT_EQ(result.coverage.files_read, std::vector<std::size_t>{1});
}

TEST(Pipeline, TheTriggerWordHasNoCase) {
  EXPECT_EQ(found(checked({{"a.sql", "SELECT PG_ADVISORY_LOCK(41);\n"}})), "a.sql note session-lock\n");
}

TEST(Pipeline, ATreeWithoutLocksIsReadInOneRound) {
  const CheckResult result = checked({{"a.sql", no_lock}, {"pgbouncer.ini", "[pgbouncer]\npool_mode = transaction\n"}});
  EXPECT_EQ(found(result), "");
  EXPECT_EQ(result.coverage.files_read, std::vector<std::size_t>{1});
}

TEST(Pipeline, TheNextRoundReadsWhatTheFirstOneNames) {
  const CheckResult result =
      checked({{"a.sql", wrapper}, {"b.sql", "SELECT TAKE_GATE();\n"}, {"c.sql", "SELECT take_gates();\n"}});
  EXPECT_EQ(result.coverage.files_read, (std::vector<std::size_t>{1, 1}));
}

TEST(Pipeline, ANameThatIsEverywhereIsNotFollowed) {
  MemoryFiles files = {{"a.sql", wrapper}};
  for (int i = 0; i < 201; ++i)
    files.emplace(fmt::format("callers/{}.sql", i), "SELECT take_gate();\n");
  const CheckResult result = checked(files);
  EXPECT_EQ(result.coverage.files_read, std::vector<std::size_t>{1});
  EXPECT_EQ(result.coverage.names_given_up, 1U);
  files.erase("callers/7.sql");
  EXPECT_EQ(checked(files).coverage.files_read, (std::vector<std::size_t>{1, 200}));
}

TEST(Pipeline, TheNumberOfThreadsChangesNothing) {
  MemoryFiles files = {{"gate.sql", wrapper}};
  for (int i = 0; i < 300; ++i)
    files.emplace(fmt::format("jobs/{}/run.sql", i), i % 3 == 0 ? lock
                                                     : i % 3 == 1
                                                         ? "SELECT pg_advisory_unlock(41);\nSELECT FROM WHERE;\n"
                                                         : "SELECT pg_advisory_xact_lock(hashtext('a'));\n");
  const auto sarif = [&](unsigned jobs) {
    CheckResult result = checked(files, {.filter = {.min_confidence = Confidence::possible}, .jobs = jobs});
    EXPECT_GT(result.findings.size(), 200U);
    std::string text;
    write_sarif(text, {.version = "1",
                       .rules = all_rules(),
                       .rule_page = rule_page,
                       .sources = std::move(result.sources),
                       .findings = std::move(result.findings),
                       .notices = std::move(result.notices),
                       .coverage = std::move(result.coverage)});
    return text;
  };
  const std::string one = sarif(1);
  EXPECT_EQ(one, sarif(4));
  EXPECT_EQ(one, sarif(16));
}

TEST(Pipeline, LearnsFromAllAndReportsOnTheRequest) {
  const CheckResult result = checked({{"a.sql", lock}, {"app/b.sql", lock}}, {.filter = {.paths = {"app"}}});
  EXPECT_EQ(found(result), "app/b.sql note session-lock\n");
  EXPECT_EQ(result.coverage.files_read, std::vector<std::size_t>{2});
  EXPECT_EQ(result.listed_on_request, 1U);
  EXPECT_EQ(checked({{"a.sql", lock}}, {.filter = {.paths = {"app"}}}).listed_on_request, 0U);
}

TEST(Pipeline, ACommentSilencesARule) {
  EXPECT_EQ(found(checked({{"a.sql", "-- padlint: ignore[session-lock] one nightly job\nSELECT pg_advisory_lock(41);\n"
                                     "SELECT pg_advisory_lock(42);\n"}})),
            "a.sql note session-lock\n");
}

TEST(Pipeline, ACommentThatNamesNoRuleIsNoticed) {
  const CheckResult result = checked({{"a.sql", "-- padlint: ignore[sesion-lock]\nSELECT pg_advisory_lock(41);\n"}});
  EXPECT_EQ(found(result), "a.sql note session-lock\n");
  EXPECT_EQ(noticed(result), "warning: a.sql: the comment names no rule: `sesion-lock` [unknown-rule]\n");
}

TEST(Pipeline, ExcludedFilesAreListedAndNotRead) {
  const MemoryFiles files = {{".padlint.toml", "exclude = [\"old/\"]\n"}, {"old/a.sql", lock}};
  const CheckResult result = checked(files, {.filter = {.paths = {"old/a.sql"}}});
  EXPECT_EQ(found(result), "");
  EXPECT_EQ(result.listed_on_request, 1U);
  EXPECT_EQ(found(checked({{"old/a.sql", lock}})), "old/a.sql note session-lock\n");
}

TEST(Pipeline, SettingsDecideLevelsAndTests) {
  EXPECT_EQ(found(checked({{".padlint.toml", "[levels]\nsession-lock = \"error\"\n"},
                           {"app/.padlint.toml", "[levels]\nsession-lock = \"off\"\n"},
                           {"a.sql", lock},
                           {"app/b.sql", lock}})),
            "a.sql error session-lock\n");
  EXPECT_EQ(found(checked({{".padlint.toml", "[levels]\nsession-lock = \"error\"\n[paths]\ntests = [\"checks\"]\n"},
                           {"checks/a.sql", lock}})),
            "checks/a.sql note session-lock\n");
}

TEST(Pipeline, AWrongSettingEndsTheRun) {
  const auto result = check(memory_tree({{"app/.padlint.toml", "root = true\ntools = 1\n"}, {"a.sql", lock}}), {});
  ASSERT_FALSE(result);
  EXPECT_EQ(to_text(result.error()), "app/.padlint.toml:2:1: unknown key `tools`");
}

TEST(Pipeline, SettingsOfExcludedAndVendoredFoldersAreNotRead) {
  const CheckResult result = checked({{".padlint.toml", "exclude = [\"samples\"]\n"},
                                      {"samples/.padlint.toml", "root = true\ntools = 1\n"},
                                      {"node_modules/x/.padlint.toml", "tools = 1\n"},
                                      {"samples/a.sql", lock},
                                      {"b.sql", lock}});
  EXPECT_EQ(found(result), "b.sql note session-lock\n");
}

TEST(Pipeline, AFolderThatSaysRootIsAProjectOfItsOwn) {
  const MemoryFiles files = {{"a.sql", "SELECT take_gate();\n"}, {"lib/gate.sql", wrapper}};
  EXPECT_EQ(checked(files).coverage.files_read, (std::vector<std::size_t>{1, 1}));
  MemoryFiles apart = files;
  apart.emplace("lib/.padlint.toml", "root = true\n");
  EXPECT_EQ(checked(apart).coverage.files_read, std::vector<std::size_t>{1});
  // The outer settings end at its border as well.
  apart.emplace(".padlint.toml", "ignore = [\"session-lock\"]\n");
  apart.emplace("lib/b.sql", lock);
  apart.emplace("c.sql", lock);
  EXPECT_NE(found(checked(apart)).find("lib/b.sql note session-lock\n"), std::string::npos);
  EXPECT_EQ(found(checked(apart)).find("c.sql"), std::string::npos);
}

TEST(Pipeline, AFileThatCannotBeReadCostsOnlyItself) {
  SourceTree tree = memory_tree({{"a.sql", lock}, {"b.sql", lock}});
  tree.opener = [opener = tree.opener]() -> Opener {
    return [open = opener()](std::string_view path) mutable -> std::expected<OpenFile, Notice> {
      return path == "a.sql" ? std::unexpected(unreadable_file(path, "Permission denied")) : open(path);
    };
  };
  const CheckResult result = check(tree, {}).value();
  EXPECT_EQ(found(result), "b.sql note session-lock\n");
  EXPECT_EQ(noticed(result), "error: a.sql: Permission denied [unreadable-file]\n");
}

TEST(Pipeline, EveryFindingHasAnIdentityOfItsOwn) {
  const CheckResult result = checked({{"a.sql", std::string(lock) + lock}});
  ASSERT_EQ(result.findings.size(), 2U);
  EXPECT_FALSE(result.findings[0].fingerprint.empty());
  EXPECT_NE(result.findings[0].fingerprint, result.findings[1].fingerprint);
}

} // namespace
} // namespace padlint
