#include "analyzer/cli/progress.h"

#include <fmt/format.h>

#include <unistd.h>

#include <chrono>
#include <cstdio>

namespace padlint {

ProgressLine::ProgressLine(const ProgressCount& count, bool wanted) {
  if (wanted && ::isatty(STDERR_FILENO) == 1)
    thread.emplace([this, &count] { show(count); });
}

ProgressLine::~ProgressLine() {
  if (!thread)
    return;
  {
    const std::lock_guard guard(mutex);
    over = true;
  }
  finished.notify_one();
  thread->join();
}

void ProgressLine::show(const ProgressCount& count) {
  using namespace std::chrono_literals;
  std::unique_lock guard(mutex);
  if (finished.wait_for(guard, 1s, [this] { return over; }))
    return;
  do
    fmt::print(stderr, "\r{} of {} files\x1b[K", count.done.load(), count.total.load());
  while (!finished.wait_for(guard, 200ms, [this] { return over; }));
  fmt::print(stderr, "\r\x1b[K");
}

} // namespace padlint
