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

// The user shows a report to others. Whatever a source holds, no output shows a password.
TEST(Secrets, AreInNoOutput) {
  const Folder folder(Files{
      {".padlint.toml", "root = true\n"},
      {".env.production", "DATABASE_URL=postgres://shop:hunter2@db:6432/shop\nDB_PASS=hunter2\n"},
      {"config/database.yml", "production:\n  adapter: postgresql\n  password: hunter2\n  advisory_locks: false\n"},
      {"deploy/pgbouncer.ini", "[databases]\nshop = host=db password=hunter2\n[pgbouncer]\n"
                               "pool_mode = transaction\nbroken password=hunter2\n"},
      {"package.json", "{\"scripts\": {\"m\": \"PGPASSWORD=hunter2 prisma migrate deploy\"}}\n"},
      {"a.py", "import os, psycopg\n"
               "c = psycopg.connect(os.environ['DATABASE_URL']); c.execute('SELECT pg_advisory_lock(1)')\n"
               "d = psycopg.connect('postgres://u:hunter2@db:6432/shop'); d.execute('SELECT pg_advisory_lock(2)')\n"
               "e = psycopg.connect(host='db', password='hunter2'); e.execute('SELECT pg_advisory_lock(3)')\n"
               "e.execute(\"SELECT pg_advisory_lock(hashtext('postgres://u:hunter2@db/shop'))\")\n"},
      {"b.psql", "CREATE ROLE shop PASSWORD 'hunter2'; SELECT pg_advisory_xact_lock(1);\n"}});
  std::vector<std::vector<std::string>> commands = {{"facts", "."}};
  for (const char* format : {"text", "sarif", "json"})
    commands.push_back({"--min-level", "note", "--min-confidence", "possible", "--format", format});
  for (const char* line : {"a.py:2", "a.py:3", "a.py:4", "a.py:5", "b.psql:1"})
    commands.push_back({"explain", line});
  for (const std::vector<std::string>& command : commands) {
    const Outcome run = folder.run(command);
    EXPECT_NE(run.exit_code, 2) << command.back() << run.log;
    EXPECT_FALSE((run.out + run.log).contains("hunter2")) << command.back() << "\n" << run.out;
  }
}

} // namespace
} // namespace padlint
