#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace padlint {

/// Which reader a file is for.
enum class FileClass : std::uint8_t { none, host, sql, psql, config };

struct FileKind {
  FileClass file_class = FileClass::none;
  std::string_view
      id; // of the host language or the kind of configuration; "sql", "psql"; lives as long as the FileKinds
  bool operator==(const FileKind&) const = default;
};

/// How files are told apart. The tables are the caller's; nothing here knows a language.
struct FileKinds {
  struct ByText {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
  };
  using Table = std::unordered_map<std::string, std::string, ByText, std::equal_to<>>;

  Table extensions;   // without the dot, lower case, may have dots inside: language
  Table names;        // whole file names: language
  Table interpreters; // base names of programs after "#!", without version: language
  std::function<std::string_view(std::string_view path)> config_kind; // empty for no configuration file

  /// What the path tells.
  [[nodiscard]] FileKind of_path(std::string_view path) const;

  /// Whether only the first line can tell: a name without any dot that is in no table.
  [[nodiscard]] bool asks_first_line(std::string_view path) const;

  /// What a "#!" line tells; `head` is the beginning of the file.
  [[nodiscard]] FileKind of_first_line(std::string_view head) const;
};

/// The longest first line that is looked at, in bytes: Linux reads no more of it either.
constexpr std::size_t first_line_limit = 256;

std::string_view to_text(FileClass file_class);

} // namespace padlint
