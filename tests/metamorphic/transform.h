#pragma once

#include "analyzer/core/file_facts.h"
#include "analyzer/walk/source_tree.h"

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
/// Helpers and constants go to another file, and are imported from there, where the table of languages says how.
MemoryFiles with_definitions_moved(const MemoryFiles& files);

/// The facts of one file of a project.
FileFacts facts_of(std::string_view path, std::string_view text);

} // namespace padlint
