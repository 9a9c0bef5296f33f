#include "analyzer/cli/settings.h"
#include "tests/fuzz/harness/fuzz.h"

// The settings file: it is read or the fault has a text.

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace padlint;
  const auto settings = read_settings(".padlint.toml", 0, fuzz::text_of(data, size));
  fuzz::require(settings || !settings.error().text.empty(), "a fault without a text");
  return 0;
}
