#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace padlint {

/// Literals to look for. Case is that of ASCII letters.
struct WordSet {
  std::vector<std::string> words; // none of them empty
  bool case_sensitive = false;
};

/// Says whether a text holds one of the words. It keeps working memory, so each thread has its own.
using Scanner = std::move_only_function<bool(std::string_view text)>;

/// A compiled word set, from which any thread gets a scanner; it lives on in its scanners.
using ScannerFactory = std::function<Scanner()>;

/// Hyperscan: fastest by far over much text, but takes about a millisecond to compile 30 words. Empty when this build
/// has no Hyperscan or the processor is too old for it.
ScannerFactory compile_with_hyperscan(const WordSet& words);

/// RE2: compiles in a tenth of that, and runs everywhere. Empty when this build has no RE2.
ScannerFactory compile_with_re2(const WordSet& words);

} // namespace padlint
