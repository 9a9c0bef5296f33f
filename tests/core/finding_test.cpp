#include "analyzer/core/finding.h"

#include <gtest/gtest.h>

namespace padlint {
namespace {

TEST(Finding, AQuietConditionSilencesLowersOrDoesNothing) {
  Finding finding;
  EXPECT_FALSE(finding.quiet("the pool holds one connection", Answer::no));
  EXPECT_EQ(finding.confidence, Confidence::certain);
  EXPECT_FALSE(finding.quiet("the mode is session", Answer::unknown));
  EXPECT_EQ(finding.confidence, Confidence::likely);
  EXPECT_TRUE(finding.quiet("a guard stands before it", Answer::yes));
  ASSERT_EQ(finding.quiet_conditions.size(), 3U);
  EXPECT_EQ(finding.quiet_conditions[1].text, "the mode is session");
  EXPECT_EQ(finding.quiet_conditions[1].answer, Answer::unknown);
}

TEST(Finding, IsAsSureAsItsWeakestReason) {
  Finding finding;
  finding.decided_by({{.text = "type"}, {.text = "name", .confidence = Confidence::likely}, {.text = "setting"}});
  EXPECT_EQ(finding.confidence, Confidence::likely);
  EXPECT_EQ(finding.derivation.size(), 3U);
}

TEST(Finding, RelatedPlacesDecideOnlyWhenSaid) {
  Finding finding;
  finding.relate({1, 2, 3}, "released here");
  finding.decide({2, 4, 5}, "pool_mode is set here");
  ASSERT_EQ(finding.related.size(), 2U);
  EXPECT_FALSE(finding.related[0].deciding);
  EXPECT_TRUE(finding.related[1].deciding);
}

TEST(Finding, AnErrorNeedsCertainty) {
  struct Case {
    FindingLevel level;
    Confidence confidence;
    FindingLevel shown;
  };
  const Case cases[] = {
      {FindingLevel::error, Confidence::certain, FindingLevel::error},
      {FindingLevel::error, Confidence::likely, FindingLevel::warning},
      {FindingLevel::error, Confidence::possible, FindingLevel::note},
      {FindingLevel::warning, Confidence::likely, FindingLevel::warning},
      {FindingLevel::warning, Confidence::possible, FindingLevel::note},
      {FindingLevel::note, Confidence::likely, FindingLevel::note},
  };
  for (const Case& c : cases)
    EXPECT_EQ(shown_level({.level = c.level, .confidence = c.confidence}), c.shown)
        << to_text(c.level) << " " << to_text(c.confidence);
}

TEST(Confidence, GoesDownByOneStep) {
  EXPECT_EQ(to_text(lowered(Confidence::certain)), "likely");
  EXPECT_EQ(to_text(lowered(Confidence::likely)), "possible");
  EXPECT_EQ(to_text(lowered(Confidence::possible)), "possible");
  EXPECT_EQ(to_text(weaker(Confidence::certain, Confidence::possible)), "possible");
}

} // namespace
} // namespace padlint
