#include "analyzer/cli/parallel.h"

#include <gtest/gtest.h>
#include <pthread.h>

#include <stdexcept>
#include <vector>

namespace padlint {
namespace {

TEST(Parallel, EachIndexOnceForAnyNumberOfThreads) {
  for (const unsigned jobs : {0U, 1U, 3U, 64U}) {
    std::vector<int> calls(1000);
    for_each_parallel(calls.size(), jobs, [&](std::size_t i) { ++calls[i]; });
    EXPECT_EQ(calls, std::vector<int>(1000, 1)) << jobs;
  }
}

TEST(Parallel, NoWorkNoCall) {
  for_each_parallel(0, 4, [](std::size_t) { FAIL(); });
}

TEST(Parallel, TheStackIsTheOneThatParsersNeed) {
  std::size_t bytes = 0;
  on_worker_stack([&] {
    pthread_attr_t attributes;
    pthread_getattr_np(pthread_self(), &attributes);
    pthread_attr_getstacksize(&attributes, &bytes);
    pthread_attr_destroy(&attributes);
  });
  EXPECT_GE(bytes, std::size_t{16} << 20);
}

TEST(Parallel, TheFirstFailureByIndexIsThrown) {
  for (const unsigned jobs : {1U, 4U}) {
    try {
      for_each_parallel(200, jobs, [](std::size_t i) {
        if (i % 50 == 7)
          throw std::runtime_error(std::to_string(i));
      });
      ADD_FAILURE() << "nothing thrown";
    } catch (const std::runtime_error& error) {
      EXPECT_STREQ(error.what(), "7");
    }
  }
}

} // namespace
} // namespace padlint
