#pragma once

#include "analyzer/core/flow.h"

namespace padlint::host {

/// Leaves out blocks that only lead on or cannot be reached, and numbers the others: each one before those that follow
/// it (loops aside), error paths last.
void tidy(Flow& flow);

} // namespace padlint::host
