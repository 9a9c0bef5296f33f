#include "analyzer/config/erb.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <regex>

namespace padlint {
namespace {

constexpr std::string_view open_tag = "<%";
constexpr std::string_view close_tag = "%>";
constexpr std::size_t longest_expression = 300; // longer ones are programs

bool prints(std::string_view tag) { return tag.starts_with("<%="); }

/// The end of the tag that begins at `at`; the end of the text when it is never closed.
std::size_t tag_end(std::string_view text, std::size_t at) {
  const std::size_t close = text.find(close_tag, at + open_tag.size());
  return close == std::string_view::npos ? text.size() : close + close_tag.size();
}

/// Whether nothing but blanks stands beside the stretch on its lines.
bool alone(std::string_view text, std::size_t begin, std::size_t end) {
  const auto blank = [](char c) { return c == ' ' || c == '\t' || c == '\r'; };
  while (begin > 0 && blank(text[begin - 1]))
    --begin;
  while (end < text.size() && blank(text[end]))
    ++end;
  return (begin == 0 || text[begin - 1] == '\n') && (end == text.size() || text[end] == '\n');
}

/// A number, boolean or quoted text, without its quotes.
std::optional<std::string> literal(const std::string& text) {
  static const std::regex plain(R"re(^\s*(?:"([^"#]*)"|'([^']*)'|(-?[0-9_]+|true|false|nil))\s*$)re");
  std::smatch match;
  if (!std::regex_match(text, match, plain))
    return std::nullopt;
  std::string value = match[1].matched ? match[1] : match[2].matched ? match[2] : match[3];
  return value == "nil" ? std::string() : value;
}

/// What `<%= ... %>` prints, as far as it can be told.
std::string printed(std::string_view tag) {
  tag.remove_prefix(3);
  if (tag.ends_with(close_tag))
    tag.remove_suffix(close_tag.size());
  if (tag.ends_with('-'))
    tag.remove_suffix(1);
  if (tag.size() > longest_expression)
    return "${}";
  const std::string expression(tag);
  if (const auto constant = literal(expression))
    return *constant;
  static const std::regex variable(
      R"re(^\s*ENV(?:\[\s*["'](\w+)["']\s*\]|\.fetch\(?\s*["'](\w+)["']\s*(?:,\s*([^)]*?))?\s*\)?)(?:\s*\{\s*([^}]*?)\s*\})?(?:\.(?:presence|to_s|to_i))?(?:\s*\|\|\s*(.*?))?\s*$)re");
  std::smatch match;
  if (!std::regex_match(expression, match, variable))
    return "${}";
  const std::string name = match[1].matched ? match[1] : match[2];
  for (const std::size_t otherwise : {std::size_t{3}, std::size_t{4}, std::size_t{5}})
    if (match[otherwise].matched && match[otherwise].length() > 0) {
      const auto value = literal(match[otherwise]);
      return value ? fmt::format("${{{}:-{}}}", name, *value) : fmt::format("${{{}}}", name);
    }
  return fmt::format("${{{}}}", name);
}

} // namespace

std::string without_erb(std::string_view text) {
  std::string result(text);
  for (std::size_t at = text.find(open_tag); at != std::string_view::npos;) {
    const std::size_t end = tag_end(text, at);
    const bool value = prints(text.substr(at)) && !alone(text, at, end);
    std::fill(result.begin() + static_cast<std::ptrdiff_t>(at), result.begin() + static_cast<std::ptrdiff_t>(end),
              value ? 'e' : ' ');
    at = text.find(open_tag, end);
  }
  return result;
}

std::string erb_value(std::string_view source) {
  if (source.size() >= 2 && (source.front() == '"' || source.front() == '\'') && source.back() == source.front())
    source = source.substr(1, source.size() - 2);
  std::string result;
  std::size_t at = 0;
  for (std::size_t tag = source.find(open_tag); tag != std::string_view::npos; tag = source.find(open_tag, at)) {
    result += source.substr(at, tag - at);
    at = tag_end(source, tag);
    if (prints(source.substr(tag)))
      result += printed(source.substr(tag, at - tag));
  }
  return result.append(source.substr(at));
}

} // namespace padlint
