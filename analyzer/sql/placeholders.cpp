#include "analyzer/sql/placeholders.h"

#include "analyzer/sql/literal.h"
#include "analyzer/sql/tokens.h"

#include <algorithm>
#include <charconv>
#include <optional>

namespace padlint {

namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_name(char c) { return is_letter(c) || is_digit(c); }

struct Match {
  std::uint32_t length = 0;
  std::string label;         // empty for a position
  std::int64_t number = -1;  // -1: the next position
  bool percent_sign = false; // `%%`
};

struct Styles {
  bool percent = false;
  bool colon = false;
  bool question = false;
  bool braces = false;
  bool psql = false;
  bool templates = false;
  bool dollar_names = false;
};

struct Replacer {
  const SqlText& text;
  Styles styles;
  SqlText result = {};
  std::uint32_t done = 0; // everything before is in `result`
  std::int64_t positions = 0;

  [[nodiscard]] char at(std::size_t offset) const { return offset < text.text.size() ? text.text[offset] : '\0'; }
  [[nodiscard]] std::string_view rest(std::uint32_t offset) const { return std::string_view(text.text).substr(offset); }
  [[nodiscard]] std::uint32_t name_length(std::uint32_t offset) const {
    const std::string_view name = rest(offset);
    return static_cast<std::uint32_t>(std::ranges::find_if_not(name, is_name) - name.begin());
  }

  std::optional<Match> percent(std::uint32_t offset) const;
  std::optional<Match> colon(std::uint32_t offset) const;
  std::optional<Match> question(std::uint32_t offset, bool after_operand) const;
  std::optional<Match> dollar_name(std::uint32_t offset) const;
  std::optional<Match> between(std::uint32_t offset, std::string_view open, std::string_view close) const;
  std::optional<Match> match(std::uint32_t offset, bool after_operand, bool in_body) const;
  void put(std::uint32_t offset, const Match& match);
  void run(std::uint32_t begin, std::uint32_t end, bool in_body, int depth = 0);
  static constexpr int max_body_depth = 8; // of quoted bodies in quoted bodies
};

Match numbered(std::string_view digits, std::uint32_t length, std::int64_t first) {
  std::int64_t number = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), number);
  return {.length = length, .number = std::max<std::int64_t>(number - first, 0)};
}

std::optional<Match> Replacer::percent(std::uint32_t offset) const {
  if (at(offset + 1) == '%')
    return Match{.length = 2, .percent_sign = true};
  if (at(offset + 1) == '(') {
    const std::size_t close = text.text.find(')', offset);
    if (close == std::string::npos || !is_letter(at(close + 1)) || is_name(at(close + 2)))
      return std::nullopt;
    return Match{.length = static_cast<std::uint32_t>(close) + 2 - offset,
                 .label = text.text.substr(offset + 2, close - offset - 2)};
  }
  if (is_digit(at(offset + 1))) { // %1$s
    const std::uint32_t digits = name_length(offset + 1);
    if (at(offset + 1 + digits) == '$' && is_letter(at(offset + 2 + digits)))
      return numbered(rest(offset + 1).substr(0, digits), digits + 3, 1);
    return std::nullopt;
  }
  const std::uint32_t size = at(offset + 1) == 'l' ? 2 : 1;
  constexpr std::string_view conversions = "sdbtLIfiu";
  if (conversions.find(at(offset + size)) == std::string_view::npos || is_name(at(offset + size + 1)))
    return std::nullopt;
  return Match{.length = size + 1};
}

std::optional<Match> Replacer::colon(std::uint32_t offset) const {
  const char before = offset > 0 ? at(offset - 1) : '\0';
  if (before == ':' || before == ')' || before == ']' || before == '[' || is_name(before))
    return std::nullopt; // a cast, or a slice of an array
  const char next = at(offset + 1);
  if (styles.psql && (next == '\'' || next == '"')) {
    const std::uint32_t name = name_length(offset + 2);
    if (name > 0 && at(offset + 2 + name) == next)
      return Match{.length = name + 3, .label = text.text.substr(offset + 2, name)};
    return std::nullopt;
  }
  if (styles.psql && next == '{' && at(offset + 2) == '?') {
    const std::uint32_t name = name_length(offset + 3);
    if (name > 0 && at(offset + 3 + name) == '}')
      return Match{.length = name + 4, .label = text.text.substr(offset + 3, name)};
    return std::nullopt;
  }
  const std::uint32_t name = name_length(offset + 1);
  if (is_letter(next))
    return Match{.length = name + 1, .label = text.text.substr(offset + 1, name)};
  if (is_digit(next) && !styles.psql)
    return numbered(rest(offset + 1).substr(0, name), name + 1, 1);
  return std::nullopt;
}

/// `?` is an operator of jsonb, too, as are `?|`, `?&`, `@?`: one that stands behind an operand is no placeholder.
std::optional<Match> Replacer::question(std::uint32_t offset, bool after_operand) const {
  const char before = offset > 0 ? at(offset - 1) : '\0';
  const char next = at(offset + 1);
  if (after_operand || before == '?' || before == '@' || next == '?' || next == '|' || next == '&')
    return std::nullopt;
  if (is_digit(next)) {
    const std::uint32_t digits = name_length(offset + 1);
    return numbered(rest(offset + 1).substr(0, digits), digits + 1, 1);
  }
  return Match{.length = 1};
}

/// `{{ name }}` and its like; what is no plain name becomes a label all the same.
std::optional<Match> Replacer::between(std::uint32_t offset, std::string_view open, std::string_view close) const {
  if (!rest(offset).starts_with(open))
    return std::nullopt;
  const std::size_t end = text.text.find(close, offset + open.size());
  if (end == std::string::npos || end - offset > 200)
    return std::nullopt;
  std::string_view inner = rest(offset).substr(open.size(), end - offset - open.size());
  const auto length = static_cast<std::uint32_t>(end + close.size()) - offset;
  while (inner.starts_with(' '))
    inner.remove_prefix(1);
  while (inner.ends_with(' '))
    inner.remove_suffix(1);
  if (inner.empty())
    return Match{.length = length};
  return std::ranges::all_of(inner, is_digit) ? numbered(inner, length, 0)
                                              : Match{.length = length, .label = std::string(inner)};
}

/// A name in one of several brackets, with a format perhaps, or bare; `$1` is the server's own.
std::optional<Match> Replacer::dollar_name(std::uint32_t offset) const {
  constexpr std::string_view opening = "<{([/";
  constexpr std::string_view closing = ">})]/";
  const std::size_t bracket = opening.find(at(offset + 1));
  const std::uint32_t begin = offset + (bracket == std::string_view::npos ? 1 : 2);
  const std::uint32_t name = name_length(begin);
  if (name == 0 || is_digit(at(begin)))
    return std::nullopt;
  std::uint32_t end = begin + name;
  if (bracket == std::string_view::npos)
    return at(end) == '$' ? std::nullopt // a dollar quote
                          : std::optional(Match{.length = end - offset, .label = text.text.substr(begin, name)});
  while (at(end) == ':' || at(end) == '^' || at(end) == '~' || at(end) == '#' || is_letter(at(end)))
    ++end;
  if (at(end) != closing[bracket])
    return std::nullopt;
  return Match{.length = end + 1 - offset, .label = text.text.substr(begin, name)};
}

std::optional<Match> Replacer::match(std::uint32_t offset, bool after_operand, bool in_body) const {
  const char c = at(offset);
  if (c == '%' && styles.percent)
    return percent(offset);
  if (styles.templates && (c == '{' || c == '$' || c == '#' || c == '<')) {
    using Brackets = std::pair<std::string_view, std::string_view>;
    for (const auto& [open, close] : {Brackets{"{{", "}}"}, {"${", "}"}, {"#{", "}"}, {"<%=", "%>"}})
      if (auto found = between(offset, open, close))
        return found;
  }
  if (in_body)
    return std::nullopt;
  if (c == '$' && styles.dollar_names && (offset == 0 || !is_name(at(offset - 1))))
    if (auto found = dollar_name(offset))
      return found;
  if (c == ':' && (styles.colon || styles.psql))
    return colon(offset);
  if (c == '?' && styles.question)
    return question(offset, after_operand);
  if (c == '{' && styles.braces)
    return between(offset, "{", "}");
  const char before = offset > 0 ? at(offset - 1) : '\0';
  if (c == '@' && is_letter(at(offset + 1)) && before != '@' && before != '<' && !is_name(before)) {
    const std::uint32_t name = name_length(offset + 1);
    const std::uint32_t closed = at(offset + 1 + name) == '@' ? 1 : 0; // @extschema@ of an extension's script
    return Match{.length = name + 1 + closed, .label = text.text.substr(offset + 1, name)};
  }
  return std::nullopt;
}

void Replacer::put(std::uint32_t offset, const Match& match) {
  append_range(result, text, done, offset);
  done = offset + match.length;
  const Span span = text.source(offset, done);
  if (match.percent_sign) {
    const OffsetStep step{.source = span.begin};
    result.append("%", span.file, {&step, 1});
    return;
  }
  Value value{.kind = ValueKind::parameter, .span = span, .label = match.label};
  if (match.label.empty())
    value.number = match.number >= 0 ? match.number : positions++;
  result.append_hole(std::move(value));
}

void Replacer::run(std::uint32_t begin, std::uint32_t end, bool in_body, int depth) {
  bool after_operand = false;
  for (Token token = next_token(text.text, begin, end); token.begin < token.end;
       token = next_token(text.text, begin, end)) {
    begin = token.end;
    std::optional<Match> found;
    if (token.kind == TokenKind::dollar_string && depth < max_body_depth) {
      const Content content = literal_content(text.text, token);
      run(content.begin, content.end, true, depth + 1);
    } else if (token.kind == TokenKind::punctuation) {
      for (std::uint32_t offset = token.begin; offset < token.end && !found; ++offset)
        if ((found = match(offset, after_operand && offset == token.begin, in_body))) {
          put(offset, *found);
          begin = done;
        }
    }
    after_operand = found ? !found->percent_sign : ends_operand(text.text, token);
  }
}

} // namespace

SqlText with_placeholders(const SqlText& text, std::uint32_t begin, std::uint32_t end,
                          std::span<const std::string> styles) {
  Replacer replacer{.text = text};
  for (const std::string& style : styles) {
    replacer.styles.percent |= style.starts_with('%');
    replacer.styles.colon |= style == ":name";
    replacer.styles.question |= style == "?";
    replacer.styles.braces |= style == "{}";
    replacer.styles.psql |= style == "psql";
    replacer.styles.templates |= style == "template";
    replacer.styles.dollar_names |= style == "$<name>";
  }
  replacer.result.holes = text.holes;
  replacer.result.unique_columns = text.unique_columns;
  replacer.done = begin;
  replacer.run(begin, end, false);
  append_range(replacer.result, text, replacer.done, end);
  return std::move(replacer.result);
}

} // namespace padlint
