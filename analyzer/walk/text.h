#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace padlint {

/// With the letters A to Z as small ones; all other bytes stay.
inline std::string lower_ascii(std::string_view text) {
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(), [](char byte) {
    return byte >= 'A' && byte <= 'Z' ? static_cast<char>(byte - 'A' + 'a') : byte;
  });
  return lower;
}

/// The part of a path after its last '/'.
inline std::string_view file_name(std::string_view path) { return path.substr(path.rfind('/') + 1); }

/// Whether `name` is one of a few `names`.
inline bool is_one_of(std::string_view name, const auto& names) {
  return std::ranges::find(names, name) != names.end();
}

} // namespace padlint
