#include "analyzer/cli/report_command.h"

#include "analyzer/cli/exit_code.h"
#include "analyzer/cli/output.h"
#include "analyzer/cli/version.h"
#include "analyzer/core/rule.h"
#include "sarif/report.h"

#include <fmt/format.h>

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>

namespace padlint {
namespace {

bool in_color(ColorChoice choice, int descriptor) {
  if (choice != ColorChoice::automatic)
    return choice == ColorChoice::always;
  const char* no_color = std::getenv("NO_COLOR"); // set and not empty: https://no-color.org
  const char* terminal = std::getenv("TERM");
  return ::isatty(descriptor) == 1 && !(no_color && *no_color) && !(terminal && std::string_view(terminal) == "dumb");
}

TextOptions text_options(const Options& options, int descriptor) {
  return {.color = in_color(options.color, descriptor),
          .quiet = options.quiet,
          .min_level = options.min_level.value_or(FindingLevel::warning)};
}

std::string written(const RunReport& report, const Options& options) {
  std::string text;
  switch (options.format) {
  case ReportFormat::sarif: write_sarif(text, report); break;
  case ReportFormat::json: write_json(text, report); break;
  case ReportFormat::text: {
    TextOptions text_form = text_options(options, STDOUT_FILENO);
    text_form.color = text_form.color && (options.output.empty() || options.color == ColorChoice::always);
    write_text(text, report, text_form);
  }
  }
  return text;
}

void log_notices(RunReport report, const Options& options) {
  std::string text;
  if (options.quiet)
    std::erase_if(report.notices, [](const Notice& notice) { return notice.kind != NoticeKind::error; });
  write_notices(text, report, text_options(options, STDERR_FILENO));
  log_text(text);
}

int verdict(const CheckResult& result, const Options& options) {
  const auto failed = [](const Notice& notice) { return notice.kind == NoticeKind::error; };
  if (options.strict && std::ranges::any_of(result.notices, failed))
    return exit_failed;
  const auto fails = [&](const Finding& finding) { return shown_level(finding) >= *options.fail_level; };
  return options.fail_level && std::ranges::any_of(result.findings, fails) ? exit_findings : exit_clean;
}

} // namespace

FilterOptions filter_options(const Options& options, std::vector<std::string> paths) {
  return {.paths = std::move(paths),
          .select = options.select,
          .ignore = options.ignore,
          .profile = options.profile,
          .min_confidence = options.min_confidence,
          .min_level = options.min_level};
}

int report(const CheckResult& result, const Options& options) {
  RunReport report{.version = std::string(padlint_version),
                   .rules = all_rules(),
                   .rule_page = rule_page,
                   .sources = result.sources,
                   .findings = result.findings,
                   .notices = result.notices,
                   .coverage = result.coverage};
  log_notices(report, options);
  if (const auto done = write_report(written(report, options), options.output); !done)
    return failed(done.error());
  return verdict(result, options);
}

} // namespace padlint
