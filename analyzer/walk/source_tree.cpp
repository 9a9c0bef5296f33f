#include "analyzer/walk/source_tree.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <memory>
#include <optional>
#include <utility>

namespace padlint {
namespace {

/// `owner` keeps `text` alive for as long as the file is open.
OpenFile open_text(std::shared_ptr<const MemoryFiles> owner, std::string_view text) {
  return {text.size(), [owner = std::move(owner), rest = text](std::span<char> buffer) mutable {
            const std::size_t count = std::min(buffer.size(), rest.size());
            std::memcpy(buffer.data(), rest.data(), count);
            rest.remove_prefix(count);
            return std::expected<std::size_t, std::string>(count);
          }};
}

std::expected<OpenFile, Notice> open_memory(const std::shared_ptr<const MemoryFiles>& files, std::string_view path) {
  if (const auto found = files->find(path); found != files->end())
    return open_text(files, found->second);
  return std::unexpected(unreadable_file(path, "no such file"));
}

std::vector<SourceEntry> entries_of(const MemoryFiles& files) {
  std::vector<SourceEntry> entries;
  for (const auto& [path, text] : files)
    entries.push_back({path});
  return entries;
}

} // namespace

Notice unreadable_file(std::string_view path, std::string why) {
  return {NoticeKind::error, "unreadable-file", std::string(path), {}, std::move(why)};
}

Notice too_large(std::string_view path, std::uint64_t size, std::uint64_t limit) {
  return {NoticeKind::warning,
          "too-large",
          std::string(path),
          {},
          fmt::format("{} bytes are more than the limit of {}", size, limit)};
}

std::expected<std::string, Notice> read_all(OpenFile& file, std::string_view path, std::uint64_t limit) {
  if (file.size > limit)
    return std::unexpected(too_large(path, file.size, limit));
  std::string text;
  std::optional<std::string> failure;
  text.resize_and_overwrite(file.size, [&](char* data, std::size_t size) {
    std::size_t filled = 0;
    while (filled < size) {
      auto count = file.read({data + filled, size - filled});
      if (!count)
        failure = std::move(count.error());
      if (!count || *count == 0)
        break;
      filled += *count;
    }
    return filled;
  });
  if (failure)
    return std::unexpected(unreadable_file(path, std::move(*failure)));
  return text;
}

std::expected<std::string, Notice> SourceTree::read(std::string_view path, std::uint64_t limit) const {
  auto file = opener()(path);
  return file ? read_all(*file, path, limit) : std::unexpected(std::move(file.error()));
}

SourceTree memory_tree(MemoryFiles files) {
  const auto shared = std::make_shared<const MemoryFiles>(std::move(files));
  return {[shared](unsigned) { return Listing{entries_of(*shared), {}}; },
          [shared] { return Opener([shared](std::string_view path) { return open_memory(shared, path); }); }};
}

SourceTree overlay(SourceTree base, MemoryFiles files) {
  const auto below = std::make_shared<const SourceTree>(std::move(base));
  const auto above = std::make_shared<const MemoryFiles>(std::move(files));
  return {[below, above](unsigned jobs) {
            Listing listing = below->list(jobs);
            std::vector<SourceEntry> all;
            std::ranges::set_union(entries_of(*above), listing.entries, std::back_inserter(all), {}, &SourceEntry::path,
                                   &SourceEntry::path);
            listing.entries = std::move(all);
            return listing;
          },
          [below, above] {
            return Opener([above, open = below->opener()](std::string_view path) mutable {
              return above->contains(path) ? open_memory(above, path) : open(path);
            });
          }};
}

} // namespace padlint
