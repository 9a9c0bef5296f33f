#include "analyzer/sql/sql.h"
#include "tests/fuzz/harness/fuzz.h"

// SQL as it stands in a file, and as a text of a host language with placeholders.

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace padlint;
  static const std::vector<std::string> styles = {"%s", "%(name)s", ":name", "?", "{}"};
  const std::string_view text = fuzz::text_of(data, size);
  fuzz::check_facts(read_sql_file(0, "input.sql", text, false), text);

  const SqlReading reading = read_sql(whole_file(0, text), styles);
  fuzz::require(reading.top_level <= reading.statements.size(), "more statements at the top than there are");
  for (const Routine& routine : reading.routines)
    fuzz::check_routine(routine, reading.statements, text);
  return 0;
}
