#pragma once

#include <tree_sitter/api.h>

#include <span>
#include <string_view>

namespace padlint {

/// One folder of grammars/: the grammar's entry point and the text of its two data files.
struct EmbeddedLanguage {
  std::string_view name; // the folder
  const TSLanguage* (*grammar)() = nullptr;
  std::string_view language_toml;
  std::string_view apis_toml; // empty when the folder has none
};

/// All languages, sorted by name.
std::span<const EmbeddedLanguage> embedded_languages();

} // namespace padlint
