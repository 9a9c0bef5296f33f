#include "analyzer/sql/plpgsql.h"
#include "tests/fuzz/harness/fuzz.h"

// A PL/pgSQL body. The seeds are whole files of SQL: of a text with dollar quotes the body is what stands between the
// first two.

namespace {

std::string_view body_of(std::string_view text) {
  const std::size_t open = text.find("$$");
  if (open == std::string_view::npos)
    return text;
  const std::string_view rest = text.substr(open + 2);
  return rest.substr(0, rest.find("$$"));
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace padlint;
  const std::string_view text = body_of(fuzz::text_of(data, size));
  const SqlText source = whole_file(0, text);
  Routine routine{.form = RoutineForm::sql_function, .name = "f"};
  std::vector<Statement> statements;
  std::vector<Notice> notices;
  read_plpgsql_body(source, 0, static_cast<std::uint32_t>(text.size()), routine, statements, notices);
  fuzz::check_routine(routine, statements, text);
  return 0;
}
