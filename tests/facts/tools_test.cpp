#include "analyzer/facts/tools.h"

#include "grammars/embedded.h"

#include <gtest/gtest.h>

#include <set>

namespace padlint {
namespace {

TEST(Tools, TheTableIsRead) {
  EXPECT_EQ(tools_fault(embedded_tools()), "");
  EXPECT_FALSE(tools().tools.empty());
}

TEST(Tools, AFaultHasItsPlace) {
  EXPECT_EQ(tools_fault("[[tool]]\nlibrary = \"x\"\nflag = [\"-u\"]\n"), "3:8: unknown key flag");
  EXPECT_EQ(tools_fault("[[toil]]\n"), "1:1: unknown table toil");
}

TEST(Tools, EachConfigurationOfAToolIsKnown) {
  std::set<std::string> known;
  for (const ConnectionConfig& each : tools().connections)
    known.insert(each.configs.begin(), each.configs.end());
  for (const Tool& tool : tools().tools)
    for (const std::string& config : tool.configs)
      EXPECT_TRUE(known.contains(config)) << tool.library;
}

} // namespace
} // namespace padlint
