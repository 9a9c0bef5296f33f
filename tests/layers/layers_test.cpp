#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

// The shape of the program, checked on its own sources: which folder may include what, and that no C++ file names a
// host language.

namespace padlint {
namespace {

namespace fs = std::filesystem;
using Names = std::set<std::string>;

const fs::path root = PADLINT_SOURCE_DIR;

/// What a file of a folder may include beside its own folder and the standard library.
struct Layer {
  Names folders;
  Names libraries;
};

const std::map<std::string, Layer> layers = {
    {"analyzer/core", {{}, {"fmt"}}},
    {"analyzer/walk", {{"analyzer/core"}, {"fmt", "hs", "re2"}}},
    {"analyzer/sql", {{"analyzer/core"}, {"fmt", "nlohmann", "pg_query"}}},
    {"analyzer/host", {{"analyzer/core", "grammars"}, {"fmt", "toml++", "tree_sitter"}}},
    {"analyzer/config", {{"analyzer/core"}, {"fmt", "libfyaml"}}},
    {"analyzer/facts", {{"analyzer/core", "analyzer/sql", "analyzer/config", "grammars"}, {"fmt", "toml++"}}},
    {"analyzer/serial", {{"analyzer/core"}, {"fmt", "nlohmann"}}},
    {"analyzer/cli",
     {{"analyzer/core", "analyzer/walk", "analyzer/sql", "analyzer/host", "analyzer/config", "analyzer/facts",
       "analyzer/serial", "sarif"},
      {"CLI", "fmt", "nlohmann", "toml++"}}},
    {"analyzer/cli/main", {{"analyzer/cli"}, {}}},
    {"grammars", {{}, {"tree_sitter"}}},
    {"rules", {{"analyzer/core", "analyzer/facts"}, {"fmt"}}},
    {"sarif", {{"analyzer/core"}, {"fmt", "nlohmann"}}},
};

/// POSIX and Linux headers: they count as the standard library.
const Names system_headers = {"cpuid.h",   "dirent.h", "fcntl.h", "immintrin.h", "poll.h",
                              "pthread.h", "signal.h", "spawn.h", "unistd.h",    "sys"};

std::string slurp(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

/// The .cpp and .h files below these folders, relative to the root, sorted.
std::vector<std::string> cpp_files(std::initializer_list<std::string_view> folders) {
  std::vector<std::string> files;
  for (const std::string_view folder : folders)
    for (auto at = fs::recursive_directory_iterator(root / folder); at != fs::end(at); ++at) {
      if (at->path().filename() == "node_modules")
        at.disable_recursion_pending();
      else if (at->path().extension() == ".cpp" || at->path().extension() == ".h")
        files.push_back(at->path().lexically_relative(root).generic_string());
    }
  std::ranges::sort(files);
  return files;
}

std::string folder_of(const std::string& file) { return fs::path(file).parent_path().generic_string(); }

struct Include {
  std::string path;
  bool angle = false;
};

std::vector<Include> includes_of(const std::string& text) {
  static const std::regex include(R"re(^\s*#\s*include\s*([<"])([^>"]+)[>"])re");
  std::vector<Include> includes;
  for (const std::string& line : lines_of(text))
    if (std::smatch match; std::regex_search(line, match, include))
      includes.push_back({match[2], match[1] == "<"});
  return includes;
}

/// `fmt` for fmt/format.h, `pg_query` for pg_query.h; empty for the standard library and the system.
std::string library_of(const std::string& header) {
  const std::string first = fs::path(header).begin()->string();
  if (system_headers.contains(first) || header.find_first_of("./") == std::string::npos)
    return {};
  return fs::path(first).stem().string();
}

/// The offset behind the literal that begins at `at`: a quote, or the R of a raw string.
std::size_t literal_end(const std::string& text, std::size_t at) {
  if (text[at] == 'R') {
    const std::size_t open = text.find('(', at);
    const std::string close = ")" + text.substr(at + 2, open - at - 2) + "\"";
    const std::size_t end = text.find(close, open);
    return end == std::string::npos ? text.size() : end + close.size();
  }
  const char quote = text[at++];
  while (at < text.size() && text[at] != quote && text[at] != '\n')
    at += text[at] == '\\' ? 2U : 1U;
  return std::min(at + 1, text.size());
}

std::string without_comments(const std::string& text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::string_view rest = std::string_view(text).substr(at);
    std::size_t end = at + 1;
    if (rest.starts_with("//")) {
      at = std::min(text.find('\n', at), text.size());
      continue;
    }
    if (rest.starts_with("/*")) {
      const std::size_t close = text.find("*/", at);
      at = close == std::string::npos ? text.size() : close + 2;
      continue;
    }
    // An apostrophe between digits separates them: 10'000.
    const bool separator = rest[0] == '\'' && at > 0 && std::isxdigit(static_cast<unsigned char>(text[at - 1]));
    if (rest[0] == '"' || (rest[0] == '\'' && !separator) || rest.starts_with("R\""))
      end = literal_end(text, at);
    out.append(text, at, end - at);
    at = end;
  }
  return out;
}

TEST(Layers, IncludeOnlyWhatTheyMay) {
  for (const std::string& file : cpp_files({"analyzer", "grammars", "rules", "sarif"})) {
    const std::string folder = folder_of(file);
    ASSERT_TRUE(layers.contains(folder)) << file << ": no layer";
    const Layer& layer = layers.at(folder);
    for (const Include& include : includes_of(slurp(root / file))) {
      if (include.angle) {
        const std::string library = library_of(include.path);
        EXPECT_TRUE(library.empty() || layer.libraries.contains(library))
            << file << " includes <" << include.path << ">";
      } else {
        const std::string target = folder_of(include.path);
        EXPECT_TRUE(target == folder || layer.folders.contains(target)) << file << " includes " << include.path;
        EXPECT_TRUE(fs::exists(root / include.path)) << file << " includes " << include.path;
      }
    }
  }
}

// A header that is the first line of its .cpp is known to compile alone.
TEST(Layers, AFileIncludesItsOwnHeaderFirst) {
  for (const std::string& file : cpp_files({"analyzer", "sarif"})) {
    const std::string header = fs::path(file).replace_extension(".h").generic_string();
    if (!file.ends_with(".cpp") || !fs::exists(root / header))
      continue;
    const std::vector<Include> includes = includes_of(slurp(root / file));
    ASSERT_FALSE(includes.empty()) << file;
    EXPECT_EQ(includes.front().path, header) << file;
  }
}

TEST(Layers, NoFileIsLong) {
  for (const std::string& file : cpp_files({"analyzer", "bench", "grammars", "rules", "sarif", "tests"}))
    EXPECT_LE(lines_of(slurp(root / file)).size(), 400U) << file;
}

TEST(Layers, TheMapOfFactsIsComplete) {
  Names files;
  for (const auto& entry : fs::directory_iterator(root / "analyzer/facts"))
    if (entry.path().extension() != ".md")
      files.insert(entry.path().stem());
  const std::string map = slurp(root / "analyzer/facts/README.md");
  const std::regex in_table("`([a-z_]+)`");
  Names named;
  for (const std::string& line : lines_of(map))
    for (std::sregex_iterator at(line.begin(), line.end(), in_table), end; at != end; ++at)
      named.insert((*at)[1]);
  EXPECT_EQ(named, files);
}

TEST(Layers, EveryHeaderSaysPragmaOnce) {
  for (const std::string& file : cpp_files({"analyzer", "grammars", "sarif", "tests"}))
    EXPECT_EQ(file.ends_with(".h"), slurp(root / file).starts_with("#pragma once\n")) << file;
}

// Two types of one name in one namespace break the program without a word of the linker, wherever they are.
TEST(Layers, NoNameStandsForTwoTypes) {
  static const std::regex space(R"re(^namespace (\w+(::\w+)*) \{)re");
  static const std::regex type(R"re(^(struct|class|enum|enum class) (\w+)( : [\w:]+)? \{)re");
  std::map<std::string, std::string> places; // by qualified name
  for (const std::string& file : cpp_files({"analyzer", "grammars", "rules", "sarif"})) {
    std::string name;
    std::smatch match;
    if (!file.ends_with(".h"))
      continue;
    for (const std::string& line : lines_of(slurp(root / file)))
      if (std::regex_search(line, match, space))
        name = match[1];
      else if (std::regex_search(line, match, type))
        if (const auto [known, added] = places.emplace(name + "::" + match[2].str(), file); !added)
          ADD_FAILURE() << known->first << " stands in " << known->second << " and in " << file;
  }
  EXPECT_GT(places.size(), 100U);
}

// Languages are data: their names are folders of grammars/. One of one or two letters is looked for as a whole literal.
TEST(Layers, NoCodeNamesALanguage) {
  Names languages;
  for (const auto& entry : fs::directory_iterator(root / "grammars"))
    if (fs::exists(entry.path() / "language.toml"))
      languages.insert(entry.path().filename().string());
  ASSERT_FALSE(languages.empty());
  for (const std::string& file : cpp_files({"analyzer", "sarif"})) {
    const std::string code = without_comments(slurp(root / file));
    for (const std::string& language : languages) {
      const std::string pattern = language.size() > 2 ? "\\b" + language + "\\b" : "\"" + language + "\"";
      EXPECT_FALSE(std::regex_search(code, std::regex(pattern, std::regex::icase))) << file << " names " << language;
    }
  }
}

TEST(Layers, CommentsAreNoCode) {
  const std::pair<std::string, std::string_view> cases[] = {
      {"int a; // one\nint b;", "int a; \nint b;"},
      {"a /* two\n*/ b", "a  b"},
      {R"(f("// text", '"', "\"/*"); // three)", R"(f("// text", '"', "\"/*"); )"},
      {"10'000 // four", "10'000 "},
      {"R\"x(// \" )x\" /* five */", "R\"x(// \" )x\" "},
  };
  for (const auto& [text, code] : cases)
    EXPECT_EQ(without_comments(text), code);
}

} // namespace
} // namespace padlint
