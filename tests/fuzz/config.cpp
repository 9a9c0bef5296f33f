#include "analyzer/config/config.h"
#include "tests/fuzz/harness/fuzz.h"

// A configuration file; the build makes one target of this for each kind.

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace padlint;
  constexpr std::string_view path = PADLINT_FUZZ_CONFIG;
  const std::string_view text = fuzz::text_of(data, size);
  fuzz::require(!config_kind(path).empty(), "no configuration file");
  fuzz::check_facts(read_config_file(0, path, config_kind(path), text), text);
  return 0;
}
