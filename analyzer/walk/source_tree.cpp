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
            return std::expected<std::size_t, Notice>(count);
          }};
}

std::expected<OpenFile, Notice> open_memory(const std::shared_ptr<const MemoryFiles>& files, std::string_view path) {
  if (const auto found = files->find(path); found != files->end())
    return open_text(files, found->second);
  return std::unexpected(Notice{NoticeKind::warning, "unreadable-file", std::string(path), {}, "no such file"});
}

std::vector<SourceEntry> entries_of(const MemoryFiles& files) {
  std::vector<SourceEntry> entries;
  for (const auto& [path, text] : files)
    entries.push_back({path});
  return entries;
}

} // namespace

Notice too_large(std::string_view path, std::uint64_t size, std::uint64_t limit) {
  return {NoticeKind::warning,
          "too-large",
          std::string(path),
          {},
          fmt::format("{} bytes are more than the limit of {}", size, limit)};
}

std::expected<std::string, Notice> read_all(std::expected<OpenFile, Notice> file, std::string_view path,
                                            std::uint64_t limit) {
  if (!file)
    return std::unexpected(std::move(file.error()));
  if (file->size > limit)
    return std::unexpected(too_large(path, file->size, limit));
  std::string text;
  std::optional<Notice> failure;
  text.resize_and_overwrite(file->size, [&](char* data, std::size_t size) {
    std::size_t filled = 0;
    while (filled < size) {
      const auto count = file->read({data + filled, size - filled});
      if (!count)
        failure = count.error();
      if (!count || *count == 0)
        break;
      filled += *count;
    }
    return filled;
  });
  if (failure)
    return std::unexpected(std::move(*failure));
  return text;
}

SourceTree memory_tree(MemoryFiles files) {
  const auto shared = std::make_shared<const MemoryFiles>(std::move(files));
  return {[shared](unsigned) { return Listing{entries_of(*shared), {}}; },
          [shared](std::string_view path) { return open_memory(shared, path); }};
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
          [below, above](std::string_view path) {
            return above->contains(path) ? open_memory(above, path) : below->open(path);
          }};
}

} // namespace padlint
