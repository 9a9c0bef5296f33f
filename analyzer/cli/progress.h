#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <optional>
#include <thread>

namespace padlint {

/// How many files the run has looked into, out of those listed. Written by the workers.
struct ProgressCount {
  std::atomic<std::size_t> done = 0;
  std::atomic<std::size_t> total = 0;
};

/// Shows the count on standard error while it lives: only on a terminal, and only once a second has gone by.
class ProgressLine {
public:
  ProgressLine(const ProgressCount& count, bool wanted);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

private:
  void show(const ProgressCount& count);

  std::mutex mutex;
  std::condition_variable finished;
  bool over = false;
  std::optional<std::thread> thread;
};

} // namespace padlint
