#include "analyzer/config/config.h"
#include "analyzer/core/mask.h"
#include "tests/fuzz/harness/fuzz.h"

// Connection strings, and what of them no output may show.

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace padlint;
  const std::string_view text = fuzz::text_of(data, size);
  static_cast<void>(parse_connection(text));
  std::size_t end = 0;
  for (const Secret& secret : secrets_in(text)) {
    fuzz::require(end <= secret.begin && secret.begin <= secret.end && secret.end <= size, "secrets out of order");
    end = secret.end;
  }
  const std::string once = masked(text);
  fuzz::require(masked(once) == once, "what is masked has a secret");
  return 0;
}
