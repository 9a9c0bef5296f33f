#pragma once

#include <expected>
#include <string>

namespace padlint {

/// Reads a file that padlint itself has written, up to its end; the error names the file.
std::expected<std::string, std::string> read_input(const std::string& path);

} // namespace padlint
