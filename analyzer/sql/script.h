#pragma once

#include "analyzer/sql/range.h"
#include "analyzer/sql/sql.h"

#include <cstdint>
#include <string>
#include <vector>

namespace padlint {

/// How a statement of a script comes to its end.
enum class Ending : std::uint8_t {
  semicolon,
  joined, // `\;`: the next statement goes to the server in the same message
  stored, // `\gset`: the columns become variables
  shown,  // `\g`, `\gx`, `\gexec`, `\crosstabview`, `\watch` ...
  end_of_text,
};

struct ScriptItem {
  enum Kind : std::uint8_t { statement, meta } kind = statement;
  Range range; // from the first token to the last one, without the semicolon
  Ending ending = Ending::semicolon;
  std::string command;  // of a meta command: "if"
  std::string argument; // the rest of its line; of a stored statement: the prefix of \gset
};

enum class Dialect : std::uint8_t {
  plain, // a text that a client sends
  file,  // a migration or dump: the data of COPY FROM stdin is skipped
  psql,  // a file with meta commands, which are overwritten with spaces in the text
};

/// Splits text.text[begin, end) into statements by tokens alone, so that one that does not parse costs only itself.
/// Semicolons inside a body BEGIN ATOMIC .. END do not count. Empty statements are dropped.
std::vector<ScriptItem> split_script(SqlText& text, std::uint32_t begin, std::uint32_t end, Dialect dialect);

} // namespace padlint
