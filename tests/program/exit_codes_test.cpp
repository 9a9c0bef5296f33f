#include "run.h"

#include <gtest/gtest.h>

#include <unistd.h>

namespace padlint {
namespace {

constexpr const char* lock = "SELECT pg_advisory_lock(41);\n";                                          // a note
constexpr const char* fault = "SELECT pg_advisory_unlock(41, 7);\nSELECT pg_advisory_xact_lock(41);\n"; // an error
constexpr const char* no_lock = "SELECT 1;\n";

const Files project = {
    {".padlint.toml", "root = true\n"}, {"clean.sql", no_lock}, {"fault.psql", fault}, {"note.sql", lock}};

struct Case {
  std::vector<std::string> arguments;
  int exit_code;
};

TEST(ExitCodes, TellFindingsFromFailures) {
  const Folder folder(project);
  const Case table[] = {
      {{}, 1},
      {{"check"}, 1},
      {{"clean.sql"}, 0},
      {{"note.sql"}, 0},
      {{"fault.psql"}, 1},
      {{"clean.sql", "fault.psql"}, 1},
      {{"--fail-level", "note", "note.sql"}, 1},
      {{"--fail-level", "note", "clean.sql"}, 0},
      {{"--fail-level", "note", "--min-level", "error", "note.sql"}, 0},
      {{"--fail-level", "error", "fault.psql"}, 1},
      {{"--fail-level", "none"}, 0},
      {{"--select", "session-lock"}, 0},
      {{"--ignore", "xact-lock-outside-transaction,unlock-mismatch"}, 0},
      {{"--strict", "clean.sql"}, 0},
      {{"--root", "."}, 1},
      {{"missing.sql"}, 2},
      {{"clean.sql", "missing.sql"}, 2},
      {{"--root", "missing"}, 2},
      {{"--root", "clean.sql"}, 2},
      {{"clean.sql", "/"}, 2},
      {{"--no-such-option"}, 2},
      {{"--select", "no-such-rule"}, 2},
      {{"--output", "missing/report"}, 2},
      {{"facts", "note.sql"}, 0},
      {{"facts", "clean.sql"}, 0},
      {{"facts", "missing.sql"}, 2},
      {{"facts", "--format", "json"}, 0},
      {{"facts", "--format", "json", "missing.sql"}, 2},
      {{"facts", "--format", "json", "--wants", "missing"}, 2},
      {{"facts", "--format", "json", "--wants", "note.sql"}, 2},
      {{"merge"}, 2},
      {{"merge", "missing"}, 2},
      {{"merge", "note.sql"}, 2},
      {{"merge", "."}, 2},
      {{"merge", "/dev/null"}, 2},
      {{"rules"}, 0},
      {{"explain", "session-lock"}, 0},
      {{"explain", "no-such-rule"}, 2},
      {{"explain", "fault.psql:2"}, 0},
      {{"explain", "fault.psql:2:8"}, 0},
      {{"explain", "clean.sql:1"}, 2},
      {{"explain", "missing.sql:1"}, 2},
      {{"explain", ".:1"}, 2},
      {{"--format", "json", "fault.psql"}, 1},
      {{"--select", ""}, 2},
      {{"explain"}, 2},
      {{"--help"}, 0},
      {{"--version"}, 0},
  };
  for (const Case& each : table) {
    std::string words;
    for (const std::string& argument : each.arguments)
      words += argument + " ";
    const Outcome run = folder.run(each.arguments);
    EXPECT_EQ(run.exit_code, each.exit_code) << words << "\n" << run.out << run.log;
    EXPECT_EQ(run.exit_code == 2, run.out.empty()) << words; // a failure leaves no report
    EXPECT_EQ(run.exit_code == 2, run.log.starts_with("padlint: ")) << words << run.log;
  }
}

TEST(ExitCodes, DoNotDependOnTheFormat) {
  const Folder folder(project);
  for (const char* path : {"clean.sql", "note.sql", "fault.psql", "missing.sql"})
    EXPECT_EQ(folder.run({"--format", "sarif", path}).exit_code, folder.run({"--format", "text", path}).exit_code)
        << path;
}

TEST(ExitCodes, NoFileAtAllIsAFailure) {
  const Folder folder(Files{{"empty/.gitignore", "*\n"}, {"empty/a.sql", lock}, {"a.sql", no_lock}});
  EXPECT_EQ(folder.run({"--root", ".", "empty/a.sql"}).exit_code, 2);
  EXPECT_EQ(folder.run({"--root", "."}).exit_code, 0);
}

TEST(ExitCodes, AFolderThatCannotBeReadIsNoEmptyOne) {
  if (::geteuid() == 0)
    GTEST_SKIP() << "root may read everything";
  const Folder folder(Files{{"locked/a.sql", lock}, {"a.sql", lock}});
  std::filesystem::permissions(folder.path / "locked", std::filesystem::perms::none);
  const Outcome run = folder.run({"--root", ".", "locked"});
  std::filesystem::permissions(folder.path / "locked", std::filesystem::perms::owner_all);
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_EQ(run.log, "padlint: locked: Permission denied\n");
}

TEST(ExitCodes, AWrongSettingIsAFailureWithItsPlace) {
  const Folder folder(Files{{".padlint.toml", "root = true\nignore = [\"sesion-lock\"]\n"}, {"a.sql", lock}});
  const Outcome run = folder.run({});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_EQ(run.out, "");
  EXPECT_EQ(run.log, "padlint: .padlint.toml:2:11: unknown rule `sesion-lock`; did you mean `session-lock`?\n");
}

TEST(ExitCodes, APathOutsideOfTheRootIsAFailure) {
  const Folder outside(Files{{"b.sql", lock}});
  const Folder folder(project);
  const Outcome run = folder.run({"clean.sql", outside.path.string()});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_EQ(run.log, "padlint: " + outside.path.string() + ": outside of the root " + folder.path.string() + "\n");
}

TEST(Root, IsThatOfTheNamedPath) {
  const std::string head = "ref: refs/heads/main\n";
  const Folder folder(Files{{"one/.git/HEAD", head},
                            {"one/app/a.sql", lock},
                            {"one/inner/.padlint.toml", "root = true\n"},
                            {"one/inner/b.sql", lock},
                            {"two/.git/HEAD", head},
                            {"two/c.sql", lock},
                            {"three/d.sql", lock}});
  const auto read = [&](const std::vector<std::string>& paths) {
    const Outcome run = folder.run(paths);
    const std::string log = run.out + run.log;
    const std::size_t at = log.find("; read ");
    return at == std::string::npos ? log : log.substr(at + 2, log.find(';', at + 2) - at - 2);
  };
  EXPECT_EQ(read({"one/app"}), "read 1 of 3 files");
  EXPECT_EQ(read({"two/c.sql"}), "read 1 of 1 file");
  EXPECT_EQ(read({"three"}), "read 1 of 1 file");
  EXPECT_EQ(read({"one/inner/b.sql", "one/app/a.sql"}), read({"one/app/a.sql", "one/inner/b.sql"}));
  EXPECT_EQ(read({"one/app/a.sql", "two/c.sql"}),
            "padlint: one/app/a.sql and two/c.sql lie in different projects: name one at a time, or give --root\n");
}

TEST(Root, IsFoundUpwards) {
  const Folder folder(Files{{".git/HEAD", "ref: refs/heads/main\n"}, {"app/deep/a.sql", lock}, {"b.sql", lock}});
  const Outcome run = folder.run({"facts", "app/deep"});
  EXPECT_TRUE(run.out.starts_with("app/deep/a.sql sql\n")) << run.out;
  EXPECT_EQ(run.out.find("b.sql"), std::string::npos);
  EXPECT_NE(run.out.find(" @app/deep/a.sql:1:8\n"), std::string::npos) << run.out;
}

TEST(Merge, ReportsAsTheRunWould) {
  const Folder folder(project);
  const Outcome direct = folder.run({});
  EXPECT_EQ(folder.run({"facts", "--format", "json", "-o", "1.json", "fault.psql", ".padlint.toml"}).exit_code, 0);
  EXPECT_EQ(folder.run({"facts", "--format", "json", "-o", "2.json", "note.sql", "clean.sql"}).exit_code, 0);
  EXPECT_EQ(folder.run({"merge", "1.json", "2.json", "--wants", "wants"}).exit_code, 0);
  EXPECT_EQ(folder.text("wants"), "");
  const Outcome merged = folder.run({"merge", "2.json", "1.json"});
  EXPECT_EQ(merged.exit_code, 1);
  EXPECT_EQ(merged.out, direct.out);
  EXPECT_EQ(merged.log, direct.log);
  EXPECT_EQ(folder.run({"merge", "1.json", "2.json", "--fail-level", "none"}).exit_code, 0);
}

TEST(Merge, OpenQuestionsAreAsked) {
  const Folder folder(Files{{".padlint.toml", "root = true\n"},
                            {"a.sql", "CREATE FUNCTION take_gate() RETURNS void LANGUAGE sql AS $$\n"
                                      "  SELECT pg_advisory_lock(41)\n$$;\n"},
                            {"b.sql", "SELECT take_gate();\n"}});
  const std::string direct = folder.run({}).out;
  EXPECT_EQ(folder.run({"facts", "--format", "json", "-o", "1.json"}).exit_code, 0);
  EXPECT_NE(folder.run({"merge", "1.json"}).log.find("[facts-incomplete]"), std::string::npos);
  std::vector<std::string> merge = {"merge", "--wants", "wants", "1.json"};
  for (const char* answers : {"2.json", "3.json"}) {
    EXPECT_EQ(folder.run(merge).exit_code, 0);
    EXPECT_EQ(folder.run({"facts", "--format", "json", "--wants", "wants", "-o", answers, "a.sql", "b.sql"}).exit_code,
              0);
    merge.emplace_back(answers);
  }
  EXPECT_EQ(folder.run(merge).exit_code, 0);
  EXPECT_EQ(folder.text("wants"), "");
  const Outcome merged = folder.run({"merge", "3.json", "2.json", "1.json"});
  EXPECT_EQ(merged.log, "");
  EXPECT_EQ(merged.out, direct);
}

TEST(Merge, RefusesDamageWithTheFilesName) {
  const Folder folder(project);
  EXPECT_EQ(folder.run({"facts", "--format", "json", "-o", "1.json"}).exit_code, 0);
  std::filesystem::resize_file(folder.path / "1.json", 300);
  const Outcome run = folder.run({"merge", "1.json"});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_EQ(run.log, "padlint: 1.json: truncated or damaged: it does not end with its checksum\n");
}

TEST(Log, QuietKeepsErrorsOnly) {
  const Folder folder(Files{{".padlint.toml", "root = true\n[keys]\n"}, {"a.sql", lock}});
  EXPECT_NE(folder.run({}).log.find("[config-key-unused]"), std::string::npos);
  EXPECT_EQ(folder.run({"--quiet"}).log, "");
  EXPECT_EQ(folder.run({"--quiet", "nothing"}).log, "padlint: nothing: No such file or directory\n");
}

TEST(Color, OnlyWhereItIsAskedFor) {
  const Folder folder(project);
  EXPECT_EQ(folder.run({"fault.psql"}).out.find('\x1b'), std::string::npos);
  EXPECT_NE(folder.run({"--color", "always", "fault.psql"}).out.find('\x1b'), std::string::npos);
  EXPECT_EQ(folder.run({"--color", "always", "-f", "sarif", "fault.psql"}).out.find('\x1b'), std::string::npos);
}

TEST(Commands, RulesAndPages) {
  const Folder folder(Files{});
  EXPECT_NE(folder.run({"rules"}).out.find("\nsession-lock  "), std::string::npos);
  EXPECT_TRUE(folder.run({"explain", "session-lock"}).out.starts_with("# session-lock"));
  EXPECT_EQ(folder.run({"explain", "sesion-lock"}).log,
            "padlint: no rule `sesion-lock`; did you mean `session-lock`?\n");
}

} // namespace
} // namespace padlint
