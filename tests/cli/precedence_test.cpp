#include "analyzer/cli/precedence.h"

#include <gtest/gtest.h>

namespace padlint {
namespace {

using enum FindingLevel;

const Rule weak{.id = "weak", .level = note};
const Rule middle{.id = "middle", .level = warning, .replaces = {"weak"}};
const Rule strong{.id = "strong", .level = error, .replaces = {"middle"}, .yields_to = {"total"}};
const Rule total{.id = "total", .level = error, .replaces = {"*"}};
const Rule whole{.id = "whole", .level = error, .replaces = {"*"}};
const Rule beside{.id = "beside", .level = error};
const std::vector<const Rule*> table = {&beside, &middle, &strong, &total, &weak, &whole};

Finding finding(std::string rule, FindingLevel level, Confidence confidence = Confidence::certain,
                std::uint32_t id = 1) {
  return {.rule = std::move(rule), .subject = {Subject::lock, id}, .level = level, .confidence = confidence};
}

std::string left(const std::vector<Finding>& findings) {
  std::string text;
  const std::vector<std::string_view> replacing = replacing_rules(findings, table);
  for (std::size_t i = 0; i < findings.size(); ++i)
    if (replacing[i].empty())
      text += (text.empty() ? "" : " ") + findings[i].rule;
  return text;
}

TEST(Precedence, AStrongerRuleReplacesAWeakerOneOnOneSubject) {
  EXPECT_EQ(left({finding("weak", note), finding("middle", warning)}), "middle");
  EXPECT_EQ(left({finding("middle", warning), finding("weak", note)}), "middle");
  EXPECT_EQ(left({finding("weak", note, Confidence::certain, 1), finding("middle", warning, Confidence::certain, 2)}),
            "weak middle");
}

TEST(Precedence, PassesThroughASilentRule) {
  EXPECT_EQ(left({finding("strong", error), finding("weak", note)}), "strong");
}

TEST(Precedence, AStarReplacesEveryRuleButAnotherStar) {
  EXPECT_EQ(left({finding("total", error), finding("beside", error), finding("weak", note)}), "total");
  EXPECT_EQ(left({finding("total", error), finding("whole", error)}), "total whole");
}

TEST(Precedence, RulesWithoutRelationStandSideBySide) {
  EXPECT_EQ(left({finding("beside", error), finding("strong", error)}), "beside strong");
}

TEST(Precedence, ALowerShownLevelReplacesNothing) {
  EXPECT_EQ(left({finding("strong", note), finding("middle", warning)}), "strong middle");
  // A likely error shows as warning.
  EXPECT_EQ(left({finding("strong", error, Confidence::likely), finding("middle", error)}), "strong middle");
  EXPECT_EQ(left({finding("strong", error, Confidence::likely), finding("middle", warning)}), "strong");
}

TEST(Precedence, APossibleFindingReplacesNothing) {
  EXPECT_EQ(left({finding("middle", warning, Confidence::possible), finding("weak", note)}), "middle weak");
}

TEST(Precedence, WithoutASubjectNothingIsReplaced) {
  Finding loose = finding("weak", note);
  loose.subject = {};
  Finding other = finding("middle", warning);
  other.subject = {};
  EXPECT_EQ(left({loose, other}), "weak middle");
}

TEST(Precedence, ALockAndAReleaseOfOneNumberAreTwoSubjects) {
  Finding release = finding("weak", note);
  release.subject.kind = Subject::release;
  EXPECT_EQ(left({release, finding("middle", warning)}), "weak middle");
}

TEST(Precedence, FaultsAreFound) {
  const Rule first{.id = "first", .replaces = {"second"}};
  const Rule second{.id = "second", .replaces = {"first", "nothing"}, .yields_to = {"nobody"}};
  const std::vector<const Rule*> rules = {&first, &second};
  EXPECT_EQ(precedence_faults(rules),
            (std::vector<std::string>{"second replaces nothing, which is no rule",
                                      "second yields to nobody, which is no rule", "first comes before itself",
                                      "second comes before itself"}));
  EXPECT_EQ(precedence_faults(table), std::vector<std::string>{});
}

TEST(Precedence, TheRulesOfThisVersionHaveNoFault) {
  EXPECT_EQ(precedence_faults(all_rules()), std::vector<std::string>{});
}

} // namespace
} // namespace padlint
