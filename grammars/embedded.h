#pragma once

#include <tree_sitter/api.h>

#include <algorithm>
#include <span>
#include <string_view>

namespace padlint {

/// One folder of grammars/: the grammar's entry point and the text of its two data files.
struct EmbeddedLanguage {
  std::string_view name; // the folder
  const TSLanguage* (*grammar)() = nullptr;
  std::string_view extends; // the language that it builds on, empty for none
  std::string_view language_toml;
  std::string_view apis_toml; // empty when the folder has none
};

/// The text of grammars/tools.toml.
std::string_view embedded_tools();

/// All languages, sorted by name.
std::span<const EmbeddedLanguage> embedded_languages();

/// The language of this name; nullptr when there is none.
inline const EmbeddedLanguage* embedded_language(std::string_view name) {
  const auto all = embedded_languages();
  const auto found = std::ranges::find(all, name, &EmbeddedLanguage::name);
  return found == all.end() ? nullptr : &*found;
}

} // namespace padlint
