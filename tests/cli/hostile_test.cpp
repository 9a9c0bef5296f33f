#include "analyzer/cli/pipeline.h"
#include "analyzer/cli/readers.h"
#include "analyzer/host/host.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <tuple>
#include <vector>

// Input that nobody meant to be read. Whatever a file holds, the run goes on: the lock in the file beside it is found,
// and what was not read is named.

namespace padlint {
namespace {

constexpr const char* lock = "SELECT pg_advisory_xact_lock(41);\n"; // an error

std::string repeated(std::string_view text, std::size_t times) {
  std::string out;
  out.reserve(text.size() * times);
  for (; times > 0; --times)
    out += text;
  return out;
}

/// One file of each host language, of SQL and of each kind of configuration.
std::vector<std::string> paths() {
  std::vector<std::string> all = {"input.sql", "input.psql", "pgbouncer.ini", ".env"};
  for (const HostFiles& host : host_files())
    all.push_back("input." + host.extensions.front());
  return all;
}

struct Result {
  std::vector<Finding> beside; // found in the file beside
  std::vector<std::string> notices;
};

Result result_of(const std::string& path, const std::string& text) {
  const auto checked = check(memory_tree({{path, text}, {"zz/beside.psql", lock}}), {.jobs = 1});
  EXPECT_TRUE(checked) << path;
  Result result;
  for (const Finding& finding : checked->findings)
    if (checked->sources.path(finding.primary.file) == "zz/beside.psql")
      result.beside.push_back(finding);
  for (const Notice& notice : checked->notices)
    if (notice.path == path)
      result.notices.push_back(notice.id);
  return result;
}

bool noted(const Result& result, std::string_view id) {
  return std::ranges::find(result.notices, id) != result.notices.end();
}

void expect_the_run_goes_on(const std::string& path, const std::string& text) {
  EXPECT_EQ(result_of(path, text).beside.size(), 1U) << path << ": " << text.substr(0, 40);
}

TEST(Hostile, AnyBytes) {
  const std::string texts[] = {
      "",
      "\n",
      "\xef\xbb\xbf",
      "advisory \xff\xfe\x80 '\xc3",
      "advisory\r\rx = '\\",
      std::string(9000, ' ') + std::string("advisory\0\0'", 11),
      "advisory \"\"\" ''' ` $$ $a$ /* <!-- #{ ${ {{ <% %( \\",
      "advisory \xed\xa0\x80 \xf4\x90\x80\x80 \xe2\x80\xae",
  };
  for (const std::string& path : paths())
    for (const std::string& text : texts)
      expect_the_run_goes_on(path, text);
}

TEST(Hostile, WhatIsNoTextIsNamed) {
  for (const std::string& path : paths()) {
    EXPECT_TRUE(noted(result_of(path, std::string("advisory\0", 9)), "binary-file")) << path;
    EXPECT_TRUE(noted(result_of(path, "\xff\xfe" + std::string("a\0d\0v\0", 6)), "not-utf8")) << path;
  }
}

TEST(Hostile, LongFiles) {
  const std::string blanks =
      repeated("                                                             x\n", 800'000); // 50 MB
  for (const std::string& path : paths()) {
    const bool sql = path.ends_with("sql");
    const Result result = result_of(path, sql ? blanks.substr(0, 3 << 20) : blanks);
    EXPECT_EQ(result.beside.size(), 1U) << path;
    EXPECT_EQ(noted(result, "too-large"), !sql) << path;
  }
  expect_the_run_goes_on("dump.sql",
                         repeated("-- a line of a dump that says nothing at all of any lock of the server\n", 700'000));
}

TEST(Hostile, LongLines) {
  expect_the_run_goes_on("input.sql", "SELECT pg_advisory_lock(1), '" + std::string(10 << 20, 'x') + "';");
  expect_the_run_goes_on("input.sql", "SELECT pg_advisory_lock(1)" + repeated(", 1", 1 << 20) + ";");
  expect_the_run_goes_on("input.sql", "-- advisory" + std::string(10 << 20, ' '));
  for (const std::string& path : paths())
    expect_the_run_goes_on(path, "advisory = '" + std::string(1 << 20, 'x') + "'");
}

void expect_nesting_is_no_end(std::size_t times, std::initializer_list<std::string_view> pieces) {
  for (const std::string& path : paths())
    for (const std::string_view piece : pieces)
      expect_the_run_goes_on(path, "x = advisory + " + repeated(piece, times) + "1");
}

TEST(Hostile, DeepNesting) {
  expect_nesting_is_no_end(100'000, {"(", "a+"});
  expect_nesting_is_no_end(5'000, {"[", "{", "f(", "not ", "'a' || ", "!", "- ", "a.", "if x {", "begin ", "case when ",
                                   "<a>", "a ? b : ", "a => "});
}

// Where all is error the parser copies what it has read at each step; it ends at the same place on every machine.
TEST(Hostile, TheParserGivesUpOnTextsThatAreAllError) {
  for (const auto& [path, piece, times] : {std::tuple{"input.py", "class A ", 20'000},
                                           {"input.py", "<a>", 30'000},
                                           {"input.ts", "\"", 50'001},
                                           {"input.tsx", "\"", 50'001}}) {
    const Result result = result_of(path, "advisory = " + repeated(piece, static_cast<std::size_t>(times)));
    EXPECT_EQ(result.beside.size(), 1U) << path << ": " << piece;
    EXPECT_TRUE(noted(result, "too-complex")) << path << ": " << piece;
  }
}

TEST(Hostile, DeepSql) {
  constexpr std::size_t many = 100'000;
  const std::string texts[] = {
      "SELECT pg_advisory_lock(" + repeated("(", many) + "1" + repeated(")", many) + ");",
      "SELECT pg_advisory_lock(1" + repeated(" + 1", many) + ");",
      "SELECT pg_advisory_lock(1) WHERE a" + repeated(" AND a", many) + ";",
      "SELECT " + repeated("(SELECT ", many) + "pg_advisory_lock(1)" + repeated(")", many) + ";",
      "SELECT pg_advisory_lock(1) FROM a" + repeated(" JOIN a ON true", many) + ";",
      "SELECT 1" + repeated("\nUNION SELECT pg_advisory_lock(1)", many / 10) + ";",
      "SELECT pg_advisory_lock(1)" + repeated("::int", many) + ";",
      repeated("SELECT pg_advisory_lock(1);\n", many / 10),
      repeated("/* ", many) + " advisory " + repeated("*/", many),
      "DO $$BEGIN " + repeated("BEGIN ", many) + "PERFORM pg_advisory_lock(1); " + repeated("END; ", many) + "END$$;",
      "DO $$BEGIN " + repeated("IF a THEN ", many) + "PERFORM pg_advisory_lock(1); " + repeated("END IF; ", many) +
          "END$$;",
      "DO $$BEGIN x := " + repeated("CASE WHEN a THEN ", many) + " pg_try_advisory_lock(1); END$$;",
      "DO $$BEGIN " + repeated("EXECUTE 'SELECT pg_advisory_lock(1)';\n", many / 10) + "END$$;",
      repeated("BEGIN; ", many / 10) + "SELECT pg_advisory_xact_lock(1);",
  };
  for (const std::string& text : texts) {
    expect_the_run_goes_on("input.sql", text);
    expect_the_run_goes_on("input.psql", text);
  }
}

// A body that is too deep is one fault, however many blocks of it are open.
TEST(Hostile, TheSameIsSaidOnce) {
  const std::string body = repeated("BEGIN ", 100) + "PERFORM pg_advisory_lock(1);" + repeated(" END;", 100);
  EXPECT_EQ(result_of("input.sql", "DO $$" + body + "$$;").notices, std::vector<std::string>{"plpgsql-not-parsed"});
}

TEST(Hostile, BrokenSettings) {
  std::string dotted = "a";
  dotted += repeated(".a", 100'000);
  for (const std::string& text :
       {std::string("[="), std::string("[."), std::string("[[["), std::string("\xff"), dotted + " = 1",
        "[" + dotted + "]", "a = " + repeated("[", 100'000), "a = " + repeated("{a=", 100'000)})
    EXPECT_FALSE(check(memory_tree({{".padlint.toml", text}, {"a.sql", lock}}), {.jobs = 1})) << text.substr(0, 20);
}

} // namespace
} // namespace padlint
