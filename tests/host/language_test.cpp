#include "analyzer/host/language.h"
#include "tests/host/sample.h"

#include <gtest/gtest.h>
#include <set>

namespace padlint {
namespace {

TEST(HostLanguages, AllLoad) {
  ASSERT_FALSE(embedded_languages().empty());
  for (const EmbeddedLanguage& embedded : embedded_languages()) {
    const auto loaded = load_language(embedded);
    EXPECT_TRUE(loaded.has_value()) << (loaded ? "" : loaded.error());
    ASSERT_NE(host_language(embedded.name), nullptr);
  }
  EXPECT_EQ(host_files().size(), embedded_languages().size());
  EXPECT_EQ(host_language("no such language"), nullptr);
}

TEST(HostLanguages, RolesAndSlotsHaveNamesOfTheirOwn) {
  std::set<std::string_view> names;
  for (std::size_t i = 0; i < host::role_count; ++i)
    names.insert(to_text(static_cast<host::Role>(i)));
  EXPECT_EQ(names.size(), host::role_count);
  names.clear();
  for (std::size_t i = 0; i < host::slot_count; ++i)
    names.insert(to_text(static_cast<host::Slot>(i)));
  EXPECT_EQ(names.size(), host::slot_count);
}

TEST(HostLanguages, MistakesInTheDataAreNamed) {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {"[roles]\nname = { node = \"nothing\" }", "`name`: `nothing` is no node kind of the grammar, or has two roles"},
      {"[roles]\nname = { node = \"identifier\" }\npath = { node = \"identifier\" }",
       "`path`: `identifier` is no node kind of the grammar, or has two roles"},
      {"[roles]\nnothing = { node = \"identifier\" }", "`nothing` is no role"},
      {"[roles]\ncall = { node = \"call\", nothing = \"function\" }", "`nothing` is no slot of `call`"},
      {"[roles]\ncall = { node = \"call\", callee = \"nothing\" }",
       "the grammar has neither field nor node kind `nothing`"},
      {"extends = \"nothing\"", "there is no language `nothing` to extend"},
      {"[roles", "line 1: "},
  };
  for (const auto& [text, problem] : cases) {
    EmbeddedLanguage embedded = *embedded_language("python");
    embedded.extends = {};
    embedded.language_toml = text;
    const auto loaded = load_language(embedded);
    ASSERT_FALSE(loaded.has_value()) << text;
    EXPECT_NE(loaded.error().find(problem), std::string::npos) << loaded.error();
  }
}

} // namespace
} // namespace padlint
