#pragma once

#include "analyzer/core/notice.h"

#include <cstdint>
#include <expected>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// Where source files come from: a folder on disk, files in memory, or files in memory over a folder. Nothing above
// this layer opens a file, so a revision of a repository needs one more factory and nothing else.

namespace padlint {

struct SourceEntry {
  std::string path; // relative to the root, with '/'; bytes as the file system has them
};

struct Listing {
  std::vector<SourceEntry> entries; // sorted bytewise by path
  std::vector<Notice> notices;      // what could not be listed, sorted by path
};

/// A file that is open for one reader. It is as long as it was when it was opened: what is appended later is not read.
struct OpenFile {
  std::uint64_t size = 0; // bytes
  /// The next bytes, at most as many as fit, 0 at the end; or why they cannot be read.
  std::move_only_function<std::expected<std::size_t, std::string>(std::span<char> buffer)> read;
};

/// Opens files for one thread. It may remember the folder of the last one: asked in the order of a list, it is faster.
using Opener = std::move_only_function<std::expected<OpenFile, Notice>(std::string_view path)>;

/// All that is left of `file`; Notice "unreadable-file", or "too-large" when that is more than `limit` bytes.
std::expected<std::string, Notice> read_all(OpenFile& file, std::string_view path, std::uint64_t limit);

/// Where files are listed and opened; on several threads at once, if wanted.
struct SourceTree {
  /// All regular files that no ignore rule matches. `jobs` threads, 0 for one a processor; the result is the same.
  std::function<Listing(unsigned jobs)> list;
  /// An opener for one thread, of the files of the list and of any other regular file below the root.
  std::function<Opener()> opener;

  /// The whole text of a file; Notices as for read_all.
  [[nodiscard]] std::expected<std::string, Notice> read(std::string_view path, std::uint64_t limit) const;
};

/// The Notices "unreadable-file" and "too-large".
Notice unreadable_file(std::string_view path, std::string why);
Notice too_large(std::string_view path, std::uint64_t size, std::uint64_t limit);

/// Files in memory: path to text.
using MemoryFiles = std::map<std::string, std::string, std::less<>>;

/// A folder on disk. Listed are regular files, hidden ones too, but neither symbolic links nor what is behind them, nor
/// the folders of version control. Ignore rules: .gitignore files of the folder, of those below it, and of those above
/// it up to the top of its repository, and that repository's .git/info/exclude; no user's own settings, so that one
/// tree gives one list. They hold outside of a repository as well.
SourceTree work_tree(const std::string& root);

/// Exactly these files.
SourceTree memory_tree(MemoryFiles files);

/// `base`, in which these files are added or have another text.
SourceTree overlay(SourceTree base, MemoryFiles files);

} // namespace padlint
