#include "tests/fuzz/harness/fuzz.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

// Runs a fuzz target without libFuzzer: over its inputs, then over a fixed number of mutations of them, which are the
// same in every run. What is under test is first written to LAST, so that a crash leaves its input behind.
//   fuzz_<target> LAST MUTATIONS PATH...      a PATH is a file, a folder, or @FILE with a path a line

namespace padlint::fuzz {
namespace {

namespace fs = std::filesystem;

std::string slurp(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void add_inputs(const std::string& path, std::vector<std::string>& inputs) {
  if (path.starts_with('@')) {
    std::ifstream list(path.substr(1));
    for (std::string line; std::getline(list, line);)
      inputs.push_back(slurp(line));
  } else if (fs::is_directory(path)) {
    std::vector<fs::path> files(fs::directory_iterator(path), fs::directory_iterator{});
    std::ranges::sort(files);
    for (const fs::path& file : files)
      inputs.push_back(slurp(file));
  } else if (fs::exists(path)) {
    inputs.push_back(slurp(path));
  }
}

class Mutator {
public:
  explicit Mutator(const std::vector<std::string>& inputs) : inputs_(inputs) {}

  std::string next() {
    std::string text = any();
    for (std::size_t edits = 1 + below(4); edits > 0; --edits)
      edit(text);
    return text;
  }

private:
  std::size_t below(std::size_t limit) { return limit == 0 ? 0 : random_() % limit; }
  const std::string& any() { return inputs_[below(inputs_.size())]; }

  void edit(std::string& text) {
    static constexpr char bytes[] = "\0\n\"'()[]{}<>\\/*-$%:;,.=#@`| \t\r\x80\xff\xe2";
    const std::size_t at = below(text.size() + 1);
    const std::size_t count = std::min(1 + below(1U << below(8)), text.size() - at);
    switch (below(6)) {
    case 0: text.resize(at); break;
    case 1: text.erase(at, count); break;
    case 2: text.insert(at, text.substr(at, count)); break;
    case 3: text.insert(at, 1, bytes[below(sizeof bytes - 1)]); break;
    case 4: text.replace(at, count, text.substr(below(text.size() + 1), count)); break;
    default: {
      const std::string& other = any();
      text.replace(at, std::string::npos, other.substr(below(other.size() + 1)));
    }
    }
  }

  const std::vector<std::string>& inputs_;
  std::mt19937 random_{20240229};
};

void run(int last, const std::string& input) {
  const auto size = static_cast<ssize_t>(input.size());
  if (::pwrite(last, input.data(), input.size(), 0) == size && ::ftruncate(last, size) == 0)
    LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(input.data()), input.size());
  else
    require(false, "the input cannot be written down");
}

int replay(const std::vector<std::string>& arguments) {
  std::vector<std::string> inputs;
  for (std::size_t i = 2; i < arguments.size(); ++i)
    add_inputs(arguments[i], inputs);
  if (inputs.empty()) {
    std::cerr << "no inputs\n";
    return EXIT_FAILURE;
  }
  const int last = ::open(arguments[0].c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  run(last, "");
  for (const std::string& input : inputs)
    run(last, input);
  Mutator mutator(inputs);
  const std::size_t mutations = std::stoul(arguments[1]);
  for (std::size_t i = 0; i < mutations; ++i)
    run(last, mutator.next());
  ::close(last);
  fs::remove(arguments[0]);
  std::cout << inputs.size() << " inputs, " << mutations << " mutations\n";
  return EXIT_SUCCESS;
}

} // namespace
} // namespace padlint::fuzz

int main(int count, char** arguments) {
  if (count < 4) {
    std::cerr << "usage: fuzz_<target> LAST MUTATIONS PATH...\n";
    return EXIT_FAILURE;
  }
  return padlint::fuzz::replay({arguments + 1, arguments + count});
}
