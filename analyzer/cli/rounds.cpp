#include "analyzer/cli/rounds.h"

#include "analyzer/cli/readers.h"
#include "analyzer/facts/project_facts.h"
#include "analyzer/walk/sift.h"
#include "analyzer/walk/text.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <set>

namespace padlint {
namespace {

/// The word without which a file of any class cannot take an advisory lock itself.
constexpr std::size_t most_module_hops = 2;
constexpr const char* trigger_word = "advisory";

bool is_name_byte(char byte) { return (byte >= 'a' && byte <= 'z') || (byte >= '0' && byte <= '9') || byte == '_'; }

/// Whether `name` stands in the text as a whole word. Both are in lower case.
bool holds_name(std::string_view text, std::string_view name) {
  for (std::size_t at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1)) {
    const std::size_t end = at + name.size();
    if ((at == 0 || !is_name_byte(text[at - 1])) && (end == text.size() || !is_name_byte(text[end])))
      return true;
  }
  return false;
}

std::string_view without_extension(std::string_view path) {
  const std::size_t dot = path.rfind('.');
  return path.substr(0, dot != std::string_view::npos && dot > path.rfind('/') + 1 ? dot : path.size());
}

/// The words without which a file calls none of the wrappers, in lower case.
std::vector<std::string> wrapper_words(const std::vector<Wrapper>& wrappers) {
  std::vector<std::string> words;
  for (const Wrapper& wrapper : wrappers)
    for (const std::vector<std::string>* names : {&wrapper.calls, &wrapper.releases})
      for (const std::string& name : *names)
        words.push_back(lower_ascii(name.substr(name.find_last_of(".:#") + 1)));
  return words;
}

class Rounds {
public:
  Rounds(const SourceTree& source_tree, const ListedTree& listed_tree, const ListedProject& listed_project,
         const RoundOptions& round_options)
      : tree(source_tree), listed(listed_tree), project(listed_project), options(round_options) {
    unread = project.holds;
  }

  ReadProject run() {
    std::vector<std::string> common = wrapper_words(project.notes.wrappers);
    common.emplace_back(trigger_word);
    const Sift triggers({.words = common}, listed.files.size());
    std::map<std::string_view, Sift> by_language;
    for (const auto& [language, lock_words] : readers().lock_words) {
      WordSet words{.words = lock_words};
      words.words.insert(words.words.end(), common.begin(), common.end());
      by_language.emplace(language, Sift(std::move(words), listed.files.size()));
    }
    read_round([&](FileId file, const FileKind& kind) {
      if (kind.file_class == FileClass::config || is_always_read(file))
        return &everything;
      const auto own = by_language.find(kind.id);
      return own == by_language.end() ? &triggers : &own->second;
    });
    for (std::size_t round = 2; round <= most_rounds; ++round) {
      const std::vector<bool> wanted = wanted_files();
      if (std::ranges::find(wanted, true) == wanted.end())
        break;
      read_round([&](FileId file, const FileKind&) { return wanted[file] ? &everything : nullptr; });
      // Modules are found by their paths, so what they import costs no further look through the tree.
      for (std::size_t hop = 0; hop < most_module_hops; ++hop) {
        std::vector<bool> modules(listed.files.size());
        mark(files_of(find_wants(result.facts, project.notes).modules), modules);
        if (std::ranges::find(modules, true) == modules.end())
          break;
        read_more([&](FileId file, const FileKind&) { return modules[file] ? &everything : nullptr; });
      }
    }
    return std::move(result);
  }

private:
  using Match = std::function<void(FileId, const FileKind&, std::string)>;

  /// Looks through the files that are still unread for what `words` says.
  void look_through(const std::function<const Sift*(FileId, const FileKind&)>& words, Match on_match) {
    if (options.progress) {
      options.progress->done = 0;
      options.progress->total = listed.files.size();
    }
    const SiftRequest request{.words =
                                  [&](FileId file, const FileKind& kind) {
                                    if (options.progress)
                                      ++options.progress->done;
                                    return unread[file] ? words(file, kind) : nullptr;
                                  },
                              .on_match = std::move(on_match),
                              .jobs = options.jobs};
    SiftResult sifted = sift(tree, listed.files, readers().kinds, request);
    std::ranges::move(sifted.notices, std::back_inserter(result.notices));
  }

  void read_round(const std::function<const Sift*(FileId, const FileKind&)>& words) {
    result.files_in_round.push_back(0);
    read_more(words);
  }

  void read_more(const std::function<const Sift*(FileId, const FileKind&)>& words) {
    std::mutex mutex;
    std::vector<FileFacts> read;
    look_through(words, [&](FileId file, const FileKind& kind, const std::string& text) {
      FileFacts facts = read_facts(kind, file, listed.files[file].path, text);
      facts.traits.test |= project.settings.is_test(facts.path);
      const std::lock_guard guard(mutex);
      read.push_back(std::move(facts));
    });
    result.files_in_round.back() += read.size();
    for (FileFacts& facts : read) {
      unread[facts.file] = false;
      result.facts.push_back(std::move(facts));
    }
    std::ranges::sort(result.facts, {}, &FileFacts::file); // the threads finish in any order
  }

  /// The unread files that hold what the facts so far refer to. No round looks for one name twice.
  std::vector<bool> wanted_files() {
    const Wants wants = find_wants(result.facts, project.notes);
    std::vector<std::string> names;
    for (const std::string& name : wants.names) {
      std::string lower = lower_ascii(name);
      if (!looked_for.insert(lower).second)
        continue;
      if (lower.size() < shortest_wanted_name)
        ++result.names_dropped;
      else
        names.push_back(std::move(lower));
    }
    std::vector<bool> wanted(listed.files.size());
    mark(files_with(names), wanted);
    mark(files_of(wants.modules), wanted);
    return wanted;
  }

  /// Marks the files of each name, but for names that are found in too many.
  void mark(const std::vector<std::vector<FileId>>& found, std::vector<bool>& wanted) {
    for (const std::vector<FileId>& files : found)
      if (files.size() > most_files_of_a_name)
        ++result.names_dropped;
      else
        for (const FileId file : files)
          wanted[file] = true;
  }

  /// For each name the unread files with that word.
  std::vector<std::vector<FileId>> files_with(const std::vector<std::string>& names) {
    std::vector<std::vector<FileId>> found(names.size());
    if (names.empty())
      return found;
    const Sift words({.words = names}, listed.files.size());
    std::mutex mutex;
    look_through([&](FileId, const FileKind& kind) { return kind.file_class == FileClass::config ? nullptr : &words; },
                 [&](FileId file, const FileKind&, const std::string& text) {
                   const std::string lower = lower_ascii(text);
                   for (std::size_t i = 0; i < names.size(); ++i)
                     if (holds_name(lower, names[i])) {
                       const std::lock_guard guard(mutex);
                       found[i].push_back(file);
                     }
                 });
    return found;
  }

  /// For each module path the unread files whose path, without its extension, ends in it.
  std::vector<std::vector<FileId>> files_of(const std::vector<std::string>& modules) {
    std::vector<std::vector<FileId>> found(modules.size());
    for (FileId file = 0; file < unread.size() && !modules.empty(); ++file) {
      if (!unread[file])
        continue;
      const std::string_view path = without_extension(listed.files[file].path);
      for (std::size_t at = 0, slash = 0; slash != std::string_view::npos; at = slash + 1) {
        const auto module = std::ranges::lower_bound(modules, path.substr(at));
        if (module != modules.end() && *module == path.substr(at))
          found[static_cast<std::size_t>(module - modules.begin())].push_back(file);
        slash = path.find('/', at);
      }
    }
    return found;
  }

  [[nodiscard]] bool is_always_read(FileId file) const {
    return std::ranges::find(options.always, listed.files[file].path) != options.always.end();
  }

  const SourceTree& tree;
  const ListedTree& listed;
  const ListedProject& project;
  const RoundOptions& options;
  const Sift everything = Sift::everything();
  std::vector<bool> unread; // files of the project
  std::set<std::string, std::less<>> looked_for;
  ReadProject result;
};

} // namespace

ReadProject read_project(const SourceTree& tree, const ListedTree& listed, const ListedProject& project,
                         const RoundOptions& options) {
  return Rounds(tree, listed, project, options).run();
}

} // namespace padlint
