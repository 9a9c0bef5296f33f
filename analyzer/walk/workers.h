#pragma once

#include <functional>

namespace padlint {

/// How many workers `jobs` means: itself, or one for each processor that the process may use when it is 0.
unsigned worker_count(unsigned jobs);

/// Runs `work(0)` .. `work(count - 1)`, each on a thread of its own, and waits for all of them. The threads have a
/// stack of 16 MB whatever the process's limits say: parsers recurse, and not all of them look at their depth.
/// With fewer threads to be had than wanted, fewer run; `work` must therefore share what is to do.
void run_workers(unsigned count, const std::function<void(unsigned worker)>& work);

} // namespace padlint
