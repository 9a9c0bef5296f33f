#include "analyzer/core/finding.h"
#include "analyzer/core/rule.h"
#include "tests/fixtures/project.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <memory>

// What README.md says of the rules and shows of the output is what the program has and prints.

namespace padlint {
namespace {

const std::filesystem::path root = PADLINT_SOURCE_DIR;

/// What stands between `<!-- name -->` and `<!-- /name -->`, without the fence of a code block.
std::string part(const std::string& name) {
  const std::string text = read_text(root / "README.md");
  const std::string begin = "<!-- " + name + " -->\n";
  const std::size_t from = text.find(begin);
  const std::size_t to = text.find("<!-- /" + name + " -->");
  if (from == std::string::npos || to == std::string::npos)
    return {};
  std::string found = text.substr(from + begin.size(), to - from - begin.size());
  if (found.starts_with("```"))
    found = found.substr(found.find('\n') + 1, found.rfind("```") - found.find('\n') - 1);
  return found;
}

std::string output_of(const std::string& command) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> pipe(popen(command.c_str(), "r"), pclose);
  std::string text;
  for (int each = std::fgetc(pipe.get()); each != EOF; each = std::fgetc(pipe.get()))
    text += static_cast<char>(each);
  return text;
}

TEST(Readme, ListsTheRules) {
  std::string table = "| rule | level | what it reports |\n|---|---|---|\n";
  for (const Rule* rule : all_rules())
    table += fmt::format("| [{}](rules/{}.md) | {} | {} |\n", rule->id, rule->id, to_text(rule->level), rule->summary);
  EXPECT_EQ(part("rules"), table);
}

TEST(Readme, ShowsRealOutput) {
  const std::string shown = part("output");
  const std::string real = output_of(fmt::format("'{}/padlint' check --root '{}' --color never 2>/dev/null",
                                                 PADLINT_BINARY_DIR, (root / "fixtures/shop").string()));
  EXPECT_NE(shown, "");
  EXPECT_NE(real.find(shown), std::string::npos) << "README.md shows\n" << shown << "\nthe program prints\n" << real;
}

} // namespace
} // namespace padlint
