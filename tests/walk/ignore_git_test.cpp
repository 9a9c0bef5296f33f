#include "analyzer/walk/source_tree.h"
#include "tests/walk/temp_folder.h"

#include <algorithm>
#include <cstdio>
#include <gtest/gtest.h>
#include <iterator>
#include <memory>
#include <random>
#include <string>
#include <vector>

// git itself is the judge: random ignore files over a tree of odd names, and `git ls-files` and `git check-ignore` have
// to leave the same files as the listing. The names and the patterns are made of the same few pieces, so that many
// patterns fit something.

namespace padlint {
namespace {

class Generator {
public:
  std::string name() {
    static constexpr std::string_view pieces[] = {"a", "b", "c", "ab", ".",  " ", "#",
                                                  "!", "-", "]", "*",  "\\", "[", "1"};
    std::string made;
    for (int count = number(1, 3); count > 0; --count)
      made += pieces[pick(std::size(pieces))];
    return made == "." || made == ".." || made == "..." ? "a" : made;
  }

  std::string pattern() {
    static constexpr std::string_view pieces[] = {
        "a", "b",    "c",    "ab",    ".",     "*",           "*",  "**",  "**/", "/",    "/",           "/**",
        "?", "[ab]", "[!a]", "[^bc]", "[a-c]", "[[:alpha:]]", "\\", "\\ ", " ",   "[]-]", "[[:digit:]]", "[",
        "]", "-",    "*.",   "\\*",   "\\[",   "a/",          "*/", "[a",  "\\/", "***"};
    std::string made;
    if (number(0, 4) == 0)
      made = "!";
    if (number(0, 9) == 0)
      made += "#";
    if (number(0, 5) == 0)
      made += "/";
    for (int count = number(1, 4); count > 0; --count)
      made += pieces[pick(std::size(pieces))];
    if (number(0, 6) == 0)
      made += "/";
    if (number(0, 9) == 0)
      made += "  ";
    return made;
  }

  std::string ignore_file() {
    std::string text;
    for (int count = number(1, 6); count > 0; --count)
      text += pattern() + (number(0, 9) == 0 ? "\r\n" : "\n");
    if (number(0, 3) == 0)
      text.pop_back();
    return text;
  }

  int number(int least, int most) { return std::uniform_int_distribution(least, most)(random_); }
  std::size_t pick(std::size_t count) { return static_cast<std::size_t>(number(0, static_cast<int>(count) - 1)); }

private:
  std::mt19937 random_{20240229}; // a fixed seed: the same trees in every run
};

/// Standard output of a command, cut at NULs, sorted.
std::vector<std::string> names_from(const std::string& command) {
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(::popen(command.c_str(), "r"), ::pclose);
  std::vector<std::string> names;
  std::string name;
  for (int byte = std::getc(pipe.get()); byte != EOF; byte = std::getc(pipe.get())) {
    if (byte != 0) {
      name += static_cast<char>(byte);
      continue;
    }
    names.push_back(std::move(name));
    name.clear();
  }
  std::ranges::sort(names);
  return names;
}

const std::string git = "GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null git -C ";

std::vector<std::string> listed_by_git(const std::filesystem::path& folder) {
  return names_from(git + folder.string() + " ls-files -z --others --exclude-standard");
}

/// The files of a folder that `git check-ignore` does not name.
std::vector<std::string> left_by_check_ignore(const std::filesystem::path& folder) {
  const std::string from = "cd '" + folder.string() + "' && find . -path ./.git -prune -o -type f -printf '%P\\0'";
  std::vector<std::string> all = names_from(from), left;
  const std::vector<std::string> ignored =
      names_from(from + " | " + git + "'" + folder.string() + "' check-ignore --no-index --stdin -z");
  std::ranges::set_difference(all, ignored, std::back_inserter(left));
  return left;
}

std::vector<std::string> listed(const std::filesystem::path& folder) {
  std::vector<std::string> names;
  for (const SourceEntry& entry : work_tree(folder).list(2).entries)
    names.push_back(entry.path);
  return names;
}

/// Up to `count` files, at most four folders deep.
std::vector<std::string> fill(const TempFolder& folder, Generator& generator, int count) {
  std::vector<std::string> folders{""};
  for (; count > 0; --count) {
    std::string path = folders[generator.pick(folders.size())] + generator.name();
    if (std::filesystem::exists(folder.path() / path))
      continue;
    if (std::ranges::count(path, '/') < 4 && generator.number(0, 2) == 0) {
      folders.push_back(path + "/");
      path += "/file.c";
    }
    folder.write(path, "");
  }
  return folders;
}

TEST(IgnoreRules, AsGitAppliesThem) {
  Generator generator;
  TempFolder folder;
  ASSERT_EQ(std::system((git + folder.path().string() + " init -q").c_str()), 0);
  const std::vector<std::string> folders = fill(folder, generator, 400);
  std::size_t listed_files = 0, all = 0;
  for (int round = 0; round < 250; ++round) {
    std::string patterns = generator.ignore_file();
    folder.write(".gitignore", patterns);
    std::vector<std::filesystem::path> nested;
    for (int count = generator.number(0, 4); count > 0; --count) {
      nested.push_back(folders[generator.pick(folders.size())] + ".gitignore");
      const std::string text = generator.ignore_file();
      folder.write(nested.back(), text);
      patterns += nested.back().string() + ":\n" + text;
    }
    folder.write(".git/info/exclude", generator.number(0, 1) == 0 ? generator.ignore_file() : "");
    const std::vector<std::string> files = listed(folder.path());
    ASSERT_EQ(files, listed_by_git(folder.path())) << "round " << round << "\n" << patterns;
    if (round % 5 == 0) {
      ASSERT_EQ(files, left_by_check_ignore(folder.path())) << "round " << round << "\n" << patterns;
    }
    listed_files += files.size();
    all += 400;
    for (const auto& file : nested)
      std::filesystem::remove(folder.path() / file);
  }
  // The patterns neither ignore everything nor nothing.
  EXPECT_GT(listed_files, all / 10);
  EXPECT_LT(listed_files, all * 9 / 10);
}

// A folder inside the repository obeys the ignore files above it, as far as they speak of what is in the folder.
TEST(IgnoreRules, OfTheRepositoryAroundTheRoot) {
  TempFolder folder;
  ASSERT_EQ(std::system((git + folder.path().string() + " init -q").c_str()), 0);
  folder.write(".gitignore", "*.log\n/sub/inner/a.c\nb.c\n");
  folder.write(".git/info/exclude", "excluded.c\n");
  folder.write("sub/.gitignore", "!b.c\nx.c\n/inner/d.c\n");
  folder.write("sub/inner/.gitignore", "!x.c\n");
  for (const char* name : {"a.c", "b.c", "d.c", "x.c", "excluded.c", "y.log", "deep/a.c", "deep/d.c"})
    folder.write(std::filesystem::path("sub/inner") / name, "");
  EXPECT_EQ(listed(folder.path() / "sub/inner"), listed_by_git(folder.path() / "sub/inner"));
  EXPECT_EQ(listed(folder.path() / "sub/inner"),
            (std::vector<std::string>{".gitignore", "b.c", "deep/a.c", "deep/d.c", "x.c"}));
}

// In a linked worktree `.git` is a file, and the exclude file is the repository's.
TEST(IgnoreRules, OfALinkedWorktree) {
  TempFolder folder;
  folder.write("main/a.c", "");
  const std::string main = git + (folder.path() / "main").string();
  ASSERT_EQ(std::system((main + " init -q && " + main + " add a.c && " + main +
                         " -c user.name=a -c user.email=a@example.org commit -qm a && " + main +
                         " worktree add -q ../linked 2>/dev/null")
                            .c_str()),
            0);
  folder.write("main/.git/info/exclude", "b.c\n");
  folder.write("linked/b.c", "");
  folder.write("linked/c.c", "");
  EXPECT_EQ(listed(folder.path() / "linked"), (std::vector<std::string>{"a.c", "c.c"}));
}

// The rules of a repository end where another one begins.
TEST(IgnoreRules, EndAtARepositoryInside) {
  TempFolder folder;
  ASSERT_EQ(std::system((git + folder.path().string() + " init -q && mkdir " + folder.path().string() + "/in && " +
                         git + folder.path().string() + "/in init -q")
                            .c_str()),
            0);
  folder.write(".gitignore", "a.c\n");
  folder.write("in/.git/info/exclude", "b.c\n");
  for (const char* name : {"a.c", "b.c", "c.c"})
    folder.write(std::filesystem::path("in") / name, "");
  EXPECT_EQ(listed(folder.path()), (std::vector<std::string>{".gitignore", "in/a.c", "in/c.c"}));
}

TEST(IgnoreRules, HoldOutsideOfARepository) {
  TempFolder folder;
  folder.write(".gitignore", "a.c\n/in/b.c\n");
  folder.write("a.c", "");
  folder.write("in/b.c", "");
  folder.write("in/c.c", "");
  EXPECT_EQ(listed(folder.path()), (std::vector<std::string>{".gitignore", "in/c.c"}));
  // Above the root of a tree that is no repository, nothing is read.
  EXPECT_EQ(listed(folder.path() / "in"), (std::vector<std::string>{"b.c", "c.c"}));
}

} // namespace
} // namespace padlint
