#include "analyzer/cli/file_texts.h"

#include <optional>
#include <unordered_map>

namespace padlint {
namespace {

struct Texts {
  SourceTree tree;
  std::vector<SourceEntry> files;
  std::unordered_map<FileId, std::optional<std::string>> read;
};

} // namespace

Sources file_texts(SourceTree tree, std::vector<SourceEntry> files) {
  constexpr std::uint64_t no_limit = UINT64_MAX;
  auto texts = std::make_shared<Texts>(Texts{.tree = std::move(tree), .files = std::move(files)});
  return whole_sources([texts](FileId file) -> std::string_view { return texts->files[file].path; },
                       [texts](FileId file) -> const std::string* {
                         auto found = texts->read.find(file);
                         if (found == texts->read.end()) {
                           auto text = texts->tree.read(texts->files[file].path, no_limit);
                           found = texts->read.emplace(file, std::nullopt).first;
                           if (text)
                             found->second = std::move(*text);
                         }
                         return found->second ? &*found->second : nullptr;
                       });
}

} // namespace padlint
