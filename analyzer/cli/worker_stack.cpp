#include "analyzer/cli/worker_stack.h"

#include "analyzer/walk/workers.h"

#include <exception>

namespace padlint {

void on_worker_stack(const std::function<void()>& work) {
  std::exception_ptr failure;
  run_workers(1, [&](unsigned) {
    try {
      work();
    } catch (...) {
      failure = std::current_exception();
    }
  });
  if (failure)
    std::rethrow_exception(failure);
}

} // namespace padlint
