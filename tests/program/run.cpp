#include "run.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <set>
#include <stdexcept>

namespace padlint {
namespace {

namespace fs = std::filesystem;

std::string slurp(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// In the child: never returns.
[[noreturn]] void become_program(const fs::path& folder, const std::vector<std::string>& arguments, int out, int log) {
  const std::string program = PADLINT_BINARY_DIR "/padlint";
  std::vector<char*> words = {const_cast<char*>(program.c_str())};
  for (const std::string& argument : arguments)
    words.push_back(const_cast<char*>(argument.c_str()));
  words.push_back(nullptr);
  if (::dup2(out, STDOUT_FILENO) >= 0 && ::dup2(log, STDERR_FILENO) >= 0 && ::chdir(folder.c_str()) == 0)
    ::execv(program.c_str(), words.data());
  std::_Exit(127);
}

/// A file to write to, closed and removed at the end.
struct Capture {
  explicit Capture(std::string name)
      : path(std::move(name)), descriptor(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600)) {
    if (descriptor < 0)
      throw std::runtime_error("cannot write " + path);
  }
  ~Capture() {
    ::close(descriptor);
    ::unlink(path.c_str());
  }
  Capture(const Capture&) = delete;
  Capture& operator=(const Capture&) = delete;

  std::string path;
  int descriptor;
};

} // namespace

Folder::Folder(const Files& files, const fs::path& parent) {
  std::string pattern = (parent / "padlint.XXXXXX").string();
  if (::mkdtemp(pattern.data()) == nullptr)
    throw std::runtime_error("cannot make a folder for the test");
  path = fs::canonical(pattern);
  for (const auto& [name, text] : files) {
    fs::create_directories((path / name).parent_path());
    std::ofstream(path / name, std::ios::binary) << text;
  }
}

Folder::~Folder() {
  std::error_code ignored;
  fs::remove_all(path, ignored);
}

Outcome Folder::run(const std::vector<std::string>& arguments, int out) const {
  const Capture standard_out(path.string() + ".out");
  const Capture log(path.string() + ".log");
  const pid_t child = ::fork();
  if (child == 0)
    become_program(path, arguments, out < 0 ? standard_out.descriptor : out, log.descriptor);
  int status = 0;
  rusage used = {};
  if (child < 0 || ::wait4(child, &status, 0, &used) != child)
    throw std::runtime_error("cannot run the program");
  return {.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1,
          .out = slurp(standard_out.path),
          .log = slurp(log.path),
          .peak_kib = used.ru_maxrss};
}

std::string Folder::text(const std::string& name) const { return slurp(path / name); }

std::string Folder::listing() const {
  std::set<std::string> names;
  for (const auto& entry : fs::recursive_directory_iterator(path))
    if (entry.is_regular_file())
      names.insert(entry.path().lexically_relative(path).generic_string());
  std::string text;
  for (const std::string& name : names)
    text += name + " ";
  return text;
}

} // namespace padlint
