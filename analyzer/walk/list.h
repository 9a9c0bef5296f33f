#pragma once

#include "analyzer/walk/repository.h"
#include "analyzer/walk/source_tree.h"

#include <string>
#include <string_view>

namespace padlint {

/// Notice "unreadable-folder", with the system's words for the error.
Notice unreadable_folder(std::string_view path, int error);

/// The files below the open folder `root`, whose path is `root_path`.
Listing list_files(int root, const std::string& root_path, unsigned jobs);

} // namespace padlint
