#include "analyzer/cli/filters.h"

#include <gtest/gtest.h>

namespace padlint {
namespace {

using enum FindingLevel;

// Rules of this test's own, so that no rule's page can change what is tested here.
const Rule strong{.id = "session-lock-behind-pooler", .level = error, .replaces = {"session-lock"}};
const Rule weak{.id = "session-lock", .level = note};
const Rule asked{.id = "unlock-mismatch", .level = warning, .on_request = true};
const std::vector<const Rule*> rules = {&weak, &strong, &asked};

/// Each file has five lines of ten bytes, so that byte 20 is the start of line 3.
constexpr std::string_view file_text = "line one \nline two \nline tre \nline for \nline fiv \n";

struct Project {
  std::vector<FileFacts> files;
  ProjectSettings settings;
  FilterOptions options;

  Project() {
    for (const char* path : {"a.sql", "app/b.sql", "app/c.sql", "pgbouncer.ini"})
      files.push_back({.file = static_cast<FileId>(files.size()), .path = path});
  }

  /// Prints what is left as `path:byte level rule`.
  [[nodiscard]] std::string left(std::vector<Finding> findings) const {
    const FilterInput input{
        .files = files, .settings = settings, .rules = rules, .text = [](FileId) { return file_text; }};
    std::string text;
    for (const Finding& each : filtered(std::move(findings), input, options))
      text += files[each.primary.file].path + ":" + std::to_string(each.primary.begin) + " " +
              std::string(to_text(shown_level(each))) + " " + each.rule + "\n";
    return text;
  }

  void set(std::string_view path, std::string_view text) {
    settings.files.push_back(read_settings(path, 0, text).value());
  }
};

Finding at(FileId file, std::uint32_t byte, const Rule& rule, Confidence confidence = Confidence::certain) {
  return {.rule = std::string(rule.id),
          .level = rule.level,
          .confidence = confidence,
          .primary = {.file = file, .begin = byte, .end = byte + 4},
          .message = "m"};
}

Finding about_lock(std::uint32_t id, Finding finding) {
  finding.subject = {Subject::lock, id};
  return finding;
}

TEST(Filters, SortsByPathPlaceAndRuleAndDropsRepetitions) {
  const Project project;
  EXPECT_EQ(project.left({at(1, 5, strong), at(0, 30, weak), at(0, 5, strong), at(0, 5, weak), at(0, 30, weak)}),
            "a.sql:5 note session-lock\na.sql:5 error session-lock-behind-pooler\na.sql:30 note session-lock\n"
            "app/b.sql:5 error session-lock-behind-pooler\n");
}

TEST(Filters, RulesOnRequestAreForSelectAndStrict) {
  Project project;
  EXPECT_EQ(project.left({at(0, 0, asked)}), "");
  project.options.profile = Profile::strict;
  EXPECT_EQ(project.left({at(0, 0, asked)}), "a.sql:0 warning unlock-mismatch\n");
  project.options = {.select = std::vector<std::string>{"unlock-mismatch"}};
  EXPECT_EQ(project.left({at(0, 0, asked), at(0, 0, weak)}), "a.sql:0 warning unlock-mismatch\n");
}

TEST(Filters, SelectInSettingsHoldsForItsFolder) {
  Project project;
  project.set("app/.padlint.toml", "select = [\"unlock-mismatch\"]");
  EXPECT_EQ(project.left({at(0, 0, weak), at(0, 0, asked), at(1, 0, weak), at(1, 0, asked)}),
            "a.sql:0 note session-lock\napp/b.sql:0 warning unlock-mismatch\n");
  EXPECT_TRUE(runs(asked, project.options, project.settings));
  EXPECT_TRUE(runs(weak, project.options, project.settings));
  project.options.select = {{"session-lock"}};
  EXPECT_EQ(project.left({at(0, 0, weak), at(1, 0, weak), at(1, 0, asked)}),
            "a.sql:0 note session-lock\napp/b.sql:0 note session-lock\n");
  EXPECT_FALSE(runs(asked, project.options, project.settings));
}

TEST(Filters, SelectComesBeforePrecedence) {
  Project project;
  const std::vector<Finding> both = {about_lock(1, at(0, 0, weak)), about_lock(1, at(0, 0, strong))};
  EXPECT_EQ(project.left(both), "a.sql:0 error session-lock-behind-pooler\n");
  project.options.select = {{"session-lock"}};
  EXPECT_EQ(project.left(both), "a.sql:0 note session-lock\n");
}

TEST(Filters, IgnoreSuppressionAndConfidenceComeAfterPrecedence) {
  const std::vector<Finding> both = {about_lock(1, at(0, 20, weak)), about_lock(1, at(0, 20, strong))};
  Project ignored;
  ignored.options.ignore = {"session-lock-behind-pooler"};
  EXPECT_EQ(ignored.left(both), "");
  Project off;
  off.set(".padlint.toml", "[levels]\nsession-lock-behind-pooler = \"off\"");
  EXPECT_EQ(off.left(both), "");
  Project suppressed;
  suppressed.files[0].suppressions = {{.span = {0, 12, 15}, .rules = {"session-lock-behind-pooler"}}};
  EXPECT_EQ(suppressed.left(both), "");
  Project certain;
  certain.options.min_confidence = Confidence::certain;
  EXPECT_EQ(certain.left({about_lock(1, at(0, 20, weak)), about_lock(1, at(0, 20, strong, Confidence::likely))}), "");
}

TEST(Filters, AConfidenceBelowTheLeastIsNotShown) {
  Project project;
  const std::vector<Finding> all = {at(0, 0, strong), at(0, 10, strong, Confidence::likely),
                                    at(0, 20, strong, Confidence::possible)};
  EXPECT_EQ(project.left(all),
            "a.sql:0 error session-lock-behind-pooler\na.sql:10 warning session-lock-behind-pooler\n");
  project.options.min_confidence = Confidence::possible;
  EXPECT_EQ(project.left(all), "a.sql:0 error session-lock-behind-pooler\na.sql:10 warning session-lock-behind-pooler\n"
                               "a.sql:20 note session-lock-behind-pooler\n");
  project.options.profile = Profile::strict;
  project.options.min_confidence = Confidence::certain;
  EXPECT_EQ(project.left(all), "a.sql:0 error session-lock-behind-pooler\n");
}

TEST(Filters, TheLeastLevelIsThatWhichIsShown) {
  Project project;
  project.options.min_level = warning;
  EXPECT_EQ(project.left({at(0, 0, weak), at(0, 10, strong, Confidence::likely), at(0, 20, strong)}),
            "a.sql:10 warning session-lock-behind-pooler\na.sql:20 error session-lock-behind-pooler\n");
  project.options.min_level = error;
  EXPECT_EQ(project.left({at(0, 0, weak), at(0, 10, strong, Confidence::likely), at(0, 20, strong)}),
            "a.sql:20 error session-lock-behind-pooler\n");
}

TEST(Filters, LevelsOfTheSettingsCountForPrecedence) {
  Project project;
  project.set(".padlint.toml", "[levels]\nsession-lock = \"error\"");
  project.set("app/.padlint.toml", "[levels]\nsession-lock = \"warning\"");
  EXPECT_EQ(project.left({at(0, 0, weak), at(1, 0, weak)}),
            "a.sql:0 error session-lock\napp/b.sql:0 warning session-lock\n");
  EXPECT_EQ(project.left({about_lock(1, at(0, 0, weak)), about_lock(1, at(0, 0, strong, Confidence::likely))}),
            "a.sql:0 error session-lock\na.sql:0 warning session-lock-behind-pooler\n");
}

TEST(Filters, ACommentSilencesItsLineAndTheNext) {
  for (const auto& [byte, silent] : {std::pair{0U, false}, {10U, true}, {20U, true}, {30U, false}}) {
    Project project;
    project.files[0].suppressions = {{.span = {0, 14, 18}, .rules = {"session-lock"}}};
    EXPECT_EQ(project.left({at(0, byte, weak)}).empty(), silent) << byte;
    EXPECT_FALSE(project.left({at(0, byte, strong)}).empty()) << "another rule";
    EXPECT_FALSE(project.left({at(1, byte, weak)}).empty()) << "another file";
    project.files[0].suppressions[0].rules = {};
    EXPECT_EQ(project.left({at(0, byte, strong)}).empty(), silent) << "all rules";
  }
}

TEST(Filters, TestsAndExamplesShowErrorsAsNotesAndTheRestOnRequest) {
  for (const FileTraits traits : {FileTraits{.test = true}, FileTraits{.example = true}}) {
    Project project;
    project.files[0].traits = traits;
    const std::vector<Finding> all = {at(0, 0, weak), at(0, 10, strong, Confidence::likely), at(0, 20, strong)};
    EXPECT_EQ(project.left(all), "a.sql:20 note session-lock-behind-pooler\n");
    project.options.select = {{"session-lock", "session-lock-behind-pooler"}};
    const std::string notes = "a.sql:0 note session-lock\na.sql:10 note session-lock-behind-pooler\n"
                              "a.sql:20 note session-lock-behind-pooler\n";
    EXPECT_EQ(project.left(all), notes);
    project.options = {.profile = Profile::strict};
    EXPECT_EQ(project.left(all), notes);
  }
}

TEST(Filters, GeneratedAndVendoredFilesAreNotReported) {
  for (const FileTraits traits : {FileTraits{.generated = true}, FileTraits{.vendored = true}}) {
    Project project;
    project.files[0].traits = traits;
    project.options.profile = Profile::strict;
    EXPECT_EQ(project.left({at(0, 0, strong)}), "");
  }
}

TEST(Filters, APathIsReportedForItsFindingsAndForWhatItDecides) {
  Project project;
  Finding decided = at(0, 0, strong);
  decided.decide({.file = 3, .begin = 1, .end = 2}, "`pool_mode = transaction`");
  Finding related = at(1, 0, strong);
  related.relate({.file = 3, .begin = 1, .end = 2}, "beside it");
  const std::vector<Finding> all = {decided, related, at(2, 0, weak)};
  project.options.paths = {"pgbouncer.ini"};
  EXPECT_EQ(project.left(all), "a.sql:0 error session-lock-behind-pooler\n");
  project.options.paths = {"app"};
  EXPECT_EQ(project.left(all), "app/b.sql:0 error session-lock-behind-pooler\napp/c.sql:0 note session-lock\n");
  project.options.paths = {"app/c.sql", "a.sql"};
  EXPECT_EQ(project.left(all), "a.sql:0 error session-lock-behind-pooler\napp/c.sql:0 note session-lock\n");
}

TEST(Filters, RequestedPathsAreFilesAndFolders) {
  const std::vector<std::string> wanted = {"app", "lib/x.sql"};
  EXPECT_TRUE(is_requested("app/a/b.sql", wanted));
  EXPECT_TRUE(is_requested("lib/x.sql", wanted));
  EXPECT_FALSE(is_requested("apple/b.sql", wanted));
  EXPECT_FALSE(is_requested("lib/y.sql", wanted));
  EXPECT_TRUE(is_requested("anything", {}));
  EXPECT_TRUE(is_requested("anything", std::vector<std::string>{""}));
}

} // namespace
} // namespace padlint
