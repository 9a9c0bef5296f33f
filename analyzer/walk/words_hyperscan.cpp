#include "analyzer/walk/words.h"

#if __has_include(<hs/hs.h>)
#include <hs/hs.h>

#include <memory>

namespace padlint {
namespace {

struct FreeDatabase {
  void operator()(hs_database_t* database) const { hs_free_database(database); }
};
struct FreeScratch {
  void operator()(hs_scratch_t* scratch) const { hs_free_scratch(scratch); }
};
using Scratch = std::unique_ptr<hs_scratch_t, FreeScratch>;

std::shared_ptr<hs_database_t> compile(const WordSet& set) {
  std::vector<const char*> words;
  std::vector<std::size_t> lengths;
  for (const std::string& word : set.words) {
    words.push_back(word.data());
    lengths.push_back(word.size());
  }
  const std::vector<unsigned> flags(words.size(),
                                    set.case_sensitive ? HS_FLAG_SINGLEMATCH : HS_FLAG_SINGLEMATCH | HS_FLAG_CASELESS);
  hs_database_t* database = nullptr;
  hs_compile_error_t* error = nullptr;
  hs_compile_lit_multi(words.data(), flags.data(), nullptr, lengths.data(), static_cast<unsigned>(words.size()),
                       HS_MODE_BLOCK, nullptr, &database, &error);
  hs_free_compile_error(error);
  return {database, FreeDatabase{}};
}

/// The first match ends the scan.
int stop(unsigned, unsigned long long, unsigned long long, unsigned, void*) { return 1; }

} // namespace

ScannerFactory compile_with_hyperscan(const WordSet& words) {
  if (hs_valid_platform() != HS_SUCCESS)
    return {};
  const std::shared_ptr<hs_database_t> database = compile(words);
  if (!database)
    return {};
  return [database]() -> Scanner {
    hs_scratch_t* memory = nullptr;
    hs_alloc_scratch(database.get(), &memory);
    return [database, scratch = Scratch(memory)](std::string_view text) {
      return hs_scan(database.get(), text.data(), static_cast<unsigned>(text.size()), 0, scratch.get(), stop,
                     nullptr) == HS_SCAN_TERMINATED;
    };
  };
}

} // namespace padlint

#else

namespace padlint {

ScannerFactory compile_with_hyperscan(const WordSet&) { return {}; }

} // namespace padlint

#endif
