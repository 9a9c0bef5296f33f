#include "analyzer/cli/input.h"

#include <fmt/format.h>

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

namespace padlint {
namespace {

constexpr std::size_t most_input = std::size_t{1} << 30; // a device has no end

} // namespace

std::expected<std::string, std::string> read_input(const std::string& path) {
  const auto failed = [&] { return std::unexpected(fmt::format("{}: {}", path, std::strerror(errno))); };
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0)
    return failed();
  std::string text;
  std::array<char, 65536> buffer{};
  ssize_t count = 0;
  while ((count = ::read(descriptor, buffer.data(), buffer.size())) > 0 || (count < 0 && errno == EINTR))
    if (count > 0 && text.append(buffer.data(), static_cast<std::size_t>(count)).size() > most_input) {
      ::close(descriptor);
      return std::unexpected(fmt::format("{}: more than {} bytes", path, most_input));
    }
  const int error = count < 0 ? errno : 0;
  ::close(descriptor);
  errno = error;
  return error == 0 ? std::expected<std::string, std::string>(std::move(text)) : failed();
}

} // namespace padlint
