#pragma once

#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace padlint {

/// Many names, to be found in texts at the cost of one look at each word of a text, however many the names are. Texts
/// and names are in lower case; a byte of a name is a letter, a digit or `_`.
class NameIndex {
public:
  /// `names` outlive the index.
  explicit NameIndex(std::span<const std::string> names);

  /// The indices of the names that stand in the text as whole words, sorted.
  [[nodiscard]] std::vector<std::size_t> held_in(std::string_view text) const;

private:
  struct Entry {
    std::size_t name = 0;  // index
    std::size_t begin = 0; // of the word in the name
  };

  std::span<const std::string> names_;
  std::unordered_map<std::string_view, std::vector<Entry>> by_word_; // the first word of a name: `take` of `@take!`
  std::vector<std::size_t> wordless_;
};

} // namespace padlint
