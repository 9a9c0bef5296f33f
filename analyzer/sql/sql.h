#pragma once

#include "analyzer/core/file_facts.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace padlint {

/// From `text` (offset in SqlText::text) on, the bytes stand at `source` of `file`, one for one, up to the next joint;
/// for a hole every byte stands for the whole `source`..`source_end`.
struct SqlJoint {
  std::uint32_t text = 0;
  FileId file = 0;
  std::uint32_t source = 0;
  std::uint32_t source_end = 0; // of a hole
  bool hole = false;
  bool starts_literal = false; // what stands before belongs to another literal
};

/// SQL text put together from literals that may stand in several places. Where a part is known at run time only, the
/// text has an identifier (`hole_name(n)`), and `holes[n]` says what stood there.
struct SqlText {
  std::string text;
  std::vector<SqlJoint> joints; // sorted by text; the first is at 0
  std::vector<Value> holes;
  std::vector<std::string> unique_columns; // "table.column", declared PRIMARY KEY or UNIQUE in the same text; sorted

  /// A joint is left out where the mapping goes on as it was.
  void add_joint(const SqlJoint& joint);
  void append(std::string_view literal, FileId file, std::span<const OffsetStep> steps);
  void append_hole(Value value);
  /// The place of text[begin, end): cut to its first file where it crosses files.
  [[nodiscard]] Span source(std::uint32_t begin, std::uint32_t end) const;
};

/// `padlint_hole_3`: an identifier that fits wherever a value or a name may stand.
std::string hole_name(std::size_t index);

/// The text of a file that is all SQL.
SqlText whole_file(FileId file, std::string_view text);

/// What a text says: its statements in order, and the bodies of the functions, procedures and DO blocks that it
/// defines. Routine::flow numbers index `statements`, in which the statements of the bodies follow those of the top
/// level. A placeholder is a parameter Value (number by position from 0, or label); a hole is a parameter Value whose
/// text is "hole" and whose number is its index.
struct SqlReading {
  std::vector<Statement> statements;
  std::size_t top_level = 0; // the first `top_level` statements are the text's own
  std::vector<Routine> routines;
  std::vector<Notice> notices;
  bool sql = false; // at least one statement parsed: only then is the text taken for SQL at all
};

/// Reads a text. `placeholders` are the styles that may occur: "%s", "%(name)s", ":name", "?" ("$n" and "@name"
/// always).
SqlReading read_sql(const SqlText& text, std::span<const std::string> placeholders);

/// Reads a file of SQL, or with `psql` a script with meta commands. Its top level is routines[0]: in autocommit each
/// statement stands alone; begin and commit events show where several are one implicit transaction.
FileFacts read_sql_file(FileId file, std::string_view path, std::string_view text, bool psql);

} // namespace padlint
