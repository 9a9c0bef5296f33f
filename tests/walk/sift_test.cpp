#include "analyzer/walk/sift.h"
#include "tests/walk/temp_folder.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <mutex>
#include <random>
#include <string>
#include <sys/resource.h>
#include <vector>

namespace padlint {
namespace {

struct Engine {
  const char* name;
  ScannerFactory (*compile)(const WordSet&);
};

constexpr Engine engines[] = {{"Hyperscan", compile_with_hyperscan}, {"RE2", compile_with_re2}};

TEST(Words, BothEnginesFindTheSame) {
  struct Case {
    WordSet set;
    std::string_view text;
    bool found;
  };
  const Case cases[] = {
      {{{"advisory"}}, "select pg_advisory_lock(1)", true},
      {{{"advisory"}}, "select PG_ADVISORY_LOCK(1)", true},
      {{{"Advisory"}}, "aDVISORY", true},
      {{{"advisory"}, true}, "ADVISORY", false},
      {{{"Advisory"}, true}, "an Advisory one", true},
      {{{"advisory"}}, "advisor", false},
      {{{"advisory"}}, "dvisory", false},
      {{{"advisory"}}, "", false},
      {{{"a"}}, "A", true},
      {{{"one", "two"}}, "some TWO", true},
      {{{"one", "two"}}, "on etw o", false},
      {{{"a.c"}}, "abc", false},
      {{{"a.c"}}, "A.C", true},
      {{{"(?i)[x]\\"}}, "(?I)[X]\\", true},
      {{{"@[`{"}}, "`{@[", false},
      {{{"@"}}, "`", false},
      {{{"x\ny"}}, "X\nY", true},
      {{{std::string("a\0b", 3)}}, std::string_view("xa\0by", 5), true},
      {{{std::string("a\0b", 3)}}, "a", false},
      {{{"\xC3\xA4"}}, "\xC3\xA4", true},
      {{{"\xE4"}}, "\xC4", false},      // Latin-1 letters have no case here
      {{{"k"}}, "\xE2\x84\xAA", false}, // nor has the Kelvin sign
      {{{"needle"}}, std::string_view("\xFF\xFE\x80needle\x80", 10), true},
  };
  for (const Engine& engine : engines)
    for (const Case& test : cases) {
      const ScannerFactory factory = engine.compile(test.set);
      ASSERT_TRUE(factory) << engine.name;
      EXPECT_EQ(factory()(test.text), test.found) << engine.name << ": " << test.set.words[0] << " in " << test.text;
    }
}

TEST(Words, BothEnginesAgreeOnRandomTexts) {
  std::mt19937 random(7); // a fixed seed: the same texts in every run
  const auto text = [&](std::size_t length) {
    std::string made(length, ' ');
    for (char& byte : made)
      byte = "abAB_"[random() % 5];
    return made;
  };
  std::size_t found = 0;
  for (int round = 0; round < 200; ++round) {
    WordSet set{{}, round % 2 == 0};
    for (std::size_t count = 1 + random() % 40; count > 0; --count)
      set.words.push_back(text(3 + random() % 8));
    Scanner hyperscan = compile_with_hyperscan(set)(), re2 = compile_with_re2(set)();
    for (int sample = 0; sample < 20; ++sample) {
      const std::string subject = text(random() % 60);
      const bool expected = re2(subject);
      EXPECT_EQ(hyperscan(subject), expected) << subject;
      found += expected ? 1 : 0;
    }
  }
  EXPECT_GT(found, 400U);
  EXPECT_LT(found, 3600U);
}

TEST(Sift, WithoutWordsNothingMatches) {
  EXPECT_FALSE(Sift(WordSet{}).matches("a"));
  EXPECT_FALSE(Sift({{""}}).matches("a"));
  EXPECT_TRUE(Sift({{"", "a"}}).matches("A"));
  EXPECT_TRUE(Sift::everything().matches(""));
  EXPECT_TRUE(Sift({{"word"}}, 1).matches("a Word"));
  EXPECT_TRUE(Sift({{"word"}}, 1000).matches("a Word"));
}

const FileKinds& kinds() {
  static const FileKinds made{
      .extensions = {{"aa", "alpha"}, {"bb", "beta"}},
      .names = {},
      .interpreters = {{"alpha", "alpha"}},
      .config_kind = [](std::string_view path) { return path.ends_with(".ini") ? std::string_view("ini") : ""; }};
  return made;
}

/// `path:kind` of each match, and then each notice, a line each.
std::string sifted(const SourceTree& tree, const SiftRequest& request) {
  const Listing listing = tree.list(1);
  const SiftResult result = sift(tree, listing.entries, kinds(), request);
  std::string text;
  for (const SiftedFile& match : result.matches)
    text += listing.entries[match.file].path + ":" + std::string(match.kind.id) + "\n";
  for (const Notice& notice : result.notices)
    text += "! " + notice.id + " " + notice.path + "\n";
  return text;
}

std::string sifted(const SourceTree& tree, const Sift& words, unsigned jobs = 2) {
  return sifted(tree, {[&](FileId, const FileKind&) { return &words; }, {}, jobs});
}

TEST(Sift, FindsTheFilesOfEachClass) {
  const SourceTree tree = memory_tree({
      {"a.aa", "has the Word"},
      {"b.aa", "has none"},
      {"c.bb", "word"},
      {"d.sql", "-- WORD"},
      {"e.psql", "word"},
      {"f.txt", "word"},
      {"g.ini", "word"},
      {"script", "#!/usr/bin/alpha\nword"},
      {"script2", "#!/usr/bin/other\nword"},
      {"script3", "word"},
      {"script4", "#!/usr/bin/alpha\nnone"},
      {"script5", "#!/usr/bin/alpha\n" + std::string(1000, 'x') + "word"},
      {"empty.aa", ""},
      {"empty", ""},
  });
  EXPECT_EQ(sifted(tree, Sift({{"word"}})),
            "a.aa:alpha\nc.bb:beta\nd.sql:sql\ne.psql:psql\ng.ini:ini\nscript:alpha\nscript5:alpha\n");
}

TEST(Sift, EachKindHasItsWords) {
  const SourceTree tree = memory_tree(
      {{"a.aa", "one"}, {"b.aa", "two"}, {"c.bb", "one"}, {"d.sql", "One"}, {"e.sql", "one"}, {"f.ini", ""}});
  const Sift host({{"one"}}), sql({{"One"}, true}), everything = Sift::everything();
  const SiftRequest request{[&](FileId, const FileKind& kind) -> const Sift* {
    if (kind.id == "beta")
      return nullptr;
    return kind.file_class == FileClass::host ? &host : kind.file_class == FileClass::sql ? &sql : &everything;
  }};
  EXPECT_EQ(sifted(tree, request), "a.aa:alpha\nd.sql:sql\nf.ini:ini\n");
}

TEST(Sift, HandsOnTheTextOfMatches) {
  const std::string three_megabytes = std::string(3U << 20, 'x') + "word" + std::string(1000, 'y');
  const std::map<std::string, std::string, std::less<>> files = {
      {"a.aa", "a word"},
      {"b.aa", "none"},
      {"c.aa", "word" + std::string(1'500'000, 'x')}, // found at once, and yet whole
      {"d.sql", three_megabytes},
      {"script", "#!/bin/alpha\n" + std::string(400, ' ') + "word"},
  };
  const SourceTree tree = memory_tree(files);
  const Listing listing = tree.list(1);
  const Sift words({{"word"}});
  std::mutex mutex;
  std::map<std::string, std::string, std::less<>> texts;
  const SiftRequest request{[&](FileId, const FileKind&) { return &words; },
                            [&](FileId file, const FileKind&, std::string text) {
                              const std::lock_guard guard(mutex);
                              texts[listing.entries[file].path] = std::move(text);
                            },
                            3};
  const SiftResult result = sift(tree, listing.entries, kinds(), request);
  EXPECT_EQ(result.searched, 5U);
  EXPECT_EQ(result.matches.size(), 4U);
  ASSERT_EQ(texts.size(), 4U);
  for (const auto& [path, text] : texts)
    EXPECT_TRUE(text == files.find(path)->second) << path;
}

// A word wherever the pieces that a file is read in may be cut.
TEST(Sift, WordsAcrossPieces) {
  const std::string word = "advisory_lock";
  constexpr std::size_t piece = std::size_t{256} << 10, buffer = std::size_t{2} << 20;
  const Sift words({{word}, true});
  for (const std::size_t cut :
       {piece, 2 * piece, buffer, buffer + piece - (word.size() - 1), 2 * buffer - (word.size() - 1)})
    for (std::size_t before = 0; before <= word.size(); ++before) {
      std::string text(cut - before, 'x');
      text += word;
      text += std::string(100, 'x');
      const bool host = text.size() <= host_file_limit;
      EXPECT_EQ(sifted(memory_tree({{host ? "a.aa" : "a.sql", text}}), words), host ? "a.aa:alpha\n" : "a.sql:sql\n")
          << cut << " " << before;
      text[cut - before + 3] = '-';
      EXPECT_EQ(sifted(memory_tree({{host ? "a.aa" : "a.sql", text}}), words), "") << cut << " " << before;
    }
}

TEST(Sift, LeavesOutLongAndBinaryFiles) {
  std::string early(20'000, 'x'), late = early;
  early[8191] = '\0';
  late[8192] = '\0';
  const SourceTree tree = memory_tree({{"a.aa", "word" + std::string(host_file_limit, ' ')},
                                       {"b.aa", "word" + std::string(host_file_limit - 4, ' ')},
                                       {"c.sql", std::string(host_file_limit, ' ') + "word"},
                                       {"early.aa", early + "word"},
                                       {"late.aa", late + "word"},
                                       {"little.aa", "\xff\xfew"},
                                       {"big.aa", "\xfe\xff" + std::string("\0w", 2)},
                                       {"script", std::string("#!/bin/alpha\n\0", 14) + "word"}});
  EXPECT_EQ(sifted(tree, Sift({{"word"}})),
            "b.aa:alpha\nc.sql:sql\nlate.aa:alpha\n! too-large a.aa\n! not-utf8 big.aa\n"
            "! binary-file early.aa\n! not-utf8 little.aa\n! binary-file script\n");
}

TEST(Sift, SaysWhichFilesItCouldNotRead) {
  TempFolder folder;
  folder.write("a.aa", "word");
  folder.write("b.aa", "word");
  folder.write("c", "#!/bin/alpha\nword");
  const SourceTree tree = work_tree(folder.path());
  const Listing listing = tree.list(1);
  std::filesystem::remove(folder.path() / "b.aa");
  std::filesystem::remove(folder.path() / "c");
  const Sift words({{"word"}});
  const SiftResult result =
      sift(tree, listing.entries, kinds(), {[&](FileId, const FileKind&) { return &words; }, {}, 1});
  ASSERT_EQ(result.matches.size(), 1U);
  EXPECT_EQ(result.matches[0].file, 0U);
  ASSERT_EQ(result.notices.size(), 2U);
  EXPECT_EQ(result.notices[0].path, "b.aa");
  EXPECT_EQ(result.notices[1].path, "c");
}

/// A tree of one file, which is made while it is read.
SourceTree
made_tree(const std::string& path, std::uint64_t size,
          const std::function<std::expected<std::size_t, std::string>(std::uint64_t at, std::span<char>)>& make) {
  return {[path](unsigned) { return Listing{{{path}}, {}}; },
          [=] {
            return Opener([=](std::string_view) -> std::expected<OpenFile, Notice> {
              return OpenFile{size, [=, at = std::uint64_t{0}](std::span<char> buffer) mutable {
                                const auto count = make(at, buffer);
                                at += count.value_or(0);
                                return count;
                              }};
            });
          }};
}

TEST(Sift, LongDumpsAreNeverHeldAsAWhole) {
  // Spaces, and the word at the very end.
  const auto dump = [](std::uint64_t size) {
    return made_tree("a.sql", size, [size](std::uint64_t at, std::span<char> buffer) {
      const std::size_t count = std::min<std::uint64_t>(buffer.size(), size - at);
      std::fill_n(buffer.begin(), count, ' ');
      if (count > 0 && at + count == size)
        std::ranges::copy(std::string_view("word"), buffer.begin() + static_cast<std::ptrdiff_t>(count) - 4);
      return std::expected<std::size_t, std::string>(count);
    });
  };
  rusage before = {}, after = {};
  ::getrusage(RUSAGE_SELF, &before);
  EXPECT_EQ(sifted(dump(sql_file_limit), Sift({{"word"}})), "a.sql:sql\n");
  ::getrusage(RUSAGE_SELF, &after);
  EXPECT_LT(after.ru_maxrss - before.ru_maxrss, 16 << 10) << "KB";
  EXPECT_EQ(sifted(dump(sql_file_limit + 1), Sift({{"word"}})), "! too-large a.sql\n");
}

TEST(Sift, AnErrorInTheMiddleIsNoMatch) {
  const auto failing = [](std::uint64_t at, std::span<char> buffer) -> std::expected<std::size_t, std::string> {
    if (at > 0)
      return std::unexpected("Input/output error");
    std::ranges::copy(std::string_view("word"), buffer.begin());
    return 4;
  };
  const SourceTree tree = made_tree("a.aa", 1000, failing);
  const Sift words({{"word"}});
  SiftRequest request{[&](FileId, const FileKind&) { return &words; }};
  EXPECT_EQ(sifted(tree, request), "a.aa:alpha\n"); // the rest does not matter
  request.on_match = [](FileId, const FileKind&, const std::string&) { FAIL() << "only a part of the text"; };
  EXPECT_EQ(sifted(tree, request), "! unreadable-file a.aa\n");
  EXPECT_EQ(sifted(tree, Sift({{"other"}})), "! unreadable-file a.aa\n");
}

TEST(Sift, TheSameWhateverTheNumberOfThreads) {
  MemoryFiles files;
  for (int number = 0; number < 3000; ++number)
    files["f" + std::to_string(number) + ".aa"] = number % 7 == 0 ? "word" : "none";
  const SourceTree tree = memory_tree(files);
  const Sift words({{"word"}});
  const std::string once = sifted(tree, words, 1);
  EXPECT_EQ(std::ranges::count(once, '\n'), 429);
  for (const unsigned jobs : {2U, 5U, 16U, 0U})
    EXPECT_EQ(sifted(tree, words, jobs), once);
}

} // namespace
} // namespace padlint
