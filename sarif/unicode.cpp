#include "sarif/unicode.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace padlint {

namespace {

struct Range {
  char32_t first;
  char32_t last;
};

// Sorted. Zero-width marks of the scripts that turn up in source files.
constexpr std::array<Range, 22> zero_width = {
    {{0x0300, 0x036F}, {0x0483, 0x0489}, {0x0591, 0x05BD}, {0x0610, 0x061A},  {0x064B, 0x065F}, {0x0670, 0x0670},
     {0x06D6, 0x06DC}, {0x0900, 0x0902}, {0x093C, 0x093C}, {0x0941, 0x0948},  {0x094D, 0x094D}, {0x0E31, 0x0E31},
     {0x0E34, 0x0E3A}, {0x0E47, 0x0E4E}, {0x1AB0, 0x1AFF}, {0x1DC0, 0x1DFF},  {0x200B, 0x200F}, {0x20D0, 0x20FF},
     {0xFE00, 0xFE0F}, {0xFE20, 0xFE2F}, {0xFEFF, 0xFEFF}, {0xE0100, 0xE01EF}}};

// Sorted. East Asian Width W and F, and emoji that are shown as pictures (Unicode 15, ranges joined over gaps).
constexpr std::array<Range, 35> two_cells = {
    {{0x1100, 0x115F}, {0x231A, 0x231B}, {0x23E9, 0x23EC}, {0x23F0, 0x23F0}, {0x23F3, 0x23F3}, {0x25FD, 0x25FE},
     {0x2614, 0x2615}, {0x2648, 0x2653}, {0x267F, 0x267F}, {0x2693, 0x2693}, {0x26A1, 0x26A1}, {0x26AA, 0x26AB},
     {0x26BD, 0x26BE}, {0x26C4, 0x26C5}, {0x26D4, 0x26D4}, {0x26EA, 0x26EA}, {0x26F2, 0x26F5}, {0x26FA, 0x26FD},
     {0x2705, 0x2705}, {0x270A, 0x270B}, {0x2728, 0x2728}, {0x274C, 0x274E}, {0x2753, 0x2757}, {0x2795, 0x2797},
     {0x27B0, 0x27BF}, {0x2B1B, 0x2B1C}, {0x2B50, 0x2B55}, {0x2E80, 0x303E}, {0x3041, 0xA4CF}, {0xA960, 0xA97C},
     {0xAC00, 0xD7A3}, {0xF900, 0xFAFF}, {0xFE30, 0xFE6F}, {0xFF00, 0xFF60}, {0xFFE0, 0xFFE6}}};

template <std::size_t Size>
bool contains(const std::array<Range, Size>& ranges, char32_t code_point) {
  const auto range = std::ranges::lower_bound(ranges, code_point, {}, &Range::last);
  return range != ranges.end() && range->first <= code_point;
}

/// What the first byte of a sequence says: how many bytes follow, and between which values the next one must be.
struct Lead {
  std::uint32_t following = 0;
  unsigned char low = 0x80;
  unsigned char high = 0xBF;
};

Lead lead_of(unsigned char byte) {
  if (byte >= 0xC2 && byte <= 0xDF)
    return {.following = 1};
  if (byte >= 0xE0 && byte <= 0xEF)
    return {.following = 2,
            .low = static_cast<unsigned char>(byte == 0xE0 ? 0xA0 : 0x80),
            .high = static_cast<unsigned char>(byte == 0xED ? 0x9F : 0xBF)};
  if (byte >= 0xF0 && byte <= 0xF4)
    return {.following = 3,
            .low = static_cast<unsigned char>(byte == 0xF0 ? 0x90 : 0x80),
            .high = static_cast<unsigned char>(byte == 0xF4 ? 0x8F : 0xBF)};
  return {};
}

} // namespace

char32_t decode(std::string_view text, std::size_t& at) {
  const auto first = static_cast<unsigned char>(text[at++]);
  if (first < 0x80)
    return first;
  Lead lead = lead_of(first);
  if (lead.following == 0)
    return replacement_character;
  char32_t code_point = first & (0x3FU >> lead.following);
  for (std::uint32_t left = lead.following; left > 0; --left) {
    const unsigned char byte = at < text.size() ? static_cast<unsigned char>(text[at]) : 0;
    if (byte < lead.low || byte > lead.high)
      return replacement_character;
    code_point = code_point << 6U | (byte & 0x3FU);
    lead = {};
    ++at;
  }
  return code_point;
}

void append_utf8(std::string& text, char32_t code_point) {
  const auto put = [&](char32_t byte) { text.push_back(static_cast<char>(byte)); };
  const auto put_rest = [&](int shift) {
    for (; shift >= 0; shift -= 6)
      put(0x80U | (code_point >> shift & 0x3FU));
  };
  if (code_point < 0x80) {
    put(code_point);
  } else if (code_point < 0x800) {
    put(0xC0U | code_point >> 6U);
    put_rest(0);
  } else if (code_point < 0x10000) {
    put(0xE0U | code_point >> 12U);
    put_rest(6);
  } else {
    put(0xF0U | code_point >> 18U);
    put_rest(12);
  }
}

std::uint32_t cell_width(char32_t code_point) {
  if (code_point < 0x300)
    return 1;
  if (contains(zero_width, code_point))
    return 0;
  const bool picture = code_point >= 0x1F300 && code_point <= 0x1FAFF;
  const bool ideograph = code_point >= 0x20000 && code_point <= 0x3FFFD;
  return picture || ideograph || contains(two_cells, code_point) ? 2 : 1;
}

bool is_control(char32_t code_point) {
  const bool c0_or_c1 = code_point < 0x20 || (code_point >= 0x7F && code_point < 0xA0);
  const bool line_or_bidi =
      (code_point >= 0x2028 && code_point <= 0x202E) || (code_point >= 0x2066 && code_point <= 0x2069);
  return c0_or_c1 || line_or_bidi || code_point == 0x200E || code_point == 0x200F || code_point == 0x061C;
}

void append_printable(std::string& text, char32_t code_point) {
  if (!is_control(code_point))
    append_utf8(text, code_point);
  else if (code_point < 0x100)
    text += fmt::format("\\x{:02x}", static_cast<std::uint32_t>(code_point));
  else
    text += fmt::format("\\u{:04x}", static_cast<std::uint32_t>(code_point));
}

std::string printable(std::string_view text) {
  std::string result;
  for (std::size_t at = 0; at < text.size();)
    append_printable(result, decode(text, at));
  return result;
}

std::string valid_utf8(std::string_view text, std::size_t limit) {
  std::string result;
  for (std::size_t at = 0, count = 0; at < text.size() && count < limit; ++count)
    append_utf8(result, decode(text, at));
  return result;
}

} // namespace padlint
