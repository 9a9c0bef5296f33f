#pragma once

#include "analyzer/core/file_facts.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace padlint {

/// A host language as its grammars/<name>/language.toml describes it, ready for use.
struct HostLanguage;

/// What the walk needs to know of it to find its files.
struct HostFiles {
  std::string language;
  std::vector<std::string> extensions; // without dot
  std::vector<std::string> shebangs;   // base names of interpreters
  std::vector<std::string> manifests;
  std::vector<std::string> test_paths; // globs
};

/// Loads the compiled-in language of this name; nullptr when there is none. Loaded once, thread-safe.
const HostLanguage* host_language(std::string_view name);

/// Files of all compiled-in languages, sorted by language.
const std::vector<HostFiles>& host_files();

/// Reads one source file. A syntax error costs the expressions that it touches, and a Notice.
FileFacts read_host_file(const HostLanguage& language, FileId file, std::string_view path, std::string_view text);

} // namespace padlint
