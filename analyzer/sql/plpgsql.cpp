#include "analyzer/sql/plpgsql.h"

#include "analyzer/sql/literal.h"
#include "analyzer/sql/plpgsql_flow.h"
#include "analyzer/sql/plpgsql_parse.h"
#include "analyzer/sql/plpgsql_reader.h"

namespace padlint {

void read_plpgsql_body(const SqlText& source, std::uint32_t begin, std::uint32_t end, Routine& routine,
                       std::vector<Statement>& statements, std::vector<Notice>& notices) {
  SqlText body{.holes = source.holes, .unique_columns = source.unique_columns};
  append_range(body, source, begin, end);
  std::vector<Token> tokens = scan(body.text, 0, end - begin);
  PlReader reader{std::move(body), std::move(tokens), notices};
  const PlBody tree = plpgsql_parse(reader.body.text, reader.tokens);
  for (const PlError& error : tree.errors)
    reader.notice(error.range, error.text);
  plpgsql_flow(tree, reader, routine, statements);
}

} // namespace padlint
