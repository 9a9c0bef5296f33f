#pragma once

#include "analyzer/core/span.h"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace padlint {

/// How a report comes to the files that it speaks of: they may be at hand, or facts may have kept some of their lines.
struct Sources {
  std::function<std::string_view(FileId)> path; // relative to the root, with '/'
  /// nullptr when it cannot be had; stays valid while reports are made. Lines that nothing points into may be blank.
  std::function<const std::string*(FileId)> text;
  /// GitHub's identity of each line (line_hash.h); empty where a line is not known.
  std::function<std::vector<std::string>(FileId)> line_hashes;
};

/// Sources whose texts are whole.
Sources whole_sources(std::function<std::string_view(FileId)> path, std::function<const std::string*(FileId)> text);

/// What columns count. A byte order mark has no width in any of them.
enum class ColumnUnit {
  code_point, // people, text reports
  utf16,      // SARIF, editors
  byte,       // reviewdog
};

/// A stretch of a file: lines and columns from 1, the end column exclusive.
struct Region {
  std::uint32_t line = 1;
  std::uint32_t column = 1;
  std::uint32_t end_line = 1;
  std::uint32_t end_column = 1;
  auto operator<=>(const Region&) const = default;
};

/// Where the lines of a text begin. "\n" ends a line; "\r\n" counts once, a lone "\r" is no line end.
struct LineIndex {
  std::string_view whole;
  std::vector<std::uint32_t> begins;

  explicit LineIndex(std::string_view text);
  /// From 1.
  [[nodiscard]] std::uint32_t line_at(std::uint32_t offset) const;
  /// Without its end and without a byte order mark.
  [[nodiscard]] std::string_view line(std::uint32_t number) const;
  [[nodiscard]] Region region(const Span& span, ColumnUnit unit) const;
};

/// No identity of a finding hangs on more lines of what it marks.
constexpr std::uint32_t most_marked_lines = 40;

/// What a span covers, as far as most_marked_lines, without secrets.
std::string marked_text(std::string_view text, const Span& span);

/// The sources with their lines, each made once.
struct IndexedSources {
  Sources sources;
  std::unordered_map<FileId, LineIndex> lines;
  std::unordered_map<FileId, std::vector<std::string>> hashes;

  explicit IndexedSources(Sources given) : sources(std::move(given)) {}
  [[nodiscard]] std::string_view path(FileId file) const { return sources.path(file); }
  /// nullptr when the text cannot be had.
  const LineIndex* index(FileId file);
  /// Line 1, column 1 when the text cannot be had.
  Region region(const Span& span, ColumnUnit unit);
  /// GitHub's identity of a line, empty when it cannot be had.
  std::string line_hash(FileId file, std::uint32_t line);
};

} // namespace padlint
