#pragma once

#include <bitset>
#include <cstdint>
#include <string_view>
#include <vector>

namespace padlint {

/// A path pattern, ready to match: `*` and `?` stay inside one folder, `**` crosses folders where it stands alone
/// between slashes, `[a-z]`, `[!a]` and `[[:digit:]]` are sets of bytes, a backslash takes the next byte as it is.
/// These are git's rules (manual page of gitignore), to the byte.
class Glob {
public:
  explicit Glob(std::string_view pattern);

  /// Whether the whole of `path` matches.
  [[nodiscard]] bool matches(std::string_view path) const;

  /// The same for a file of the tree, where a pattern without a slash is about the file's name in any folder.
  [[nodiscard]] bool fits(std::string_view path) const;

private:
  enum class Kind : std::uint8_t {
    byte,        // this one
    any,         // `?`: any but '/'
    set,         // one of sets_[value], never '/'
    star,        // `*`: any number of bytes, none of them '/'
    any_text,    // `**` at the end: any number of bytes
    any_folders, // `**/`: nothing, or anything up to and with a '/'
    never,       // a malformed set, a lone backslash at the end: such a pattern matches nothing
  };
  struct Token {
    Kind kind = Kind::byte;
    std::uint8_t value = 0;
  };

  std::size_t add_stars(std::string_view pattern, std::size_t at);
  std::size_t add_set(std::string_view pattern, std::size_t at);
  [[nodiscard]] bool accepts(Token token, char byte) const;

  std::vector<Token> tokens_;
  std::vector<std::bitset<256>> sets_;
  bool has_slash_ = false;
};

} // namespace padlint
