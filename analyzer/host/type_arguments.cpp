#include "analyzer/host/type_arguments.h"

#include <cctype>

namespace padlint::host {

namespace {

constexpr std::string_view end_of_arguments = ">`";
constexpr std::size_t longest = 4096; // bytes; type arguments are a few lines

bool in_name(char letter) {
  return std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '_' || letter == '$';
}

/// Where the type arguments that end before `end` begin; npos when the brackets before it are none of types.
std::size_t begin_of_arguments(std::string_view text, std::size_t end) {
  if (end < 2 || text[end - 2] == '=') // `=>`: an arrow that gives a text
    return std::string_view::npos;
  int angles = 0;
  int others = 0;
  for (std::size_t at = end; at > 1 && end - at < longest;) {
    switch (text[--at]) {
    case '>': angles += text[at - 1] == '=' ? 0 : 1; break; // not that of an arrow
    case '<':
      if (--angles == 0)
        return others == 0 && in_name(text[at - 1]) ? at : std::string_view::npos;
      break;
    case ')':
    case ']':
    case '}': ++others; break;
    case '(':
    case '[':
    case '{':
      if (--others < 0)
        return std::string_view::npos;
      break;
    case '`': return std::string_view::npos;
    default: break;
    }
  }
  return std::string_view::npos;
}

} // namespace

std::optional<std::string> without_type_arguments_of_tags(std::string_view text) {
  std::optional<std::string> out;
  for (std::size_t at = text.find(end_of_arguments); at != std::string_view::npos;
       at = text.find(end_of_arguments, at + 1)) {
    const std::size_t end = at + end_of_arguments.size() - 1;
    const std::size_t begin = begin_of_arguments(text, end);
    if (begin == std::string_view::npos)
      continue;
    if (!out)
      out = text;
    for (std::size_t i = begin; i < end; ++i)
      if ((*out)[i] != '\n')
        (*out)[i] = ' ';
  }
  return out;
}

} // namespace padlint::host
