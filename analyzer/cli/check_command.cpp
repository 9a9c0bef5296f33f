#include "analyzer/cli/commands.h"
#include "analyzer/cli/output.h"
#include "analyzer/cli/pipeline.h"
#include "analyzer/cli/report_command.h"
#include "analyzer/cli/request.h"

#include <fmt/format.h>

namespace padlint {
namespace {

/// Why there is no file to check: a folder that cannot be read is not an empty one.
std::string why_nothing(const CheckResult& result, const std::vector<std::string>& paths) {
  for (const Notice& notice : result.notices) {
    const std::string_view folder = std::string_view(notice.path).substr(0, notice.path.find_last_not_of('/') + 1);
    if (notice.id == "unreadable-folder" && is_requested(folder, paths))
      return fmt::format("{}: {}", folder.empty() ? "the root" : folder, notice.text);
  }
  return "no files to check: all are ignored, or there are none";
}

} // namespace

int run_check(const Options& options) {
  const auto request = resolve_request(options);
  if (!request)
    return failed(request.error());
  ProgressCount count;
  const auto result = [&] {
    const ProgressLine line(count, !options.quiet);
    return check(work_tree(request->root),
                 {.filter = filter_options(options, request->paths), .jobs = options.jobs, .progress = &count});
  }();
  if (!result)
    return failed(to_text(result.error()));
  if (result->listed_on_request == 0)
    return failed(why_nothing(*result, request->paths));
  return report(*result, options);
}

} // namespace padlint
