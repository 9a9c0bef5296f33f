#pragma once

#include "analyzer/core/notice.h"
#include "analyzer/walk/ignore.h"

#include <memory>
#include <string>
#include <vector>

namespace padlint {

/// Ignore patterns above 4 MB are not a project's.
constexpr std::uint64_t ignore_file_limit = std::uint64_t{4} << 20;

/// What holds for a folder before its own .gitignore is read.
struct RootRules {
  std::string prefix; // the folder's path from the top of its repository, with a '/' at the end; empty at the top
  std::shared_ptr<const IgnoreScope> scope; // bases count from the top
  std::vector<Notice> notices;
};

/// The rules from above `root`: of its repository if it is in one, else none.
RootRules rules_above(const std::string& root);

/// The scope of the file `path` (seen from the folder `from`) inside `outer`; `outer` when there is no such file.
std::shared_ptr<const IgnoreScope> with_ignore_file(std::shared_ptr<const IgnoreScope> outer, std::size_t base,
                                                    int from, const std::string& path, std::vector<Notice>& notices);

/// Where the repository whose top is `top` keeps its exclude file; `top` has a `.git`, which may be a file.
std::string exclude_file(const std::string& top);

} // namespace padlint
