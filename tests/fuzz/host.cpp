#include "analyzer/host/host.h"
#include "tests/fuzz/harness/fuzz.h"

// The role walker; the build makes one target of this for each grammar.

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace padlint;
  const std::string_view text = fuzz::text_of(data, size);
  const HostLanguage* language = host_language(PADLINT_FUZZ_LANGUAGE);
  fuzz::require(language != nullptr, "no such language");
  fuzz::check_facts(read_host_file(*language, 0, "input", text), text);
  return 0;
}
