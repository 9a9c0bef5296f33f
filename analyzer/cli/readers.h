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
};

/// The readers of this program; made once.
const Readers& readers();

/// The words, in lower case, of which a file of the host language holds one if it can ask a library for a lock. The
/// first question reads the tables of the language, which takes longer than most of its files.
std::vector<std::string> lock_words(std::string_view language);

/// The facts of one file. Whatever a reader throws becomes a Notice: one file must not cost the others.
FileFacts read_facts(FileKind kind, FileId file, std::string_view path, std::string_view text);

} // namespace padlint
