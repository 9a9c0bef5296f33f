#include "analyzer/walk/disk.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>

namespace padlint {

std::expected<OpenFile, std::string> open_file(int folder, const char* path) {
  // O_NONBLOCK: opening a FIFO would wait for its other side.
  Descriptor file(::openat(folder, path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
  struct stat status = {};
  if (file.get() < 0 || ::fstat(file.get(), &status) != 0)
    return std::unexpected(std::strerror(errno));
  if (!S_ISREG(status.st_mode))
    return std::unexpected("not a regular file");
  const auto size = static_cast<std::uint64_t>(status.st_size);
  return OpenFile{
      size,
      [file = std::move(file), rest = size](std::span<char> buffer) mutable -> std::expected<std::size_t, std::string> {
        const std::size_t wanted = std::min<std::uint64_t>(buffer.size(), rest);
        if (wanted == 0)
          return 0;
        ssize_t count = 0;
        do
          count = ::read(file.get(), buffer.data(), wanted);
        while (count < 0 && errno == EINTR);
        if (count < 0)
          return std::unexpected(std::strerror(errno));
        rest -= static_cast<std::uint64_t>(count);
        return static_cast<std::size_t>(count);
      }};
}

Descriptor open_folder(int folder, const char* path) {
  return Descriptor(::openat(folder, path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
}

} // namespace padlint
