#include "tests/pages/page.h"

#include "analyzer/core/rule.h"
#include "tests/fixtures/project.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

// The pages in rules/ are documentation, and their examples are tests: each Bad project has the rule's finding exactly
// once, the others have none of it and nothing worse than a note; whatever else is found there is announced.

namespace padlint {
namespace {

const std::vector<std::string> heading_order = {"What it finds",      "Why",    "Bad", "Good", "How it decides",
                                                "When to silence it", "Sources"};

struct RulePage : testing::TestWithParam<const Rule*> {
  const Rule& rule = *GetParam();
  const Page page = read_page(rule_page(rule.id));
};

TEST_P(RulePage, BeginsWithTheRule) {
  EXPECT_EQ(page.title, rule.id);
  EXPECT_EQ(page.summary, rule.summary);
}

TEST_P(RulePage, HasItsHeadingsInOrder) {
  std::vector<std::string> expected = heading_order;
  if (!std::ranges::count(page.headings, expected.front()))
    expected.erase(expected.begin());
  EXPECT_EQ(page.headings, expected);
}

TEST_P(RulePage, ShowsBadAndGood) {
  for (const char* heading : {"Bad", "Good"})
    EXPECT_TRUE(std::ranges::any_of(page.projects, [&](const PageProject& each) { return each.heading == heading; }))
        << heading;
}

TEST_P(RulePage, HasTrueExamples) {
  for (const PageProject& project : page.projects) {
    SCOPED_TRACE(project.heading + ", " + project.name);
    std::size_t own = 0;
    std::set<std::string> others;
    std::string found;
    for (const Reported& each : check_project(project.files, rule.id)) {
      found += each.path + ":" + std::to_string(each.line) + ": " + each.rule + " " + each.message + "\n";
      own += each.rule == rule.id;
      if (each.rule != rule.id)
        others.insert(each.rule);
      const bool announced = project.heading == "Bad" || project.also.contains(each.rule);
      EXPECT_TRUE(announced || each.level == FindingLevel::note) << each.rule;
    }
    EXPECT_EQ(own, project.heading == "Bad" ? 1u : 0u) << found;
    EXPECT_EQ(others, project.also) << found;
  }
}

std::string test_name(const testing::TestParamInfo<const Rule*>& info) {
  std::string name(info.param->id);
  std::ranges::replace(name, '-', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Of, RulePage, testing::ValuesIn(all_rules().begin(), all_rules().end()), test_name);

TEST(Rules, HaveAPageAndFixturesEach) {
  for (const Rule* rule : all_rules()) {
    EXPECT_FALSE(rule_page(rule->id).empty()) << rule->id;
    EXPECT_TRUE(std::filesystem::is_directory(std::filesystem::path(PADLINT_SOURCE_DIR) / "fixtures" / rule->id))
        << rule->id;
  }
}

TEST(Rules, AreAllThoseThatHaveAPage) {
  for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::path(PADLINT_SOURCE_DIR) / "rules")) {
    const std::string stem = entry.path().stem().string();
    const bool known = std::ranges::any_of(all_rules(), [&](const Rule* rule) { return rule->id == stem; });
    EXPECT_TRUE(known || entry.path().extension() != ".md") << entry.path();
  }
}

} // namespace
} // namespace padlint
