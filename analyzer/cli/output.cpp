#include "analyzer/cli/output.h"

#include "analyzer/cli/exit_code.h"

#include <fmt/format.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

namespace padlint {
namespace {

/// 0, or the errno of the first failure.
int write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor, text.data(), text.size());
    if (written < 0 && errno != EINTR)
      return errno;
    if (written > 0)
      text.remove_prefix(static_cast<std::size_t>(written));
  }
  return 0;
}

int write_file(std::string_view report, const std::string& path, int flags) {
  constexpr mode_t everybody = 0666; // less the umask
  const int descriptor = ::open(path.c_str(), flags | O_WRONLY | O_CLOEXEC, everybody);
  if (descriptor < 0)
    return errno;
  const int failure = write_all(descriptor, report);
  return ::close(descriptor) != 0 && failure == 0 ? errno : failure;
}

/// Beside the target and renamed over it, so that nobody reads half a report.
int replace_file(std::string_view report, const std::string& path) {
  const std::string beside = fmt::format("{}.{}.tmp", path, ::getpid());
  int failure = write_file(report, beside, O_CREAT | O_EXCL);
  if (failure == 0 && std::rename(beside.c_str(), path.c_str()) != 0)
    failure = errno;
  if (failure != 0)
    ::unlink(beside.c_str());
  return failure;
}

bool is_device(const std::string& path) {
  struct stat status{};
  return ::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode);
}

} // namespace

std::expected<void, std::string> write_report(std::string_view report, const std::string& path) {
  if (path.empty()) {
    const int failure = write_all(STDOUT_FILENO, report);
    if (failure != 0)
      return std::unexpected(fmt::format("cannot write to standard output: {}", std::strerror(failure)));
    return {};
  }
  const int failure = is_device(path) ? write_file(report, path, 0) : replace_file(report, path);
  if (failure != 0)
    return std::unexpected(fmt::format("cannot write {}: {}", path, std::strerror(failure)));
  return {};
}

void log_text(std::string_view lines) {
  // A log that cannot be written must not end the run.
  static_cast<void>(write_all(STDERR_FILENO, lines));
}

int failed(std::string_view text) {
  log_text(fmt::format("padlint: {}\n", text));
  return exit_failed;
}

} // namespace padlint
