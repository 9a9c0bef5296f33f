#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

namespace padlint {

/// A file of the listed tree: its index in the list of paths, which is sorted, so that ids order as paths do.
using FileId = std::uint32_t;

/// A stretch of one file's text, in bytes. Lines and columns are made in the writers, each in its own unit.
struct Span {
  FileId file = 0;
  std::uint32_t begin = 0; // first byte
  std::uint32_t end = 0;   // one past the last byte

  auto operator<=>(const Span&) const = default;
  [[nodiscard]] bool empty() const { return begin == end; }
  [[nodiscard]] bool contains(const Span& inner) const {
    return file == inner.file && begin <= inner.begin && inner.end <= end;
  }
};

/// A place as people read it: line and column from 1, the column in Unicode code points.
struct Position {
  std::uint32_t line = 1;
  std::uint32_t column = 1;
};

/// The position of byte `offset` in `text`; only "\n" ends a line ("\r\n" counts once), a byte order mark has no width.
Position position_at(std::string_view text, std::uint32_t offset);

/// `12:8-12:31` in the given text.
std::string to_text(const Span& span, std::string_view text);

} // namespace padlint
