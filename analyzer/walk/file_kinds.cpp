#include "analyzer/walk/file_kinds.h"
#include "analyzer/walk/text.h"

#include <algorithm>
#include <array>

namespace padlint {
namespace {

constexpr std::array<std::string_view, 6> sql_extensions{"sql", "pgsql", "plpgsql", "ddl", "dml", "pls"};
constexpr std::string_view psql_extension = "psql";

/// The first word of `text`, which loses it.
std::string_view take_word(std::string_view& text) {
  constexpr std::string_view space = " \t\r";
  text.remove_prefix(std::min(text.find_first_not_of(space), text.size()));
  const std::string_view word = text.substr(0, text.find_first_of(space));
  text.remove_prefix(word.size());
  return word;
}

} // namespace

FileKind FileKinds::of_path(std::string_view path) const {
  const std::string_view name = file_name(path);
  if (const auto found = names.find(name); found != names.end())
    return {FileClass::host, found->second};
  // The longest extension first: `a.d.x` may be something else than `a.x`. A dot at the beginning only hides a file.
  for (std::size_t dot = name.find('.', 1); dot != std::string_view::npos; dot = name.find('.', dot + 1)) {
    const std::string extension = lower_ascii(name.substr(dot + 1));
    if (const auto found = extensions.find(extension); found != extensions.end())
      return {FileClass::host, found->second};
    if (extension == psql_extension)
      return {FileClass::psql, psql_extension};
    if (is_one_of(extension, sql_extensions))
      return {FileClass::sql, "sql"};
  }
  if (config_kind)
    if (const std::string_view kind = config_kind(path); !kind.empty())
      return {FileClass::config, kind};
  return {};
}

bool FileKinds::asks_first_line(std::string_view path) const {
  const std::string_view name = file_name(path);
  return !interpreters.empty() && !name.contains('.') && of_path(path).file_class == FileClass::none;
}

FileKind FileKinds::of_first_line(std::string_view head) const {
  if (!head.starts_with("#!"))
    return {};
  std::string_view line = head.substr(2, std::min(head.find('\n'), first_line_limit) - 2);
  std::string_view program = file_name(take_word(line));
  // `#!/usr/bin/env -S NAME=value program`
  if (program == "env")
    do
      program = file_name(take_word(line));
    while (program.starts_with('-') || program.contains('='));
  if (program == psql_extension)
    return {FileClass::psql, psql_extension};
  while (!program.empty()) {
    if (const auto found = interpreters.find(program); found != interpreters.end())
      return {FileClass::host, found->second};
    // `program3.11` is `program`, if nothing more exact is known.
    if (program.back() != '.' && (program.back() < '0' || program.back() > '9'))
      break;
    program.remove_suffix(1);
  }
  return {};
}

std::string_view to_text(FileClass file_class) {
  switch (file_class) {
  case FileClass::none: return "none";
  case FileClass::host: return "host";
  case FileClass::sql: return "sql";
  case FileClass::psql: return "psql";
  case FileClass::config: return "config";
  }
  return "";
}

} // namespace padlint
