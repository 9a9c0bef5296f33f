#pragma once

#include "analyzer/core/file_facts.h"

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

// Facts that travel: made on one machine or by one process, kept in a file, and joined elsewhere into the report that
// one run would have made. facts.md describes the form and its use for people who write a tool around it.

namespace padlint {

/// Goes up when the form changes its meaning. What the fields are, and so most changes, is told by a hash of them.
constexpr std::uint32_t facts_schema = 1;

/// A line of a source file that a report may show.
struct StoredLine {
  std::uint32_t number = 1; // from 1
  std::uint32_t begin = 0;  // byte of the file at which it begins
  std::string text;         // without "\n", secrets veiled
  std::string hash;         // GitHub's identity of it
};

/// A file that was read.
struct StoredFile {
  FileFacts facts;        // FileFacts::file is not kept: whoever merges numbers the files
  std::string hash;       // of its bytes, 16 hexadecimal digits
  std::uint32_t size = 0; // bytes
  bool triggered = false; // the first round reads it
  std::vector<StoredLine> lines;
};

/// A file that is needed as it is: settings.
struct StoredText {
  std::string path;
  std::string text;
};

/// Which unread files hold a wanted name.
struct StoredAnswer {
  std::string name; // in lower case
  std::vector<std::string> paths;
};

/// What one `padlint facts --format json` wrote. Paths are relative to the root; all lists are sorted by path or name.
struct FactsFile {
  std::string program;             // version of the padlint that made it
  bool first_round = false;        // it holds what the first round reads; else it answers wants
  std::vector<std::string> listed; // all files that it was asked about
  std::vector<StoredText> settings;
  std::vector<Notice> listing_notices; // of the listing
  std::vector<Notice> file_notices;    // about files without facts
  std::vector<std::string> looked_at;  // wanted files, with facts below where a reader takes them
  std::vector<StoredAnswer> answers;
  std::vector<StoredFile> files;
};

/// What a merge needs to know beyond its facts: questions for `padlint facts --wants`.
struct WantsFile {
  std::string program;
  std::vector<std::string> names; // to be looked for, in lower case
  std::vector<std::string> files; // to be read
};

/// The stored form, whose last member is a checksum of all that stands before it.
std::string to_json(const FactsFile& facts);
std::string to_json(const WantsFile& wants);

/// Reads it back. The error is a sentence without the file's name: no facts at all, damaged, made by another padlint.
std::expected<FactsFile, std::string> read_facts_file(std::string_view text, std::string_view program);
std::expected<WantsFile, std::string> read_wants_file(std::string_view text, std::string_view program);

/// What is kept of a file: its facts without secrets, and the lines that a report about them may show, which are all
/// lines of texts and of short spans, and the first `most_lines` and the last one of longer spans. `hashes` are
/// GitHub's identities of all lines.
StoredFile stored_file(FileFacts facts, std::string_view text, std::vector<std::string> hashes,
                       std::uint32_t most_lines);

/// The file's text as far as the lines tell: of the right size, with every line in its place, those that are not
/// stored blank.
std::string text_of(const StoredFile& file);

/// What is wrong with a stored file, empty for nothing: an index or a place outside of what there is, an expression
/// without its parts. What was made from sources is sound.
std::string unsound(const StoredFile& file);

/// Makes every span of the facts one of this file.
void number_file(FileFacts& facts, FileId file);

} // namespace padlint
