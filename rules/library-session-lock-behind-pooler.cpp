#include "analyzer/core/rule.h"
#include "analyzer/facts/project_facts.h"

#include <fmt/format.h>

namespace padlint {
namespace {

// What session-lock-behind-pooler is for the project's own SQL: the lock stays on a server connection that somebody
// else gets next. The library cannot know, and its unlock answers with a warning that no driver shows.
void check(const ProjectFacts& project, Report& report) {
  for (const LibraryLock& lock : project.library_locks) {
    if (lock.level != Level::session || lock.off)
      continue;
    for (const PooledRoute& route : project.pooled_routes(project.handle(lock))) {
      if (route.mode == PoolMode::session)
        continue;
      Finding finding = about(project, "library-session-lock-behind-pooler", FindingLevel::error, lock);
      finding.decided_by(Step{.text = fmt::format("the endpoint is served by the pooler's entry `{}`", route.database),
                              .span = route.endpoint_span,
                              .confidence = route.confidence});
      finding.message =
          fmt::format("{} (`{}`) takes a session-level advisory lock through a pooler in {} mode: the "
                      "server connection goes to another client after each transaction, and the lock "
                      "with it",
                      lock.library, lock.taker, route.mode == PoolMode::transaction ? "transaction" : "statement");
      finding.decide(route.mode_span, fmt::format("{} {}", route.mode_text, route.reason));
      finding.decide(route.endpoint_span, "the connection leads to that pooler");
      finding.advice = !lock.transaction_level.empty() ? lock.transaction_level
                       : !lock.direct.empty()          ? lock.direct
                                              : "lead this connection past the pooler, or through an entry of it with "
                                                "`pool_mode=session`";
      report.add(std::move(finding));
      break;
    }
  }
}

} // namespace

extern const Rule library_session_lock_behind_pooler{
    .id = "library-session-lock-behind-pooler",
    .summary = "A library takes a session-level lock through a pooler in transaction mode.",
    .level = FindingLevel::error,
    .replaces = {"library-session-lock"},
    .check = check,
};

} // namespace padlint
