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
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(value_, other.value_);
    return *this;
  }
  ~Descriptor() {
    if (value_ >= 0)
      ::close(value_);
  }
  [[nodiscard]] int get() const { return value_; }
  int release() { return std::exchange(value_, -1); }

private:
  int value_;
};

/// Opens a regular file, seen from `folder`. A link at the end of `path` is not followed, and nothing else is ever
/// waited for. The error is the system's words.
std::expected<OpenFile, std::string> open_file(int folder, const char* path);

/// Opens a folder for reading its names, without following a link at the end of `path`.
Descriptor open_folder(int folder, const char* path);

} // namespace padlint
