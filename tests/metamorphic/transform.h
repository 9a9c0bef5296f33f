#pragma once

#include "analyzer/core/file_facts.h"
#include "analyzer/walk/source_tree.h"

#include <algorithm>
#include <cctype>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

// Changes of a project that mean nothing: what is found has to stay the same, but for its place.

namespace padlint {

/// A change of a whole project. It leaves alone what it cannot change safely; a project that it does not change at all
/// is equal afterwards.
struct Transform {
  std::string_view name;
  MemoryFiles (*apply)(const MemoryFiles& files);
  /// A message as it is to be expected afterwards.
  std::string (*message)(const MemoryFiles& files, std::string message) = nullptr;
  /// Fixtures in which something else is found afterwards, and should not be: the test fails on the day that heals.
  std::vector<std::string_view> known_gaps = {};
};

MemoryFiles with_blank_lines_before(const MemoryFiles& files);
MemoryFiles with_blank_lines_between(const MemoryFiles& files);
MemoryFiles with_carriage_returns(const MemoryFiles& files);
MemoryFiles with_unrelated_files(const MemoryFiles& files);
MemoryFiles with_functions_reversed(const MemoryFiles& files);
MemoryFiles renamed(const MemoryFiles& files);
std::string renamed_message(const MemoryFiles& files, std::string message);
/// Helpers, constants and types go to another file, and are imported from there, where the table of languages says how.
MemoryFiles with_definitions_moved(const MemoryFiles& files);
/// Functions that nothing calls by name become static methods of a class, where the language has them.
MemoryFiles with_functions_in_classes(const MemoryFiles& files);
/// A function that does nothing stands at the end of each file.
MemoryFiles with_unrelated_functions(const MemoryFiles& files);

/// `visit(word, offset)` for each stretch of letters, digits and underscores, and, empty, for each byte between.
template <class Visit>
void each_word(std::string_view text, Visit visit) {
  const auto is_letter = [](unsigned char byte) { return std::isalnum(byte) != 0 || byte == '_'; };
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && is_letter(static_cast<unsigned char>(text[end])))
      ++end;
    visit(text.substr(at, end - at), at);
    at = std::max(end, at + 1);
  }
}

/// What stands behind the last dot.
inline std::string extension(std::string_view path) { return std::string(path.substr(path.rfind('.') + 1)); }

/// The facts of one file of a project.
FileFacts facts_of(std::string_view path, std::string_view text);

} // namespace padlint
