#include "analyzer/walk/sift.h"

#include <cstdio>
#include <fmt/format.h>
#include <span>
#include <string>

// sift_tree FOLDER EXTENSION WORD...: prints the files below the folder with this extension that hold one of the words
// in either case, a line each. It does what `rg -l -i` does with nothing but the walk layer.

int main(int count, char** arguments) {
  using namespace padlint;
  if (count < 4) {
    fmt::print(stderr, "usage: sift_tree FOLDER EXTENSION WORD...\n");
    return 2;
  }
  const SourceTree tree = work_tree(arguments[1]);
  const Listing listing = tree.list(0);
  FileKinds kinds;
  kinds.extensions.emplace(arguments[2], "wanted");
  const std::span words(arguments + 3, static_cast<std::size_t>(count - 3));
  const Sift wanted({.words = {words.begin(), words.end()}}, listing.entries.size());
  const SiftResult result =
      sift(tree, listing.entries, kinds, {.words = [&](FileId, const FileKind&) { return &wanted; }});
  std::string lines;
  for (const SiftedFile& match : result.matches)
    lines += listing.entries[match.file].path + "\n";
  std::fwrite(lines.data(), 1, lines.size(), stdout);
  return result.matches.empty() ? 1 : 0;
}
