#include "analyzer/cli/settings.h"

#include <gtest/gtest.h>

namespace padlint {
namespace {

std::string fault(std::string_view text) {
  const auto settings = read_settings(".padlint.toml", 0, text);
  return settings ? "none" : to_text(settings.error());
}

TEST(SettingsFault, HasItsPositionAndTheNearestName) {
  const std::pair<std::string_view, std::string_view> table[] = {
      {"", "none"},
      {"ingore = []\n", ".padlint.toml:1:1: unknown key `ingore`; did you mean `ignore`?"},
      {"root = true\n\n[colours]\na = 1\n", ".padlint.toml:3:2: unknown key `colours`"},
      {"ignore = [\n  \"session-lock\",\n  \"sesion-lock\",\n]\n",
       ".padlint.toml:3:3: unknown rule `sesion-lock`; did you mean `session-lock`?"},
      {"select = \"session-lock\"\n", ".padlint.toml:1:10: `select` must be a list of texts"},
      {"exclude = [\"a\", 7]\n", ".padlint.toml:1:17: `exclude` must be a list of texts"},
      {"root = 1\n", ".padlint.toml:1:8: `root` must be true or false"},
      {"levels = 1\n", ".padlint.toml:1:10: `levels` must be a table of rules"},
      {"[levels]\nsession-lok = \"error\"\n",
       ".padlint.toml:2:1: unknown rule `session-lok`; did you mean `session-lock`?"},
      {"[levels]\nsession-lock = \"fatal\"\n",
       ".padlint.toml:2:16: a level is \"error\", \"warning\", \"note\" or \"off\""},
      {"[levels]\nsession-lock = 2\n", ".padlint.toml:2:16: a level is \"error\", \"warning\", \"note\" or \"off\""},
      {"[paths]\ntest = [\"a\"]\n", ".padlint.toml:2:1: unknown key `test`; did you mean `tests`?"},
      {"paths = true\n", ".padlint.toml:1:9: `paths` must be a table"},
  };
  for (const auto& [text, expected] : table)
    EXPECT_EQ(fault(text), expected) << text;
}

TEST(SettingsFault, ATextThatIsNoTomlSaysWhere) {
  EXPECT_TRUE(fault("ignore = [\n\nroot = true\n").starts_with(".padlint.toml:3:"))
      << fault("ignore = [\n\nroot = true\n");
}

TEST(Settings, ReadsEachKey) {
  const auto settings = read_settings("lib/.padlint.toml", 3,
                                      "root = true\nselect = [\"session-lock\"]\nignore = [\"hashtext-key\"]\n"
                                      "[levels]\nsession-lock = \"error\"\nhashtext-key = \"off\"\n");
  ASSERT_TRUE(settings);
  EXPECT_EQ(settings->path, "lib/.padlint.toml");
  EXPECT_EQ(settings->folder, "lib/");
  EXPECT_TRUE(settings->root);
  EXPECT_EQ(settings->select, std::vector<std::string>{"session-lock"});
  EXPECT_EQ(settings->ignore, std::vector<std::string>{"hashtext-key"});
  EXPECT_EQ(settings->levels.at("session-lock"), FindingLevel::error);
  EXPECT_EQ(settings->levels.at("hashtext-key"), std::nullopt);
}

TEST(Settings, ASectionOfALaterVersionGivesANotice) {
  const std::string_view text = "root = true\n[endpoint.main]\nurl = \"x\"\n[keys]\n";
  const auto settings = read_settings(".padlint.toml", 2, text);
  ASSERT_TRUE(settings);
  std::string notices;
  for (const Notice& notice : settings->notices)
    notices += to_text(notice) + " at " + to_text(notice.span, text) + "\n";
  EXPECT_EQ(notices, "note: .padlint.toml: `endpoint` is not used by this version [config-key-unused] at 2:2-2:10\n"
                     "note: .padlint.toml: `keys` is not used by this version [config-key-unused] at 4:2-4:6\n");
}

ProjectSettings project(std::vector<std::pair<std::string_view, std::string_view>> files) {
  ProjectSettings result;
  for (const auto& [path, text] : files)
    result.files.push_back(read_settings(path, 0, text).value());
  return result;
}

TEST(ProjectSettings, GlobsFitFilesAndFoldersBelowTheirFile) {
  const ProjectSettings settings =
      project({{".padlint.toml", "exclude = [\"third_party/\", \"*.gen.sql\", \"/db/old/**\"]"},
               {"app/.padlint.toml", "exclude = [\"old\"]\n[paths]\ntests = [\"checks\"]"}});
  const std::pair<std::string_view, bool> table[] = {
      {"third_party/a.sql", true}, {"lib/third_party/deep/a.sql", true},
      {"third_party.sql", false},  {"lib/x.gen.sql", true},
      {"lib/x.sql", false},        {"app/old/x.sql", true},
      {"old/x.sql", false},        {"app/x/old", true},
      {"db/old/a.sql", true},      {"app/db/old/a.sql", true},
      {"lib/db/old/a.sql", false},
  };
  for (const auto& [path, expected] : table)
    EXPECT_EQ(settings.excludes(path), expected) << path;
  EXPECT_TRUE(settings.is_test("app/checks/a.sql"));
  EXPECT_FALSE(settings.is_test("checks/a.sql"));
}

TEST(ProjectSettings, TheInnermostFileDecides) {
  const ProjectSettings settings =
      project({{".padlint.toml",
                "select = [\"session-lock\"]\nignore = [\"hashtext-key\"]\n[levels]\nsession-lock = \"error\""},
               {"app/.padlint.toml", "select = []\nignore = [\"session-lock\"]\n[levels]\nsession-lock = \"off\""}});
  EXPECT_EQ(*settings.selected("a.sql"), std::vector<std::string>{"session-lock"});
  EXPECT_EQ(*settings.selected("app/a.sql"), std::vector<std::string>{});
  EXPECT_EQ(settings.level("session-lock", "a.sql"), std::optional<FindingLevel>(FindingLevel::error));
  ASSERT_TRUE(settings.level("session-lock", "app/a.sql"));
  EXPECT_EQ(*settings.level("session-lock", "app/a.sql"), std::nullopt);
  EXPECT_FALSE(settings.level("hashtext-key", "a.sql"));
  // What an outer file ignores stays ignored further in.
  EXPECT_TRUE(settings.ignores("hashtext-key", "app/a.sql"));
  EXPECT_TRUE(settings.ignores("session-lock", "app/a.sql"));
  EXPECT_FALSE(settings.ignores("session-lock", "application.sql"));
}

TEST(Settings, DeclareWrappers) {
  const auto settings = read_settings(".padlint.toml", 0,
                                      "[[wrapper]]\ncall = \"hold\"\nkey = 0\n[[wrapper]]\ncall = [\"a.b\", \"c\"]\n"
                                      "release = \"d\"\nkey = [0, \"id\"]\nhandle = \"conn\"\nlevel = \"transaction\"\n"
                                      "try = true\n[[wrapper]]\ncall = \"ask\"\nsql = 1\n");
  ASSERT_TRUE(settings) << to_text(settings.error());
  ASSERT_EQ(settings->wrappers.size(), 3U);
  const Wrapper& pair = settings->wrappers[1];
  EXPECT_EQ(pair.calls, (std::vector<std::string>{"a.b", "c"}));
  EXPECT_EQ(pair.releases, std::vector<std::string>{"d"});
  EXPECT_EQ(pair.key.at(0).position, 0);
  EXPECT_EQ(pair.key.at(1).keywords, std::vector<std::string>{"id"});
  EXPECT_EQ(pair.level, Level::transaction);
  EXPECT_TRUE(pair.tries);
  EXPECT_EQ(settings->wrappers[2].sql.position, 1);
}

TEST(Settings, AWrapperThatSaysTooLittleIsAFault) {
  const auto fault = [](std::string_view text) {
    const auto settings = read_settings(".padlint.toml", 0, text);
    return settings ? std::string() : to_text(settings.error());
  };
  EXPECT_EQ(fault("[[wrapper]]\ncall = \"hold\"\n"),
            ".padlint.toml:1:1: a wrapper needs `call`, and either `key` or `sql`");
  EXPECT_EQ(fault("[[wrapper]]\ncal = \"hold\"\n"),
            ".padlint.toml:2:1: unknown key of a wrapper `cal`; did you mean `call`?");
  EXPECT_EQ(fault("[[wrapper]]\ncall = \"hold\"\nkey = [0, 1, 2]\n"),
            ".padlint.toml:3:7: `key` must be one argument, or two for the (int4, int4) form");
  EXPECT_EQ(fault("wrapper = \"hold\"\n"), ".padlint.toml:1:11: `wrapper` must be a list of tables: [[wrapper]]");
  EXPECT_EQ(fault("[migrations]\nsingle_runner = 1\n"), ".padlint.toml:2:17: `single_runner` must be true or false");
}

} // namespace
} // namespace padlint
