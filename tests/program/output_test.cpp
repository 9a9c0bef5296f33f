#include "run.h"

#include <gtest/gtest.h>

#include <fcntl.h>
#include <sys/mount.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>

// Where the report goes: a whole one or none, and a failure says why.

namespace padlint {
namespace {

const Files project = {
    {".padlint.toml", "root = true\n"}, {"clean.sql", "SELECT 1;\n"}, {"note.sql", "SELECT pg_advisory_lock(41);\n"}};

/// What is open for writing until the end.
struct Descriptor {
  int number;
  explicit Descriptor(int opened) : number(opened) {}
  ~Descriptor() { ::close(number); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
};

/// A file system in memory with little room; only root may have one.
struct SmallDisk {
  std::filesystem::path path;
  int failure;

  explicit SmallDisk(std::filesystem::path at)
      : path(std::move(at)), failure(::mount("tmpfs", path.c_str(), "tmpfs", 0, "size=1m") == 0 ? 0 : errno) {}
  ~SmallDisk() {
    if (failure == 0)
      ::umount2(path.c_str(), MNT_DETACH);
  }
  SmallDisk(const SmallDisk&) = delete;
  SmallDisk& operator=(const SmallDisk&) = delete;

  /// Leaves room for so many bytes, in pages.
  void fill(std::uintmax_t room) const {
    std::ofstream(path / "ballast") << std::string(2 << 20, '.');
    std::filesystem::resize_file(path / "ballast", std::filesystem::file_size(path / "ballast") - room);
  }
  [[nodiscard]] bool remount_read_only() const {
    return ::mount("tmpfs", path.c_str(), "tmpfs", MS_REMOUNT | MS_RDONLY, "size=1m") == 0;
  }
};

TEST(Output, AFileIsReplacedWhole) {
  const Folder folder(project);
  const std::string printed = folder.run({"note.sql", "-f", "sarif"}).out;
  EXPECT_EQ(folder.run({"note.sql", "-f", "sarif", "-o", "report"}).exit_code, 0);
  EXPECT_TRUE(folder.text("report") == printed);
  EXPECT_EQ(folder.run({"clean.sql", "-o", "report"}).exit_code, 0);
  EXPECT_EQ(folder.text("report").find("session-lock"), std::string::npos);
  EXPECT_EQ(folder.listing(), ".padlint.toml clean.sql note.sql report ");
}

TEST(Output, AFailureLeavesTheOldFile) {
  const Folder folder(Files{{".padlint.toml", "root = true\ntools = 1\n"}, {"report", "old"}, {"clean.sql", ""}});
  EXPECT_EQ(folder.run({"-o", "report"}).exit_code, 2);
  EXPECT_EQ(folder.text("report"), "old");
  const Folder blocked(Files{{"report/inside", "x"}, {"clean.sql", ""}});
  EXPECT_EQ(blocked.run({"--root", ".", "-o", "report"}).exit_code, 2);
  EXPECT_EQ(blocked.listing(), "clean.sql report/inside ");
}

TEST(Output, AFullDiskLeavesTheOldFile) {
  const Folder folder(project);
  std::filesystem::create_directory(folder.path / "disk");
  const SmallDisk disk(folder.path / "disk");
  if (disk.failure != 0)
    GTEST_SKIP() << "no file system may be mounted here: " << std::strerror(disk.failure);
  const std::vector<std::string> check = {"note.sql", "-f", "sarif", "-o", "disk/report"};
  const std::vector<std::string> facts = {"facts", "--format", "json", "-o", "disk/report"};
  constexpr std::uintmax_t beginning = 4096; // of a report
  for (const auto& [command, room] : {std::pair(check, beginning), std::pair(facts, std::uintmax_t{0})}) {
    std::filesystem::remove(disk.path / "ballast");
    EXPECT_NE(folder.run(command).exit_code, 2); // there is room
    const std::string old = folder.text("disk/report");
    EXPECT_FALSE(old.empty());
    disk.fill(room);
    const Outcome run = folder.run(command);
    EXPECT_EQ(run.exit_code, 2);
    EXPECT_EQ(run.log, "padlint: cannot write disk/report: No space left on device\n");
    EXPECT_TRUE(folder.text("disk/report") == old);
    EXPECT_EQ(folder.listing(), ".padlint.toml clean.sql disk/ballast disk/report note.sql ");
  }
  ASSERT_TRUE(disk.remount_read_only());
  const Outcome run = folder.run(check);
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_EQ(run.log, "padlint: cannot write disk/report: Read-only file system\n");
}

TEST(Output, ADeviceThatIsFullIsAFailure) {
  const Folder folder(project);
  const Descriptor full(::open("/dev/full", O_WRONLY | O_CLOEXEC));
  ASSERT_GE(full.number, 0);
  const Outcome printed = folder.run({"clean.sql"}, full.number);
  EXPECT_EQ(printed.exit_code, 2);
  EXPECT_EQ(printed.log, "padlint: cannot write to standard output: No space left on device\n");
  const Outcome written = folder.run({"clean.sql", "-o", "/dev/full"});
  EXPECT_EQ(written.exit_code, 2);
  EXPECT_EQ(written.log, "padlint: cannot write /dev/full: No space left on device\n");
}

TEST(Output, AReaderThatWentAwayIsAFailure) {
  const Folder folder(project);
  int ends[2];
  ASSERT_EQ(::pipe2(ends, O_CLOEXEC), 0);
  ::close(ends[0]);
  const Descriptor pipe(ends[1]);
  const Outcome run = folder.run({"clean.sql"}, pipe.number);
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_EQ(run.log, "padlint: cannot write to standard output: Broken pipe\n");
}

} // namespace
} // namespace padlint
