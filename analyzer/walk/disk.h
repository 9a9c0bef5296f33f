#pragma once

#include "analyzer/walk/source_tree.h"

#include <string>
#include <string_view>
#include <unistd.h>
#include <utility>

// The only functions that open files and folders on disk.

namespace padlint {

/// A file descriptor, closed at the end; negative when there is none.
class Descriptor {
public:
  explicit Descriptor(int value) : value_(value) {}
  Descriptor(Descriptor&& other) noexcept : value_(other.release()) {}
  Descriptor& operator=(Descriptor&&) = delete;
  ~Descriptor() {
    if (value_ >= 0)
      ::close(value_);
  }
  [[nodiscard]] int get() const { return value_; }
  int release() { return std::exchange(value_, -1); }

private:
  int value_;
};

/// "unreadable-file" or "unreadable-folder", with the system's words for the error.
Notice unreadable(std::string_view what, std::string_view path, int error);

/// Opens a regular file. A link at the end of `path` is not followed, and nothing else is ever waited for.
std::expected<OpenFile, Notice> open_file(int folder, const std::string& path);

/// Opens a folder for reading its names, without following a link at the end of `path`.
Descriptor open_folder(int folder, const std::string& path);

} // namespace padlint
