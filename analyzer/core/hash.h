#pragma once

#include <cstdint>
#include <string_view>

namespace padlint {

/// FNV-1a, 64 bits: an identity of texts, no protection against somebody who makes two alike.
struct Hash {
  std::uint64_t value = 0xcbf29ce484222325;

  void add(unsigned char byte) { value = (value ^ byte) * 0x100000001b3; }
  void add_bytes(std::string_view text) {
    for (const char c : text)
      add(static_cast<unsigned char>(c));
  }
  /// The text and an end mark: "a" "bc" is not "ab" "c".
  void add(std::string_view text) {
    add_bytes(text);
    add(static_cast<unsigned char>(0));
  }
};

/// Of a whole text.
inline std::uint64_t hash_of(std::string_view text) {
  Hash hash;
  hash.add_bytes(text);
  return hash.value;
}

} // namespace padlint
