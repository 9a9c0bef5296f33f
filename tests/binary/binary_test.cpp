#include <algorithm>
#include <elf.h>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <string>

// What a user gets: one file that needs no other one.

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

} // namespace
} // namespace padlint
