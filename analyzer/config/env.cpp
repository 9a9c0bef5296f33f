#include "analyzer/config/reader.h"

#include <algorithm>
#include <optional>

// .env files have no one grammar. Read here is what the readers for Node, Ruby, Python and Compose have in common:
// `NAME=value`, `export NAME=value` and `NAME: value`; in quotes a value may go on over several lines; without quotes a
// comment begins at '#' after a blank. Variables (`${NAME}`) stay as they are written: their values come from
// elsewhere.

namespace padlint {

namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

bool is_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view("_.-").contains(c);
}

struct EnvReader {
  ConfigReader& reader;
  std::string_view text;
  std::size_t at = 0;

  [[nodiscard]] std::size_t line_end() const { return std::min(text.find('\n', at), text.size()); }

  void skip_blanks() {
    while (at < text.size() && is_blank(text[at]))
      ++at;
  }

  std::string_view read_name() {
    std::size_t begin = at;
    while (at < text.size() && is_name(text[at]))
      ++at;
    return text.substr(begin, at - begin);
  }

  /// `=` or `: `, with the blanks around it.
  bool read_separator() {
    skip_blanks();
    std::string_view rest = text.substr(at);
    if (!rest.starts_with('=') && !rest.starts_with(": "))
      return false;
    ++at;
    skip_blanks();
    return true;
  }

  /// The byte after the last one of a quoted value that begins at `at`; nothing when the quote is never closed, or when
  /// more than a comment follows it on its line.
  [[nodiscard]] std::optional<std::size_t> closing_quote() const {
    char quote = text[at];
    for (std::size_t i = at + 1; i < text.size(); ++i) {
      if (quote == '"' && text[i] == '\\') {
        ++i;
      } else if (text[i] == quote) {
        std::size_t next = std::min(text.find_first_not_of(" \t\r", i + 1), text.size());
        bool ends = next == text.size() || text[next] == '\n' || text[next] == '#';
        return ends ? std::optional(i) : std::nullopt;
      }
    }
    return std::nullopt;
  }

  void read_quoted(std::string_view name, std::size_t close) {
    std::string value;
    bool escapes = text[at] == '"';
    for (std::size_t i = at + 1; i < close; ++i) {
      if (escapes && text[i] == '\\') {
        ++i;
        value.push_back(text[i] == 'n' ? '\n' : text[i] == 't' ? '\t' : text[i] == 'r' ? '\r' : text[i]);
      } else {
        value.push_back(text[i]);
      }
    }
    reader.fact({}, {}, name, value, reader.span(at + 1, close));
    at = close;
  }

  void read_plain(std::string_view name) {
    std::size_t begin = at;
    std::string_view value = text.substr(at, line_end() - at);
    for (std::size_t hash = value.find('#'); hash != std::string_view::npos; hash = value.find('#', hash + 1)) {
      if (hash == 0 || is_blank(value[hash - 1])) {
        value = value.substr(0, hash);
        break;
      }
    }
    value = trimmed(value, begin);
    begin = value.empty() ? at : begin;
    reader.fact({}, {}, name, value, reader.span(begin, begin + value.size()));
  }

  void read_line() {
    skip_blanks();
    std::size_t begin = at;
    if (at == text.size() || text[at] == '\n' || text[at] == '#')
      return;
    std::string_view name = read_name();
    if (name == "export" && at < text.size() && is_blank(text[at])) {
      skip_blanks();
      name = read_name();
      skip_blanks();
      if (!name.empty() && (at == text.size() || text[at] == '\n'))
        return; // `export NAME` sets nothing
    }
    if (name.empty() || !read_separator()) {
      std::string_view line = trimmed(text.substr(begin, line_end() - begin), begin);
      reader.problem(begin, begin + line.size(), "config-syntax", "not a `NAME=value` line");
      return;
    }
    bool quoted = at < text.size() && std::string_view("\"'`").contains(text[at]);
    std::optional<std::size_t> close = quoted ? closing_quote() : std::nullopt;
    if (close)
      read_quoted(name, *close);
    else
      read_plain(name);
  }
};

} // namespace

void read_env(ConfigReader& reader) {
  EnvReader lines{.reader = reader, .text = reader.text};
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  lines.at = lines.text.starts_with(byte_order_mark) ? byte_order_mark.size() : 0;
  while (lines.at < lines.text.size()) {
    lines.read_line();
    lines.at = lines.line_end() + 1;
  }
}

} // namespace padlint
