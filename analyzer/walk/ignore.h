#pragma once

#include "analyzer/walk/glob.h"

#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace padlint {

/// The patterns of one .gitignore (or .git/info/exclude), applied exactly as git applies them.
class IgnoreFile {
public:
  explicit IgnoreFile(std::string_view text);

  enum class Verdict { none, ignored, kept };

  /// What the last fitting pattern says of `path`, relative to the folder of the ignore file. A path below an ignored
  /// folder is not looked for here: who walks does not enter that folder.
  [[nodiscard]] Verdict judge(std::string_view path, bool folder) const;

private:
  /// The numbers of the last patterns with one spelling: for anything, and for folders only (`name/`).
  struct Last {
    int anything = -1;
    int folder = -1;
  };
  struct ByText {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
  };
  using Exact = std::unordered_map<std::string, Last, ByText, std::equal_to<>>;
  struct Wild {
    int number = 0;
    bool folder_only = false;
    bool name_only = false; // is about the base name
    std::string prefix;     // of plain bytes, before the glob
    Glob glob;
  };

  void add(std::string_view line);

  std::vector<bool> negated_; // by number of the pattern
  Exact names_;               // `name`
  Exact extensions_;          // `*.o`, as ".o"
  Exact paths_;               // `/path`, `folder/path`
  std::vector<Wild> wild_;    // all others
};

/// The ignore files that hold for one folder, from its own outwards.
struct IgnoreScope {
  std::shared_ptr<const IgnoreScope> outer;
  std::size_t base = 0; // length of the folder's path with its '/'
  IgnoreFile file;
};

/// Whether the innermost ignore file that says anything of `path` ignores it. Paths and bases count from one place.
[[nodiscard]] bool ignored(const IgnoreScope* scope, std::string_view path, bool folder);

} // namespace padlint
