#include "analyzer/cli/commands.h"
#include "analyzer/cli/output.h"
#include "analyzer/cli/pipeline.h"
#include "analyzer/cli/report_command.h"
#include "analyzer/cli/request.h"

namespace padlint {

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
    return failed("no files to check: all are ignored, or there are none");
  return report(*result, options);
}

} // namespace padlint
