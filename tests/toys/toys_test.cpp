#include "analyzer/core/rule.h"
#include "analyzer/host/host.h"
#include "grammars/embedded.h"
#include "tests/fixtures/project.h"

#include <gtest/gtest.h>

#include <algorithm>

// The rule and the language that README.md adds: they are there, beside all others, and work together.

namespace padlint {
namespace {

TEST(Toys, TheRuleIsOneOfAll) {
  EXPECT_TRUE(std::ranges::is_sorted(all_rules(), {}, &Rule::id));
  EXPECT_EQ(std::ranges::count(all_rules(), "zero-key", &Rule::id), 1);
  EXPECT_GT(all_rules().size(), 20U);
  EXPECT_TRUE(rule_page("zero-key").starts_with("# zero-key\n"));
}

TEST(Toys, TheLanguageIsOneOfAll) {
  EXPECT_NE(host_language("starlark"), nullptr);
  EXPECT_EQ(host_files().size(), embedded_languages().size());
  EXPECT_GT(host_files().size(), 3U);
}

TEST(Toys, TheRuleSeesTheLanguage) {
  const std::filesystem::path fixture = std::filesystem::path(PADLINT_SOURCE_DIR) / "fixtures/zero-key/prune.star";
  std::vector<std::string> found;
  for (const Reported& each : check_project(project_files(fixture)))
    found.push_back(each.rule + ":" + std::to_string(each.line));
  EXPECT_EQ(found, (std::vector<std::string>{"session-lock:2", "zero-key:2"}));
}

} // namespace
} // namespace padlint
