#include "analyzer/config/keywords.h"
#include "analyzer/config/reader.h"

#include <algorithm>
#include <array>
#include <optional>

// pgbouncer.ini as PgBouncer reads it, which is not as most readers of ini files do: a comment stands at the beginning
// of a line only (`pool_mode = transaction  # fast` is one strange value, and the daemon refuses to start), quotes are
// part of a value in [pgbouncer], names of settings keep their case, a repeated setting is set again.
// Where PgBouncer would stop at an error this reader goes on with the next line, so that a file says what it can.
// Sources: libusual's cfparser.c (parse_ini_file), PgBouncer's loader.c (parse_database, parse_user).

namespace padlint {

namespace {

constexpr std::array<std::string_view, 4> sections = {"pgbouncer", "databases", "users", "peers"};

bool is_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view("_.-*").contains(c);
}

struct PgbouncerReader {
  ConfigReader& reader;
  std::string section;
  bool known_section = false;

  void problem(std::size_t begin, std::string_view line, std::string_view message) const {
    reader.problem(begin, begin + line.size(), "config-syntax", message);
  }

  /// `[name]`; returns its length.
  std::size_t read_section(std::string_view line, std::size_t begin) {
    std::size_t close = line.find(']');
    if (close == std::string_view::npos) {
      problem(begin, line, "this section's name has no closing bracket");
      return line.size();
    }
    section = line.substr(1, close - 1);
    known_section = std::ranges::find(sections, section) != sections.end();
    if (!known_section)
      problem(begin, line.substr(0, close + 1), "PgBouncer has no section of this name: its settings are not used");
    return close + 1;
  }

  /// The name before '=', whose length `at` gets; a quoted one as SQL quotes identifiers.
  static std::optional<std::string> read_name(std::string_view line, std::size_t& at) {
    std::string name;
    if (line[0] == '"') {
      for (at = 1; at < line.size(); ++at) {
        if (line[at] == '"' && !line.substr(at).starts_with("\"\"")) {
          ++at;
          return name;
        }
        at += line[at] == '"' ? 1U : 0U;
        name.push_back(line[at]);
      }
      return std::nullopt;
    }
    while (at < line.size()) {
      std::size_t end = std::max(template_end(line, at), at + (is_name(line[at]) ? 1U : 0U));
      if (end == at)
        break;
      name.append(line.substr(at, end - at));
      at = end;
    }
    return name.empty() ? std::nullopt : std::optional(name);
  }

  void read_setting(std::string_view line, std::size_t begin) {
    std::size_t at = 0;
    std::optional<std::string> name = read_name(line, at);
    while (name && at < line.size() && (line[at] == ' ' || line[at] == '\t'))
      ++at;
    if (!name || at == line.size() || line[at] != '=') {
      problem(begin, line, "not a `name = value` line: PgBouncer refuses to start");
      return;
    }
    if (section.empty()) {
      problem(begin, line, "this setting stands before the first section: PgBouncer refuses to start");
      return;
    }
    std::size_t value_begin = begin + at + 1;
    std::string_view value = trimmed(line.substr(at + 1), value_begin);
    Span where = reader.span(begin, begin + line.size());
    if (section == "pgbouncer") {
      reader.fact(section, {}, *name, value, where);
    } else if (known_section) {
      reader.fact(section, *name, {}, value, where);
      read_connection(*name, value, value_begin);
    }
  }

  void read_connection(std::string_view target, std::string_view value, std::size_t begin) {
    Keywords keywords = read_keywords(value, Quoting::doubled);
    for (const Keyword& keyword : keywords.entries)
      reader.fact(section, target, keyword.key, keyword.value, reader.span(begin + keyword.begin, begin + keyword.end));
    if (keywords.error) {
      problem(begin + *keywords.error, value.substr(*keywords.error),
              "not a `keyword=value` of a connection string: PgBouncer refuses to start");
    }
  }

  void read_line(std::string_view line, std::size_t begin) {
    line = trimmed(line, begin);
    while (line.starts_with('[')) { // a setting may follow on the same line
      std::size_t length = read_section(line, begin);
      begin += length;
      line = trimmed(line.substr(length), begin);
    }
    if (line.empty() || line[0] == '#' || line[0] == ';')
      return;
    if (line.starts_with("%include") && line.size() > 8 && (line[8] == ' ' || line[8] == '\t')) {
      std::size_t name_begin = begin + 8;
      std::string_view name = trimmed(line.substr(8), name_begin);
      reader.fact(section, {}, "%include", name, reader.span(begin, begin + line.size()));
    } else if (template_end(line, 0) != line.size()) { // `{% for ... %}` and the like are no settings
      read_setting(line, begin);
    }
  }
};

} // namespace

void read_pgbouncer(ConfigReader& reader) {
  PgbouncerReader lines{.reader = reader};
  std::string_view text = reader.text.substr(0, reader.text.find('\0'));
  if (text.size() < reader.text.size()) {
    reader.problem(text.size(), text.size() + 1, "config-syntax",
                   "PgBouncer reads only what stands before this NUL byte");
  }
  for (std::size_t begin = 0; begin < text.size();) {
    std::size_t end = std::min(text.find('\n', begin), text.size());
    lines.read_line(text.substr(begin, end - begin), begin);
    begin = end + 1;
  }
}

} // namespace padlint
