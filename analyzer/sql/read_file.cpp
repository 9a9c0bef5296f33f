#include "analyzer/sql/named_query.h"
#include "analyzer/sql/placeholders.h"
#include "analyzer/sql/reading.h"
#include "analyzer/sql/script_flow.h"
#include "analyzer/sql/sql.h"
#include "analyzer/sql/suppression.h"

#include <array>

namespace padlint {

namespace {

/// A line that begins with a meta command, or one that sends a statement. `\.` and `\N` begin lines of COPY data.
bool has_meta_commands(std::string_view text) {
  if (text.find("\\gset") != std::string_view::npos || text.find("\\gexec") != std::string_view::npos)
    return true;
  for (std::size_t at = text.find('\\'); at != std::string_view::npos; at = text.find('\\', at + 1)) {
    const bool line_start = at == 0 || text[at - 1] == '\n';
    if (line_start && at + 1 < text.size() && text[at + 1] >= 'a' && text[at + 1] <= 'z')
      return true;
  }
  return false;
}

/// A statement of a file: in a psql script with its variables put in, else as it stands, and only if it does not parse
/// that way with the placeholders of query files and templates. The text that was read is kept in `slice`.
StatementReading read_script_statement(const SqlText& text, const Range& range, bool psql, SqlText& slice) {
  static const std::array<std::string, 1> psql_styles{"psql"};
  static const std::array<std::string, 3> file_styles{":name", "?", "template"};
  const auto with = [&](std::span<const std::string> styles) {
    slice = with_placeholders(text, range.begin, range.end, styles);
    return read_one(slice, 0, static_cast<std::uint32_t>(slice.text.size()));
  };
  const std::string_view statement = std::string_view(text.text).substr(range.begin, range.end - range.begin);
  if (psql && statement.find(':') != std::string_view::npos)
    return with(psql_styles);
  // `@name` does parse as it stands: as PostgreSQL's absolute value of a column.
  const bool as_it_stands = statement.find('@') == std::string_view::npos;
  StatementReading reading = as_it_stands ? read_one(text, range.begin, range.end) : with({});
  return reading.statement.parsed || psql ? std::move(reading) : with(file_styles);
}

/// The routine of a named query, to which its statements are added as they come.
Routine query_routine(const SqlText& text, const NamedQuery& query) {
  const Span name = text.source(query.place.begin, query.place.end);
  Routine routine{.form = RoutineForm::sql_function, .name = query.name, .span = name, .name_span = name};
  routine.flow.blocks.push_back({.edges = {{EdgeKind::next, exit_return, {}},
                                           {EdgeKind::error, exit_error, {}},
                                           {EdgeKind::cancel, exit_cancel, {}}}});
  return routine;
}

void add_statement(Routine& query, const ScriptEvent& event, bool rows) {
  query.span.end = event.span.end;
  query.flow.blocks[0].events.push_back({.kind = EventKind::sql,
                                         .span = event.span,
                                         .number = event.number,
                                         .use = rows ? ResultUse::returned : ResultUse::dropped});
}

} // namespace

FileFacts read_sql_file(FileId file, std::string_view path, std::string_view bytes, bool psql) {
  psql = psql || has_meta_commands(bytes);
  FileFacts facts{.file = file, .path = std::string(path), .language = psql ? "psql" : "sql"};
  SqlText text = whole_file(file, bytes);
  const auto size = static_cast<std::uint32_t>(text.text.size());
  const std::vector<ScriptItem> items = split_script(text, 0, size, psql ? Dialect::psql : Dialect::file);
  text.unique_columns = unique_columns(text, items);

  facts.routines.push_back({.form = RoutineForm::file, .span = {file, 0, size}});
  std::vector<ScriptEvent> events; // of the top level
  std::vector<SqlDefinition> definitions;
  std::optional<NamedQuery> query; // that the statements belong to
  std::uint32_t gap = 0;           // where the comments before a statement begin
  for (const ScriptItem& item : items) {
    ScriptEvent event{.item = item, .span = text.source(item.range.begin, item.range.end)};
    if (item.kind == ScriptItem::meta) {
      events.push_back(std::move(event));
      continue;
    }
    SqlText slice;
    StatementReading reading = read_script_statement(text, item.range, psql, slice);
    if (auto notice = not_parsed(text, item.range, reading.statement))
      facts.notices.push_back(std::move(*notice));
    if (auto definition = read_definition(reading))
      definitions.push_back(std::move(*definition));
    event.number = static_cast<std::uint32_t>(facts.statements.size());
    event.kind = reading.statement.kind;
    if (reading.columns.size() == 1)
      event.column = reading.columns[0];
    facts.statements.push_back(std::move(reading.statement));

    if (auto named = named_query(text.text, gap, item.range.begin); named && !psql) {
      query = std::move(named);
      facts.routines.push_back(query_routine(text, *query));
    }
    gap = item.range.end;
    if (query)
      add_statement(facts.routines.back(), event, query->rows);
    else
      events.push_back(std::move(event));
  }
  facts.routines[0].flow = script_flow(events);
  read_definitions(std::move(definitions), facts.statements, facts.routines, facts.notices);
  facts.suppressions = read_suppressions(file, bytes);
  for (Notice& notice : facts.notices)
    notice.path = facts.path;
  return facts;
}

} // namespace padlint
