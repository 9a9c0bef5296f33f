#include "analyzer/config/keywords.h"

#include <algorithm>
#include <array>
#include <utility>

namespace padlint {

namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 4> template_marks = {
    {{"{{", "}}"}, {"{%", "%}"}, {"<%", "%>"}, {"${", "}"}}};

constexpr std::size_t longest_template = 512; // keeps the search for the closing mark linear

bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

struct KeywordReader {
  std::string_view text;
  Quoting quoting;
  std::size_t at = 0;

  void skip_space() {
    while (at < text.size() && is_space(text[at]))
      ++at;
  }

  /// Appends the template expression or the one byte at `at`.
  void take(std::string& value) {
    std::size_t end = std::max(template_end(text, at), at + 1);
    value.append(text.substr(at, end - at));
    at = end;
  }

  bool read_key(std::string& key) {
    while (at < text.size() && text[at] != '=' && !is_space(text[at]))
      take(key);
    skip_space();
    if (key.empty() || at == text.size() || text[at] != '=')
      return false;
    ++at;
    skip_space();
    return true;
  }

  bool read_quoted(std::string& value) {
    ++at;
    while (at < text.size()) {
      bool escaped = quoting == Quoting::doubled ? text.substr(at).starts_with("''") : text[at] == '\\';
      if (escaped && at + 1 < text.size()) {
        value.push_back(text[at + 1]);
        at += 2;
      } else if (text[at] == '\'') {
        ++at;
        return true;
      } else {
        take(value);
      }
    }
    return false;
  }

  bool read_value(std::string& value) {
    if (at < text.size() && text[at] == '\'')
      return read_quoted(value);
    while (at < text.size() && !is_space(text[at])) {
      if (quoting == Quoting::backslash && text[at] == '\\' && at + 1 < text.size())
        ++at;
      take(value);
    }
    return true;
  }
};

} // namespace

std::size_t template_end(std::string_view text, std::size_t at) {
  for (const auto& [open, close] : template_marks) {
    if (text.substr(at).starts_with(open)) {
      std::size_t length = text.substr(at, longest_template).find(close, open.size());
      return length == std::string_view::npos ? at : at + length + close.size();
    }
  }
  return at;
}

bool has_template(std::string_view text) {
  return std::ranges::any_of(template_marks, [&](const auto& mark) { return text.contains(mark.first); });
}

Keywords read_keywords(std::string_view text, Quoting quoting) {
  Keywords result;
  KeywordReader reader{.text = text, .quoting = quoting};
  for (reader.skip_space(); reader.at < text.size(); reader.skip_space()) {
    Keyword keyword{.begin = reader.at};
    // PgBouncer refuses an empty value; libpq takes it for unset.
    bool good = reader.read_key(keyword.key) && reader.read_value(keyword.value) &&
                !(quoting == Quoting::doubled && keyword.value.empty());
    if (!good) {
      result.error = keyword.begin;
      break;
    }
    keyword.end = reader.at;
    result.entries.push_back(std::move(keyword));
  }
  return result;
}

} // namespace padlint
