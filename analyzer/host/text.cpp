#include "analyzer/host/text.h"

#include <algorithm>
#include <charconv>
#include <optional>

namespace padlint::host {

namespace {

struct Decoder {
  const TextRules& rules;
  TextForm form;
  std::string_view source;
  std::uint32_t at;
  std::uint32_t end;
  std::string text;
  std::vector<OffsetStep> steps;

  [[nodiscard]] char peek(std::uint32_t ahead = 0) const { return at + ahead < end ? source[at + ahead] : '\0'; }

  /// The next decoded bytes stand at `from`.
  void step(std::uint32_t from) {
    const auto here = static_cast<std::uint32_t>(text.size());
    if (!steps.empty() && steps.back().source + (here - steps.back().text) == from)
      return;
    if (!steps.empty() && steps.back().text == here)
      steps.back().source = from;
    else
      steps.push_back({here, from});
  }

  void put(std::string_view decoded, std::uint32_t width) {
    step(at);
    text += decoded;
    at += width;
  }

  void put_code_point(std::uint32_t code, std::uint32_t width) {
    constexpr std::uint32_t replacement = 0xfffd;
    if (code > 0x10ffff || (code >= 0xd800 && code < 0xe000))
      code = replacement;
    const auto byte = [](std::uint32_t bits) { return static_cast<char>(static_cast<unsigned char>(bits)); };
    std::string out;
    if (code < 0x80)
      out = {byte(code)};
    else if (code < 0x800)
      out = {byte(0xc0 | code >> 6), byte(0x80 | (code & 0x3f))};
    else if (code < 0x10000)
      out = {byte(0xe0 | code >> 12), byte(0x80 | (code >> 6 & 0x3f)), byte(0x80 | (code & 0x3f))};
    else
      out = {byte(0xf0 | code >> 18), byte(0x80 | (code >> 12 & 0x3f)), byte(0x80 | (code >> 6 & 0x3f)),
             byte(0x80 | (code & 0x3f))};
    put(out, width);
  }

  /// The number that source[from, from + digits) writes, if all of it are digits.
  [[nodiscard]] std::optional<std::uint32_t> number(std::uint32_t from, std::uint32_t digits, int base) const {
    std::uint32_t out = 0;
    if (digits == 0 || from + digits > end)
      return std::nullopt;
    const char* first = source.data() + from;
    const auto [rest, error] = std::from_chars(first, first + digits, out, base);
    return error == std::errc() && rest == first + digits ? std::optional(out) : std::nullopt;
  }

  /// Number of bytes up to and with the brace that closes the one at source[from].
  [[nodiscard]] std::uint32_t braced(std::uint32_t from) const {
    const std::size_t close = from < end && source[from] == '{' ? source.find('}', from) : std::string_view::npos;
    return close < end ? static_cast<std::uint32_t>(close) + 1 - from : 0;
  }

  bool hex_escape(char letter) {
    for (const auto& [form_letter, digits] : rules.hex) {
      if (form_letter != letter)
        continue;
      const std::uint32_t width = digits > 0 ? static_cast<std::uint32_t>(digits) : braced(at + 2);
      const std::uint32_t brace = digits > 0 ? 0 : 1;
      if (width <= 2 * brace)
        continue;
      if (const auto code = number(at + 2 + brace, width - 2 * brace, 16)) {
        put_code_point(*code, 2 + width);
        return true;
      }
    }
    return false;
  }

  bool octal_escape() {
    std::uint32_t digits = 0;
    while (digits < static_cast<std::uint32_t>(rules.octal) && peek(1 + digits) >= '0' && peek(1 + digits) <= '7')
      ++digits;
    if (digits == 0)
      return false;
    put_code_point(*number(at + 1, digits, 8), 1 + digits);
    return true;
  }

  static char meaning(char letter) {
    constexpr std::string_view letters = "abfnrtves";
    constexpr std::string_view meanings = "\a\b\f\n\r\t\v\x1b ";
    const std::size_t found = letters.find(letter);
    return found == std::string_view::npos ? letter : meanings[found];
  }

  void escape() {
    const char letter = peek(1);
    if (letter == '\n' || (letter == '\r' && peek(2) == '\n')) {
      at += letter == '\n' ? 2 : 3; // the line goes on
    } else if (rules.literal.find(letter) != std::string::npos) {
      put({&letter, 1}, 2);
    } else if (rules.simple.find(letter) != std::string::npos) {
      const char decoded = meaning(letter);
      put({&decoded, 1}, 2);
    } else if (letter == rules.named && braced(at + 2) > 0) {
      put_code_point(0xfffd, 2 + braced(at + 2));
    } else if (!hex_escape(letter) && !octal_escape()) {
      if (rules.keeps_unknown)
        put("\\", 1);
      else
        ++at;
      plain();
    }
  }

  [[nodiscard]] bool special(char c) const {
    return c == '\\' || c == '\r' || rules.doubled.find(c) != std::string::npos;
  }

  /// One byte that stands for itself, whatever it is, and those after it that cannot be anything else.
  void plain() {
    std::uint32_t width = 1;
    while (at + width < end && !special(source[at + width]))
      ++width;
    if (at < end)
      put(source.substr(at, width), width);
  }

  void run() {
    while (at < end) {
      const char c = peek();
      if (c == '\r' && peek(1) == '\n')
        ++at; // a line ends with one character, however the file is stored
      else if (c == '\\' && !form.raw && at + 1 < end)
        escape();
      else if (c == '\\' && form.raw && at + 1 < end && rules.raw_literal.find(peek(1)) != std::string::npos)
        put(source.substr(at + 1, 1), 2);
      else if (form.holes && c == peek(1) && rules.doubled.find(c) != std::string::npos)
        put({&c, 1}, 2);
      else
        plain();
    }
  }
};

} // namespace

Value decode_text(const TextRules& rules, TextForm form, std::string_view source, std::uint32_t begin,
                  std::uint32_t end, Span span) {
  Decoder decoder{.rules = rules, .form = form, .source = source, .at = begin, .end = end, .text = {}, .steps = {}};
  decoder.step(begin);
  decoder.text.reserve(end - begin);
  decoder.run();
  return make_text(std::move(decoder.text), span, std::move(decoder.steps));
}

Value decode_integer(std::string_view literal, std::string_view separators, Span span) {
  std::string digits(literal);
  std::erase_if(digits, [&](char c) { return separators.find(c) != std::string_view::npos; });
  int base = 10;
  if (digits.size() > 2 && digits[0] == '0') {
    const char letter = static_cast<char>(digits[1] | 0x20);
    base = letter == 'x' ? 16 : letter == 'o' ? 8 : letter == 'b' ? 2 : 10;
  }
  const char* first = digits.data() + (base == 10 ? 0 : 2);
  const char* last = digits.data() + digits.size();
  std::int64_t number = 0;
  const auto [rest, error] = std::from_chars(first, last, number, base);
  return error == std::errc() && rest == last ? make_integer(number, span) : make_opaque(span);
}

namespace {

bool within_bounds(const Value& value, int depth) {
  return value.parts.empty() ||
         (depth > 1 && value.parts.size() <= max_value_parts &&
          std::ranges::all_of(value.parts, [&](const Value& part) { return within_bounds(part, depth - 1); }));
}

} // namespace

Value bounded(const Value& value, int depth) {
  if (within_bounds(value, depth))
    return value;
  if (depth <= 1)
    return {.kind = ValueKind::opaque, .span = value.span, .label = value.label};
  Value out{.kind = value.kind, .span = value.span, .text = value.text, .number = value.number, .label = value.label};
  for (const Value& part : value.parts) {
    if (out.parts.size() == max_value_parts)
      break;
    out.parts.push_back(bounded(part, depth - 1));
  }
  return out;
}

} // namespace padlint::host
