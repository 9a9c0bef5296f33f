#include "analyzer/facts/tools.h"

#include "grammars/embedded.h"

#include <algorithm>
#include <gtest/gtest.h>

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
  for (const Tool& tool : tools().tools)
    if (!tool.config.empty())
      EXPECT_NE(std::ranges::find(tools().connections, tool.config, &ConnectionConfig::config),
                tools().connections.end())
          << tool.library;
}

} // namespace
} // namespace padlint
