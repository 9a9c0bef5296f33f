#include "analyzer/cli/name_index.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace padlint {
namespace {

std::vector<std::string> held(const std::vector<std::string>& names, std::string_view text) {
  std::vector<std::string> found;
  for (const std::size_t name : NameIndex(names).held_in(text))
    found.push_back(names[name]);
  return found;
}

using Names = std::vector<std::string>;

TEST(NameIndex, FindsWholeWords) {
  EXPECT_EQ(held({"take_lock", "lock", "take"}, "self.take_lock(lock)"), (Names{"take_lock", "lock"}));
  EXPECT_EQ(held({"lock"}, "unlock lock_ locks relock"), Names{});
  EXPECT_EQ(held({"lock"}, "lock"), Names{"lock"});
  EXPECT_EQ(held({"lock"}, ""), Names{});
}

TEST(NameIndex, FindsEachNameOnce) { EXPECT_EQ(held({"lock"}, "lock lock lock"), Names{"lock"}); }

TEST(NameIndex, FindsNamesWithOtherBytes) {
  EXPECT_EQ(held({"take!", "take?", "$held", "store.take"}, "store.take! $held"),
            (Names{"take!", "$held", "store.take"}));
  EXPECT_EQ(held({"take!now"}, "take!nowhere take!no"), Names{});
  EXPECT_EQ(held({"\xc3\xa9"}, "x \xc3\xa9 y"), Names{"\xc3\xa9"});
  EXPECT_EQ(held({"sperre\xc3\xa9"}, "(sperre\xc3\xa9)"), Names{"sperre\xc3\xa9"});
}

TEST(NameIndex, NamesThatBeginAlikeAreToldApart) {
  EXPECT_EQ(held({"lock.a", "lock.b", "lock"}, "lock.b"), (Names{"lock.b", "lock"}));
}

} // namespace
} // namespace padlint
