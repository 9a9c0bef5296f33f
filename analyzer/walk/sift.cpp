#include "analyzer/walk/sift.h"

#include "analyzer/walk/workers.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <memory>
#include <optional>
#include <utility>

// Reading all files is the floor of what a search costs, so a file costs one open and one read where it fits into a
// worker's buffer, which is never cleared and whose beginning stays in the processor's cache. A file that matches is
// handed on from that buffer. Only longer ones are read in pieces, which overlap by the length of a word.

namespace padlint {
namespace {

constexpr std::size_t buffer_size = host_file_limit;
constexpr std::size_t piece_size = std::size_t{256} << 10;
/// RE2 is through so many files before Hyperscan has compiled.
constexpr std::size_t few_files = 100;
constexpr std::size_t binary_look = std::size_t{8} << 10;

std::uint64_t limit_of(FileClass file_class) {
  return file_class == FileClass::sql || file_class == FileClass::psql ? sql_file_limit : host_file_limit;
}

/// Why the file that begins like this is not to be read as text.
std::optional<Notice> no_text(std::string_view head, std::string_view path) {
  const auto notice = [&](NoticeKind kind, std::string_view id, std::string_view text) {
    return Notice{kind, std::string(id), std::string(path), {}, std::string(text)};
  };
  if (head.starts_with("\xFF\xFE") || head.starts_with("\xFE\xFF"))
    return notice(NoticeKind::warning, "not-utf8", "written in UTF-16: only UTF-8 is read");
  if (head.contains('\0'))
    return notice(NoticeKind::note, "binary-file", "holds a NUL byte: taken for binary, not read");
  return std::nullopt;
}

class Worker {
public:
  Worker(const SourceTree& tree, std::span<const SourceEntry> entries, const FileKinds& kinds,
         const SiftRequest& request)
      : tree_(tree), open_(tree.opener()), entries_(entries), kinds_(kinds), request_(request),
        buffer_(std::make_unique_for_overwrite<char[]>(buffer_size)) {}

  void look_at(FileId file) {
    const std::string& path = entries_[file].path;
    FileKind kind = kinds_.of_path(path);
    const bool by_first_line = kind.file_class == FileClass::none && kinds_.asks_first_line(path);
    const Sift* words = kind.file_class == FileClass::none ? nullptr : request_.words(file, kind);
    if (!by_first_line && words == nullptr)
      return;
    filled_ = 0;
    current_ = file;
    file_ = open_(path);
    if (by_first_line && read_more(first_line_limit)) {
      kind = kinds_.of_first_line({buffer_.get(), filled_});
      words = kind.file_class == FileClass::none ? nullptr : request_.words(file, kind);
    }
    if (file_ && words != nullptr)
      search(file, kind, *words);
    if (!file_)
      result.notices.push_back(std::move(file_.error()));
  }

  SiftResult result;

private:
  /// Fills the buffer with up to `count` more bytes. False at the end of the file, and after an error, which `file_`
  /// has.
  bool read_more(std::size_t count) {
    if (!file_)
      return false;
    auto read = file_->read({buffer_.get() + filled_, count});
    if (!read) {
      file_ = std::unexpected(unreadable_file(entries_[current_].path, std::move(read.error())));
      return false;
    }
    filled_ += *read;
    return *read > 0;
  }

  void search(FileId file, FileKind kind, const Sift& words) {
    const std::uint64_t size = file_->size, limit = limit_of(kind.file_class);
    if (size > limit) {
      file_ = std::unexpected(too_large(entries_[file].path, size, limit));
      return;
    }
    const bool fits = size <= buffer_size;
    ++result.searched;
    if (!holds(words, fits && request_.on_match) || !file_)
      return;
    result.matches.push_back({file, kind});
    if (!request_.on_match)
      return;
    if (fits) {
      request_.on_match(file, kind, std::string(buffer_.get(), filled_));
      return;
    }
    auto text = tree_.read(entries_[file].path, limit);
    if (text)
      request_.on_match(file, kind, std::move(*text));
    else
      file_ = std::unexpected(std::move(text.error()));
  }

  /// Whether the file holds a word; it is read on from what the buffer has, to its end only with `to_end`.
  bool holds(const Sift& words, bool to_end) {
    Scanner& scanner = scanner_of(words);
    const std::size_t overlap = words.longest() - 1;
    std::size_t scanned = 0; // bytes of the buffer
    bool found = false;
    for (bool first = true; !found || to_end; first = false) {
      if (filled_ == buffer_size) {
        std::memmove(buffer_.get(), buffer_.get() + filled_ - overlap, overlap);
        scanned = filled_ = overlap;
      }
      if (!read_more(std::min(piece_size, buffer_size - filled_)) && !first)
        break;
      if (first)
        if (auto notice = no_text({buffer_.get(), std::min(filled_, binary_look)}, entries_[current_].path)) {
          file_ = std::unexpected(std::move(*notice));
          return false;
        }
      const std::size_t begin = scanned - std::min(scanned, overlap);
      found = found || scanner({buffer_.get() + begin, filled_ - begin});
      scanned = filled_;
    }
    return found;
  }

  /// This worker's scanner of the words; a request knows only a few sets.
  Scanner& scanner_of(const Sift& words) {
    const auto known = std::ranges::find(scanners_, &words, &std::pair<const Sift*, Scanner>::first);
    return known != scanners_.end() ? known->second : scanners_.emplace_back(&words, words.scanner()).second;
  }

  const SourceTree& tree_;
  Opener open_;
  std::span<const SourceEntry> entries_;
  const FileKinds& kinds_;
  const SiftRequest& request_;
  std::unique_ptr<char[]> buffer_;
  std::size_t filled_ = 0;
  FileId current_ = 0;
  std::expected<OpenFile, Notice> file_;
  std::vector<std::pair<const Sift*, Scanner>> scanners_;
};

} // namespace

Sift::Sift(WordSet set, std::size_t files) {
  std::erase(set.words, "");
  if (set.words.empty()) {
    factory_ = [] { return Scanner([](std::string_view) { return false; }); };
    return;
  }
  longest_ = std::ranges::max(set.words, {}, &std::string::size).size();
  if (files > few_files)
    factory_ = compile_with_hyperscan(set);
  if (!factory_)
    factory_ = compile_with_re2(set);
  if (!factory_)
    factory_ = compile_with_hyperscan(set);
}

Sift Sift::everything() {
  Sift sift;
  sift.factory_ = [] { return Scanner([](std::string_view) { return true; }); };
  return sift;
}

SiftResult sift(const SourceTree& tree, std::span<const SourceEntry> entries, const FileKinds& kinds,
                const SiftRequest& request) {
  const std::size_t threads = std::clamp<std::size_t>(entries.size(), 1, worker_count(request.jobs));
  // Many small shares near the end keep all workers busy; few large ones keep them from the counter.
  const std::size_t share = std::clamp<std::size_t>(entries.size() / (threads * 32), 1, 64);
  std::atomic<std::size_t> next = 0;
  std::vector<SiftResult> results(threads);
  run_workers(static_cast<unsigned>(threads), [&](unsigned number) {
    Worker worker(tree, entries, kinds, request);
    for (std::size_t begin = next.fetch_add(share); begin < entries.size(); begin = next.fetch_add(share))
      for (std::size_t file = begin; file < std::min(begin + share, entries.size()); ++file)
        worker.look_at(static_cast<FileId>(file));
    results[number] = std::move(worker.result);
  });

  SiftResult all;
  for (SiftResult& result : results) {
    std::ranges::move(result.matches, std::back_inserter(all.matches));
    std::ranges::move(result.notices, std::back_inserter(all.notices));
    all.searched += result.searched;
  }
  std::ranges::sort(all.matches, {}, &SiftedFile::file);
  std::ranges::sort(all.notices, {}, &Notice::path);
  return all;
}

} // namespace padlint
