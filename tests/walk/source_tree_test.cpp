#include "analyzer/walk/source_tree.h"
#include "tests/walk/temp_folder.h"

#include <gtest/gtest.h>
#include <string>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>
#include <vector>

namespace padlint {
namespace {

using Names = std::vector<std::string>;

Names names_of(const Listing& listing) {
  Names names;
  for (const SourceEntry& entry : listing.entries)
    names.push_back(entry.path);
  return names;
}

Names notices_of(const Listing& listing) {
  Names lines;
  for (const Notice& notice : listing.notices)
    lines.push_back(notice.id + " " + notice.path + ": " + notice.text);
  return lines;
}

/// The text of a file, or why it cannot be read.
std::string read(const SourceTree& tree, std::string_view path, std::uint64_t limit = 1000) {
  const auto text = tree.read(path, limit);
  return text ? *text : text.error().id + " " + text.error().path + ": " + text.error().text;
}

TEST(WorkTree, ListsByWholePathWhateverTheNumberOfThreads) {
  TempFolder folder;
  const Names names = {"-",
                       ".env",
                       ".hidden/a",
                       "a",
                       "a b",
                       "a!/c",
                       "a-b",
                       "a.c",
                       "a/b",
                       "a/b.c",
                       "a/b/c/d",
                       "a0",
                       "b\nc",
                       "b\tc",
                       "\xC3\xA4.c",
                       "\xFF\xFE/\x80",
                       "node_modules/x.js"};
  for (const std::string& name : names)
    if (name != "a" && name != "a/b") // those two are folders
      folder.write(name, "text");
  const Names expected = {
      "-",    ".env", ".hidden/a",         "a b",        "a!/c",         "a-b", "a.c", "a/b.c", "a/b/c/d", "a0",
      "b\tc", "b\nc", "node_modules/x.js", "\xC3\xA4.c", "\xFF\xFE/\x80"};
  for (const unsigned jobs : {1U, 2U, 3U, 8U, 0U}) {
    const Listing listing = work_tree(folder.path()).list(jobs);
    EXPECT_EQ(names_of(listing), expected) << jobs;
    EXPECT_EQ(notices_of(listing), Names{});
  }
  for (const std::string& name : expected)
    EXPECT_EQ(read(work_tree(folder.path()), name), "text");
}

TEST(WorkTree, LeavesOutWhatIsNoRegularFile) {
  TempFolder folder, outside;
  outside.write("secret", "secret");
  folder.write("a/file", "text");
  for (const char* name : {".git/config", ".hg/a", ".svn/a", ".jj/a", "in/.git/HEAD"})
    folder.write(name, "");
  const std::filesystem::path root = folder.path();
  ASSERT_EQ(::mkfifo((root / "fifo").c_str(), 0600), 0);
  std::filesystem::create_symlink("a/file", root / "link");
  std::filesystem::create_symlink("missing", root / "dangling");
  std::filesystem::create_directory_symlink(root, root / "a/loop");
  std::filesystem::create_symlink(outside.path() / "secret", root / "out");
  std::filesystem::create_directory_symlink(outside.path(), root / "out-folder");
  const int socket = ::socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un address = {AF_UNIX, {}};
  (root / "socket").string().copy(address.sun_path, sizeof address.sun_path - 1);
  ASSERT_EQ(::bind(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);

  const SourceTree tree = work_tree(root);
  const Listing listing = tree.list(2);
  EXPECT_EQ(names_of(listing), Names{"a/file"});
  EXPECT_EQ(notices_of(listing), Names{});
  // Asked for by name, they are refused, and none is waited for.
  EXPECT_EQ(read(tree, "fifo"), "unreadable-file fifo: not a regular file");
  EXPECT_EQ(read(tree, "a"), "unreadable-file a: not a regular file");
  EXPECT_EQ(read(tree, "socket"), "unreadable-file socket: No such device or address");
  EXPECT_EQ(read(tree, "link"), "unreadable-file link: Too many levels of symbolic links");
  EXPECT_EQ(read(tree, "out"), "unreadable-file out: Too many levels of symbolic links");
  // No path leads through a link or out of the root.
  EXPECT_EQ(read(tree, "out-folder/secret"), "unreadable-file out-folder/secret: Not a directory");
  EXPECT_EQ(read(tree, "a/loop/a/file"), "unreadable-file a/loop/a/file: Not a directory");
  EXPECT_EQ(read(tree, "a/../a/file"), "unreadable-file a/../a/file: No such file or directory");
  EXPECT_EQ(read(tree, "/etc/passwd"), "unreadable-file /etc/passwd: No such file or directory");
  EXPECT_EQ(read(tree, "a/file"), "text");
  ::close(socket);
}

TEST(WorkTree, FilesThatVanishGrowOrAreTooLong) {
  TempFolder folder;
  folder.write("gone", "text");
  folder.write("grows", "text");
  folder.write("empty", "");
  const SourceTree tree = work_tree(folder.path());
  ASSERT_EQ(names_of(tree.list(1)), (Names{"empty", "gone", "grows"}));
  std::filesystem::remove(folder.path() / "gone");
  EXPECT_EQ(read(tree, "gone"), "unreadable-file gone: No such file or directory");
  EXPECT_EQ(read(tree, "empty"), "");
  EXPECT_EQ(read(tree, "grows", 4), "text");
  EXPECT_EQ(read(tree, "grows", 3), "too-large grows: 4 bytes are more than the limit of 3");

  auto open = tree.opener()("grows");
  ASSERT_TRUE(open);
  folder.write("grows", "text and more");
  EXPECT_EQ(read_all(*open, "grows", 1000), "text");
  open = tree.opener()("grows");
  ASSERT_TRUE(open);
  folder.write("grows", "less");
  EXPECT_EQ(read_all(*open, "grows", 1000), "less");
}

// An opener goes from folder to folder in any order, and goes on after failures.
TEST(WorkTree, OneOpenerForManyFolders) {
  TempFolder folder;
  const Names names = {"a/b/c/1", "a/b/2", "a/b/c/3", "a/bc/4", "5", "a/6", "b/7", "a/b/c/8"};
  for (const std::string& name : names)
    folder.write(name, name);
  Opener open = work_tree(folder.path()).opener();
  for (const std::string& name : names) {
    EXPECT_FALSE(open("a/b/missing/x"));
    EXPECT_FALSE(open("a/b/2/x"));
    auto file = open(name);
    ASSERT_TRUE(file) << name;
    EXPECT_EQ(read_all(*file, name, 100), name);
  }
}

TEST(WorkTree, SaysWhatItCouldNotRead) {
  TempFolder folder;
  const std::string missing = folder.path() / "missing";
  EXPECT_EQ(notices_of(work_tree(missing).list(1)),
            Names{"unreadable-folder " + missing + ": No such file or directory"});
  EXPECT_EQ(read(work_tree(missing), "a"), "unreadable-folder " + missing + ": No such file or directory");
  folder.write("file", "");
  const std::string file = folder.path() / "file";
  EXPECT_EQ(notices_of(work_tree(file).list(1)), Names{"unreadable-folder " + file + ": Not a directory"});
}

/// Exits with 0 when somebody who is not root sees what is closed to him in the tree of the next test.
[[noreturn]] void look_without_permission(const std::filesystem::path& root) {
  if (::geteuid() == 0 && (::setegid(65534) != 0 || ::seteuid(65534) != 0))
    std::_Exit(2);
  const SourceTree tree = work_tree(root);
  const Listing listing = tree.list(2);
  const Names notices = {"unreadable-folder closed/: Permission denied",
                         "unreadable-file open/.gitignore: Permission denied"};
  const bool right = names_of(listing) == Names{"open/.gitignore", "open/a", "secret"} &&
                     notices_of(listing) == notices &&
                     read(tree, "secret") == "unreadable-file secret: Permission denied";
  std::_Exit(right ? 0 : 1);
}

TEST(WorkTree, WithoutPermission) {
  TempFolder folder;
  folder.write("closed/a", "");
  folder.write("open/a", "");
  folder.write("open/.gitignore", "a");
  folder.write("secret", "");
  std::filesystem::permissions(folder.path(), std::filesystem::perms::all);
  for (const char* path : {"closed", "open/.gitignore", "secret"})
    std::filesystem::permissions(folder.path() / path, std::filesystem::perms::none);
  EXPECT_EXIT(look_without_permission(folder.path()), testing::ExitedWithCode(0), "");
  std::filesystem::permissions(folder.path() / "closed", std::filesystem::perms::owner_all);
}

// Deeper than a path may be long: what can be named is listed, and the rest is told.
TEST(WorkTree, FoldersWithoutEnd) {
  TempFolder folder;
  const std::string name(200, 'a');
  std::string command = "cd " + folder.path().string() + " && touch top && for i in $(seq 30); do mkdir " + name +
                        " && cd -P " + name + " || exit 1; done && touch bottom";
  ASSERT_EQ(std::system(command.c_str()), 0);
  const Listing listing = work_tree(folder.path()).list(1);
  EXPECT_EQ(names_of(listing), Names{"top"});
  ASSERT_EQ(listing.notices.size(), 1U);
  EXPECT_EQ(listing.notices[0].id, "unreadable-folder");
  EXPECT_EQ(listing.notices[0].text, "File name too long");
  ASSERT_EQ(std::system(("rm -rf " + folder.path().string()).c_str()), 0);
}

TEST(WorkTree, ManyFilesInOneFolderCostTheirPaths) {
  TempFolder folder;
  constexpr int count = 50'000;
  folder.write("many/0", "");
  for (int number = 1; number < count; ++number)
    ASSERT_EQ(::link((folder.path() / "many/0").c_str(), (folder.path() / ("many/" + std::to_string(number))).c_str()),
              0);
  rusage before = {}, after = {};
  ::getrusage(RUSAGE_SELF, &before);
  EXPECT_EQ(work_tree(folder.path()).list(2).entries.size(), static_cast<std::size_t>(count));
  ::getrusage(RUSAGE_SELF, &after);
  EXPECT_LT(after.ru_maxrss - before.ru_maxrss, count * 200 / 1024) << "KB";
}

TEST(MemoryTree, IsExactlyItsFiles) {
  const SourceTree tree = memory_tree({{"b/a", "1"}, {"a", "2"}, {".gitignore", "a"}});
  EXPECT_EQ(names_of(tree.list(1)), (Names{".gitignore", "a", "b/a"}));
  EXPECT_EQ(read(tree, "a"), "2");
  EXPECT_EQ(read(tree, "b"), "unreadable-file b: no such file");
  EXPECT_EQ(read(tree, "b/a", 0), "too-large b/a: 1 bytes are more than the limit of 0");
}

TEST(Overlay, AddsAndReplaces) {
  TempFolder folder;
  folder.write("a", "disk");
  folder.write("c/a", "disk");
  const SourceTree tree = overlay(work_tree(folder.path()), {{"b", "memory"}, {"c/a", "memory"}, {"c/b", ""}});
  EXPECT_EQ(names_of(tree.list(2)), (Names{"a", "b", "c/a", "c/b"}));
  EXPECT_EQ(read(tree, "a"), "disk");
  EXPECT_EQ(read(tree, "b"), "memory");
  EXPECT_EQ(read(tree, "c/a"), "memory");
  EXPECT_EQ(read(tree, "c/b"), "");
  EXPECT_EQ(read(tree, "d"), "unreadable-file d: No such file or directory");
}

} // namespace
} // namespace padlint
