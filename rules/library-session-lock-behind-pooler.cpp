#include "analyzer/core/rule.h"
#include "analyzer/facts/project_facts.h"

#include <fmt/format.h>

#include <algorithm>

namespace padlint {
namespace {

std::string_view mode_text(PoolMode mode) { return mode == PoolMode::statement ? "statement" : "transaction"; }

Finding found(const ProjectFacts& project, const LibraryLock& lock, std::string_view pooler, PoolMode mode) {
  Finding finding = about(project, "library-session-lock-behind-pooler", FindingLevel::error, lock);
  finding.message = fmt::format("{} (`{}`) takes a session-level advisory lock through {} in {} mode: the server "
                                "connection goes to another client after each transaction, and the lock with it",
                                lock.library, lock.taker, pooler, mode_text(mode));
  finding.advice = !lock.transaction_level.empty() ? lock.transaction_level
                   : !lock.direct.empty()          ? lock.direct
                                                   : "lead this connection past the pooler, or through an entry of it "
                                                     "with `pool_mode=session`";
  return finding;
}

// What session-lock-behind-pooler is for the project's own SQL: the lock stays on a server connection that somebody
// else gets next. The library cannot know, and its unlock answers with a warning that no driver shows.
void check(const ProjectFacts& project, Report& report) {
  for (const LibraryLock& lock : project.library_locks) {
    if (lock.level != Level::session || lock.off)
      continue;
    const std::vector<PooledRoute> routes = project.pooled_routes(project.handle(lock));
    const auto breaks = std::ranges::find_if(routes, [](const auto& each) { return each.mode != PoolMode::session; });
    if (breaks != routes.end()) {
      Finding finding = found(project, lock, breaks->pooler, breaks->mode);
      finding.decided_by(
          Step{.text = fmt::format("the endpoint is served by the pooler's entry `{}`", breaks->database),
               .span = breaks->endpoint_span,
               .confidence = breaks->confidence});
      finding.decide(breaks->mode_span, fmt::format("{} {}", breaks->mode_text, breaks->reason));
      finding.decide(breaks->endpoint_span, "the connection leads to that pooler");
      report.add(std::move(finding));
    } else if (routes.empty() && lock.seems_pooled) {
      Finding finding = found(project, lock, "what seems to be a pooler", PoolMode::transaction);
      finding.decided_by(*lock.seems_pooled);
      finding.decide(lock.seems_pooled->span, lock.seems_pooled->text);
      report.add(std::move(finding));
    }
  }
}

} // namespace

extern const Rule library_session_lock_behind_pooler{
    .id = "library-session-lock-behind-pooler",
    .summary = "A library takes a session-level lock through a pooler in transaction mode.",
    .level = FindingLevel::error,
    .replaces = {"lock-protection-disabled", "library-session-lock"},
    .check = check,
};

} // namespace padlint
