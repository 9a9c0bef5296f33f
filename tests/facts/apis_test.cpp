#include "analyzer/facts/apis.h"

#include "grammars/embedded.h"

#include <gtest/gtest.h>

namespace padlint {
namespace {

TEST(Apis, TheTablesOfEveryLanguageAreRead) {
  for (const EmbeddedLanguage& language : embedded_languages())
    EXPECT_EQ(apis_fault(language.apis_toml), "") << language.name;
}

TEST(Apis, AFaultHasItsPlace) {
  EXPECT_EQ(apis_fault("[[type]]\nname = \"Pool\"\nkinds = \"pool\"\n"), "3:9: unknown key kinds");
  EXPECT_EQ(apis_fault("[[type]]\nname = \"Pool\"\nkind = \"pond\"\n"), "3:8: unknown word");
  EXPECT_EQ(apis_fault("[[typ]]\n"), "1:1: unknown table typ");
  EXPECT_NE(apis_fault("[[type]\n"), "");
}

TEST(Apis, NamesWithStars) {
  EXPECT_TRUE(glob_name("*_pool", "db_pool"));
  EXPECT_TRUE(glob_name("*.info", "app.log.info"));
  EXPECT_FALSE(glob_name("*_pool", "pooled"));
  EXPECT_TRUE(glob_name("cur", "cur"));
  EXPECT_FALSE(glob_name("cur", "cursor"));
}

} // namespace
} // namespace padlint
