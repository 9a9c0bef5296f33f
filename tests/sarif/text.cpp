#include "tests/sarif/sample.h"

#include <gtest/gtest.h>

namespace padlint {
namespace {

TEST(Text, AFindingWithAllItsParts) {
  Sample sample{{"db/pool.py", "pool = make_pool()\n"},
                {"deploy/pgbouncer.ini", "[pgbouncer]\npool_mode = transaction\n"},
                {"jobs/sync.py", "def sync(cur):\n\tcur.execute(\"SELECT pg_advisory_lock(41)\")\n"}};
  Finding& finding = sample.add("leaked-session-lock", FindingLevel::error, sample.find(2, "pg_advisory_lock(41)"),
                                "the lock `41` stays");
  finding.relate(sample.find(0, "make_pool"), "the pool is made here");
  finding.decide(sample.find(1, "pool_mode"), "the pool mode is set here");
  finding.advice = "use `pg_advisory_xact_lock(41)`";
  sample.report.coverage = {.files_listed = 830,
                            .files_read = {35, 4},
                            .sql_texts = 60,
                            .sql_understood = 57,
                            .names_given_up = 2,
                            .deciding_configs = {"deploy/pgbouncer.ini"}};
  EXPECT_EQ(sample.text(),
            "jobs/sync.py:2:22: error: the lock `41` stays [leaked-session-lock]\n"
            "  |\n"
            "2 |     cur.execute(\"SELECT pg_advisory_lock(41)\")\n"
            "  |                         ^^^^^^^^^^^^^^^^^^^^\n"
            "  note: deploy/pgbouncer.ini:2:1: the pool mode is set here\n"
            "  note: db/pool.py:1:8: the pool is made here\n"
            "  help: use `pg_advisory_xact_lock(41)`\n"
            "\n"
            "padlint: 1 error, 0 warnings, 0 notes; read 39 of 830 files (35 + 4 by round); understood 57 "
            "of 60 SQL texts; gave up 2 names; settings from deploy/pgbouncer.ini\n");
}

TEST(Text, SpansOfSeveralLinesAreCutToTheFirst) {
  Sample sample{{"a.sql", "SELECT lock(\n  1);\n"}};
  sample.add("session-lock", FindingLevel::warning, sample.find(0, "lock(\n  1)"), "m");
  EXPECT_EQ(sample.text({.quiet = true}), "a.sql:1:8: warning: m [session-lock]\n"
                                          "  |\n"
                                          "1 | SELECT lock(\n"
                                          "  |        ^^^^^\n"
                                          "\n");
}

TEST(Text, HiddenLevelsAreCounted) {
  Sample sample{{"a.sql", "lock\n"}};
  const Span where = sample.find(0, "lock");
  sample.add("hashtext-key", FindingLevel::note, where, "m");
  sample.add("session-lock", FindingLevel::note, where, "m");
  sample.add("session-lock", FindingLevel::note, where, "m");
  Finding& likely = sample.add("hashtext-key", FindingLevel::error, where, "likely");
  likely.confidence = Confidence::likely;
  sample.report.coverage = {.files_listed = 1, .files_read = {1}};
  sample.report.notices.push_back({.id = "x"});
  EXPECT_EQ(sample.text(),
            "a.sql:1:1: warning: likely [hashtext-key]\n"
            "  |\n"
            "1 | lock\n"
            "  | ^^^^\n"
            "\n"
            "3 notes (session-lock 2, hashtext-key 1): --min-level note shows them\n"
            "padlint: 0 errors, 1 warning, 3 notes; read 1 of 1 file; understood 0 of 0 SQL texts; 1 notice\n");
  EXPECT_TRUE(sample.text({.min_level = FindingLevel::error})
                  .starts_with("1 warning (hashtext-key 1): --min-level warning shows it\n3 notes ("));
  EXPECT_FALSE(sample.text({.min_level = FindingLevel::note}).contains("shows them"));
  EXPECT_EQ(sample.text({.quiet = true, .min_level = FindingLevel::error}), "");
}

TEST(Text, ForeignTextIsMadeSafe) {
  Sample sample{{"a\x1b[2J.sql", "pw = 'postgres://u:secret@h' \x1b[31m lock\n"}};
  Finding& finding =
      sample.add("session-lock", FindingLevel::error, sample.find(0, "lock"), "bad\x1b\n\xFF password=hunter2");
  finding.relate(finding.primary, "x\x07");
  const std::string text = sample.text();
  for (const std::string_view unwanted : {"\x1b", "\x07", "hunter2", "secret", "\xFF"})
    EXPECT_FALSE(text.contains(unwanted)) << text;
  EXPECT_TRUE(text.starts_with("a\\x1b[2J.sql:1:36: error: bad\\x1b\\x0a\uFFFD password=*** [session-lock]\n")) << text;
}

TEST(Text, ColoursOnRequestOnly) {
  Sample sample{{"a.sql", "lock\n"}};
  sample.add("session-lock", FindingLevel::error, sample.find(0, "lock"), "m");
  EXPECT_FALSE(sample.text().contains('\x1b'));
  EXPECT_TRUE(sample.text({.color = true}).contains("\x1b[1;31m^^^^\x1b[0m"));
}

TEST(Text, FilesWithoutText) {
  Sample sample{{"a.sql", "lock\n"}};
  sample.add("session-lock", FindingLevel::error, sample.find(0, "lock"), "m");
  sample.report.sources.text = [](FileId) { return nullptr; };
  EXPECT_EQ(sample.text({.quiet = true}), "a.sql:1:1: error: m [session-lock]\n\n");
}

TEST(Notices, OneLineEach) {
  Sample sample{{"a.sql", "x\ny z\n"}};
  sample.report.notices = {
      {.kind = NoticeKind::warning,
       .id = "syntax-error",
       .path = "a.sql",
       .span = sample.find(0, "z"),
       .text = "bad z"},
      {.kind = NoticeKind::error, .id = "unreadable-file", .path = "b.sql", .text = "no such file"},
      {.kind = NoticeKind::note, .id = "general", .text = "password=x\n"}};
  EXPECT_EQ(sample.notices(), "a.sql:2:3: warning: bad z [syntax-error]\n"
                              "b.sql: error: no such file [unreadable-file]\n"
                              "note: password=***\\x0a [general]\n");
}

} // namespace
} // namespace padlint
