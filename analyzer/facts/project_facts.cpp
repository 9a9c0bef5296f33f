#include "analyzer/facts/project_facts.h"

#include "analyzer/facts/library_locks.h"
#include "analyzer/facts/linked_project.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace padlint {
namespace {

void fill_coverage(ProjectFacts& facts) {
  for (const Execution& execution : facts.linked->executions) {
    facts.coverage.texts_understood += execution.readings.size();
    facts.coverage.texts_found += std::max<std::size_t>(execution.readings.size(), 1);
    if (!execution.receiver && execution.sends == nullptr)
      ++facts.coverage.names_given_up;
  }
  std::set<std::string> deciding;
  for (const Handle& handle : facts.handles)
    for (const PooledRoute& route : facts.pooled_routes(handle))
      for (const Span& place : {route.mode_span, route.endpoint_span})
        if (const FileFacts& file = facts.linked->file(place.file); !file.configs.empty())
          deciding.insert(file.path);
  facts.coverage.configs.assign(deciding.begin(), deciding.end());
  for (const FileFacts& file : facts.linked->files)
    if (facts.linked->apis(file.file) == nullptr)
      for (const Statement& statement : file.statements) {
        ++facts.coverage.texts_found;
        facts.coverage.texts_understood += statement.parsed ? 1 : 0;
      }
}

/// Locks and releases by place, so that reports do not hang on the order of linking.
void sort_by_place(ProjectFacts& facts) {
  auto sort = [](auto& list) {
    std::vector<std::uint32_t> order(list.size());
    for (std::uint32_t i = 0; i < order.size(); ++i)
      order[i] = i;
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return list[a].span < list[b].span; });
    std::vector<std::uint32_t> place(order.size());
    auto sorted = list;
    for (std::uint32_t i = 0; i < order.size(); ++i) {
      sorted[i] = list[order[i]];
      sorted[i].id = i;
      place[order[i]] = i;
    }
    list = std::move(sorted);
    return place;
  };
  const std::vector<std::uint32_t> locks = sort(facts.locks);
  const std::vector<std::uint32_t> releases = sort(facts.releases);
  for (LockCall& lock : facts.locks)
    if (lock.wrapped)
      lock.wrapped = locks[*lock.wrapped];
  for (auto& [routine, events] : facts.linked->effects)
    for (auto& [event, effects] : events)
      for (Effect& effect : effects)
        if (effect.kind == Effect::acquire)
          effect.id = locks[effect.id];
        else if (effect.kind == Effect::release)
          effect.id = releases[effect.id];
}

template <class Site>
Finding about_site(const ProjectFacts& project, std::string_view rule, FindingLevel level, const Site& site,
                   Subject::Kind kind) {
  Finding finding;
  finding.rule = rule;
  finding.subject = {.kind = kind, .id = site.id};
  finding.level = level;
  finding.confidence = site.confidence;
  finding.primary = site.span;
  finding.symbol = project.symbol(site.routine);
  if (!site.execution.contains(site.span)) // the text is a constant that stands elsewhere
    finding.decide(site.execution, "the statement is sent here");
  return finding;
}

} // namespace

ProjectFacts link(std::vector<FileFacts> files, ProjectNotes notes) {
  ProjectFacts facts;
  facts.linked = std::make_shared<LinkedProject>();
  LinkedProject& project = *facts.linked;
  project.notes = std::move(notes);
  project.files = std::move(files);
  for (const FileFacts& file : project.files)
    facts.notices.insert(facts.notices.end(), file.notices.begin(), file.notices.end());
  index_files(project);
  collect_calls(project);
  collect_options(project);
  collect_limits(project);
  collect_executions(project);
  collect_locks(facts);
  collect_effects(facts);
  collect_library_locks(facts);
  sort_by_place(facts);
  fill_coverage(facts);
  return facts;
}

const std::vector<FileFacts>& ProjectFacts::files() const { return linked->files; }

const Routine& ProjectFacts::routine(const RoutineRef& ref) const { return linked->routine(ref); }

std::string ProjectFacts::symbol(const RoutineRef& ref) const {
  const Routine& where = routine(ref);
  if (!where.sql.name.empty())
    return where.sql.schema.empty() ? where.sql.name : where.sql.schema + "." + where.sql.name;
  return where.owner.empty() ? where.name : where.owner + "." + where.name;
}

std::string rewritten(const LockCall& lock, Level level) {
  const std::string name = fmt::format("pg_{}advisory_{}lock{}", lock.waits() ? "" : "try_",
                                       level == Level::transaction ? "xact_" : "", lock.shared() ? "_shared" : "");
  const std::string key = to_text(lock.key);
  return lock.key.form == KeyForm::two_int4 ? name + key : fmt::format("{}({})", name, key);
}

Finding about(const ProjectFacts& project, std::string_view rule, FindingLevel level, const LockCall& lock) {
  return about_site(project, rule, level, lock, Subject::lock);
}

Finding about(const ProjectFacts& project, std::string_view rule, FindingLevel level, const LockRelease& release) {
  return about_site(project, rule, level, release, Subject::release);
}

Finding about(const ProjectFacts& project, std::string_view rule, FindingLevel level, const LibraryLock& lock) {
  Finding finding{.rule = std::string(rule),
                  .subject = {.kind = Subject::library, .id = lock.id},
                  .level = level,
                  .confidence = lock.confidence,
                  .primary = lock.span,
                  .symbol = lock.routine ? project.symbol(*lock.routine) : lock.taker};
  finding.decided_by(lock.steps);
  if (!lock.decided.empty() && !lock.span.contains(lock.decided))
    finding.decide(lock.decided, "this setting decides");
  return finding;
}

} // namespace padlint
