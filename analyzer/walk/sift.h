#pragma once

#include "analyzer/core/span.h"
#include "analyzer/walk/file_kinds.h"
#include "analyzer/walk/source_tree.h"
#include "analyzer/walk/words.h"

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// The sift is the first look at every file: does it hold one of the words without which it cannot matter? Nothing
// else of a file costs anything if it does not.

namespace padlint {

/// A set of words, ready to look for. Without words it matches nothing.
class Sift {
public:
  /// `files` is about how many there will be to look through: few are not worth the start of the fastest engine.
  explicit Sift(WordSet words, std::size_t files = ~std::size_t{0});

  /// A sift that lets every text pass.
  static Sift everything();

  /// Whether the text holds a word. For many texts, take a scanner.
  [[nodiscard]] bool matches(std::string_view text) const { return scanner()(text); }

  /// For one thread.
  [[nodiscard]] Scanner scanner() const { return factory_(); }

  /// Length of the longest word in bytes.
  [[nodiscard]] std::size_t longest() const { return longest_; }

private:
  Sift() = default;
  ScannerFactory factory_;
  std::size_t longest_ = 1;
};

/// Longer files are not read, in bytes; of SQL dumps only what matches is ever held as a whole.
constexpr std::uint64_t host_file_limit = std::uint64_t{2} << 20;
constexpr std::uint64_t sql_file_limit = std::uint64_t{512} << 20;

struct SiftRequest {
  /// The words for a file, or nullptr to leave it alone. Asked on worker threads.
  std::function<const Sift*(FileId file, const FileKind& kind)> words;
  /// Takes the text of each file that matches, on worker threads with a stack of 16 MB, in no order. May be empty.
  std::function<void(FileId file, const FileKind& kind, std::string text)> on_match;
  unsigned jobs = 0; // threads, 0: one a processor
};

struct SiftedFile {
  FileId file = 0;
  FileKind kind;
};

struct SiftResult {
  std::vector<SiftedFile> matches; // by file
  std::vector<Notice> notices;     // by path: files that could not be read, are too long or no text
  std::size_t searched = 0;        // files
};

/// Looks through the files of a list (a FileId is an index into `entries`).
SiftResult sift(const SourceTree& tree, std::span<const SourceEntry> entries, const FileKinds& kinds,
                const SiftRequest& request);

} // namespace padlint
