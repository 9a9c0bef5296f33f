#include "grammars/embedded.h"
#include "tests/metamorphic/transform.h"

#include <algorithm>
#include <cctype>
#include <set>

// Renames the functions, methods and classes of a project everywhere. A name stays that means something beside: to a
// library (it stands in a table), as a file, in another spelling.

namespace padlint {
namespace {

bool is_letter(char byte) { return std::isalnum(static_cast<unsigned char>(byte)) != 0 || byte == '_'; }

std::string lower(std::string_view text) {
  std::string out(text);
  std::ranges::transform(out, out.begin(), [](unsigned char byte) { return std::tolower(byte); });
  return out;
}

const std::set<std::string>& words_of_tables() {
  static const std::set<std::string> words = [] {
    std::set<std::string> all;
    for (const EmbeddedLanguage& language : embedded_languages())
      for (const std::string_view table : {language.language_toml, language.apis_toml})
        each_word(table, [&](std::string_view word, std::size_t) { all.insert(lower(word)); });
    return all;
  }();
  return words;
}

std::set<std::string> names_to_change(const MemoryFiles& files) {
  std::set<std::string> names;
  std::set<std::string> spellings; // of all words
  std::set<std::string> taken;     // by files and folders, in small letters: application_record.rb is ApplicationRecord
  for (const auto& [path, text] : files) {
    const FileFacts facts = facts_of(path, text);
    for (const Routine& routine : facts.routines)
      names.insert(routine.name);
    for (const Class& type : facts.classes)
      names.insert(type.name);
    each_word(text, [&](std::string_view word, std::size_t) { spellings.emplace(word); });
    each_word(path, [&](std::string_view word, std::size_t) {
      taken.insert(lower(word));
      std::string joined = lower(word);
      std::erase(joined, '_');
      taken.insert(joined);
    });
  }
  std::erase_if(names, [&](const std::string& name) {
    const auto spelt =
        std::ranges::count_if(spellings, [&](const std::string& word) { return lower(word) == lower(name); });
    return name.size() < 4 || !std::ranges::all_of(name, is_letter) || name.starts_with("__") || spelt != 1 ||
           taken.contains(lower(name)) || words_of_tables().contains(lower(name)) || name.starts_with("test");
  });
  return names;
}

std::string changed(const std::set<std::string>& names, std::string_view text) {
  std::string out;
  each_word(text, [&](std::string_view word, std::size_t at) {
    out += word.empty() ? text.substr(at, 1) : word;
    if (names.contains(std::string(word)))
      out += "_zq";
  });
  return out;
}

} // namespace

MemoryFiles renamed(const MemoryFiles& files) {
  const std::set<std::string> names = names_to_change(files);
  MemoryFiles out;
  for (const auto& [path, text] : files)
    out[path] = changed(names, text);
  return out;
}

std::string renamed_message(const MemoryFiles& files, std::string message) {
  const std::set<std::string> names = names_to_change(files);
  std::string out;
  bool code = false; // what a message quotes of the program stands between backquotes; the rest are its own words
  for (std::size_t at = 0; at <= message.size(); code = !code) {
    const std::size_t end = std::min(message.find('`', at), message.size());
    const std::string_view piece = std::string_view(message).substr(at, end - at);
    out += code ? changed(names, piece) : piece;
    out += end < message.size() ? "`" : "";
    at = end + 1;
  }
  return out;
}

} // namespace padlint
