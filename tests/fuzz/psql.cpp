#include "analyzer/sql/sql.h"
#include "tests/fuzz/harness/fuzz.h"

// A psql script: meta commands, variables, and what sends a statement beside the semicolon.

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace padlint;
  const std::string_view text = fuzz::text_of(data, size);
  fuzz::check_facts(read_sql_file(0, "input.psql", text, true), text);
  return 0;
}
