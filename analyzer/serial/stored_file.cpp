#include "analyzer/core/hash.h"
#include "analyzer/core/mask.h"
#include "analyzer/serial/facts_file.h"
#include "analyzer/serial/parts.h"

#include <fmt/format.h>

#include <algorithm>

// Reports show lines: with them, and the place of each, they can be written without the sources.

namespace padlint {
namespace {

/// Begins of the lines of a text; "\n" ends a line.
std::vector<std::uint32_t> line_begins(std::string_view text) {
  std::vector<std::uint32_t> begins = {0};
  for (std::size_t at = text.find('\n'); at != std::string_view::npos; at = text.find('\n', at + 1))
    begins.push_back(static_cast<std::uint32_t>(at) + 1);
  return begins;
}

std::vector<StoredLine> lines_of(const FileFacts& facts, std::string_view text, std::vector<std::string> hashes,
                                 std::uint32_t most_lines) {
  const std::vector<std::uint32_t> begins = line_begins(text);
  std::vector<bool> wanted(begins.size());
  const auto line_at = [&](std::uint32_t offset) {
    return static_cast<std::size_t>(std::ranges::upper_bound(begins, offset) - begins.begin()) - 1;
  };
  const auto want = [&](const Span& span, std::size_t most) {
    const std::size_t first = line_at(span.begin);
    const std::size_t last = line_at(span.end);
    std::fill_n(wanted.begin() + static_cast<std::ptrdiff_t>(first), std::min(most, last - first + 1), true);
    wanted[last] = true;
    wanted[line_at(std::max(span.begin, span.end - std::min(span.end, 1U)))] = true; // where it ends with a line's end
  };
  each_part_of<Span>(facts, [&](const Span& span) { want(span, most_lines); });
  // SQL inside a long text is read when the project is linked: its places are nowhere yet.
  each_part_of<Value>(facts, [&](const Value& value) {
    if (value.is(ValueKind::text))
      want(value.span, begins.size());
  });

  std::vector<StoredLine> lines;
  hashes.resize(begins.size());
  for (std::size_t line = 0; line < begins.size(); ++line) {
    const std::size_t end = line + 1 < begins.size() ? begins[line + 1] - 1 : text.size();
    if (wanted[line])
      lines.push_back({.number = static_cast<std::uint32_t>(line) + 1,
                       .begin = begins[line],
                       .text = veiled(text.substr(begins[line], end - begins[line])),
                       .hash = std::move(hashes[line])});
  }
  return lines;
}

/// URLs, and texts of nothing but `key=value`.
bool is_connection_string(std::string_view text) {
  if (text.contains("://"))
    return true;
  bool settings_only = !text.empty();
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    settings_only = settings_only && (end == at || text.substr(at, end - at).contains('='));
    at = end + 1;
  }
  return settings_only;
}

/// Other texts may be SQL, which has to stay what it is: there, secrets are veiled that are a literal, as in
/// `PASSWORD 'x'`, and those in literals that are connection strings, as dblink() takes.
std::string veiled_literals(std::string text) {
  const auto veil = [&](std::size_t begin, std::size_t end) {
    text.replace(begin, end - begin, veil_over(std::string_view(text).substr(begin, end - begin)));
  };
  for (const Secret& secret : secrets_in(text))
    if (secret.begin > 0 && text[secret.begin - 1] == '\'' && text.substr(secret.end).starts_with('\''))
      veil(secret.begin, secret.end);
  for (std::size_t begin = text.find('\''); begin != std::string::npos;) {
    const std::size_t end = text.find('\'', begin + 1);
    if (end == std::string::npos)
      break;
    const std::string literal = text.substr(begin + 1, end - begin - 1);
    if (is_connection_string(literal))
      for (const Secret& secret : secrets_in(literal))
        veil(begin + 1 + secret.begin, begin + 1 + secret.end);
    begin = text.find('\'', end + 1);
  }
  return text;
}

/// The value of this name, veiled where it is a secret as a whole, or has one in it.
std::string without_secret(std::string_view name, const std::string& value) {
  if (!secrets_in(fmt::format("{}='x'", name)).empty())
    return veil_over(value);
  return is_connection_string(value) ? veiled(value) : veiled_literals(value);
}

/// Veils the secrets in what `value_of` tells of each Part, by the name that `name_of` tells.
template <class Part>
void veil_parts(FileFacts& facts, auto name_of, auto value_of) {
  mend_parts_of<Part>(
      facts,
      [&](const Part& part) {
        const std::string* value = value_of(part);
        return value != nullptr && without_secret(part.*name_of, *value) != *value;
      },
      [&](Part& part) {
        std::string& value = *value_of(part);
        value = without_secret(part.*name_of, value);
      });
}

void veil_secrets(FileFacts& facts) {
  veil_parts<ConfigFact>(facts, &ConfigFact::setting, [](auto& config) { return &config.value; });
  veil_parts<Binding>(facts, &Binding::name,
                      [](auto& binding) { return binding.value.is(ValueKind::text) ? &binding.value.text : nullptr; });
  veil_parts<Value>(facts, &Value::label,
                    [](auto& value) { return value.is(ValueKind::text) ? &value.text : nullptr; });
}

} // namespace

StoredFile stored_file(FileFacts facts, std::string_view text, std::vector<std::string> hashes,
                       std::uint32_t most_lines) {
  StoredFile file{.hash = fmt::format("{:016x}", hash_of(text)),
                  .size = static_cast<std::uint32_t>(text.size()),
                  .lines = lines_of(facts, text, std::move(hashes), most_lines)};
  veil_secrets(facts);
  number_file(facts, 0);
  file.facts = std::move(facts);
  return file;
}

std::string text_of(const StoredFile& file) {
  std::string text(file.size, ' ');
  std::uint32_t number = 1;
  std::uint32_t end = 0; // of the last line in place
  for (const StoredLine& line : file.lines) {
    // The last ends of lines stand just before this one, and the first one behind the line before.
    const std::uint32_t ends = line.number - number;
    text.replace(line.begin - ends, ends, ends, '\n');
    if (ends > 1 && &line != file.lines.data()) {
      text[line.begin - ends] = ' ';
      text[end] = '\n';
    }
    text.replace(line.begin, line.text.size(), line.text);
    number = line.number;
    end = line.begin + static_cast<std::uint32_t>(line.text.size());
  }
  if (!file.lines.empty() && end < file.size)
    text[end] = '\n';
  return text;
}

} // namespace padlint
