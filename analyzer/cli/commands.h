#pragma once

#include "analyzer/cli/options.h"

namespace padlint {

/// Runs the command; the result is the exit code.
int run_check(const Options& options);
int run_facts(const Options& options);
int run_merge(const Options& options);
int run_rules(const Options& options);
int run_explain(const Options& options);

/// Runs the program: parses the command line, runs the command, and tells what no command could handle.
int run_program(int count, const char* const* words);

} // namespace padlint
