#include "analyzer/facts/marks.h"
#include "analyzer/facts/project_facts.h"

#include <fmt/format.h>

#include <algorithm>

// A library that gives each thread a connection of its pool takes it back when the task is done that the thread works
// on: a request, a job.

namespace padlint {
namespace {

constexpr int max_hops = 3;

bool is_task(const LinkedProject& project, RoutineRef ref) {
  const std::string mark = mark_of(project, ref);
  return mark == "none" || mark == "request";
}

/// The task that calls the routine, on the way of its known callers.
std::optional<RoutineRef> task_around(const LinkedProject& project, RoutineRef ref, int hop = 0) {
  if (is_task(project, ref))
    return ref;
  const auto sites = project.callers.find(ref);
  if (sites == project.callers.end() || hop == max_hops)
    return std::nullopt;
  for (const std::size_t index : sites->second)
    if (const CallSite& site = project.calls[index]; !project.file(site.caller.file).traits.test)
      if (auto task = task_around(project, site.caller, hop + 1))
        return task;
  return std::nullopt;
}

} // namespace

std::optional<Step> ProjectFacts::task_of(const LockCall& lock) const {
  const Handle& through = handle(lock);
  if (!through.ambient || through.on_return != OnReturn::keeps)
    return std::nullopt;
  const auto task = task_around(*linked, lock.routine);
  if (!task)
    return std::nullopt;
  return Step{.text =
                  fmt::format("`{}` is a task of the framework: when it is done, its connection goes back to the pool",
                              routine(*task).name),
              .span = routine(*task).name_span,
              .confidence = *task == lock.routine ? Confidence::certain : Confidence::likely};
}

} // namespace padlint
