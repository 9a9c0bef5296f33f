#include <algorithm>
#include <chrono>
#include <elf.h>
#include <fcntl.h>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <spawn.h>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

// What a user gets: one file that needs no other one, and starts at once.

namespace padlint {
namespace {

const std::string binary = PADLINT_BINARY_DIR "/padlint";

TEST(Binary, IsStaticAndStripped) {
  std::ifstream in(binary, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(in), {}};
  ASSERT_GT(bytes.size(), sizeof(Elf64_Ehdr));
  const auto* header = reinterpret_cast<const Elf64_Ehdr*>(bytes.data());
  ASSERT_TRUE(std::equal(ELFMAG, ELFMAG + SELFMAG, bytes.begin()));
  const auto* segments = reinterpret_cast<const Elf64_Phdr*>(bytes.data() + header->e_phoff);
  for (std::size_t i = 0; i < header->e_phnum; ++i)
    EXPECT_NE(segments[i].p_type, static_cast<Elf64_Word>(PT_INTERP)) << "needs a dynamic loader";
  const auto* sections = reinterpret_cast<const Elf64_Shdr*>(bytes.data() + header->e_shoff);
  for (std::size_t i = 0; i < header->e_shnum; ++i)
    EXPECT_NE(sections[i].sh_type, static_cast<Elf64_Word>(SHT_SYMTAB)) << "has symbols";
}

// The best of several starts: what else runs on the machine is not its fault.
TEST(Binary, StartsInFiveMilliseconds) {
  using Clock = std::chrono::steady_clock;
  auto best = Clock::duration::max();
  for (int i = 0; i < 20; ++i) {
    std::string argument = "--version";
    std::string name = binary;
    char* arguments[] = {name.data(), argument.data(), nullptr};
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    const auto begin = Clock::now();
    pid_t child = 0;
    ASSERT_EQ(posix_spawn(&child, binary.c_str(), &actions, nullptr, arguments, environ), 0);
    posix_spawn_file_actions_destroy(&actions);
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    best = std::min(best, Clock::now() - begin);
    ASSERT_EQ(status, 0);
  }
  EXPECT_LT(best, std::chrono::milliseconds(5));
}

} // namespace
} // namespace padlint
