#pragma once

#include "analyzer/core/file_facts.h"

#include <cstddef>
#include <cstdint>
#include <string_view>

// A fuzz target is one file that defines LLVMFuzzerTestOneInput: it feeds the bytes to one reader and checks what has
// to hold whatever they are. The `fuzz` preset links it with libFuzzer, every other one with the replay driver.

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace padlint::fuzz {

inline std::string_view text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

/// Ends the process with this message unless it holds: libFuzzer keeps the input then, and so does the replay.
void require(bool holds, std::string_view what);

/// Every place in the facts lies in the text, every edge leads to a block, every number names something.
void check_facts(const FileFacts& facts, std::string_view text);

/// The same for one routine, whose statements these are.
void check_routine(const Routine& routine, const std::vector<Statement>& statements, std::string_view text);

} // namespace padlint::fuzz
