#include "analyzer/cli/parallel.h"

#include "analyzer/walk/workers.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>

namespace padlint {
namespace {

/// The failure of the smallest index so far.
struct Failure {
  std::mutex mutex;
  std::size_t index = 0;
  std::exception_ptr exception = nullptr;

  void keep(std::size_t failed, std::exception_ptr thrown) {
    const std::lock_guard guard(mutex);
    if (!exception || failed < index) {
      index = failed;
      exception = std::move(thrown);
    }
  }
};

} // namespace

void for_each_parallel(std::size_t count, unsigned jobs, const std::function<void(std::size_t)>& work) {
  if (count == 0)
    return;
  std::atomic<std::size_t> next = 0;
  Failure failure;
  const std::size_t workers = std::min<std::size_t>(worker_count(jobs), count);
  run_workers(static_cast<unsigned>(workers), [&](unsigned) {
    for (std::size_t index = next++; index < count; index = next++)
      try {
        work(index);
      } catch (...) {
        failure.keep(index, std::current_exception());
      }
  });
  if (failure.exception)
    std::rethrow_exception(failure.exception);
}

void on_worker_stack(const std::function<void()>& work) {
  for_each_parallel(1, 1, [&](std::size_t) { work(); });
}

} // namespace padlint
