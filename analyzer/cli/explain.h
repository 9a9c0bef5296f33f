#pragma once

#include "analyzer/cli/pipeline.h"

#include <cstdint>
#include <expected>
#include <string>

namespace padlint {

/// What padlint sees in one line of a file: its lock calls and releases with the facts behind them, and the findings
/// about it with what each rests on, those that are not reported too, with the reason. The error says why there is
/// nothing to tell.
std::expected<std::string, std::string> explain_line(const SourceTree& tree, const std::string& path,
                                                     std::uint32_t line, const CheckOptions& options);

} // namespace padlint
