#pragma once

#include "analyzer/cli/options.h"
#include "analyzer/cli/pipeline.h"

namespace padlint {

/// The part of the options that decides what a run reports.
FilterOptions filter_options(const Options& options, std::vector<std::string> paths);

/// Writes the report and the log of a run as the options say; the result is the exit code.
int report(const CheckResult& result, const Options& options);

} // namespace padlint
