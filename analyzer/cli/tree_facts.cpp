#include "analyzer/cli/tree_facts.h"

#include "analyzer/cli/name_index.h"
#include "analyzer/cli/readers.h"
#include "analyzer/host/host.h"
#include "analyzer/walk/sift.h"
#include "analyzer/walk/text.h"

#include <algorithm>
#include <map>
#include <memory>
#include <mutex>
#include <optional>

namespace padlint {
namespace {

/// The word without which a file of any class cannot take an advisory lock itself.
constexpr const char* trigger_word = "advisory";

/// The engine of the sift takes longer to make itself ready for more names than to read the files.
constexpr std::size_t most_sifted_names = 500;

struct TreeFacts {
  const SourceTree& tree;
  const std::vector<SourceEntry>& entries;
  TreeFactsOptions options;
  Sift everything = Sift::everything();

  using Words = std::function<const Sift*(FileId, const FileKind&)>;
  using Match = std::function<void(FileId, const FileKind&, std::string)>;

  std::vector<Notice> look_through(const FileSet& files, const Words& words, Match on_match) const {
    if (options.progress) {
      options.progress->done = 0;
      options.progress->total = entries.size();
    }
    const SiftRequest request{.words =
                                  [&](FileId file, const FileKind& kind) {
                                    if (options.progress)
                                      ++options.progress->done;
                                    return files[file] ? words(file, kind) : nullptr;
                                  },
                              .on_match = std::move(on_match),
                              .jobs = options.jobs};
    return sift(tree, entries, readers().kinds, request).notices;
  }

  SuppliedFacts read(const FileSet& files, const Words& words) const {
    std::mutex mutex;
    SuppliedFacts result;
    result.notices = look_through(files, words, [&](FileId file, const FileKind& kind, const std::string& text) {
      FileFacts facts = read_facts(kind, file, entries[file].path, text);
      if (options.on_read)
        options.on_read(facts, text);
      const std::lock_guard guard(mutex);
      result.facts.push_back(std::move(facts));
    });
    return result;
  }

  SuppliedFacts first_round(std::vector<std::string> common, const FileSet& files) const {
    common.emplace_back(trigger_word);
    const Sift triggers({.words = common}, entries.size());
    struct OfLanguage { // made for the first file of the language
      std::once_flag once;
      std::optional<Sift> sift;
    };
    std::map<std::string_view, OfLanguage> by_language;
    for (const HostFiles& host : host_files())
      by_language.try_emplace(host.language);
    const auto is_always_read = [&](FileId file) {
      return std::ranges::find(options.always, entries[file].path) != options.always.end();
    };
    return read(files, [&](FileId file, const FileKind& kind) -> const Sift* {
      if (kind.file_class == FileClass::config || is_always_read(file))
        return &everything;
      const auto own = by_language.find(kind.id);
      if (own == by_language.end())
        return &triggers;
      std::call_once(own->second.once, [&] {
        WordSet words{.words = lock_words(kind.id)};
        words.words.insert(words.words.end(), common.begin(), common.end());
        own->second.sift.emplace(std::move(words), entries.size());
      });
      return &*own->second.sift;
    });
  }

  std::vector<std::vector<FileId>> holding(const std::vector<std::string>& names, const FileSet& files) const {
    std::vector<std::vector<FileId>> found(names.size());
    if (names.empty() || std::ranges::find(files, true) == files.end())
      return found;
    const Sift sifted = names.size() > most_sifted_names ? Sift::everything() : Sift({.words = names}, entries.size());
    const NameIndex index(names);
    std::mutex mutex;
    // The first round has told what cannot be read.
    static_cast<void>(look_through(
        files, [&](FileId, const FileKind& kind) { return kind.file_class == FileClass::config ? nullptr : &sifted; },
        [&](FileId file, const FileKind&, const std::string& text) {
          const std::vector<std::size_t> held = index.held_in(lower_ascii(text));
          const std::lock_guard guard(mutex);
          for (const std::size_t name : held)
            found[name].push_back(file);
        }));
    return found;
  }
};

} // namespace

FactsSupply tree_facts(const SourceTree& tree, const std::vector<SourceEntry>& files, TreeFactsOptions options) {
  const auto facts =
      std::make_shared<const TreeFacts>(TreeFacts{.tree = tree, .entries = files, .options = std::move(options)});
  return {.first_round = [facts](const auto& words, const FileSet& of) { return facts->first_round(words, of); },
          .holding = [facts](const auto& names, const FileSet& of) { return facts->holding(names, of); },
          .of_files =
              [facts](const FileSet& of) {
                return facts->read(of, [&](FileId, const FileKind&) { return &facts->everything; });
              }};
}

} // namespace padlint
