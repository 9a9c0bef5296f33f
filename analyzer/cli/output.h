#pragma once

#include <expected>
#include <string>
#include <string_view>

namespace padlint {

/// Writes the report to the file `path`, or to standard output when it is empty. A file appears whole or not at all.
/// What went wrong is told as a text.
std::expected<void, std::string> write_report(std::string_view report, const std::string& path);

/// Writes lines to standard error.
void log_text(std::string_view lines);

/// Logs why the command failed; the result is its exit code.
int failed(std::string_view text);

} // namespace padlint
