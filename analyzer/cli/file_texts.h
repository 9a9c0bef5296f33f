#pragma once

#include "analyzer/walk/source_tree.h"
#include "sarif/sources.h"

#include <memory>
#include <vector>

namespace padlint {

/// The sources of a report: texts are read again when they are first asked for, so that a run holds only those that a
/// finding points into. Not for several threads at once.
Sources file_texts(SourceTree tree, std::vector<SourceEntry> files);

} // namespace padlint
