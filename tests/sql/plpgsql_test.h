#pragma once

#include "analyzer/sql/plpgsql.h"

#include <fmt/format.h>
#include <string>
#include <string_view>

namespace padlint {

struct PlFlowCase {
  std::string_view name;
  std::string_view body;
  std::string_view flow;
};

/// The blocks of a body, then the statements that their events name, then the notices.
inline std::string plpgsql_flow_of(std::string_view body) {
  Routine routine{.form = RoutineForm::sql_function, .name = "f"};
  routine.parameters = {{.name = "p"}, {.name = "k"}};
  std::vector<Statement> statements;
  std::vector<Notice> notices;
  read_plpgsql_body(whole_file(0, body), 0, static_cast<std::uint32_t>(body.size()), routine, statements, notices);
  std::string out = "\n" + to_text(routine.flow);
  for (std::size_t i = 0; i < statements.size(); ++i)
    out += fmt::format("sql {}: {}\n", i, to_text(statements[i]));
  for (const Notice& notice : notices)
    out += "notice " + notice.text + "\n";
  return out;
}

} // namespace padlint
