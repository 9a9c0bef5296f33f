#pragma once

#include "analyzer/config/yaml.h"
#include "analyzer/core/file_facts.h"

#include <cstddef>
#include <string>
#include <string_view>

// What the readers of single formats share. Each appends to the facts of one file.

namespace padlint {

struct ConfigReader {
  FileFacts& facts;
  std::string_view text;
  std::string environment;

  [[nodiscard]] Span span(std::size_t begin, std::size_t end) const {
    return {.file = facts.file, .begin = static_cast<std::uint32_t>(begin), .end = static_cast<std::uint32_t>(end)};
  }
  void fact(std::string_view section, std::string_view target, std::string_view setting, std::string_view value,
            Span where);
  /// A Notice about the place from which a text could not be read, if there is one.
  void yaml_problem(const Yaml& yaml);
  /// A Notice about a stretch that cannot be read. Silent where it holds a template expression; after a number of
  /// them one more says that the rest is not listed.
  void problem(std::size_t begin, std::size_t end, std::string_view id, std::string_view message);
};

void read_pgbouncer(ConfigReader& reader);
void read_env(ConfigReader& reader);
void read_compose(ConfigReader& reader);
void read_database_yml(ConfigReader& reader);
void read_prisma(ConfigReader& reader);
void read_dotted_lines(ConfigReader& reader);
void read_dotted_yaml(ConfigReader& reader);
void read_commands(ConfigReader& reader);
void read_package_json(ConfigReader& reader);

/// Without blanks at either end; `offset` moves along with the beginning.
std::string_view trimmed(std::string_view text, std::size_t& offset);

} // namespace padlint
