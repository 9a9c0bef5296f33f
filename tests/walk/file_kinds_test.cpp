#include "analyzer/walk/file_kinds.h"

#include <gtest/gtest.h>
#include <string>

namespace padlint {
namespace {

FileKinds kinds() {
  FileKinds made;
  made.extensions = {{"aa", "alpha"}, {"d.aa", "delta"}, {"bb", "beta"}};
  made.names = {{"Betafile", "beta"}, {"sql.conf", "beta"}};
  made.interpreters = {{"alpha", "alpha"}, {"beta2", "beta"}};
  made.config_kind = [](std::string_view path) {
    return path.ends_with(".ini") || path.ends_with("/conf.aa") || path == "bare" ? std::string_view("ini")
                                                                                  : std::string_view();
  };
  return made;
}

std::string printed(FileKind kind) { return std::string(to_text(kind.file_class)) + " " + std::string(kind.id); }

TEST(FileKinds, OfThePath) {
  const FileKinds made = kinds();
  const std::pair<std::string_view, std::string_view> cases[] = {
      {"a.aa", "host alpha"},
      {"A.AA", "host alpha"},
      {"x/y.z/a.aa", "host alpha"},
      {"a.d.aa", "host delta"},
      {"a.b.aa", "host alpha"},
      {"d.aa", "host alpha"}, // a name and an extension
      {".aa", "none "},       // a hidden file
      {".x.aa", "host alpha"},
      {"aa", "none "},
      {"a.aa/b", "none "},
      {"a.aa~", "none "},
      {"x/Betafile", "host beta"},
      {"betafile", "none "},
      {"sql.conf", "host beta"},
      {"a.sql", "sql sql"},
      {"a.SQL", "sql sql"},
      {"V1__a.up.sql", "sql sql"},
      {"a.sql.bak", "none "},
      {"a.pgsql", "sql sql"},
      {"a.ddl", "sql sql"},
      {"a.plpgsql", "sql sql"},
      {"a.psql", "psql psql"},
      {"x/pool.ini", "config ini"},
      {"x/conf.aa", "host alpha"}, // a language goes first
      {"a.txt", "none "},
      {"", "none "},
  };
  for (const auto& [path, kind] : cases)
    EXPECT_EQ(printed(made.of_path(path)), kind) << path;
}

TEST(FileKinds, OfTheFirstLine) {
  const FileKinds made = kinds();
  const std::string long_line = "#!/" + std::string(300, 'x') + "/alpha";
  const std::pair<std::string_view, std::string_view> cases[] = {
      {"#!/usr/bin/alpha\n", "host alpha"},
      {"#! /usr/bin/alpha -u\nx", "host alpha"},
      {"#!alpha", "host alpha"},
      {"#!/usr/bin/env alpha\r\n", "host alpha"},
      {"#!/usr/bin/env -S A=1 B=2 alpha -u", "host alpha"},
      {"#!/usr/bin/alpha3.11\n", "host alpha"},
      {"#!/usr/bin/env alpha3\n", "host alpha"},
      {"#!/usr/bin/beta2\n", "host beta"},
      {"#!/usr/bin/beta\n", "none "},
      {"#!/usr/bin/psql -f\n", "psql psql"},
      {"#!/usr/bin/env\n", "none "},
      {"#!/usr/bin/env -S", "none "},
      {"#!\nalpha", "none "},
      {"#!", "none "},
      {"#!/bin/sh\n", "none "},
      {" #!/usr/bin/alpha", "none "},
      {"alpha", "none "},
      {"", "none "},
      {long_line, "none "},
  };
  for (const auto& [head, kind] : cases)
    EXPECT_EQ(printed(made.of_first_line(head)), kind) << head;
}

TEST(FileKinds, OnlyNamesWithoutADotAskTheFirstLine) {
  const FileKinds made = kinds();
  const std::pair<std::string_view, bool> cases[] = {
      {"bin/tool", true}, {"x.y/tool", true},  {"tool.txt", false},
      {".tool", false},   {"Betafile", false}, {"bare", false},
  };
  for (const auto& [path, asks] : cases)
    EXPECT_EQ(made.asks_first_line(path), asks) << path;
  EXPECT_FALSE(FileKinds().asks_first_line("bin/tool"));
}

} // namespace
} // namespace padlint
