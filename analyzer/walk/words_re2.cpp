#include "analyzer/walk/words.h"

#if __has_include(<re2/re2.h>)
#include <re2/re2.h>

#include <memory>

namespace padlint {
namespace {

bool is_letter(char byte) { return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z'); }

/// A letter of either case is written as a set: RE2's own folding would fold more than ASCII.
std::string pattern_of(const WordSet& set) {
  std::string pattern;
  for (const std::string& word : set.words) {
    pattern += pattern.empty() ? "" : "|";
    for (const char byte : word) {
      if (!set.case_sensitive && is_letter(byte))
        pattern += {'[', static_cast<char>(byte | 0x20), static_cast<char>(byte & ~0x20), ']'};
      else
        pattern += RE2::QuoteMeta(re2::StringPiece(&byte, 1));
    }
  }
  return pattern;
}

} // namespace

ScannerFactory compile_with_re2(const WordSet& words) {
  RE2::Options options;
  options.set_encoding(RE2::Options::EncodingLatin1); // bytes, whatever they mean
  options.set_never_capture(true);
  options.set_log_errors(false);
  options.set_max_mem(std::int64_t{64} << 20);
  const auto pattern = std::make_shared<const RE2>(pattern_of(words), options);
  if (!pattern->ok())
    return {};
  return [pattern]() -> Scanner {
    return [pattern](std::string_view text) {
      return pattern->Match({text.data(), text.size()}, 0, text.size(), RE2::UNANCHORED, nullptr, 0);
    };
  };
}

} // namespace padlint

#else

namespace padlint {

ScannerFactory compile_with_re2(const WordSet&) { return {}; }

} // namespace padlint

#endif
