#pragma once

#include "analyzer/core/value.h"
#include "analyzer/host/language.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace padlint::host {

/// How one stretch between the quotes is to be read.
struct TextForm {
  bool raw = false;
  bool holes = false; // doubled characters stand for one
};

/// Decodes source[begin, end), the inside of a string literal, with steps that lead each decoded byte back.
Value decode_text(const TextRules& rules, TextForm form, std::string_view source, std::uint32_t begin,
                  std::uint32_t end, Span span);

/// An integer literal in base 2, 8, 10 or 16; opaque when it is none, or beyond 64 bits.
Value decode_integer(std::string_view literal, std::string_view separators, Span span);

/// A copy within the bounds of value.h: what lies deeper is opaque.
Value bounded(const Value& value, int depth = max_value_depth);

} // namespace padlint::host
