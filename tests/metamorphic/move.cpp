#include "analyzer/cli/readers.h"
#include "tests/metamorphic/transform.h"

#include <algorithm>
#include <optional>
#include <set>

// Moves helpers, constants and types of a file to a new one beside it, and imports them from there.

namespace padlint {
namespace {

/// How a language exports and imports.
struct Modules {
  std::string_view extension;
  std::string_view before_definition;
  std::string_view import_before; // ... name ...; empty where files see each other without
  std::string_view import_after;
  bool shares_head = false; // what stands before the code, the package among it, stands in each file
};

constexpr Modules table[] = {
    {"py", "", "from moved_away import ", "\n"},
    {"js", "export ", "import { ", " } from './moved_away'\n"},
    {"ts", "export ", "import { ", " } from './moved_away'\n"},
    {"tsx", "export ", "import { ", " } from './moved_away'\n"},
    {"go", "", "", "", true},
    {"rb", "", "", ""},
};

std::string_view line_of(std::string_view text, std::size_t begin) {
  return text.substr(begin, std::min(text.find('\n', begin), text.size()) - begin);
}

struct Definition {
  std::string name;
  Span span; // whole lines
  std::set<std::string> words;
};

std::set<std::string> words_of(std::string_view text) {
  std::set<std::string> words;
  each_word(text, [&](std::string_view word, std::size_t) { words.emplace(word); });
  return words;
}

/// Whole lines at the file's top level that define one name and nothing else.
std::vector<Definition> definitions(const FileFacts& facts, std::string_view text) {
  std::vector<Definition> found;
  const auto add = [&](const std::string& name, const Span& span) {
    found.push_back({name, span, words_of(text.substr(span.begin, span.end - span.begin))});
  };
  const auto whole_lines = [&](const Span& span) {
    const bool begins = span.begin == 0 || text[span.begin - 1] == '\n';
    const bool ends = span.end >= text.size() || text[span.end] == '\n' || text[span.end - 1] == '\n';
    const bool alone = span.begin < 2 || text[span.begin - 2] == '\n'; // no decorator, no comment above
    return begins && ends && alone;
  };
  for (std::size_t i = 1; i < facts.routines.size(); ++i)
    if (const Routine& routine = facts.routines[i]; routine.form == RoutineForm::function && routine.parent == 0 &&
                                                    routine.owner.empty() && routine.annotations.empty() &&
                                                    whole_lines(routine.span))
      add(routine.name, routine.span);
  for (const Class& type : facts.classes) {
    Span span = type.span;
    constexpr std::string_view keyword = "type "; // of which the type's own span may be a part
    if (span.begin >= keyword.size() && text.substr(span.begin - keyword.size(), keyword.size()) == keyword)
      span.begin -= static_cast<std::uint32_t>(keyword.size());
    if (type.routine == 0 && type.part_of.is(ValueKind::opaque) && whole_lines(span))
      add(type.name, span);
  }
  for (const Binding& binding : facts.routines[0].bindings) {
    const std::size_t begin = text.rfind('\n', binding.span.begin) + 1;
    const std::string_view line = line_of(text, begin);
    const bool simple = binding.value.is(ValueKind::integer) || binding.value.is(ValueKind::text);
    const bool defines = line.starts_with(binding.name) || line.starts_with("const " + binding.name);
    if (simple && defines && begin + line.size() >= binding.value.span.end)
      add(binding.name, {0, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(begin + line.size())});
  }
  return found;
}

/// What of it can stand elsewhere: it uses nothing of the file but its imports.
bool can_move(const Definition& definition, const FileFacts& facts, const std::vector<Definition>& all) {
  const auto uses = [&](const auto& other) {
    return other.name != definition.name && definition.words.contains(other.name);
  };
  return std::ranges::count(all, definition.name, &Definition::name) == 1 &&
         std::ranges::none_of(facts.routines,
                              [&](const Routine& other) {
                                return other.parent == 0 && other.form != RoutineForm::file && other.owner.empty() &&
                                       uses(other);
                              }) &&
         std::ranges::none_of(facts.routines[0].bindings, uses) && std::ranges::none_of(facts.classes, uses);
}

/// Where the code begins: behind the imports, in brackets or not.
std::size_t head_end(const FileFacts& facts, std::string_view text) {
  std::size_t end = 0;
  for (const Import& import : facts.imports)
    end = std::max(end, std::min(text.find('\n', import.span.end), text.size() - 1) + 1);
  return text.substr(end).starts_with(")\n") ? end + 2 : end;
}

void move_out(const std::string& path, const std::string& text, const Modules& modules, MemoryFiles& out) {
  const FileFacts facts = facts_of(path, text);
  const std::vector<Definition> all = definitions(facts, text);
  const std::string target = path.substr(0, path.rfind('/') + 1) + "moved_away." + std::string(modules.extension);
  if (out.contains(target) || text.contains("padlint: ignore") || facts.traits.generated) // a mark would stay behind
    return;
  // The imports go along: what is moved may need any of them.
  std::string moved, rest = text, imports;
  std::set<std::size_t> lines;
  if (modules.shares_head)
    imports = text.substr(0, head_end(facts, text));
  else
    for (const Import& import : facts.imports)
      if (const std::size_t begin = text.rfind('\n', import.span.begin) + 1; lines.insert(begin).second) {
        if (!line_of(text, begin).contains("import") || line_of(text, begin).contains('('))
          return; // over several lines
        imports += std::string(line_of(text, begin)) + "\n";
      }
  std::vector<Definition> chosen;
  std::ranges::copy_if(all, std::back_inserter(chosen),
                       [&](const Definition& each) { return can_move(each, facts, all); });
  std::ranges::sort(chosen, {}, [](const Definition& each) { return each.span; });
  std::string header;
  for (std::size_t i = chosen.size(); i-- > 0;) {
    const Span& span = chosen[i].span;
    moved = std::string(modules.before_definition) + text.substr(span.begin, span.end - span.begin) + "\n\n" + moved;
    rest.erase(span.begin, span.end - span.begin);
    if (!modules.import_before.empty())
      header += std::string(modules.import_before) + chosen[i].name + std::string(modules.import_after);
  }
  if (chosen.empty())
    return;
  if (modules.shares_head && head_end(facts, text) == 0)
    return; // nothing tells where the code begins
  const std::size_t place = lines.empty() ? std::string::npos : *lines.begin();
  if (!header.empty() && (place == std::string::npos || place > chosen.front().span.begin))
    return; // nowhere that is surely the top of the code
  if (!header.empty())
    rest.insert(place, header);
  out[target] = imports + "\n" + moved;
  out[path] = rest;
}

} // namespace

MemoryFiles with_definitions_moved(const MemoryFiles& files) {
  MemoryFiles out = files;
  for (const auto& [path, text] : files)
    for (const Modules& modules : table)
      if (extension(path) == modules.extension)
        move_out(path, text, modules, out);
  return out;
}

} // namespace padlint
