#include "analyzer/cli/readers.h"
#include "tests/metamorphic/transform.h"

#include <algorithm>

// Changes that need to know nothing of the language.

namespace padlint {
namespace {

/// A comment that silences a line counts lines: nothing may come between.
bool counts_lines(const std::string& text) {
  return text.contains("padlint: ignore") || text.contains("padlint:ignore");
}

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

} // namespace

FileFacts facts_of(std::string_view path, std::string_view text) {
  return read_facts(readers().kinds.of_path(path), 0, path, text);
}

MemoryFiles with_blank_lines_before(const MemoryFiles& files) {
  MemoryFiles changed;
  for (const auto& [path, text] : files) {
    const std::size_t first = text.starts_with("#!") ? text.find('\n') + 1 : 0;
    changed[path] = text.substr(0, first) + "\n\n\n" + text.substr(first);
  }
  return changed;
}

MemoryFiles with_blank_lines_between(const MemoryFiles& files) {
  MemoryFiles changed;
  for (const auto& [path, text] : files)
    changed[path] = text.contains("\\\n") || counts_lines(text) ? text : replaced(text, "\n", "\n\n");
  return changed;
}

MemoryFiles with_carriage_returns(const MemoryFiles& files) {
  MemoryFiles changed;
  for (const auto& [path, text] : files)
    changed[path] = text.contains('\r') ? text : replaced(text, "\n", "\r\n");
  return changed;
}

MemoryFiles with_unrelated_files(const MemoryFiles& files) {
  MemoryFiles changed = files;
  changed["unrelated/notes.md"] =
      "`SELECT pg_advisory_lock(1)` is written about here, and `pool_mode = transaction`.\n";
  changed["unrelated/tables.sql"] =
      "CREATE TABLE unrelated_thing (id int);\n"
      "CREATE FUNCTION unrelated_sum(a int) RETURNS int LANGUAGE sql AS 'SELECT a + 1';\n";
  changed["unrelated/empty.sql"] = "";
  for (const auto& [path, text] : files)
    if (const std::size_t dot = path.rfind('.'); readers().kinds.of_path(path).file_class == FileClass::host)
      changed["unrelated/empty" + path.substr(dot)] = "";
  return changed;
}

MemoryFiles with_functions_reversed(const MemoryFiles& files) {
  MemoryFiles changed;
  for (const auto& [path, text] : files) {
    std::string& out = changed[path];
    out = text;
    if (readers().kinds.of_path(path).file_class != FileClass::host || counts_lines(text))
      continue;
    const FileFacts facts = facts_of(path, text);
    // What stands before a function in its line (`export`, a decorator above) stays where it is.
    std::vector<Span> places;
    for (const Routine& routine : facts.routines) {
      const std::size_t line = text.rfind('\n', routine.span.begin) + 1;
      const bool alone = routine.span.begin == line && (line < 2 || text[line - 2] == '\n');
      const auto namesakes = std::ranges::count(facts.routines, routine.name, &Routine::name);
      if (routine.form == RoutineForm::function && routine.parent == 0 && routine.owner.empty() && alone &&
          namesakes == 1 && routine.annotations.empty())
        places.push_back(routine.span);
    }
    for (std::size_t i = places.size(); i-- > 0;) {
      const Span &from = places[places.size() - 1 - i], &to = places[i];
      out.replace(to.begin, to.end - to.begin, text, from.begin, from.end - from.begin);
    }
  }
  return changed;
}

} // namespace padlint
