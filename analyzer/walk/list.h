#pragma once

#include "analyzer/walk/repository.h"
#include "analyzer/walk/source_tree.h"

namespace padlint {

/// The files below the open folder `root`, whose path is `root_path`.
Listing list_files(int root, const std::string& root_path, unsigned jobs);

} // namespace padlint
