#pragma once

#include "sarif/report.h"

#include <initializer_list>
#include <string>
#include <vector>

namespace padlint {

/// A small project with a report about it. Findings mark the first place of a text in a file.
struct Sample {
  std::vector<std::pair<std::string, std::string>> files; // path and text, by FileId
  RunReport report;

  Sample(std::initializer_list<std::pair<std::string, std::string>> given = {});
  Sample(const Sample&) = delete; // the report's functions refer to it
  Sample& operator=(const Sample&) = delete;

  /// Where `text` stands in the file, the `nth` time (from 0).
  [[nodiscard]] Span find(FileId file, std::string_view text, int nth = 0) const;
  Finding& add(std::string rule, FindingLevel level, Span where, std::string message);
  std::string text(TextOptions options = {}) const;
  std::string notices() const;
  std::string sarif() const;
};

} // namespace padlint
