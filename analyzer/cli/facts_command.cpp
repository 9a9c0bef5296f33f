#include "analyzer/cli/commands.h"
#include "analyzer/cli/exit_code.h"
#include "analyzer/cli/input.h"
#include "analyzer/cli/output.h"
#include "analyzer/cli/pipeline.h"
#include "analyzer/cli/printed.h"
#include "analyzer/cli/request.h"
#include "analyzer/cli/shard.h"
#include "analyzer/cli/version.h"
#include "analyzer/cli/worker_stack.h"
#include "analyzer/core/mask.h"

#include <fmt/format.h>

#include <string_view>

namespace padlint {
namespace {

std::string place(const Span& span, const Sources& sources) {
  const std::string* text = sources.text(span.file);
  const Position position = text ? position_at(*text, span.begin) : Position();
  return fmt::format("@{}:{}:{}", sources.path(span.file), position.line, position.column);
}

/// What linking made of the locks of one file, a line each.
std::string linked_text(const ProjectFacts& project, FileId file, const Sources& sources) {
  std::string text;
  for (const LockCall& lock : project.locks)
    if (lock.span.file == file)
      text += fmt::format("{} handle={} tx={} {}\n", to_text(lock), to_text(project.handle(lock)),
                          to_text(project.transaction_of(lock).state), place(lock.span, sources));
  for (const LockRelease& release : project.releases)
    if (release.span.file == file)
      text += fmt::format("{} handle={} {}\n", to_text(release), to_text(project.handle(release)),
                          place(release.span, sources));
  for (const LibraryLock& lock : project.library_locks)
    if (lock.span.file == file)
      text += fmt::format("{} handle={} {}\n", to_text(lock), to_text(project.handle(lock)), place(lock.span, sources));
  return text;
}

int write_facts(const std::string& text, const Options& options) {
  const auto done = write_report(text, options.output);
  return done ? exit_clean : failed(done.error());
}

/// The stored form, without links: whoever merges it has the rest of the project.
int store_facts(const Request& request, const Options& options) {
  ShardOptions shard{.paths = request.paths, .jobs = options.jobs};
  if (!options.wants.empty()) {
    const auto text = read_input(options.wants);
    if (!text)
      return failed(text.error());
    auto wants = read_wants_file(*text, padlint_version);
    if (!wants)
      return failed(fmt::format("{}: {}", options.wants, wants.error()));
    shard.wants = std::move(*wants);
  }
  const auto facts = read_shard(work_tree(request.root), shard);
  return facts ? write_facts(to_json(*facts), options) : failed(to_text(facts.error()));
}

} // namespace

int run_facts(const Options& options) {
  const auto request = resolve_request(options);
  if (!request)
    return failed(request.error());
  if (options.facts_format == FactsFormat::json)
    return store_facts(*request, options);
  const auto read =
      read_tree(work_tree(request->root),
                {.filter = {.paths = request->paths}, .jobs = options.jobs, .always_read = request->paths});
  if (!read)
    return failed(to_text(read.error()));
  if (read->listed_on_request == 0)
    return failed("no files: all are ignored, or there are none");
  std::string text;
  on_worker_stack([&] {
    for (const LinkedFacts& project : read->projects)
      for (const FileFacts& file : project.facts.files())
        if (is_requested(file.path, request->paths))
          text += to_text(file) + linked_text(project.facts, file.file, read->sources);
  });
  return write_facts(masked(text), options);
}

} // namespace padlint
