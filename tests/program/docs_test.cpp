#include "tests/fixtures/project.h"
#include "tests/program/run.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>

// The commands in the documentation are run: in a copy of the project's own folder, as far as they need it, where
// `padlint` is the program of this build.

namespace padlint {
namespace {

namespace fs = std::filesystem;

const fs::path root = PADLINT_SOURCE_DIR;

/// Each block of code with one of the words behind its fence.
std::vector<std::string> blocks(const std::string& page, const std::string& word) {
  const std::string text = read_text(root / page);
  std::vector<std::string> found;
  const std::string fence = "```" + word + "\n";
  for (std::size_t at = text.find(fence); at != std::string::npos; at = text.find(fence, at + 1)) {
    const std::size_t begin = at + fence.size();
    found.push_back(text.substr(begin, text.find("```", begin) - begin));
  }
  return found;
}

/// What a block of the documentation needs to run: the fixtures, the program where `./dev build` leaves it, and a `dev`
/// that builds nothing.
struct Sandbox {
  Folder folder{Files{{"dev", "#!/bin/sh\ncase $1 in\n"
                              "check) shift; root=$1; shift; exec padlint check --root \"$root\" \"$@\" ;;\n"
                              "*) grep -q \"^  $1 \" '" +
                                  (root / "dev").string() + "' || exit 2 ;;\nesac\n"}}};

  Sandbox() {
    fs::create_directories(folder.path / "fixtures");
    fs::copy(root / "fixtures/shop", folder.path / "fixtures/shop", fs::copy_options::recursive);
    fs::create_directories(folder.path / "build/release");
    fs::create_symlink(PADLINT_BINARY_DIR "/padlint", folder.path / "build/release/padlint");
    fs::permissions(folder.path / "dev", fs::perms::owner_all);
  }

  /// Runs a script there, in a folder of the sandbox; the log is its exit code and what it wrote to standard error.
  [[nodiscard]] std::string log_of(const std::string& script, const std::string& where = ".") const {
    std::ofstream(folder.path / "script") << "set -u\ncd '" << where << "'\n" << script;
    const std::string command =
        fmt::format("cd '{}' && PATH=\"$PWD/build/release:$PATH\" bash script >out 2>log; echo exit $? >>log",
                    folder.path.string());
    EXPECT_EQ(std::system(command.c_str()), 0);
    return folder.text("log");
  }
};

bool has_parallel() { return std::system("parallel --version >/dev/null 2>&1") == 0; }

/// 0, or 1 for findings, and nothing that padlint or the shell complained about.
bool went_well(const std::string& log) {
  return (log.ends_with("exit 0\n") || log.ends_with("exit 1\n")) && !log.contains("padlint: ") &&
         !log.contains("script: line");
}

TEST(Documentation, CommandsOfTheReadmeRun) {
  const Sandbox sandbox;
  for (const std::string& block : blocks("README.md", "sh")) {
    const std::string log = sandbox.log_of(block);
    EXPECT_TRUE(went_well(log)) << block << log;
  }
}

TEST(Documentation, CommandsAroundTheJsonReportRun) {
  if (std::system("jq --version >/dev/null 2>&1") != 0)
    GTEST_SKIP() << "jq is not installed";
  const Sandbox sandbox;
  const std::vector<std::string> scripts = blocks("sarif/json.md", "sh");
  EXPECT_FALSE(scripts.empty());
  for (const std::string& script : scripts) {
    const std::string log = sandbox.log_of(script, "fixtures/shop");
    EXPECT_TRUE(went_well(log)) << script << log;
    EXPECT_TRUE(sandbox.folder.text("out").contains("unlock-mismatch\n")) << sandbox.folder.text("out");
  }
}

TEST(Documentation, SettingsOfTheReadmeAreTaken) {
  const std::vector<std::string> settings = blocks("README.md", "toml");
  EXPECT_EQ(settings.size(), 2U);
  for (const std::string& block : settings) {
    const Folder folder(Files{{".padlint.toml", block}, {"a.sql", "SELECT 1;\n"}});
    const Outcome run = folder.run({"--root", "."});
    EXPECT_EQ(run.exit_code, 0) << block << run.log;
    EXPECT_FALSE(run.log.contains(".padlint.toml")) << block << run.log;
  }
}

TEST(Documentation, TheCommentOfTheReadmeSilences) {
  const std::vector<std::string> examples = blocks("README.md", "python");
  ASSERT_EQ(examples.size(), 1U);
  const std::string& example = examples[0];
  const std::string before = "import psycopg\n\nINDEX = 41\nconn = psycopg.connect('')\n";
  const Folder folder(
      Files{{"silenced.py", before + example}, {"told.py", before + example.substr(example.find('\n') + 1)}});
  const std::vector<std::string> check = {"--root", ".", "--select", "session-lock", "--fail-level", "note"};
  for (const auto& [file, exit_code] : {std::pair("silenced.py", 0), std::pair("told.py", 1)}) {
    std::vector<std::string> arguments = check;
    arguments.emplace_back(file);
    EXPECT_EQ(folder.run(arguments).exit_code, exit_code) << file;
  }
}

TEST(Documentation, ShardsOfGnuParallelGiveTheReportOfOneRun) {
  if (!has_parallel())
    GTEST_SKIP() << "GNU parallel is not installed";
  const Sandbox sandbox;
  const std::vector<std::string> scripts = blocks("analyzer/serial/facts.md", "sh");
  ASSERT_EQ(scripts.size(), 1U);
  // The example's root is found by its own .git; the sandbox is none.
  fs::create_directories(sandbox.folder.path / "fixtures/shop/.git");
  const std::string log = sandbox.log_of(scripts[0]);
  EXPECT_TRUE(went_well(log)) << log;
  const std::string direct =
      sandbox.log_of("padlint check --root fixtures/shop --format sarif -o build/direct.sarif --fail-level none");
  EXPECT_TRUE(went_well(direct)) << direct;
  EXPECT_TRUE(sandbox.folder.text("build/shop.sarif") == sandbox.folder.text("build/direct.sarif"));
}

/// The text behind `marker` on its line, or the deeper lines below a `marker |`.
std::vector<std::string> steps(const std::string& yaml) {
  std::vector<std::string> found;
  const std::string marker = "- run: ";
  for (std::size_t at = yaml.find(marker); at != std::string::npos; at = yaml.find(marker, at + 1)) {
    std::size_t begin = at + marker.size();
    std::size_t end = yaml.find('\n', begin);
    if (yaml.substr(begin, end - begin) == "|") {
      begin = end + 1;
      end = yaml.find("\n      -", begin);
    }
    found.push_back(yaml.substr(begin, end - begin) + "\n");
  }
  return found;
}

void replace(std::string& text, std::string_view what, std::string_view by) {
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size()))
    text.replace(at, what.size(), by);
}

TEST(Documentation, TheMatrixGivesTheReportOfOneRun) {
  const std::vector<std::string> yaml = blocks("analyzer/serial/facts.md", "yaml");
  ASSERT_EQ(yaml.size(), 1U);
  const std::size_t begin = yaml[0].find("shard: [") + 8;
  std::string list = yaml[0].substr(begin, yaml[0].find(']', begin) - begin);
  replace(list, "\"", "");
  const std::vector<std::string> run = steps(yaml[0]);
  ASSERT_EQ(run.size(), 2U);
  const Sandbox sandbox;
  fs::create_directories(sandbox.folder.path / "fixtures/shop/.git");
  const std::string direct = sandbox.log_of("padlint check --format sarif -o ../direct.sarif", "fixtures/shop");
  EXPECT_TRUE(went_well(direct)) << direct;
  // The example shows a list; the project may have grown since.
  for (const fs::directory_entry& entry : fs::directory_iterator(root / "fixtures/shop"))
    if (const std::string name = entry.path().filename().string(); !list.contains(name))
      list += ", " + name;
  std::size_t index = 0;
  for (std::size_t at = 0; at < list.size(); ++index) {
    const std::size_t end = std::min(list.find(", ", at), list.size());
    std::string script = run[0];
    replace(script, "${{ runner.temp }}", "..");
    replace(script, "${{ strategy.job-index }}", std::to_string(index));
    replace(script, "${{ matrix.shard }}", list.substr(at, end - at));
    const std::string log = sandbox.log_of(script, "fixtures/shop");
    EXPECT_TRUE(went_well(log)) << script << log;
    at = end + 2;
  }
  EXPECT_GT(index, 2U);
  std::string last = run[1];
  replace(last, "${{ runner.temp }}", "..");
  const std::string log = sandbox.log_of(last, "fixtures/shop");
  EXPECT_TRUE(went_well(log)) << log;
  EXPECT_TRUE(sandbox.folder.text("fixtures/shop/padlint.sarif") == sandbox.folder.text("fixtures/direct.sarif"));
}

} // namespace
} // namespace padlint
