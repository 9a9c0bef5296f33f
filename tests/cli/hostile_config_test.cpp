#include "analyzer/cli/pipeline.h"
#include "sarif/report.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

// Configurations that somebody made to break their reader: aliases and references that double at each step, depth,
// repetition. The lock in the file beside them is found in the end, what was not read is named, and no report holds a
// password. That none of it takes long is judged by the time limit of the test program.

namespace padlint {
namespace {

constexpr const char* lock = "SELECT pg_advisory_xact_lock(41);\n"; // an error

std::string repeated(std::string_view text, std::size_t times) {
  std::string out;
  for (; times > 0; --times)
    out += text;
  return out;
}

/// `line` for each number below `count`; `{0}` is the number, `{1}` the next one.
std::string numbered(int count, std::string_view line) {
  std::string out;
  for (int i = 0; i < count; ++i) {
    const int next = i + 1;
    out += fmt::vformat(line, fmt::make_format_args(i, next));
  }
  return out;
}

/// A project that asks for every kind of configuration: session-level locks of its own and of its tools.
MemoryFiles project() {
  return {{"beside.psql", lock},
          {"deploy/pgbouncer.ini", "[databases]\nshop = host=db.internal password=hunter2\n[pgbouncer]\n"
                                   "listen_port = 6432\npool_mode = transaction\n"},
          {"jobs.py", "import os\nimport psycopg\n\nconn = psycopg.connect(os.environ['DATABASE_URL'])\n"
                      "conn.execute('SELECT pg_advisory_lock(7)')\n"},
          {"Gemfile", "gem 'rails'\ngem 'pg'\n"},
          {"app/models/job.rb", "class Job < ApplicationRecord\n  def self.hold\n"
                                "    connection.execute('SELECT pg_advisory_lock(8)')\n  end\nend\n"},
          {"db/migrate/1_jobs.rb", "class Jobs < ActiveRecord::Migration[7.0]\nend\n"},
          {"pom.xml", "<project/>\n"}};
}

struct Outcome {
  bool beside = false; // the fault beside was found
  std::vector<std::string> notices;
  std::string reports;
};

Outcome outcome_of(const std::string& path, const std::string& text) {
  MemoryFiles files = project();
  files[path] = text;
  const auto checked = check(memory_tree(files), {.jobs = 1});
  Outcome outcome;
  EXPECT_TRUE(checked) << path;
  if (!checked)
    return outcome;
  for (const Finding& finding : checked->findings)
    outcome.beside = outcome.beside || checked->sources.path(finding.primary.file) == "beside.psql";
  for (const Notice& notice : checked->notices)
    if (notice.path == path)
      outcome.notices.push_back(notice.id);
  const RunReport report = {.version = "0",
                            .rules = all_rules(),
                            .rule_page = rule_page,
                            .sources = checked->sources,
                            .findings = checked->findings,
                            .notices = checked->notices,
                            .coverage = checked->coverage};
  write_text(outcome.reports, report, {.min_level = FindingLevel::note});
  write_sarif(outcome.reports, report);
  write_json(outcome.reports, report);
  return outcome;
}

struct Bomb {
  std::string path;
  std::string text;
  std::string notice; // what is said of it, if anything has to be
};

std::vector<Bomb> bombs() {
  const std::string secret = "postgres://shop:hunter2@db.internal:6432/shop";
  const std::string yml = "production:\n  adapter: postgresql\n  url: " + secret + "\n";
  std::string deep;
  for (std::size_t i = 0; i < 500; ++i)
    deep += std::string(i, ' ') + "k:\n";
  std::vector<Bomb> all = {
      {"config/database.yml", numbered(60, "a{1}: &a{1} [*a{0}, *a{0}, *a{0}]\n") + yml, ""},
      {"config/database.yml",
       "a0: &a0\n  adapter: postgresql\n" + numbered(60, "a{1}: &a{1}\n  <<: [*a{0}, *a{0}]\n  k: *a{0}\n") +
           "production:\n  <<: *a60\n  password: hunter2\n",
       ""},
      {"config/database.yml", "a: &a\n  <<: *a\n  b: *a\nproduction: *a\n", ""},
      {"config/database.yml",
       numbered(20'000, "a{0}: &a{0} {{x: 1, password: hunter2}}\n") + "production:\n" +
           numbered(20'000, "  k{0}: *a{0}\n"),
       "config-syntax"},
      {"config/database.yml", deep + yml, "config-syntax"},
      {"config/database.yml", "production: " + repeated("[", 100'000), "config-syntax"},
      {"config/database.yml", "production: " + repeated("{a: ", 100'000), "config-syntax"},
      {"config/database.yml", "production: &" + std::string(1 << 20, 'x') + " 1\n", ""},
      {"config/database.yml", yml + "  password: \"hunter2\n", "config-syntax"},
      {"src/main/resources/application.yml",
       "k0: &k0 {}\n" + numbered(40, "k{1}: &k{1} {{a: *k{0}, b: *k{0}, c: *k{0}, d: *k{0}}}\n") +
           "spring:\n  flyway:\n    url: jdbc:postgresql://db.internal:6432/shop?user=shop&password=hunter2\n    k: "
           "*k40\n",
       ""},
      {"src/main/resources/application.properties",
       numbered(8, "spring.flyway.a{0}=" + repeated("${{spring.flyway.a{1}}}", 2000) + "\n") +
           "spring.flyway.a8=\nspring.flyway.password=hunter2\n"
           "spring.flyway.url=jdbc:postgresql://shop:hunter2@db.internal:6432/${spring.flyway.a0}\n",
       ""},
      {"flyway.conf",
       "flyway.url=jdbc:postgresql://db.internal:6432/shop?password=hunter2\n" +
           repeated("flyway.postgresql.transactional.lock=\\\n", 30'000),
       ""},
      {".env.production",
       numbered(60, "A{0}=${{A{1}}}${{A{1}}}\n") + "A60=hunter2\nDATABASE_URL=postgres://u:hunter2@h:6432/${A0}\n", ""},
      {".env.production", "DATABASE_URL=" + secret + std::string(1 << 20, 'd') + "\n", ""},
      {".env.production", numbered(20'000, "V{0}=${{V{1}}}\n") + "DATABASE_URL=${V0}\n", ""},
      {"pgbouncer.ini",
       "[databases]\n" + numbered(10'000, "d{0} = host=h password=hunter2\n") +
           "[pgbouncer]\npool_mode = transaction\n%include pgbouncer.ini\n%include /dev/zero\n",
       ""},
      {"pgbouncer.ini", "[databases\n = \n[pgbouncer]\npool_mode = \nx\n* = password='hunter2\n", "config-syntax"},
      {"package.json", "{\"scripts\": " + repeated("{\"migrate\": ", 100'000), "config-syntax"},
      {"package.json", "{\"scripts\": {\"migrate\": \"" + repeated("prisma migrate deploy && ", 20'000) + "\"}}", ""},
      {"prisma/schema.prisma",
       "datasource db {\n" + repeated("{", 100'000) + "\n url = \"" + secret + "\"\n" + repeated("}", 50'000), ""},
  };
  return all;
}

TEST(HostileConfig, IsReadToTheEndOrGivenUpAloud) {
  for (const Bomb& bomb : bombs()) {
    const std::string what = bomb.path + ": " + bomb.text.substr(0, 60);
    const Outcome outcome = outcome_of(bomb.path, bomb.text);
    EXPECT_TRUE(outcome.beside) << what;
    EXPECT_TRUE(bomb.notice.empty() || std::ranges::count(outcome.notices, bomb.notice) != 0) << what;
    EXPECT_FALSE(outcome.reports.contains("hunter2")) << what;
  }
}

// One line with everything on it, as bundlers write it: the report does not grow with the square of it.
TEST(HostileConfig, ALineWithThousandsOfFindings) {
  const std::string line = "const p = new (require('pg').Pool)();" +
                           repeated("p.query('SELECT pg_advisory_lock(1) /* postgres://u:hunter2@h/d */');", 3000);
  const Outcome outcome = outcome_of("bundle.js", line);
  EXPECT_TRUE(outcome.beside);
  EXPECT_TRUE(outcome.reports.contains("bundle.js"));
  EXPECT_LT(outcome.reports.size(), 20U << 20);
  EXPECT_FALSE(outcome.reports.contains("hunter2"));
}

// Each branch is passed with and without each lock: the flow of such a routine is walked once for each release.
TEST(HostileConfig, ARoutineWithHundredsOfLocks) {
  const std::string source = "def f(c):\n" + numbered(300, "    if a{0}: c.execute('SELECT pg_advisory_lock({0})')\n") +
                             numbered(300, "    if b{0}: c.execute('SELECT pg_advisory_unlock({0})')\n");
  EXPECT_TRUE(outcome_of("branches.py", source).beside);
}

} // namespace
} // namespace padlint
