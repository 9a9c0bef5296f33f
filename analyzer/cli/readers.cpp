#include "analyzer/cli/readers.h"

#include "analyzer/config/config.h"
#include "analyzer/facts/apis.h"
#include "analyzer/host/host.h"
#include "analyzer/serial/facts_file.h"
#include "analyzer/sql/sql.h"
#include "analyzer/walk/traits.h"

#include <fmt/format.h>

#include <exception>

namespace padlint {
namespace {

Readers make_readers() {
  Readers result;
  result.kinds.config_kind = config_kind;
  for (const HostFiles& host : host_files()) {
    for (const std::string& extension : host.extensions)
      result.kinds.extensions.emplace(extension, host.language);
    for (const std::string& interpreter : host.shebangs)
      result.kinds.interpreters.emplace(interpreter, host.language);
    std::vector<Glob>& globs = result.test_globs[host.language];
    for (const std::string& pattern : host.test_paths)
      globs.emplace_back(pattern);
  }
  return result;
}

/// What is known of a file that no reader took: it is there, and does nothing.
FileFacts empty_facts(FileKind kind, FileId file, std::string_view path) {
  FileFacts facts{.file = file, .path = std::string(path), .language = std::string(kind.id)};
  facts.routines.push_back({.form = RoutineForm::file, .span = {.file = file}});
  return facts;
}

FileFacts read_by_class(FileKind kind, FileId file, std::string_view path, std::string_view text) {
  switch (kind.file_class) {
  case FileClass::host:
    if (const HostLanguage* language = host_language(kind.id))
      return read_host_file(*language, file, path, text);
    break;
  case FileClass::sql:
  case FileClass::psql: return read_sql_file(file, path, text, kind.file_class == FileClass::psql);
  case FileClass::config: return read_config_file(file, path, kind.id, text);
  case FileClass::none: break;
  }
  return empty_facts(kind, file, path);
}

void add_traits(FileFacts& facts, FileKind kind, std::string_view text) {
  const auto globs = readers().test_globs.find(kind.id);
  const FileTraits found = traits_of(
      facts.path, text, globs == readers().test_globs.end() ? std::span<const Glob>() : std::span(globs->second));
  facts.traits.test |= found.test;
  facts.traits.generated |= found.generated;
  facts.traits.vendored |= found.vendored;
  facts.traits.example |= found.example;
}

} // namespace

const Readers& readers() {
  static const Readers instance = make_readers();
  return instance;
}

std::vector<std::string> lock_words(std::string_view language) {
  std::vector<std::string> words;
  if (const Apis* apis = apis_of(language))
    for (const ApiLibraryLock& lock : apis->library_locks)
      words.insert(words.end(), lock.words.begin(), lock.words.end());
  return words;
}

FileFacts read_facts(FileKind kind, FileId file, std::string_view path, std::string_view text) {
  const auto without_facts = [&](std::string_view what) {
    FileFacts facts = empty_facts(kind, file, path);
    facts.notices.push_back({.kind = NoticeKind::error,
                             .id = "internal-error",
                             .path = facts.path,
                             .span = {.file = file},
                             .text = fmt::format("not read: {}", what)});
    return facts;
  };
  FileFacts facts;
  try {
    facts = read_by_class(kind, file, path, text);
  } catch (const std::exception& error) {
    facts = without_facts(error.what());
  } catch (...) {
    facts = without_facts("unknown exception");
  }
  add_traits(facts, kind, text);
  number_file(facts, file);
  return facts;
}

} // namespace padlint
