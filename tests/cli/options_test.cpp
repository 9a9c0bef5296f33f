#include "analyzer/cli/options.h"

#include "analyzer/cli/version.h"

#include <fstream>
#include <gtest/gtest.h>
#include <iterator>

namespace padlint {
namespace {

CommandLine parse(std::vector<const char*> words) { return parse_command_line(words); }

TEST(Options, WithoutACommandItIsACheck) {
  for (const auto& words : std::vector<std::vector<const char*>>{{"a", "b"}, {"check", "a", "b"}}) {
    const CommandLine line = parse(words);
    ASSERT_TRUE(line.options) << line.text;
    EXPECT_EQ(line.options->command, Command::check);
    EXPECT_EQ(line.options->paths, (std::vector<std::string>{"a", "b"}));
  }
  EXPECT_EQ(parse({}).options->command, Command::check);
  EXPECT_EQ(parse({"--quiet"}).options->quiet, true);
  EXPECT_EQ(parse({"./check"}).options->paths, std::vector<std::string>{"./check"});
  EXPECT_EQ(parse({"--", "-odd"}).options->paths, std::vector<std::string>{"-odd"});
}

TEST(Options, DefaultsAreThoseOfTheHelp) {
  const Options options = *parse({}).options;
  EXPECT_EQ(options.format, ReportFormat::text);
  EXPECT_EQ(options.min_confidence, Confidence::likely);
  EXPECT_EQ(options.fail_level, FindingLevel::warning);
  EXPECT_EQ(options.min_level, std::nullopt);
  EXPECT_EQ(options.profile, Profile::standard);
  EXPECT_EQ(options.select, std::nullopt);
}

TEST(Options, EachIsRead) {
  const CommandLine line = parse({"check",
                                  "--format",
                                  "sarif",
                                  "-o",
                                  "out.sarif",
                                  "--fail-level",
                                  "none",
                                  "--min-level=error",
                                  "--min-confidence",
                                  "possible",
                                  "--select",
                                  "session-lock,unlock-mismatch",
                                  "--select=hashtext-key",
                                  "--ignore",
                                  "session-lock",
                                  "--profile",
                                  "strict",
                                  "--root",
                                  "r",
                                  "-j3",
                                  "--color",
                                  "never",
                                  "--strict",
                                  "x"});
  ASSERT_TRUE(line.options) << line.text;
  const Options& options = *line.options;
  EXPECT_EQ(options.format, ReportFormat::sarif);
  EXPECT_EQ(options.output, "out.sarif");
  EXPECT_EQ(options.fail_level, std::nullopt);
  EXPECT_EQ(options.min_level, FindingLevel::error);
  EXPECT_EQ(options.min_confidence, Confidence::possible);
  EXPECT_EQ(options.select, (std::vector<std::string>{"session-lock", "unlock-mismatch", "hashtext-key"}));
  EXPECT_EQ(options.ignore, std::vector<std::string>{"session-lock"});
  EXPECT_EQ(options.profile, Profile::strict);
  EXPECT_EQ(options.root, "r");
  EXPECT_EQ(options.jobs, 3U);
  EXPECT_EQ(options.color, ColorChoice::never);
  EXPECT_TRUE(options.strict);
  EXPECT_EQ(options.paths, std::vector<std::string>{"x"}); // a list does not swallow what follows it
}

TEST(Options, APathAfterARuleListIsAPath) {
  EXPECT_EQ(parse({"--select", "session-lock", "src"}).options->paths, std::vector<std::string>{"src"});
}

TEST(Options, MistakesAreNamed) {
  const std::pair<std::vector<const char*>, const char*> table[] = {
      {{"--format", "xml"}, "--format: `xml` is none of text|sarif|json"},
      {{"--fail-level", "fatal"}, "--fail-level: `fatal` is none of note|warning|error|none"},
      {{"--select", "sesion-lock"}, "--select: no rule `sesion-lock`; did you mean `session-lock`?"},
      {{"--ignore", "session-lock,zzz"}, "--ignore: no rule `zzz`; `padlint rules` lists them"},
      {{"--select", ""}, "--select: names no rule; `padlint rules` lists them"},
      {{"--jobs", "0"}, "--jobs: Value 0 not in range 1 to 1024"},
      {{"--jobs", "many"}, "--jobs: Value many not in range 1 to 1024"},
      {{"--colour"}, "The following argument was not expected: --colour"},
      {{"explain"}, "SUBJECT is required"},
      {{"rules", "x"}, "The following argument was not expected: x"},
  };
  for (const auto& [words, text] : table) {
    const CommandLine line = parse(words);
    EXPECT_FALSE(line.options) << text;
    EXPECT_EQ(line.exit_code, 2) << text;
    EXPECT_TRUE(line.text.starts_with(text)) << line.text;
  }
}

TEST(Options, HelpAndVersionAreNoMistake) {
  for (const char* flag : {"-h", "--help"}) {
    const CommandLine line = parse({flag});
    EXPECT_EQ(line.exit_code, 0);
    for (const char* word : {"check", "facts", "rules", "explain", "--fail-level", "Exit status"})
      EXPECT_NE(line.text.find(word), std::string::npos) << word;
  }
  EXPECT_NE(parse({"check", "--help"}).text.find("--min-confidence"), std::string::npos);
  EXPECT_EQ(parse({"--version"}).text, "padlint " + std::string(padlint_version) + "\n");
}

TEST(Options, TheVersionIsThatOfTheBuild) {
  std::ifstream file(PADLINT_SOURCE_DIR "/CMakeLists.txt");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  EXPECT_NE(text.find("project(padlint VERSION " + std::string(padlint_version) + " "), std::string::npos);
}

} // namespace
} // namespace padlint
