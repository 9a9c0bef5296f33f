#include "analyzer/cli/pipeline.h"
#include "analyzer/facts/project_facts.h"
#include "analyzer/host/host.h"
#include "analyzer/sql/sql.h"

#include <algorithm>
#include <benchmark/benchmark.h>
#include <cstdint>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

// The stages after the sift, each alone over the fixtures, which hold every shape that padlint knows: reading the files
// of each host language, reading SQL, linking, and the whole check of projects of growing size.

namespace {

using namespace padlint;

/// All fixtures with one of these extensions, sorted by path.
std::vector<std::string> fixtures(const std::vector<std::string>& extensions) {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(PADLINT_SOURCE_DIR "/fixtures")) {
    const std::string extension = entry.path().extension().string();
    if (entry.is_regular_file() && !extension.empty() &&
        std::ranges::find(extensions, extension.substr(1)) != extensions.end())
      paths.push_back(entry.path());
  }
  std::ranges::sort(paths);
  std::vector<std::string> texts;
  for (const std::filesystem::path& path : paths) {
    std::ifstream file(path, std::ios::binary);
    texts.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  return texts;
}

template <typename Read>
void read_all_texts(benchmark::State& state, const std::vector<std::string>& texts, Read read) {
  std::int64_t bytes = 0;
  for (const std::string& text : texts)
    bytes += static_cast<std::int64_t>(text.size());
  for (auto _ : state)
    for (const std::string& text : texts)
      benchmark::DoNotOptimize(read(text));
  state.SetBytesProcessed(bytes * state.iterations());
}

void read_sql_files(benchmark::State& state) {
  read_all_texts(state, fixtures({"sql"}),
                 [](const std::string& text) { return read_sql_file(0, "a.sql", text, false); });
}
BENCHMARK(read_sql_files)->Unit(benchmark::kMillisecond);

/// A project of `files` modules, each with a lock of its own that it takes through a helper of another module.
MemoryFiles modules(std::int64_t files) {
  MemoryFiles tree{{"src/held.py",
                    "import psycopg\n\n\ndef hold(conn, key):\n"
                    "    conn.execute(\"SELECT pg_advisory_lock(%s)\", (key,))\n\n\ndef free(conn, key):\n"
                    "    conn.execute(\"SELECT pg_advisory_unlock(%s)\", (key,))\n"}};
  for (std::int64_t i = 0; i < files; ++i)
    tree.emplace(fmt::format("src/part_{}/job_{}.py", i % 100, i),
                 fmt::format("import os\n\nimport psycopg\n\nKEY = {0}\n\n\ndef job_{1}(rows):\n"
                             "    with psycopg.connect(os.environ[\"DATABASE_URL\"]) as conn:\n"
                             "        conn.execute(\"SELECT pg_advisory_xact_lock(%s)\", (KEY,))\n"
                             "        for row in rows:\n"
                             "            conn.execute(\"UPDATE t SET seen = now() WHERE id = %s\", (row,))\n",
                             100000 + i, i));
  return tree;
}

void link_modules(benchmark::State& state) {
  const MemoryFiles tree = modules(state.range(0));
  std::vector<FileFacts> facts;
  for (const auto& [path, text] : tree)
    facts.push_back(read_host_file(*host_language("python"), static_cast<FileId>(facts.size()), path, text));
  for (auto _ : state)
    benchmark::DoNotOptimize(link(facts));
  state.SetComplexityN(state.range(0));
}
BENCHMARK(link_modules)->RangeMultiplier(10)->Range(100, 10'000)->Unit(benchmark::kMillisecond)->Complexity();

void check_modules(benchmark::State& state) {
  const SourceTree tree = memory_tree(modules(state.range(0)));
  for (auto _ : state)
    benchmark::DoNotOptimize(check(tree, {.jobs = 1}));
  state.SetComplexityN(state.range(0));
}
BENCHMARK(check_modules)->RangeMultiplier(10)->Range(100, 10'000)->Unit(benchmark::kMillisecond)->Complexity();

/// One benchmark a language of grammars/.
void register_languages() {
  for (const HostFiles& files : host_files())
    benchmark::RegisterBenchmark(("read_host_files/" + files.language).c_str(), [&files](benchmark::State& state) {
      const HostLanguage& language = *host_language(files.language);
      read_all_texts(state, fixtures(files.extensions), [&](const std::string& text) {
        return read_host_file(language, 0, "a." + files.extensions.front(), text);
      });
    })->Unit(benchmark::kMillisecond);
}

} // namespace

int main(int count, char** arguments) {
  benchmark::Initialize(&count, arguments);
  if (benchmark::ReportUnrecognizedArguments(count, arguments))
    return 2;
  register_languages();
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
