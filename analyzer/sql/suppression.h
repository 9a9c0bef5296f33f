#pragma once

#include "analyzer/core/file_facts.h"

#include <string_view>
#include <vector>

namespace padlint {

/// The comments `padlint: ignore[rule] reason` of an SQL text, also those inside of dollar-quoted bodies.
std::vector<Suppression> read_suppressions(FileId file, std::string_view text);

} // namespace padlint
