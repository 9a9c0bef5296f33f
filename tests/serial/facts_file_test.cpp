#include "analyzer/serial/facts_file.h"

#include <gtest/gtest.h>

#include <random>

namespace padlint {
namespace {

constexpr const char* program = "1.2.3";

/// Facts with something of everything that nests.
FactsFile sample() {
  FileFacts facts{.path = "jobs/a.x", .language = "x", .traits = {.test = true}};
  facts.routines.push_back({.form = RoutineForm::file});
  const Value text = make_text("SELECT 1", {.begin = 7, .end = 17}, {{.text = 0, .source = 8}});
  const Value call = make_call(make_name("run", {.begin = 3, .end = 6}), {text}, {.begin = 3, .end = 18});
  facts.routines[0].bindings.push_back({.name = "x\xff", .role = BindingRole::iterated, .value = call});
  facts.routines[0].flow.blocks.push_back(
      {.events = {{.kind = EventKind::sql, .span = {.begin = 3, .end = 18}}},
       .condition = make_integer(-5, {.begin = 3, .end = 4}),
       .edges = {{.kind = EdgeKind::error, .target = exit_error}, {.kind = EdgeKind::next, .target = 0}}});
  facts.statements.push_back({.kind = StatementKind::select, .span = {.begin = 8, .end = 16}, .parsed = false});
  facts.configs.push_back({.kind = "env", .setting = "PGPASSWORD", .value = "h\xc3\xa4"});
  facts.notices.push_back({.kind = NoticeKind::error, .id = "odd", .path = "jobs/a.x", .text = "it \"is\"\n\x01"});
  FactsFile file{.program = program, .first_round = true, .listed = {"jobs/a.x", "jobs/b.x"}};
  file.settings.push_back({.path = ".padlint.toml", .text = "root = true\n"});
  file.answers.push_back({.name = "run", .paths = {"jobs/b.x"}});
  file.files.push_back(stored_file(facts, "x\nxrun(\"SELECT 1\")\nlast\n", {"1:1", "2:1", "3:1"}, 40));
  return file;
}

std::string fault(const std::string& text) {
  const auto read = read_facts_file(text, program);
  return read ? "" : read.error();
}

TEST(FactsFile, ComesBackAsItWas) {
  const std::string text = to_json(sample());
  const auto read = read_facts_file(text, program);
  ASSERT_TRUE(read) << read.error();
  EXPECT_EQ(to_json(*read), text);
  const StoredFile& file = read->files.at(0);
  EXPECT_EQ(to_text(file.facts), to_text(sample().files[0].facts));
  EXPECT_EQ(file.facts.routines[0].bindings[0].name, "x\xff");
  EXPECT_EQ(file.facts.routines[0].flow.blocks[0].edges[0].target, exit_error);
  EXPECT_EQ(file.facts.notices[0].text, "it \"is\"\n\x01");
}

TEST(FactsFile, WantsComeBackAsTheyWere) {
  const std::string text = to_json(WantsFile{.program = program, .names = {"run"}, .files = {"jobs/b.x"}});
  const auto read = read_wants_file(text, program);
  ASSERT_TRUE(read) << read.error();
  EXPECT_EQ(to_json(*read), text);
  EXPECT_EQ(fault(text), "no facts of padlint");
  EXPECT_EQ(read_wants_file(to_json(sample()), program).error(), "no wants of padlint");
}

TEST(FactsFile, KeepsTheLinesThatAreSpokenOf) {
  const StoredFile file = sample().files[0];
  ASSERT_EQ(file.lines.size(), 2U); // the notice is about the file, so its first line
  EXPECT_EQ(file.lines[1].number, 2U);
  EXPECT_EQ(file.lines[1].text, "xrun(\"SELECT 1\")");
  EXPECT_EQ(file.lines[1].hash, "2:1");
  EXPECT_EQ(text_of(file), "x\nxrun(\"SELECT 1\")\n     ");
}

TEST(FactsFile, LinesThatAreNotKeptLeaveTheOthersInPlace) {
  const std::string text = "one\ntwo\n\n\nfive\r\nsix\nseven";
  StoredFile file{.size = static_cast<std::uint32_t>(text.size())};
  EXPECT_EQ(text_of(file), std::string(text.size(), ' '));
  file.lines = {{.number = 2, .begin = 4, .text = "two"}, {.number = 5, .begin = 10, .text = "five\r"}};
  EXPECT_EQ(text_of(file), "   \ntwo\n\n\nfive\r\n         ");
  file.lines = {{.number = 1, .begin = 0, .text = "one"}, {.number = 6, .begin = 16, .text = "six"}};
  EXPECT_EQ(text_of(file), "one\n        \n\n\n\nsix\n     ");
}

TEST(FactsFile, HoldsNoSecrets) {
  FileFacts facts{.path = "a"};
  facts.routines.push_back({.form = RoutineForm::file});
  facts.configs.push_back(
      {.kind = "env", .setting = "DB_PASSWORD", .value = "hunter2", .span = {.begin = 0, .end = 19}});
  const std::string url = "postgres://u:hunter2@h/d";
  const std::string sql = "UPDATE t SET password = crypt('x', y)";
  facts.routines[0].bindings.push_back({.name = "u", .value = make_text(url, {.begin = 20, .end = 44}, {})});
  facts.routines[0].bindings.push_back({.name = "s", .value = make_text(sql, {.begin = 45, .end = 46}, {})});
  for (const std::string text : {"ALTER ROLE shop PASSWORD 'hunter2'; SELECT pg_advisory_lock(1)",
                                 "SELECT x FROM dblink('host=h password=hunter2', 'SELECT 1') AS t(x int)",
                                 "SELECT dblink_connect('c', 'postgres://u:hunter2@h/d') WHERE a = 'it''s'"})
    facts.routines[0].bindings.push_back({.name = "q", .value = make_text(text, {}, {})});
  facts.routines[0].bindings.push_back({.name = "my_password", .value = make_text("hunter2", {}, {})});
  const std::string text = to_json({.files = {stored_file(facts, "DB_PASSWORD=hunter2\n" + url + "\n", {}, 40)}});
  EXPECT_EQ(text.find("hunter2"), std::string::npos) << text;
  EXPECT_NE(text.find("postgres://u:*******@h/d"), std::string::npos) << text;
  EXPECT_NE(text.find(sql), std::string::npos) << text;
  EXPECT_NE(text.find("ALTER ROLE shop PASSWORD '*******'; SELECT pg_advisory_lock(1)"), std::string::npos) << text;
}

TEST(FactsFile, RefusesWhatOthersMade) {
  const std::string text = to_json(sample());
  EXPECT_EQ(fault(""), "no facts of padlint");
  EXPECT_EQ(fault("{\"version\": \"2.1.0\"}"), "no facts of padlint");
  EXPECT_EQ(read_facts_file(text, "1.2.4").error(),
            "made by padlint 1.2.3, and this is padlint 1.2.4: all parts of a run have to be of one build");
  const auto with_schema = [&](const std::string& schema) {
    std::string changed = text;
    return changed.replace(text.find("\"schema\":1") + 9, 1, schema);
  };
  EXPECT_EQ(fault(with_schema("27")), "made by a newer padlint: it has schema 27, and this one reads schema 1");
  EXPECT_EQ(fault(with_schema("0")), "made by an older padlint: it has schema 0, and this one reads schema 1");
  EXPECT_EQ(fault(with_schema("x")), "damaged: its first line has no number of a schema");
}

TEST(FactsFile, RefusesEveryFlippedBit) {
  const std::string text = to_json(sample());
  for (std::size_t at = 0; at < text.size(); ++at)
    for (unsigned bit = 0; bit < 8; ++bit) {
      std::string damaged = text;
      damaged[at] = static_cast<char>(static_cast<unsigned char>(damaged[at]) ^ (1U << bit));
      ASSERT_NE(fault(damaged), "") << "bit " << bit << " of byte " << at;
    }
}

TEST(FactsFile, RefusesEveryTruncation) {
  const std::string text = to_json(sample());
  for (std::size_t size = 0; size < text.size(); ++size)
    ASSERT_NE(fault(text.substr(0, size)), "") << size << " bytes";
  EXPECT_NE(fault(text + "\n"), "");
}

TEST(FactsFile, RefusesFactsThatPointNowhere) {
  const auto refused = [](auto change) {
    FactsFile file = sample();
    change(file.files[0]);
    return fault(to_json(file));
  };
  EXPECT_EQ(refused([](StoredFile& file) { file.facts.routines.clear(); }),
            "damaged: jobs/a.x: no routine for the file itself");
  EXPECT_EQ(refused([](StoredFile& file) { file.facts.statements.clear(); }), "damaged: jobs/a.x: statement 0 of 0");
  EXPECT_EQ(refused([](StoredFile& file) { file.facts.routines[0].flow.blocks[0].edges[1].target = 1; }),
            "damaged: jobs/a.x: block 1 of 1");
  EXPECT_EQ(refused([](StoredFile& file) { file.facts.routines[0].bindings[0].routine = 1; }),
            "damaged: jobs/a.x: routine 1 of 1");
  EXPECT_EQ(refused([](StoredFile& file) { file.facts.routines[0].parent = 1; }),
            "damaged: jobs/a.x: routine 0 is inside routine 1");
  EXPECT_EQ(refused([](StoredFile& file) { file.facts.statements[0].span.end = 25; }),
            "damaged: jobs/a.x: bytes 8 to 25 of 24");
  EXPECT_EQ(refused([](StoredFile& file) { file.facts.routines[0].bindings[0].value.parts.edit().clear(); }),
            "damaged: jobs/a.x: an expression without its parts at byte 3");
  EXPECT_EQ(refused([](StoredFile& file) { file.lines[1].begin = 1; }), "damaged: jobs/a.x: line 2 at byte 1");
  EXPECT_EQ(refused([](StoredFile& file) { file.lines[1].number = 9; }), "damaged: jobs/a.x: line 9 at byte 2");
}

TEST(FactsFile, RefusesExpressionsWithoutEnd) {
  FactsFile file = sample();
  Value* inner = &file.files[0].facts.routines[0].bindings[0].value;
  for (int depth = 0; depth < 1000; ++depth)
    inner = &inner->parts.push_back(Value{.kind = ValueKind::list});
  EXPECT_NE(fault(to_json(file)).find("nested too deeply"), std::string::npos);
}

} // namespace
} // namespace padlint
