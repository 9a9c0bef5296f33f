#pragma once

#include "analyzer/cli/options.h"

#include <expected>
#include <string>
#include <vector>

namespace padlint {

/// Which project to read, and which of its files to report on.
struct Request {
  std::string root;               // folder, absolute
  std::vector<std::string> paths; // relative to the root, with '/'; empty: all
};

/// Finds the root that the command line names or implies, and the requested paths below it. The error says what is
/// wrong with them.
std::expected<Request, std::string> resolve_request(const Options& options);

} // namespace padlint
