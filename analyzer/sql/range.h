#pragma once

#include <cstdint>

namespace padlint {

/// A stretch of SqlText::text, in bytes.
struct Range {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  [[nodiscard]] bool empty() const { return begin >= end; }
};

} // namespace padlint
