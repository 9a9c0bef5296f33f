#include "analyzer/config/environment.h"

#include <algorithm>
#include <array>

namespace padlint {

namespace {

struct Word {
  std::string_view word;
  std::string_view environment;
  bool names_folder;
};

constexpr std::array<Word, 14> words = {{
    {"production", "production", true},
    {"prod", "production", true},
    {"staging", "staging", true},
    {"stage", "staging", true},
    {"test", "test", true},
    {"testing", "test", true},
    {"ci", "test", false},
    {"development", "development", true},
    {"dev", "development", true},
    {"local", "development", false},
    {"example", "example", true},
    {"sample", "example", true},
    {"template", "example", false},
    {"dist", "example", false},
}};

const Word* find_word(std::string_view text) {
  const auto* found = std::ranges::find(words, text, &Word::word);
  return found == words.end() ? nullptr : found;
}

/// `.env.production.local` is production, `.env.production.example` an example: the local copy of an environment is
/// still that environment, an example is never one.
std::string_view environment_of_name(std::string_view name) {
  std::string_view environment;
  while (!name.empty()) {
    std::size_t end = std::min(name.find_first_of(".-_"), name.size());
    const Word* word = find_word(name.substr(0, end));
    if (word != nullptr && (environment.empty() || word->environment == "example"))
      environment = word->environment;
    name.remove_prefix(std::min(end + 1, name.size()));
  }
  return environment;
}

} // namespace

std::string_view environment_of(std::string_view path) {
  std::size_t slash = path.rfind('/');
  std::string_view environment = environment_of_name(path.substr(slash + 1));
  while (environment.empty() && slash != std::string_view::npos) {
    path = path.substr(0, slash);
    slash = path.rfind('/');
    const Word* word = find_word(path.substr(slash + 1));
    if (word != nullptr && word->names_folder)
      environment = word->environment;
  }
  return environment;
}

} // namespace padlint
