#include "tests/metamorphic/transform.h"

#include "analyzer/cli/readers.h"

#include <algorithm>
#include <map>

// Functions that nothing calls by name become static methods of a class; functions that do nothing are added.

namespace padlint {
namespace {

/// How a language writes them.
struct Classes {
  std::string_view extension;
  std::string_view begin;
  std::string_view before_method; // a line of its own
  std::string_view function;      // what a function begins with; an `async` may stand before it
  std::string_view method;        // and what a static method does
  std::string_view end;
  std::string_view unrelated; // a whole function
};

constexpr Classes table[] = {
    {"py", "class Wrapped{}:\n", "@staticmethod\n", "def ", "def ", "",
     "\n\ndef unrelated_sum(a, b):\n    return a + b\n"},
    {"rb", "class Wrapped{}\n", "", "def ", "def self.", "end\n", "\n\ndef unrelated_sum(a, b)\n  a + b\nend\n"},
    {"js", "class Wrapped{} {\n", "", "function ", "static ", "}\n",
     "\n\nfunction unrelatedSum(a, b) {\n  return a + b\n}\n"},
    {"ts", "class Wrapped{} {\n", "", "function ", "static ", "}\n",
     "\n\nfunction unrelatedSum(a: number, b: number): number {\n  return a + b\n}\n"},
    {"tsx", "class Wrapped{} {\n", "", "function ", "static ", "}\n",
     "\n\nfunction unrelatedSum(a: number, b: number): number {\n  return a + b\n}\n"},
    {"go", "", "", "", "", "", "\n\nfunc unrelatedSum(a int, b int) int {\n\treturn a + b\n}\n"},
};

const Classes* classes_of(std::string_view path) {
  const auto* found = std::ranges::find(table, extension(path), &Classes::extension);
  return found == std::end(table) ? nullptr : found;
}

std::map<std::string, std::size_t, std::less<>> word_counts(const MemoryFiles& files) {
  std::map<std::string, std::size_t, std::less<>> counts;
  for (const auto& [path, text] : files)
    each_word(text, [&](std::string_view word, std::size_t) { ++counts[std::string(word)]; });
  return counts;
}

/// The function as a method of a class of its own; empty when it is not written as the table says.
std::string wrapped(const Classes& classes, std::string_view function, std::size_t number) {
  constexpr std::string_view async = "async ";
  const bool is_async = function.starts_with(async);
  std::string_view rest = function.substr(is_async ? async.size() : 0);
  if (!rest.starts_with(classes.function))
    return {};
  rest.remove_prefix(classes.function.size());
  // `static async f() {}`, but `async def f():`
  const bool modifier = classes.method.starts_with("static");
  std::string method(modifier ? classes.method : "");
  method += is_async ? async : "";
  method += modifier ? "" : classes.method;
  method = std::string(classes.before_method) + method + std::string(rest);
  std::string out(classes.begin);
  out.replace(out.find("{}"), 2, std::to_string(number));
  for (std::size_t at = 0; at < method.size();) {
    const std::size_t end = std::min(method.find('\n', at), method.size());
    out += (end > at ? "    " : "") + method.substr(at, end - at) + "\n";
    at = end + 1;
  }
  out += classes.end;
  out.pop_back(); // the function's last line break stays behind it
  return out;
}

} // namespace

MemoryFiles with_functions_in_classes(const MemoryFiles& files) {
  const auto counts = word_counts(files);
  MemoryFiles changed = files;
  std::size_t number = 0;
  for (const auto& [path, text] : files) {
    const Classes* classes = classes_of(path);
    if (classes == nullptr || classes->begin.empty() || text.contains("padlint: ignore"))
      continue;
    const FileFacts facts = facts_of(path, text);
    for (std::size_t i = facts.routines.size(); i-- > 1;) {
      const Routine& routine = facts.routines[i];
      const std::size_t line = text.rfind('\n', routine.span.begin) + 1;
      const auto named = counts.find(routine.name);
      const bool alone = routine.span.begin == line && (line < 2 || text[line - 2] == '\n');
      if (routine.form != RoutineForm::function || routine.parent != 0 || !routine.owner.empty() || !alone ||
          !routine.annotations.empty() || named == counts.end() || named->second != 1)
        continue;
      const std::size_t length = routine.span.end - routine.span.begin;
      if (const std::string method = wrapped(*classes, text.substr(line, length), ++number); !method.empty())
        changed[path].replace(line, length, method);
    }
  }
  return changed;
}

MemoryFiles with_unrelated_functions(const MemoryFiles& files) {
  MemoryFiles changed = files;
  for (const auto& [path, text] : files)
    if (const Classes* classes = classes_of(path); classes != nullptr && text.ends_with("\n"))
      changed[path] += classes->unrelated;
  return changed;
}

} // namespace padlint
