#include "analyzer/facts/apis.h"

#include "grammars/embedded.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>

namespace padlint {
namespace {

TEST(Apis, TheTablesOfEveryLanguageAreRead) {
  for (const EmbeddedLanguage& language : embedded_languages())
    EXPECT_EQ(apis_fault(language.apis_toml), "") << language.name;
}

// grammars/apis.md shows how a library is written down.
TEST(Apis, TheExamplesOfThePageAreRead) {
  std::ifstream file(PADLINT_SOURCE_DIR "/grammars/apis.md");
  const std::string page{std::istreambuf_iterator<char>(file), {}};
  const std::string fence = "```toml\n";
  std::size_t examples = 0;
  for (std::size_t at = page.find(fence); at != std::string::npos; at = page.find(fence, at + 1), ++examples) {
    const std::size_t begin = at + fence.size();
    const std::string example = page.substr(begin, page.find("```", begin) - begin);
    EXPECT_EQ(apis_fault(example), "") << example;
  }
  EXPECT_EQ(examples, 2U);
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
