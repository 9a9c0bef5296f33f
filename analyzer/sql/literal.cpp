#include "analyzer/sql/literal.h"

#include <algorithm>
#include <charconv>

// A literal is decoded twice: the host's escapes made the SQL text, SQL's quotes make the value. Both maps are composed
// here: the decoded literal becomes an SqlText, whose joints point into the source file.

namespace padlint {

namespace {

void append_utf8(std::string& out, std::uint32_t code) {
  const auto add = [&](std::uint32_t byte) { out += static_cast<char>(byte); };
  if (code < 0x80) {
    add(code);
  } else if (code < 0x800) {
    add(0xC0 | code >> 6);
    add(0x80 | (code & 0x3F));
  } else if (code < 0x10000) {
    add(0xE0 | code >> 12);
    add(0x80 | (code >> 6 & 0x3F));
    add(0x80 | (code & 0x3F));
  } else {
    add(0xF0 | code >> 18);
    add(0x80 | (code >> 12 & 0x3F));
    add(0x80 | (code >> 6 & 0x3F));
    add(0x80 | (code & 0x3F));
  }
}

/// Decodes the escape at the start of `text` ("\n...") into `out`; its length in bytes.
std::uint32_t decode_escape(std::string_view text, std::string& out) {
  constexpr std::string_view letters = "bfnrt";
  constexpr std::string_view decoded = "\b\f\n\r\t";
  if (text.size() < 2)
    return static_cast<std::uint32_t>(text.size());
  const char c = text[1];
  if (const std::size_t letter = letters.find(c); letter != std::string_view::npos) {
    out += decoded[letter];
    return 2;
  }
  const std::size_t most = c == 'x' ? 2 : c == 'u' ? 4 : c == 'U' ? 8 : c >= '0' && c <= '7' ? 3 : 0;
  const std::size_t first = c >= '0' && c <= '7' ? 1 : 2;
  if (most > 0) {
    std::uint32_t code = 0;
    const std::string_view digits = text.substr(first, most);
    const auto [stop, error] = std::from_chars(digits.data(), digits.data() + digits.size(), code, first == 1 ? 8 : 16);
    if (error == std::errc() && code < 0x110000) {
      append_utf8(out, code);
      return static_cast<std::uint32_t>(first) + static_cast<std::uint32_t>(stop - digits.data());
    }
  }
  out += c;
  return 2;
}

std::size_t joint_after(const SqlText& text, std::uint32_t offset) {
  return static_cast<std::size_t>(std::ranges::upper_bound(text.joints, offset, {}, &SqlJoint::text) -
                                  text.joints.begin());
}

/// Appends `decoded`, which stands at text.text[begin, end).
void append_decoded(SqlText& to, std::string_view decoded, const SqlText& text, std::uint32_t begin,
                    std::uint32_t end) {
  const Span span = text.source(begin, end);
  to.add_joint({.text = static_cast<std::uint32_t>(to.text.size()), .file = span.file, .source = span.begin});
  to.text += decoded;
}

} // namespace

Content literal_content(std::string_view text, const Token& token) {
  const std::string_view written = text_of(text, token);
  if (token.kind == TokenKind::dollar_string) {
    const auto tag = static_cast<std::uint32_t>(written.find('$', 1) + 1);
    const std::uint32_t begin = token.begin + tag;
    const bool closed = written.size() >= 2 * tag && written.ends_with(written.substr(0, tag));
    return {.begin = begin, .end = closed ? token.end - tag : token.end};
  }
  const auto quote = static_cast<std::uint32_t>(std::min(written.find('\''), written.size() - 1));
  const std::uint32_t begin = token.begin + quote + 1;
  const bool closed = token.end > begin && written.ends_with('\'');
  const bool escapes = quote == 1 && (written[0] == 'e' || written[0] == 'E');
  return {.begin = begin, .end = closed ? token.end - 1 : token.end, .escapes = escapes, .doubled = true};
}

void append_range(SqlText& to, const SqlText& text, std::uint32_t begin, std::uint32_t end) {
  const auto shift = static_cast<std::uint32_t>(to.text.size()) - begin;
  for (std::size_t next = joint_after(text, begin); begin < end; ++next) {
    const SqlJoint joint = next == 0 ? SqlJoint{} : text.joints[next - 1];
    const std::uint32_t part = next < text.joints.size() ? std::min(end, text.joints[next].text) : end;
    SqlJoint moved = joint;
    moved.text = begin + shift;
    moved.source += joint.hole ? 0 : begin - joint.text;
    to.add_joint(moved);
    to.text.append(text.text, begin, part - begin);
    begin = part;
  }
}

SqlText literal_text(const SqlText& text, const Token& token) {
  SqlText result{.holes = text.holes, .unique_columns = text.unique_columns};
  const Content content = literal_content(text.text, token);
  const std::string_view sql = text.text;
  std::uint32_t plain = content.begin; // from here to `at` nothing needs decoding
  for (std::uint32_t at = content.begin; at < content.end;) {
    const bool doubled = content.doubled && sql[at] == '\'';
    if (!doubled && !(content.escapes && sql[at] == '\\')) {
      ++at;
      continue;
    }
    append_range(result, text, plain, at);
    std::string decoded;
    const std::uint32_t length = doubled ? 2 : decode_escape(sql.substr(at, content.end - at), decoded);
    append_decoded(result, doubled ? "'" : decoded, text, at, at + length);
    at = plain = std::min(at + length, content.end);
  }
  append_range(result, text, plain, content.end);
  return result;
}

Value literal_value(const SqlText& text, const Token& token) {
  const Span span = text.source(token.begin, token.end);
  const SqlText decoded = literal_text(text, token);
  std::vector<Value> parts;
  for (std::size_t i = 0; i < decoded.joints.size(); ++i) {
    const SqlJoint& joint = decoded.joints[i];
    const std::uint32_t end =
        i + 1 < decoded.joints.size() ? decoded.joints[i + 1].text : static_cast<std::uint32_t>(decoded.text.size());
    const std::string_view part = std::string_view(decoded.text).substr(joint.text, end - joint.text);
    const Span place = decoded.source(joint.text, end);
    if (const auto hole = joint.hole ? hole_index(decoded, part) : std::nullopt)
      parts.push_back(hole_value(decoded, *hole, place));
    else if (!parts.empty() && parts.back().is(ValueKind::text) && place.file == parts.back().span.file) {
      parts.back().steps.push_back(
          {.text = static_cast<std::uint32_t>(parts.back().text.size()), .source = place.begin});
      parts.back().text += part;
      parts.back().span.end = std::max(parts.back().span.end, place.end);
    } else if (!part.empty())
      parts.push_back(make_text(std::string(part), place, {{.text = 0, .source = place.begin}}));
  }
  if (parts.empty())
    return make_text("", span, {{.text = 0, .source = text.source(token.begin, token.begin).begin + 1}});
  if (parts.size() == 1 && parts[0].is(ValueKind::text)) {
    parts[0].span = span;
    return std::move(parts[0]);
  }
  if (parts.size() > max_value_parts)
    return make_opaque(span);
  Value result{.kind = ValueKind::concat, .span = span};
  result.parts = std::move(parts);
  return result;
}

std::optional<std::size_t> hole_index(const SqlText& text, std::string_view word) {
  constexpr std::string_view prefix = "padlint_hole_";
  if (!word.starts_with(prefix))
    return std::nullopt;
  std::size_t index = 0;
  const auto [stop, error] = std::from_chars(word.data() + prefix.size(), word.data() + word.size(), index);
  if (error != std::errc() || stop != word.data() + word.size() || index >= text.holes.size())
    return std::nullopt;
  return index;
}

Value hole_value(const SqlText& text, std::size_t index, Span span) {
  if (text.holes[index].is(ValueKind::parameter)) {
    Value placeholder = text.holes[index];
    placeholder.span = span;
    return placeholder;
  }
  return {.kind = ValueKind::parameter, .span = span, .text = "hole", .number = static_cast<std::int64_t>(index)};
}

} // namespace padlint
