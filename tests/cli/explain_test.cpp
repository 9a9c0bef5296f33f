#include "analyzer/cli/explain.h"

#include <gtest/gtest.h>

namespace padlint {
namespace {

std::string explained(const MemoryFiles& files, const std::string& path, std::uint32_t line) {
  const auto text = explain_line(memory_tree(files), path, line, {});
  return text ? *text : "error: " + text.error();
}

bool holds(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

const MemoryFiles pooled = {{"jobs.py", "import asyncpg\n"
                                        "\n"
                                        "async def run(dsn):\n"
                                        "    pool = await asyncpg.create_pool(dsn)\n"
                                        "    await pool.execute(\"SELECT pg_advisory_lock(41)\")\n"
                                        "    await pool.execute(\"SELECT pg_advisory_unlock(41)\")\n"}};

TEST(ExplainLine, TellsTheFactsBehindALock) {
  const std::string text = explained(pooled, "jobs.py", 5);
  EXPECT_TRUE(text.starts_with("jobs.py:5:     await pool.execute(\"SELECT pg_advisory_lock(41)\")\n")) << text;
  EXPECT_TRUE(holds(text, "\nlock session exclusive bigint 41")) << text;
  EXPECT_TRUE(holds(text, " in `run` @jobs.py:5:32\n")) << text;
  EXPECT_TRUE(holds(text, "  sent through: pool asyncpg.Pool")) << text;
  EXPECT_TRUE(holds(text, "    certain  jobs.py:4:")) << text;
  EXPECT_TRUE(holds(text, "  transaction: none, certain\n")) << text;
}

TEST(ExplainLine, TellsWhatBecameOfEachFinding) {
  const std::string text = explained(pooled, "jobs.py", 5);
  EXPECT_TRUE(holds(text, "\nerror [session-lock-on-pool-handle] certain, reported\n")) << text;
  EXPECT_TRUE(holds(text, "  because\n    certain  jobs.py:4:")) << text;
  EXPECT_TRUE(holds(text, "  silent if\n    no       a pool of one connection\n")) << text;
  EXPECT_TRUE(holds(text, "\nnote [session-lock] certain, not reported: session-lock-on-pool-handle replaces it\n"))
      << text;
  EXPECT_TRUE(text.ends_with("\nno other rule has anything to say about this line\n")) << text;
}

TEST(ExplainLine, TellsWhyARuleIsSilent) {
  MemoryFiles files = pooled;
  std::string& text = files["jobs.py"];
  text.replace(text.find("(dsn)\n    await"), 5, "(dsn, max_size=1, min_size=1)");
  const std::string told = explained(files, "jobs.py", 5);
  EXPECT_TRUE(holds(told, "[session-lock-on-pool-handle] certain, not reported: the rule is silent here\n")) << told;
  EXPECT_TRUE(holds(told, "  silent if\n    yes      a pool of one connection\n")) << told;
}

TEST(ExplainLine, TellsOfComments) {
  const MemoryFiles files = {
      {"a.sql", "-- padlint: ignore[session-lock] one nightly job\nSELECT pg_advisory_lock(41);\n"}};
  EXPECT_TRUE(holds(explained(files, "a.sql", 2),
                    "note [session-lock] certain, not reported: the comment in line 1 silences it\n"));
}

TEST(ExplainLine, TellsOfWhatALineDecides) {
  const MemoryFiles files = {{"worker.py", "import psycopg\n"
                                           "conn = psycopg.connect('postgres://app@bouncer:6432/app')\n"
                                           "conn.execute('SELECT pg_advisory_lock(41)')\n"},
                             {"pgbouncer.ini", "[databases]\napp = host=db\n\n[pgbouncer]\nlisten_port = 6432\n"
                                               "pool_mode = transaction\n"}};
  const std::string text = explained(files, "pgbouncer.ini", 6);
  EXPECT_TRUE(holds(text, "[session-lock-behind-pooler]")) << text;
  EXPECT_TRUE(holds(text, "  at worker.py:3:")) << text;
}

TEST(ExplainLine, SaysWhereNothingIs) {
  EXPECT_EQ(explained(pooled, "jobs.py", 1), "jobs.py:1: import asyncpg\n"
                                             "\nno lock call and no release in this line; the nearest lock call is in "
                                             "line 5\n\nno rule has anything to say about this line\n");
  EXPECT_EQ(explained({{"a.sql", "SELECT 1;\n"}}, "a.sql", 1),
            "error: a.sql: not read: it is ignored or of no known kind, or it holds no word of interest and nothing "
            "refers to it");
}

} // namespace
} // namespace padlint
