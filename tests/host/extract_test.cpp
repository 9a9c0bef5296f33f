#include "tests/host/sample.h"

#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <map>
#include <set>

// fixtures/extract/<language>/*: real code with marks in comments. `fact: TEXT` says that a fact with this printed form
// begins on a line: an import, class, routine, decorator, binding, field, event, result or suppression, as
// `padlint facts` prints it. `no-fact: TEXT` says that no fact of that line holds TEXT. The line is the one that the
// mark ends; for a mark alone on its line, the nearest one above on which facts begin.

namespace padlint {
namespace {

namespace fs = std::filesystem;

using Line = std::uint32_t;
using Printed = std::multimap<Line, std::string>;

struct Mark {
  Line line;
  bool alone;
  bool wanted;
  std::string text;
};

std::string slurp(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::string trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r");
  return first == std::string_view::npos ? ""
                                         : std::string(text.substr(first, text.find_last_not_of(" \t\r") + 1 - first));
}

std::vector<Mark> marks_of(std::string_view text) {
  std::vector<Mark> marks;
  for (Line line = 1; !text.empty(); ++line) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string row = trimmed(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (const std::size_t mark = row.find("fact: "); mark != std::string::npos)
      marks.push_back({line, row.starts_with('#') || row.starts_with("//"), !row.substr(0, mark).ends_with("no-"),
                       trimmed(row.substr(mark + 6))});
  }
  return marks;
}

/// The printed form of one part of the facts, by printing facts that hold nothing else.
std::string line_of(const FileFacts& facts, std::size_t number) {
  std::string text = to_text(facts);
  for (; number > 0; --number)
    text = text.substr(text.find('\n') + 1);
  return trimmed(text.substr(0, text.find('\n')));
}

std::string printed(const Binding& binding) {
  return line_of({.routines = {{.form = RoutineForm::file, .bindings = {binding}}}}, 2);
}

std::string printed(const Event& event) {
  const std::string text = line_of({.routines = {{.form = RoutineForm::file, .flow = {{{.events = {event}}}}}}}, 2);
  return text.substr(text.find(' ') + 1);
}

Printed printed_by_line(const FileFacts& facts, std::string_view text) {
  Printed out;
  const auto add = [&](const Span& span, std::string fact) { out.emplace(position_at(text, span.begin).line, fact); };
  for (const Import& import : facts.imports)
    add(import.span, line_of({.imports = {import}}, 1));
  for (const Suppression& suppression : facts.suppressions)
    add(suppression.span, line_of({.suppressions = {suppression}}, 1));
  for (const Class& entry : facts.classes) {
    add(entry.span, line_of({.classes = {entry}}, 1));
    for (const Binding& binding : entry.bindings)
      add(binding.span, printed(binding));
    for (const Binding& field : entry.fields)
      add(field.span, "self." + printed(field));
  }
  for (const Routine& routine : facts.routines) {
    add(routine.span, line_of({.routines = {routine}}, 1));
    for (const Value& annotation : routine.annotations)
      add(annotation.span, "@" + to_text(annotation));
    for (const Binding& binding : routine.bindings)
      add(binding.span, printed(binding));
    for (const Value& value : routine.returns)
      add(value.span, "returns " + to_text(value));
    for (const Block& block : routine.flow.blocks)
      for (const Event& event : block.events)
        add(event.span, printed(event));
  }
  return out;
}

TEST(HostExtract, EachAnnouncedFactIsThere) {
  const fs::path root = fs::path(PADLINT_SOURCE_DIR) / "fixtures/extract";
  std::size_t checked = 0;
  for (const HostFiles& files : host_files())
    for (const auto& entry : fs::directory_iterator(root / files.language)) {
      const std::string text = slurp(entry.path());
      const Printed facts = printed_by_line(
          read_host_file(*host_language(files.language), 0, entry.path().filename().string(), text), text);
      for (Mark mark : marks_of(text)) {
        while (mark.alone && mark.line > 0 && !facts.contains(mark.line))
          --mark.line;
        std::string there;
        bool found = false;
        const auto [first, last] = facts.equal_range(mark.line);
        for (const auto& [line, fact] : std::ranges::subrange(first, last)) {
          there += "\n  " + fact;
          found = found || (mark.wanted ? fact == mark.text : fact.find(mark.text) != std::string::npos);
        }
        EXPECT_EQ(found, mark.wanted) << entry.path().filename().string() << ":" << mark.line << ": " << mark.text
                                      << "\nfacts of this line:" << there;
        ++checked;
      }
    }
  EXPECT_GT(checked, 50U);
}

} // namespace
} // namespace padlint
