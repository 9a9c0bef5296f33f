#include "analyzer/cli/shard.h"
#include "analyzer/cli/stored_facts.h"
#include "analyzer/cli/version.h"
#include "analyzer/core/hash.h"
#include "sarif/report.h"
#include "tests/fixtures/project.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

// Facts made file by file, stored, read again and merged in any order give the report of one run.

namespace padlint {
namespace {

namespace fs = std::filesystem;

const fs::path fixtures = fs::path(PADLINT_SOURCE_DIR) / "fixtures";
constexpr unsigned seed = 20261130;

/// Each file and folder below a folder of fixtures is a project.
std::vector<fs::path> projects() {
  std::vector<fs::path> paths;
  for (const fs::directory_entry& rule : fs::directory_iterator(fixtures))
    if (rule.path().filename() == "shop")
      paths.push_back(rule.path());
    else if (rule.is_directory())
      for (const fs::directory_entry& each : fs::directory_iterator(rule))
        paths.push_back(each.path());
  std::ranges::sort(paths);
  return paths;
}

std::string reports(const CheckResult& result) {
  const RunReport report{.version = "1",
                         .rules = all_rules(),
                         .rule_page = rule_page,
                         .sources = result.sources,
                         .findings = result.findings,
                         .notices = result.notices,
                         .coverage = result.coverage};
  std::string text;
  write_text(text, report, {.min_level = FindingLevel::note});
  write_notices(text, report, {});
  write_sarif(text, report);
  write_json(text, report);
  return text;
}

const CheckOptions all_findings = {.filter = {.profile = Profile::strict, .min_confidence = Confidence::possible}};

std::string direct(const MemoryFiles& files) { return reports(check(memory_tree(files), all_findings).value()); }

/// The stored facts of some files, on their way through a file.
std::pair<std::string, FactsFile> shard(const SourceTree& tree, ShardOptions options) {
  std::string name = options.paths.empty() ? "all" : options.paths[0];
  const std::string text = to_json(read_shard(tree, options).value());
  auto facts = read_facts_file(text, padlint_version);
  if (!facts)
    throw std::runtime_error(name + ": " + facts.error());
  EXPECT_TRUE(to_json(*facts) == text) << name;
  options.jobs = 4;
  EXPECT_TRUE(to_json(read_shard(tree, options).value()) == text) << name;
  return {std::move(name), std::move(*facts)};
}

struct Merged {
  std::string reports;
  Missing missing;
};

Merged merged(const std::vector<std::pair<std::string, FactsFile>>& shards) {
  const auto facts = joined(shards);
  if (!facts)
    return {.reports = facts.error(), .missing = {}};
  Missing missing;
  const RunInput input{.tree = tree_of(*facts),
                       .facts = [&](const auto&) { return supply_of(*facts, missing); },
                       .sources = [&](const auto&) { return sources_of(*facts); }};
  const auto result = check(input, all_findings);
  return {.reports = result ? reports(*result) : to_text(result.error()), .missing = missing};
}

/// Facts of each group of files by itself, until no merge wants more.
std::string in_shards(const MemoryFiles& files, const std::vector<std::vector<std::string>>& groups) {
  const SourceTree tree = memory_tree(files);
  std::mt19937 random(seed);
  std::vector<std::pair<std::string, FactsFile>> shards;
  for (const std::vector<std::string>& group : groups)
    shards.push_back(shard(tree, {.paths = group, .jobs = 1}));
  for (int round = 0; round < 12; ++round) {
    std::ranges::shuffle(shards, random);
    const Merged result = merged(shards);
    if (result.missing.empty())
      return result.reports;
    const WantsFile wants{
        .program = std::string(padlint_version), .names = result.missing.names, .files = result.missing.files};
    const auto read = read_wants_file(to_json(wants), padlint_version);
    for (const std::vector<std::string>& group : groups)
      shards.push_back(shard(tree, {.paths = group, .wants = read.value(), .jobs = 1}));
  }
  return "the wants have no end";
}

std::vector<std::vector<std::string>> one_by_one(const MemoryFiles& files) {
  std::vector<std::vector<std::string>> groups;
  for (const auto& [path, text] : files)
    groups.push_back({path});
  return groups;
}

struct Travel : testing::TestWithParam<fs::path> {};

TEST_P(Travel, FactsOfEachFileGiveTheSameReport) {
  const MemoryFiles files = project_files(GetParam());
  EXPECT_TRUE(in_shards(files, one_by_one(files)) == direct(files));
}

std::string test_name(const testing::TestParamInfo<fs::path>& info) {
  std::string name = info.param.lexically_relative(fixtures).generic_string();
  std::ranges::replace_if(name, [](unsigned char each) { return !std::isalnum(each); }, '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Each, Travel, testing::ValuesIn(projects()), test_name);

TEST(Merge, FoldersAndOverlapsGiveTheSameReport) {
  const MemoryFiles files = project_files(fixtures / "shop");
  const std::string expected = direct(files);
  EXPECT_TRUE(in_shards(files, {{}}) == expected);
  std::vector<std::vector<std::string>> folders = {{"shop", "worker/db.py"}};
  for (const auto& [path, text] : files)
    folders.push_back({path.substr(0, path.find('/'))});
  EXPECT_TRUE(in_shards(files, folders) == expected);
}

TEST(Merge, OddFilesTravel) {
  const std::string wrapper = "CREATE FUNCTION take_gate() RETURNS void LANGUAGE sql AS $$\r\n"
                              "  SELECT pg_advisory_lock(41)\r\n$$;\r\n";
  MemoryFiles files = {{".padlint.toml", "exclude = [\"old\"]\n[paths]\ntests = [\"checks\"]\n[keys]\n"},
                       {"lib/.padlint.toml", "root = true\nignore = [\"session-lock\"]\n"},
                       {"lib/gate.sql", wrapper},
                       {"old/a.sql", wrapper},
                       {"checks/a.sql", wrapper},
                       {"gate.sql", "\xEF\xBB\xBF" + wrapper},
                       {"latin.sql", "-- h\xe4user\nSELECT pg_advisory_lock(41), 'h\xe4'; -- \xf0\x9f\x94\x92\n"},
                       {"url.py", "import psycopg\nc = psycopg.connect('postgres://u:h\xc3\xa4@h/d')\n"
                                  "c.execute('SELECT pg_advisory_lock(41)')\n"},
                       {"broken.sql", "SELECT FROM WHERE pg_advisory_lock(;\n"},
                       {"empty.sql", ""}};
  std::string long_text(100, '\n');
  files.emplace("long.py", "import psycopg\nc = psycopg.connect('dbname=a')\nc.execute('''" + long_text +
                               "SELECT pg_advisory_lock(" + long_text + "41)" + long_text + "''')\n");
  for (int i = 0; i < 201; ++i)
    files.emplace(fmt::format("callers/{}.sql", i), "SELECT take_gate();\n");
  EXPECT_TRUE(in_shards(files, {{"callers"},
                                {"checks", "old"},
                                {"lib"},
                                {".padlint.toml", "broken.sql", "empty.sql"},
                                {"gate.sql", "latin.sql", "long.py", "url.py"}}) == direct(files));
  files.erase("callers/7.sql");
  EXPECT_TRUE(in_shards(files, {{"callers/8.sql", "lib"}, {}}) == direct(files));
}

TEST(Merge, RefusesTwoStatesOfAFile) {
  const auto facts_of = [](const char* text) { return shard(memory_tree({{"a.sql", text}}), {}); };
  auto first = facts_of("SELECT pg_advisory_lock(1);\n");
  auto second = facts_of("SELECT pg_advisory_lock(2);\n");
  first.first = "one";
  second.first = "two";
  EXPECT_EQ(merged({first, second}).reports,
            "two: a.sql is another file here than in the facts before: all parts have to see one state");
}

TEST(Merge, RefusesAnswersWithoutAFirstRound) {
  const auto answers = shard(memory_tree({{"a.sql", "SELECT 1;\n"}}), {.wants = WantsFile{.files = {"a.sql"}}});
  EXPECT_EQ(merged({answers}).reports,
            "a.sql: only wants were answered for it; the facts of the first round are missing");
}

// Somebody may write facts by hand: whatever they say, with the right checksum, is refused or gives some report.
TEST(Merge, SurvivesForgedFacts) {
  const MemoryFiles files = project_files(fixtures / "shop");
  const std::string good = to_json(read_shard(memory_tree(files), {}).value());
  const std::size_t end = good.rfind(",\n\"checksum\"");
  std::mt19937 random(seed);
  std::size_t taken = 0;
  for (int round = 0; round < 300; ++round) {
    // One other digit, or one other word, somewhere in the facts of some file.
    std::string text = good.substr(0, end);
    const std::size_t start = text.find("{\"facts\":", text.find("\"files\":[") + random() % (text.size() / 2));
    const std::size_t from = start + random() % (text.find("\"lines\":", start) - start);
    constexpr std::string_view words[] = {"\"name\"", "\"call\"", "\"text\"", "\"member\"", "\"next\"", "\"error\""};
    const std::string_view word = words[random() % std::size(words)];
    if (const std::size_t at = text.find(word, from); round % 2 == 0 && at != std::string::npos)
      text.replace(at, word.size(), words[random() % std::size(words)]);
    else if (const std::size_t digit = text.find_first_of("0123456789", from); digit != std::string::npos)
      text[digit] = static_cast<char>('0' + random() % 10);
    text += fmt::format(",\n\"checksum\":\"{:016x}\"}}\n", hash_of(text));
    if (auto facts = read_facts_file(text, padlint_version)) {
      ++taken;
      EXPECT_FALSE(merged({{"forged", std::move(*facts)}}).reports.empty());
    }
  }
  EXPECT_GT(taken, 30U); // else nothing is tried
}

} // namespace
} // namespace padlint
