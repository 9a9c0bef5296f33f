#include "analyzer/cli/rounds.h"

#include "analyzer/cli/readers.h"
#include "analyzer/facts/project_facts.h"
#include "analyzer/walk/sift.h"
#include "analyzer/walk/text.h"

#include <algorithm>
#include <mutex>
#include <set>

namespace padlint {
namespace {

/// The word without which a file of any class cannot take an advisory lock itself.
constexpr const char* trigger_word = "advisory";

constexpr std::uint64_t usual_file_size = 8192; // bytes, to choose an engine by

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

class Rounds {
public:
  Rounds(const SourceTree& source_tree, const ListedTree& listed_tree, const ListedProject& listed_project,
         const RoundOptions& round_options)
      : tree(source_tree), listed(listed_tree), project(listed_project), options(round_options) {
    unread = project.holds;
  }

  ReadProject run() {
    const Sift triggers({.words = {trigger_word}}, listed.files.size() * usual_file_size);
    read_round([&](FileId file, FileClass file_class) {
      return file_class == FileClass::config || is_always_read(file) ? &everything : &triggers;
    });
    for (std::size_t round = 2; round <= most_rounds; ++round) {
      const std::vector<std::string> names = new_names();
      if (names.empty())
        break;
      const std::vector<bool> wanted = files_with(names);
      if (std::ranges::find(wanted, true) == wanted.end())
        break;
      read_round([&](FileId file, FileClass) { return wanted[file] ? &everything : nullptr; });
    }
    return std::move(result);
  }

private:
  using Match = std::function<void(FileId, const FileKind&, std::string)>;

  /// Looks through the files that are still unread for what `words` says.
  void look_through(const std::function<const Sift*(FileId, FileClass)>& words, Match on_match) {
    if (options.progress) {
      options.progress->done = 0;
      options.progress->total = listed.files.size();
    }
    const SiftRequest request{.words =
                                  [&](FileId file, const FileKind& kind) {
                                    if (options.progress)
                                      ++options.progress->done;
                                    return unread[file] ? words(file, kind.file_class) : nullptr;
                                  },
                              .on_match = std::move(on_match),
                              .jobs = options.jobs};
    SiftResult sifted = sift(tree, listed.files, readers().kinds, request);
    std::ranges::move(sifted.notices, std::back_inserter(result.notices));
  }

  void read_round(const std::function<const Sift*(FileId, FileClass)>& words) {
    std::mutex mutex;
    std::vector<FileFacts> read;
    look_through(words, [&](FileId file, const FileKind& kind, const std::string& text) {
      FileFacts facts = read_facts(kind, file, listed.files[file].path, text);
      facts.traits.test |= project.settings.is_test(facts.path);
      const std::lock_guard guard(mutex);
      read.push_back(std::move(facts));
    });
    result.files_in_round.push_back(read.size());
    for (FileFacts& facts : read) {
      unread[facts.file] = false;
      result.facts.push_back(std::move(facts));
    }
    std::ranges::sort(result.facts, {}, &FileFacts::file); // the threads finish in any order
  }

  /// What the facts so far ask for and no round has looked for yet, in lower case.
  std::vector<std::string> new_names() {
    std::set<std::string> names;
    for (const std::string& name : find_wants(result.facts).names) {
      std::string lower = lower_ascii(name);
      if (!looked_for.insert(lower).second)
        continue;
      if (lower.size() < shortest_wanted_name)
        ++result.names_dropped;
      else
        names.insert(std::move(lower));
    }
    return {names.begin(), names.end()};
  }

  /// The unread files that hold one of the names, those left out that are found in too many files.
  std::vector<bool> files_with(const std::vector<std::string>& names) {
    const Sift words({.words = names}, listed.files.size() * usual_file_size);
    std::mutex mutex;
    std::vector<std::vector<FileId>> found(names.size());
    look_through([&](FileId, FileClass file_class) { return file_class == FileClass::config ? nullptr : &words; },
                 [&](FileId file, const FileKind&, const std::string& text) {
                   const std::string lower = lower_ascii(text);
                   for (std::size_t i = 0; i < names.size(); ++i)
                     if (holds_name(lower, names[i])) {
                       const std::lock_guard guard(mutex);
                       found[i].push_back(file);
                     }
                 });
    std::vector<bool> wanted(listed.files.size());
    for (const std::vector<FileId>& files : found) {
      if (files.size() > most_files_of_a_name)
        ++result.names_dropped;
      else
        for (const FileId file : files)
          wanted[file] = true;
    }
    return wanted;
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
