#include "analyzer/cli/nearest.h"

#include <gtest/gtest.h>

#include <array>
#include <string>

namespace padlint {
namespace {

constexpr std::array<std::string_view, 4> words = {"session-lock", "session-lock-in-transaction", "ignore", "exclude"};

TEST(Nearest, FindsTheWordThatWasMeant) {
  EXPECT_EQ(nearest("sesion-lock", words), "session-lock");
  EXPECT_EQ(nearest("session-lock-in-transactions", words), "session-lock-in-transaction");
  EXPECT_EQ(nearest("ingore", words), "ignore");
  EXPECT_EQ(nearest("ignore", words), "ignore");
}

TEST(Nearest, OffersNothingFarAway) {
  EXPECT_EQ(nearest("colour", words), "");
  EXPECT_EQ(nearest("", words), "");
  EXPECT_EQ(nearest(std::string(1000, 'x'), words), "");
  EXPECT_EQ(nearest("ignore", {}), "");
}

} // namespace
} // namespace padlint
