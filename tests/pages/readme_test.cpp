#include "analyzer/core/finding.h"
#include "analyzer/core/rule.h"
#include "tests/fixtures/project.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <map>
#include <memory>

// What README.md says of the rules and shows of the output is what the program has and prints.

namespace padlint {
namespace {

const std::filesystem::path root = PADLINT_SOURCE_DIR;

/// Each part between `<!-- name -->` and `<!-- /name -->`, without the fence of a code block.
std::vector<std::string> parts(const std::string& name) {
  const std::string text = read_text(root / "README.md");
  const std::string begin = "<!-- " + name + " -->\n";
  const std::string end = "<!-- /" + name + " -->";
  std::vector<std::string> found;
  for (std::size_t from = text.find(begin); from != std::string::npos; from = text.find(begin, from + 1)) {
    const std::size_t at = from + begin.size();
    std::string part = text.substr(at, text.find(end, at) - at);
    if (part.starts_with("```"))
      part = part.substr(part.find('\n') + 1, part.rfind("```") - part.find('\n') - 1);
    found.push_back(std::move(part));
  }
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
  std::map<std::string_view, std::string> rows; // by id
  for (const Rule* rule : all_rules())
    rows[rule->id] =
        fmt::format("| [{}](rules/{}.md) | {} | {} |\n", rule->id, rule->id, to_text(rule->level), rule->summary);
  std::string table = "| rule | level | what it reports |\n|---|---|---|\n";
  for (const auto& [id, row] : rows)
    table += row;
  EXPECT_EQ(parts("rules"), std::vector{table});
}

TEST(Readme, ShowsRealOutput) {
  const std::string real = output_of(fmt::format("'{}/padlint' check --root '{}' --color never 2>/dev/null",
                                                 PADLINT_BINARY_DIR, (root / "fixtures/shop").string()));
  const std::vector<std::string> shown = parts("output");
  EXPECT_FALSE(shown.empty());
  for (const std::string& each : shown)
    EXPECT_NE(real.find(each), std::string::npos) << "README.md shows\n" << each << "\nthe program prints\n" << real;
}

} // namespace
} // namespace padlint
