#include "analyzer/cli/name_index.h"

#include <algorithm>

namespace padlint {
namespace {

bool is_name_byte(char byte) { return (byte >= 'a' && byte <= 'z') || (byte >= '0' && byte <= '9') || byte == '_'; }

/// The first run of bytes of names from `at` on; empty at the end of the text when there is none.
std::string_view word_from(std::string_view text, std::size_t at) {
  const auto* const begin = std::find_if(text.begin() + at, text.end(), is_name_byte);
  return {begin, std::find_if_not(begin, text.end(), is_name_byte)};
}

bool stands_at(std::string_view text, std::size_t at, std::string_view name) {
  const std::size_t end = at + name.size();
  return text.substr(at, name.size()) == name && (at == 0 || !is_name_byte(text[at - 1])) &&
         (end == text.size() || !is_name_byte(text[end]));
}

} // namespace

NameIndex::NameIndex(std::span<const std::string> names) : names_(names) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string_view name = names[i];
    if (const std::string_view word = word_from(name, 0); word.empty())
      wordless_.push_back(i);
    else
      by_word_[word].push_back({i, static_cast<std::size_t>(word.data() - name.data())});
  }
}

std::vector<std::size_t> NameIndex::held_in(std::string_view text) const {
  std::vector<std::size_t> held;
  for (std::string_view word = word_from(text, 0); !word.empty();) {
    const auto at = static_cast<std::size_t>(word.data() - text.data());
    if (const auto found = by_word_.find(word); found != by_word_.end())
      for (const Entry& entry : found->second)
        if (entry.begin <= at && stands_at(text, at - entry.begin, names_[entry.name]))
          held.push_back(entry.name);
    word = word_from(text, at + word.size());
  }
  for (const std::size_t name : wordless_)
    for (std::size_t at = text.find(names_[name]); at != std::string_view::npos; at = text.find(names_[name], at + 1))
      if (stands_at(text, at, names_[name])) {
        held.push_back(name);
        break;
      }
  std::ranges::sort(held);
  held.erase(std::unique(held.begin(), held.end()), held.end());
  return held;
}

} // namespace padlint
