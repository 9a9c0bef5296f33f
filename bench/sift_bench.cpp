#include "analyzer/walk/words.h"

#include <algorithm>
#include <benchmark/benchmark.h>
#include <cstdint>
#include <string>
#include <vector>

// The two engines of the sift: what it costs to compile words, and how fast a text without any of them is looked
// through, a file's worth at a time.

namespace {

using namespace padlint;

/// The trigger word alone, and with more names such as a later round looks for.
WordSet words(std::int64_t count) {
  WordSet set{{"advisory",        "acquire_lock",   "release_lock",   "with_connection", "run_exclusively",
               "LockManager",     "job_key",        "pool_mode",      "lock_timeout",    "transaction_scope",
               "try_acquire",     "tenant_mutex",   "guarded_import", "migration_lock",  "leader_election",
               "single_instance", "hash_key",       "lock_namespace", "session_lock",    "row_guard",
               "ledger_lock",     "nightly_rollup", "refresh_views",  "claim_batch",     "worker_slot",
               "exclusive_run",   "sync_orders",    "reindex_guard",  "cron_token",      "shard_owner",
               "billing_lock",    "queue_lease"}};
  set.words.resize(std::min(set.words.size(), static_cast<std::size_t>(count)));
  return set;
}

/// Source code of sorts, of 16 KB: what a file has on average.
const std::string& text() {
  static const std::string made = [] {
    const std::string line =
        "  for (const auto& [name, session] : registry.sessions()) {  // lock the row, not the table\n"
        "    if (!session.is_open() || name.starts_with(\"worker_\")) continue;  log(name, session);\n";
    std::string all;
    while (all.size() < 16U << 10)
      all += line;
    return all;
  }();
  return made;
}

void compile(benchmark::State& state, ScannerFactory (*engine)(const WordSet&)) {
  const WordSet set = words(state.range(0));
  for (auto _ : state)
    benchmark::DoNotOptimize(engine(set)());
}

void scan(benchmark::State& state, ScannerFactory (*engine)(const WordSet&)) {
  Scanner scanner = engine(words(state.range(0)))();
  for (auto _ : state)
    benchmark::DoNotOptimize(scanner(text()));
  state.SetBytesProcessed(static_cast<std::int64_t>(text().size()) * state.iterations());
}

BENCHMARK_CAPTURE(compile, hyperscan, compile_with_hyperscan)->Arg(1)->Arg(8)->Arg(32);
BENCHMARK_CAPTURE(compile, re2, compile_with_re2)->Arg(1)->Arg(8)->Arg(32);
BENCHMARK_CAPTURE(scan, hyperscan, compile_with_hyperscan)->Arg(1)->Arg(8)->Arg(32);
BENCHMARK_CAPTURE(scan, re2, compile_with_re2)->Arg(1)->Arg(8)->Arg(32);

} // namespace
