#include "analyzer/walk/ignore.h"
#include "tests/fuzz/harness/fuzz.h"

// An ignore file, and a path on the last line, which it judges. What git says of them is compared in tests/walk.

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace padlint;
  const std::string_view text = fuzz::text_of(data, size);
  const std::size_t line = text.rfind('\n');
  const std::string_view path = line == std::string_view::npos ? text : text.substr(line + 1);
  const IgnoreFile file(text.substr(0, text.size() - path.size()));
  for (const bool folder : {false, true})
    static_cast<void>(file.judge(path, folder));

  std::string escaped;
  for (const char byte : path)
    escaped += {'\\', byte};
  fuzz::require(Glob(escaped).matches(path), "a path does not match itself");
  return 0;
}
