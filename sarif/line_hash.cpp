#include "sarif/line_hash.h"

#include "sarif/unicode.h"

#include <cstdint>
#include <fmt/format.h>
#include <unordered_map>

// An alert of code scanning keeps its identity while its line moves, because this hash takes in the text of the line
// and what follows, 100 characters without blanks, and not the line's number. Any other value than the one that GitHub
// computes itself makes the upload warn for each result, so each detail counts: UTF-16 code units, a byte order mark
// that counts, invalid UTF-8 as U+FFFD, one unit 65535 behind the last, and zeros beyond.
// Source: fingerprints.ts of github/codeql-action.

namespace padlint {

namespace {

constexpr std::size_t window = 100;
constexpr std::uint64_t factor = 37;
constexpr std::uint16_t end_of_file = 65535;

/// The file without blanks, its line ends as "\n", and where its lines begin.
struct Units {
  std::vector<std::uint16_t> units;
  std::vector<std::size_t> begins;

  void add(std::uint16_t unit) {
    if (units.empty() || units.back() == '\n')
      begins.push_back(units.size());
    units.push_back(unit);
  }
};

Units units_of(std::string_view text) {
  Units result;
  char32_t previous = 0; // also blanks: "\r \n" are two line ends
  for (std::size_t at = 0; at < text.size();) {
    const char32_t code_point = decode(text, at);
    const bool second_half = code_point == '\n' && previous == '\r';
    previous = code_point;
    if (code_point == ' ' || code_point == '\t' || second_half)
      continue;
    if (code_point > 0xFFFF) {
      result.add(static_cast<std::uint16_t>(0xD800U + ((code_point - 0x10000) >> 10U)));
      result.add(static_cast<std::uint16_t>(0xDC00U + ((code_point - 0x10000) & 0x3FFU)));
    } else {
      result.add(static_cast<std::uint16_t>(code_point == '\r' ? '\n' : code_point));
    }
  }
  result.add(end_of_file);
  return result;
}

} // namespace

std::vector<std::string> line_hashes(std::string_view text) {
  const Units file = units_of(text);
  std::vector<std::string> hashes;
  std::unordered_map<std::uint64_t, std::size_t> seen;
  for (const std::size_t begin : file.begins) {
    std::uint64_t hash = 0; // modulo 2^64
    for (std::size_t at = begin; at < begin + window; ++at)
      hash = hash * factor + (at < file.units.size() ? file.units[at] : 0);
    hashes.push_back(fmt::format("{:x}:{}", hash, ++seen[hash]));
  }
  return hashes;
}

} // namespace padlint
