#pragma once

#include "analyzer/host/host.h"
#include "analyzer/host/language.h"

#include <algorithm>
#include <string>
#include <string_view>

namespace padlint {

/// The compiled-in language of files with this extension; the tests stop without it.
inline const HostLanguage& language_of(std::string_view extension) {
  const auto fits = [&](const HostFiles& files) { return std::ranges::count(files.extensions, extension) != 0; };
  return *host_language(std::ranges::find_if(host_files(), fits)->language);
}

inline FileFacts read_sample(std::string_view source) {
  return read_host_file(language_of("py"), 0, "sample.py", source);
}

/// A routine by its name; the file's top level by none.
inline const Routine& routine_named(const FileFacts& facts, std::string_view name) {
  return *std::ranges::find(facts.routines, name, &Routine::name);
}

/// The first line is nothing but a line break, so that samples may begin on a line of their own.
inline std::string_view below(std::string_view text) { return text.substr(text.starts_with('\n') ? 1 : 0); }

} // namespace padlint
