#pragma once

#include <cstddef>
#include <functional>

namespace padlint {

/// Calls work(0) .. work(count - 1), each once, on up to `jobs` threads (0: one for each processor) with the stack that
/// parsers need; returns when all are done. The exception of the smallest index is thrown here, so that a failing run
/// fails alike whatever the number of threads.
void for_each_parallel(std::size_t count, unsigned jobs, const std::function<void(std::size_t)>& work);

/// Calls `work` on one thread with that stack, and waits for it.
void on_worker_stack(const std::function<void()>& work);

} // namespace padlint
