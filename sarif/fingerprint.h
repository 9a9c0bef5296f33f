#pragma once

#include "analyzer/core/finding.h"
#include "sarif/sources.h"

#include <vector>

namespace padlint {

/// Gives each finding its identity: a hash of rule, path, enclosing symbol and the marked text without regard to
/// blanks, and an ordinal for those that are equal in all of these. It holds no line number, so that it outlives edits
/// elsewhere in the file.
void fill_fingerprints(std::vector<Finding>& findings, const Sources& sources);

} // namespace padlint
