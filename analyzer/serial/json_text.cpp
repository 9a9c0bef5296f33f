#include "analyzer/serial/json_reader.h"

#include <charconv>

namespace padlint {
namespace {

constexpr std::string_view bytes_key = "hex";

/// Whether JSON can hold the text as it is (RFC 3629: no surrogates, no overlong forms, nothing above U+10FFFF).
bool is_utf8(std::string_view text) {
  const auto byte = [&](std::size_t at) { return at < text.size() ? static_cast<unsigned char>(text[at]) : 0U; };
  const auto follows = [&](std::size_t at) { return (byte(at) & 0xC0U) == 0x80U; };
  for (std::size_t at = 0; at < text.size();) {
    const unsigned first = byte(at), second = byte(at + 1);
    if (first < 0x80)
      at += 1;
    else if (first >= 0xC2 && first <= 0xDF && follows(at + 1))
      at += 2;
    else if (first >= 0xE0 && first <= 0xEF && follows(at + 1) && follows(at + 2) &&
             !(first == 0xE0 && second < 0xA0) && !(first == 0xED && second > 0x9F))
      at += 3;
    else if (first >= 0xF0 && first <= 0xF4 && follows(at + 1) && follows(at + 2) && follows(at + 3) &&
             !(first == 0xF0 && second < 0x90) && !(first == 0xF4 && second > 0x8F))
      at += 4;
    else
      return false;
  }
  return true;
}

} // namespace

Json stored_text(std::string_view text) {
  if (is_utf8(text))
    return text;
  constexpr std::string_view digits = "0123456789abcdef";
  std::string hex;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    hex.push_back(digits[byte >> 4U]);
    hex.push_back(digits[byte & 15U]);
  }
  return {{bytes_key, std::move(hex)}};
}

bool read_stored_text(const Json& json, std::string& text) {
  if (json.is_string()) {
    text = json.get<std::string>();
    return true;
  }
  if (!json.is_object() || json.size() != 1 || !json.contains(bytes_key) || !json[bytes_key].is_string())
    return false;
  const std::string& hex = json[bytes_key].get_ref<const std::string&>();
  text.clear();
  for (std::size_t at = 0; at < hex.size(); at += 2) {
    unsigned byte = 0;
    const char* end = hex.data() + std::min(at + 2, hex.size());
    if (std::from_chars(hex.data() + at, end, byte, 16).ptr != hex.data() + at + 2)
      return false;
    text.push_back(static_cast<char>(byte));
  }
  return true;
}

} // namespace padlint
