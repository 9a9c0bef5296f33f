#include "tests/fixtures/project.h"
#include "tests/metamorphic/transform.h"

#include "analyzer/core/rule.h"

#include <gtest/gtest.h>

#include <algorithm>

// Every fixture is a project; a change that means nothing is made to it; what is found has to be the same.

namespace padlint {
namespace {

namespace fs = std::filesystem;

const Transform transforms[] = {
    {"blank_lines_before", with_blank_lines_before},
    {"blank_lines_between", with_blank_lines_between},
    {"carriage_returns", with_carriage_returns},
    {"unrelated_files", with_unrelated_files},
    {"unrelated_functions", with_unrelated_functions},
    {"functions_reversed", with_functions_reversed},
    {"functions_in_classes", with_functions_in_classes},
    {"renamed", renamed, renamed_message},
    {"definitions_moved",
     with_definitions_moved,
     nullptr,
     // classes whose new files do not bear their names, and settings that only settings.py is read for
     {"/cached-lock-query/polling.rb", "/session-lock-behind-pooler/rails", "/session-lock-behind-pooler/django",
      "/xact-lock-on-wrong-handle/rails_databases"}},
};

std::vector<fs::path> projects() {
  const fs::path fixtures = fs::path(PADLINT_SOURCE_DIR) / "fixtures";
  std::vector<fs::path> paths = {fixtures / "shop"};
  for (const Rule* rule : all_rules())
    if (fs::is_directory(fixtures / rule->id))
      std::ranges::copy(fs::directory_iterator(fixtures / rule->id), std::back_inserter(paths));
  std::ranges::sort(paths);
  return paths;
}

/// What was found, without places: those change. A definition that was moved takes its findings along.
std::vector<std::string> found_in(const MemoryFiles& files, const std::function<std::string(std::string)>& message) {
  std::vector<std::string> lines;
  for (const Reported& each : check_project(files))
    lines.push_back(each.rule + " " + std::string(to_text(each.level)) + ": " + message(each.message));
  std::ranges::sort(lines);
  return lines;
}

std::string listed(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines)
    text += line + "\n";
  return text;
}

struct Metamorphic : testing::TestWithParam<Transform> {};

TEST_P(Metamorphic, FindsTheSame) {
  const Transform& transform = GetParam();
  std::size_t changed = 0;
  for (const fs::path& path : projects()) {
    const MemoryFiles before = project_files(path), after = transform.apply(before);
    if (before == after)
      continue;
    ++changed;
    const auto same = [](std::string message) { return message; };
    const auto expected = [&](std::string message) {
      return transform.message ? transform.message(before, std::move(message)) : message;
    };
    const bool gap = std::ranges::any_of(transform.known_gaps, [&](auto end) { return path.string().ends_with(end); });
    if (gap)
      EXPECT_NE(listed(found_in(before, expected)), listed(found_in(after, same))) << path << " has healed";
    else
      EXPECT_EQ(listed(found_in(before, expected)), listed(found_in(after, same))) << path;
  }
  EXPECT_GT(changed, 10U); // the change is made to some
}

INSTANTIATE_TEST_SUITE_P(Each, Metamorphic, testing::ValuesIn(transforms),
                         [](const testing::TestParamInfo<Transform>& each) { return std::string(each.param.name); });

} // namespace
} // namespace padlint
