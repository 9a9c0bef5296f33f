#include "analyzer/cli/commands.h"
#include "analyzer/cli/exit_code.h"
#include "analyzer/cli/output.h"

#include <fmt/format.h>

#include <csignal>
#include <exception>

namespace padlint {
namespace {

int run_command(const Options& options) {
  switch (options.command) {
  case Command::check: return run_check(options);
  case Command::facts: return run_facts(options);
  case Command::merge: return run_merge(options);
  case Command::rules: return run_rules(options);
  case Command::explain: return run_explain(options);
  }
  return exit_failed;
}

} // namespace

int run_program(int count, const char* const* words) {
  std::signal(SIGPIPE, SIG_IGN); // a reader that goes away is an error of write, not a death
  try {
    const std::span<const char* const> arguments(words, static_cast<std::size_t>(count));
    const CommandLine line = parse_command_line(arguments.subspan(count > 0 ? 1 : 0));
    if (line.options)
      return run_command(*line.options);
    if (line.exit_code != exit_clean)
      return failed(line.text);
    const auto written = write_report(line.text, "");
    return written ? exit_clean : failed(written.error());
  } catch (const std::exception& error) {
    return failed(fmt::format("internal error: {}", error.what()));
  } catch (...) {
    return failed("internal error");
  }
}

} // namespace padlint
