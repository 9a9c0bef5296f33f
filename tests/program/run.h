#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace padlint {

/// What a run of the program left behind.
struct Outcome {
  int exit_code = -1; // -1: it did not end by itself
  std::string out;
  std::string log;
  long peak_kib = 0; // resident memory at most
};

using Files = std::map<std::string, std::string>; // path to text

/// A folder of its own with these files, gone at the end.
class Folder {
public:
  explicit Folder(const Files& files, const std::filesystem::path& parent = std::filesystem::temp_directory_path());
  ~Folder();
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  /// Runs the program here; its standard output goes to the descriptor `out` when one is given.
  [[nodiscard]] Outcome run(const std::vector<std::string>& arguments, int out = -1) const;
  [[nodiscard]] std::string text(const std::string& path) const;
  /// Names of all files, sorted, a blank after each.
  [[nodiscard]] std::string listing() const;

  std::filesystem::path path;
};

} // namespace padlint
