#include "analyzer/core/rule.h"
#include "analyzer/facts/project_facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace padlint {
namespace {

std::string_view how(const LeakPath& path) {
  switch (path.kind) {
  case LeakPath::leaves:
    return path.explicit_exit ? "this return leaves with the lock held"
                              : "the end of the routine is reached with the lock held";
  case LeakPath::raises:
    return path.explicit_exit ? "this exception leaves with the lock held" : "an error here leaves with the lock held";
  case LeakPath::cancelled: return "a cancel or time-out here skips the handler that unlocks";
  }
  return {};
}

/// Whether a release follows the last lock of this key in the routine.
bool released_after_the_last(const ProjectFacts& project, const LockCall& lock) {
  Span last = lock.span;
  for (const LockCall& other : project.locks)
    if (other.routine == lock.routine && ProjectFacts::same_key(lock.key, other.key) == Answer::yes)
      last = std::max(last, other.span);
  const std::vector<const LockRelease*> releases = project.releases_for(lock);
  return std::any_of(releases.begin(), releases.end(), [&](const LockRelease* release) {
    return release->routine == lock.routine && last < release->span;
  });
}

// A session-level lock is held until it is released: a path that leaves the routine without doing so keeps it until the
// connection ends. A lock that no path of its routine releases is meant to be held on; only when its connection goes
// back to a pool, and nothing in the project ever releases it, is it lost.
void check(const ProjectFacts& project, Report& report) {
  std::set<std::pair<RoutineRef, std::string>> told;
  for (const LockCall& lock : project.locks) {
    if (lock.level() != Level::session || lock.wrapped || lock.position != SqlPosition::select_list)
      continue;
    const Handle& handle = project.handle(lock);
    if (handle.kind == HandleKind::pool)
      continue; // session-lock-on-pool-handle
    const LeakAnswer answer = project.held_at_exit(lock);
    if (answer.paths.empty())
      continue;
    // The session of a script ends with the script: only a release that comes too seldom is no plan.
    if (project.routine(lock.routine).form == RoutineForm::file &&
        !(answer.on_every_path && released_after_the_last(project, lock)))
      continue;
    const LeakPath& path = answer.paths.front();
    Finding finding = about(project, "leaked-session-lock", FindingLevel::warning, lock);
    if (answer.release_in_routine) {
      finding.quiet("the connection is closed when the routine ends",
                    answer.outlives_routine ? Answer::no : Answer::yes);
      finding.message = fmt::format("the session-level lock is released on some paths only: {}{}", how(path),
                                    path.to_pool ? ", on a connection that goes back to its pool" : "");
      if (!path.span.empty())
        finding.decide(path.span, std::string(how(path)));
    } else {
      // A task that closes the connection at its end has a plan.
      const bool ends_held = !answer.always_to_pool && std::ranges::any_of(answer.paths, [](const LeakPath& each) {
        return each.kind == LeakPath::leaves;
      });
      const std::optional<Step> task = ends_held ? project.task_of(lock) : std::nullopt;
      if ((!answer.always_to_pool && !task) || handle.on_return != OnReturn::keeps ||
          !project.releases_for(lock).empty() || project.release_on_other_checkout(lock) != nullptr)
        continue;
      if (task)
        finding.decided_by({*task});
      finding.quiet("a pool of one connection", ProjectFacts::single_connection_pool(handle));
      finding.level = FindingLevel::error;
      finding.message =
          fmt::format("nothing releases this session-level lock, and its connection `{}` goes back to the pool with it",
                      handle.text);
      finding.decided_by(handle.steps);
    }
    if (!is_silent(finding) && !told.emplace(lock.routine, to_text(lock.key)).second)
      continue;
    finding.advice = fmt::format("release in a block that runs on every way out, or use `{}` in a transaction",
                                 rewritten(lock, Level::transaction));
    report.add(std::move(finding));
  }
}

} // namespace

extern const Rule leaked_session_lock{
    .id = "leaked-session-lock",
    .summary = "A path leaves without releasing a session-level lock.",
    .level = FindingLevel::error,
    .check = check,
};

} // namespace padlint
