#pragma once

#include <functional>

namespace padlint {

/// Calls `work` on a thread with the stack that parsers need, and waits for it. What it throws is thrown here.
void on_worker_stack(const std::function<void()>& work);

} // namespace padlint
