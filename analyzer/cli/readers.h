#pragma once

#include "analyzer/core/file_facts.h"
#include "analyzer/walk/file_kinds.h"
#include "analyzer/walk/glob.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace padlint {

/// Which files padlint reads, and how.
struct Readers {
  FileKinds kinds;
  std::map<std::string, std::vector<Glob>, std::less<>> test_globs; // by host language
  /// By host language: the words, in lower case, of which a file holds one if it can ask a library for a lock.
  std::map<std::string, std::vector<std::string>, std::less<>> lock_words;
};

/// The readers of this program; made once.
const Readers& readers();

/// The facts of one file. Whatever a reader throws becomes a Notice: one file must not cost the others.
FileFacts read_facts(FileKind kind, FileId file, std::string_view path, std::string_view text);

} // namespace padlint
