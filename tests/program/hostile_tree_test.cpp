#include "analyzer/cli/pipeline.h"
#include "run.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>

// Trees that nobody meant to be walked, and files that change under the walk.

namespace padlint {
namespace {

namespace fs = std::filesystem;

constexpr const char* fault = "SELECT pg_advisory_xact_lock(41);\n";

std::vector<std::string> notices_of(const CheckResult& result) {
  std::vector<std::string> lines;
  for (const Notice& notice : result.notices)
    lines.push_back(notice.id + " " + notice.path);
  return lines;
}

/// `path` of each finding, as the SARIF log has them.
std::vector<std::string> reported(const Folder& folder, const std::vector<std::string>& arguments = {}) {
  std::vector<std::string> all = {"--root", ".", "--format", "sarif"};
  all.insert(all.end(), arguments.begin(), arguments.end());
  const Outcome run = folder.run(all);
  EXPECT_TRUE(run.exit_code == 0 || run.exit_code == 1) << run.log;
  std::vector<std::string> paths;
  const auto log = nlohmann::json::parse(run.out);
  for (const auto& result : log.at("runs").at(0).at("results"))
    paths.push_back(result.at("locations").at(0).at("physicalLocation").at("artifactLocation").at("uri"));
  return paths;
}

TEST(HostileTree, LinksAreNotFollowed) {
  const Folder outside(Files{{"b.psql", fault}});
  const Folder folder(Files{{"a.psql", fault}, {"d/c.sql", "SELECT 1;"}});
  fs::create_symlink("..", folder.path / "d/up");
  fs::create_symlink("self", folder.path / "self");
  fs::create_symlink("self.sql", folder.path / "self.sql");
  fs::create_symlink(outside.path, folder.path / "out");
  fs::create_symlink(outside.path / "b.psql", folder.path / "b.psql");
  fs::create_symlink("/etc/passwd", folder.path / ".gitignore");
  EXPECT_EQ(reported(folder), (std::vector<std::string>{"a.psql"}));
}

TEST(HostileTree, WhatIsNoFileIsNotOpened) {
  const Folder folder(Files{{"a.psql", fault}});
  ASSERT_EQ(::mkfifo((folder.path / "pipe.psql").c_str(), 0600), 0);
  ASSERT_EQ(::mkfifo((folder.path / ".gitignore").c_str(), 0600), 0);
  ASSERT_EQ(::mkfifo((folder.path / ".padlint.toml").c_str(), 0600), 0);
  if (::geteuid() == 0) {
    ASSERT_EQ(::mknod((folder.path / "zero.psql").c_str(), S_IFCHR | 0600, ::makedev(1, 5)), 0);
  }
  EXPECT_EQ(reported(folder), (std::vector<std::string>{"a.psql"}));
}

// Whoever may read everything reads what nobody may: the child gives that up.
TEST(HostileTree, WhatMayNotBeReadIsNamed) {
  const Folder folder(Files{{"a.psql", fault}, {"closed.psql", fault}, {"locked/b.psql", fault}});
  fs::permissions(folder.path, fs::perms(0755));
  fs::permissions(folder.path / "closed.psql", fs::perms::none);
  fs::permissions(folder.path / "locked", fs::perms::none);
  const pid_t child = ::fork();
  if (child == 0) {
    constexpr uid_t nobody = 65534;
    if (::geteuid() == 0 && ::setresuid(nobody, nobody, nobody) != 0)
      std::_Exit(3);
    const auto result = check(work_tree(folder.path.string()), {.jobs = 1});
    const std::vector<std::string> wanted = {"unreadable-file closed.psql", "unreadable-folder locked/"};
    std::_Exit(result && result->findings.size() == 1 && notices_of(*result) == wanted ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  fs::permissions(folder.path / "locked", fs::perms(0755));
}

/// The tree, with something done to it between the listing and the reading.
SourceTree changing(const Folder& folder, std::function<void()> change) {
  SourceTree tree = work_tree(folder.path.string());
  return {[list = tree.list, change = std::move(change)](unsigned jobs) {
            Listing listing = list(jobs);
            change();
            return listing;
          },
          tree.opener};
}

TEST(HostileTree, FilesChangeUnderTheRun) {
  const Folder folder(Files{{"a.psql", fault},
                            {"becomes_folder.psql", fault},
                            {"gone.psql", fault},
                            {"grows.psql", fault},
                            {"shrinks.psql", fault},
                            {"sub/gone.psql", fault}});
  const auto result = check(changing(folder,
                                     [&] {
                                       fs::remove(folder.path / "gone.psql");
                                       fs::remove_all(folder.path / "sub");
                                       fs::resize_file(folder.path / "shrinks.psql", 3);
                                       fs::remove(folder.path / "becomes_folder.psql");
                                       fs::create_directory(folder.path / "becomes_folder.psql");
                                       std::ofstream(folder.path / "grows.psql", std::ios::app) << fault;
                                     }),
                            {.jobs = 1});
  ASSERT_TRUE(result);
  EXPECT_EQ(notices_of(*result),
            (std::vector<std::string>{"unreadable-file becomes_folder.psql", "unreadable-file gone.psql",
                                      "unreadable-file sub/gone.psql"}));
  std::vector<std::string> paths;
  for (const Finding& finding : result->findings)
    paths.emplace_back(result->sources.path(finding.primary.file));
  EXPECT_EQ(std::ranges::count(paths, "a.psql"), 1);
  EXPECT_EQ(std::ranges::count(paths, "grows.psql"), 2);
  EXPECT_EQ(std::ranges::count(paths, "shrinks.psql"), 0);
}

TEST(HostileTree, NamesOfAnyBytes) {
  const std::vector<std::string> names = {"line\nbreak.psql",
                                          "\x1b[31mred\x07.psql",
                                          "bad\xff\xfe.psql",
                                          "quote\"'<>&%20.psql",
                                          "-rf.psql",
                                          "\xe2\x80\xae"
                                          "gpj.psql",
                                          " .psql",
                                          std::string(240, 'n') + ".psql"};
  Files files;
  for (const std::string& name : names)
    files[name] = fault;
  const Folder folder(files);
  EXPECT_EQ(reported(folder).size(), names.size());
  const Outcome text = folder.run({"--root", ".", "--color", "never"});
  EXPECT_EQ(text.exit_code, 1);
  EXPECT_TRUE(std::ranges::none_of(text.out + text.log,
                                   [](unsigned char byte) { return (byte < 0x20 && byte != '\n') || byte == 0x7f; }));
  EXPECT_EQ(text.out.find("\nbreak"), std::string::npos);
  EXPECT_EQ(text.out.find("\xe2\x80\xae"), std::string::npos);
}

/// A file system in memory that takes so many files, if there is one: on a disk they take their time.
fs::path roomy_folder(std::uint64_t files) {
  struct statvfs status = {};
  const bool fits = ::statvfs("/dev/shm", &status) == 0 && status.f_favail > files && ::access("/dev/shm", W_OK) == 0;
  return fits ? "/dev/shm" : fs::temp_directory_path();
}

TEST(HostileTree, AMillionEmptyFilesInOneFolder) {
  constexpr int many = 1'000'000;
  const Folder folder(Files{{"many/.keep", ""}, {"z.psql", fault}}, roomy_folder(many + 100));
  const int many_folder = ::open((folder.path / "many").c_str(), O_PATH | O_CLOEXEC);
  for (int i = 0; i < many; ++i)
    ::close(::openat(many_folder, (std::to_string(i) + ".sql").c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0600));
  ::close(many_folder);
  const Outcome run = folder.run({"--root", ".", "--jobs", "2"});
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_TRUE(run.out.starts_with("z.psql:1:8: error: ")) << run.out.substr(0, 200);
  EXPECT_TRUE((run.out + run.log).contains("; read 1 of 1000002 files; ")) << run.out << run.log;
#ifdef __SANITIZE_ADDRESS__
  constexpr int most_mib = 1024; // freed memory is kept for a while
#else
  constexpr int most_mib = 256;
#endif
  EXPECT_LT(run.peak_kib, most_mib << 10);
}

TEST(HostileTree, DeepFolders) {
  std::string path = "a.psql";
  for (int i = 0; i < 1000; ++i)
    path.insert(0, "d/");
  const Folder folder(Files{{path, fault}, {"z.psql", fault}});
  EXPECT_EQ(reported(folder).size(), 2U);
}

} // namespace
} // namespace padlint
