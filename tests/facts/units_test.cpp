#include "analyzer/facts/units.h"

#include <gtest/gtest.h>

#include <vector>

namespace padlint {
namespace {

const std::vector<std::string> folders = {"examples/shop/", "services/api/", "services/api/plugin/"};

TEST(Units, AreTheFoldersOfManifests) {
  EXPECT_EQ(unit_of("deploy/pgbouncer.ini", folders), "");
  EXPECT_EQ(unit_of("services/web/main.x", folders), "");
  EXPECT_EQ(unit_of("services/api/src/main.x", folders), "services/api/");
  EXPECT_EQ(unit_of("services/api/plugin/main.x", folders), "services/api/plugin/");
}

TEST(Units, EachFolderOfExamplesIsOnItsOwn) {
  EXPECT_EQ(unit_of("examples/shop/main.x", folders), "examples/shop/");
  EXPECT_EQ(unit_of("examples/other/main.x", folders), "examples/");
  EXPECT_EQ(unit_of("services/api/testdata/a.x", folders), "services/api/testdata/");
}

TEST(Units, ReachWhatLiesAroundThem) {
  EXPECT_TRUE(reaches("services/api/", ""));
  EXPECT_TRUE(reaches("services/api/plugin/", "services/api/"));
  EXPECT_FALSE(reaches("", "services/api/"));
  EXPECT_FALSE(reaches("services/api/", "services/web/"));
}

TEST(Units, NothingCrossesIntoExamples) {
  EXPECT_FALSE(reaches("examples/", ""));
  EXPECT_FALSE(reaches("examples/shop/fixtures/", "examples/shop/"));
  EXPECT_TRUE(reaches("examples/shop/", "examples/"));
}

} // namespace
} // namespace padlint
