#include "analyzer/serial/facts_file.h"
#include "analyzer/sql/sql.h"
#include "tests/fuzz/harness/fuzz.h"

// Facts that travel: what was written down reads back as the same, and no text makes the reader fall.

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace padlint;
  const std::string_view text = fuzz::text_of(data, size);
  static_cast<void>(read_facts_file(text, "0"));
  static_cast<void>(read_wants_file(text, "0"));

  FactsFile file{.program = "0", .first_round = true, .listed = {"input.sql"}};
  file.files.push_back({.facts = read_sql_file(0, "input.sql", text, false),
                        .hash = "0123456789abcdef",
                        .size = static_cast<std::uint32_t>(size)});
  const std::string json = to_json(file);
  const auto back = read_facts_file(json, "0");
  fuzz::require(back.has_value(), back ? "" : back.error());
  fuzz::require(to_json(*back) == json, "facts change on their way");
  return 0;
}
