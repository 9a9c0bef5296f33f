#include "analyzer/core/shared_list.h"
#include "analyzer/core/value.h"

#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

namespace padlint {
namespace {

using Words = SharedList<std::string>;

TEST(SharedList, ReadsAsAVector) {
  const Words none;
  EXPECT_TRUE(none.empty());
  EXPECT_EQ(none.begin(), none.end());
  EXPECT_TRUE(none.list().empty());
  EXPECT_THROW(static_cast<void>(none.at(0)), std::out_of_range);

  const Words words{"a", "b", "c"};
  EXPECT_EQ(words.size(), 3U);
  EXPECT_EQ(words.front() + words[1] + words.back() + words.at(1), "abcb");
  EXPECT_EQ(std::vector<std::string>(words.begin(), words.end()), words.list());
  EXPECT_EQ(Words(words.begin() + 1, words.end()).list(), (std::vector<std::string>{"b", "c"}));
}

TEST(SharedList, CopiesShareUntilOneChanges) {
  Words first{"a", "b"};
  Words second = first;
  EXPECT_EQ(first.data(), second.data());

  second.push_back("c");
  EXPECT_EQ(first.list(), (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(second.list(), (std::vector<std::string>{"a", "b", "c"}));
  EXPECT_NE(first.data(), second.data());

  const std::string* before = second.data();
  second.edit()[0] = "x"; // nobody else has it: changed in place
  EXPECT_EQ(second.data(), before);
  EXPECT_EQ(second.front(), "x");
}

TEST(SharedList, AMovedFromListIsEmpty) {
  Words first{"a"};
  Words second = std::move(first);
  EXPECT_TRUE(first.empty());
  first.push_back("b");
  EXPECT_EQ(first.list(), std::vector<std::string>{"b"});
  EXPECT_EQ(second.list(), std::vector<std::string>{"a"});
  second = second.list();
  EXPECT_EQ(second.list(), std::vector<std::string>{"a"});
}

TEST(SharedList, AnElementMayTakeThePlaceOfWhatItStandsIn) {
  Value value{.kind = ValueKind::operation,
              .text = "-",
              .parts = {{.kind = ValueKind::operation, .text = "+", .parts = {make_name("a", {})}}}};
  const Value outer = value;
  value = Value(value.parts[0]);
  EXPECT_EQ(to_text(value), "(+ name(a))");
  value.parts.edit()[0].text = "b";
  EXPECT_EQ(to_text(outer), "(- (+ name(a)))");
}

TEST(SharedList, ThreadsMayCopyOneList) {
  const Words words{"a", "b"};
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 4; ++i)
      threads.emplace_back([&words] {
        for (int round = 0; round < 1000; ++round) {
          Words own = words;
          own.push_back("c");
          EXPECT_EQ(own.size(), 3U);
        }
      });
  }
  EXPECT_EQ(words.size(), 2U);
}

} // namespace
} // namespace padlint
