#pragma once

namespace padlint {

/// The exit codes of every command: reports are gated on 1, and 2 is never mistaken for a clean or a failed check.
enum ExitCode : int {
  exit_clean = 0, // nothing at or above the fail level
  exit_findings = 1,
  exit_failed = 2, // usage, settings, input or output, internal error
};

} // namespace padlint
