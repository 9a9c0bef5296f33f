#include "tests/sarif/sample.h"

namespace padlint {

namespace {

void check_nothing(const ProjectFacts&, Report&) {}

const Rule hashtext_key = {
    .id = "hashtext-key", .summary = "a lock key is made with hashtext()", .check = check_nothing};
const Rule leaked_lock = {.id = "leaked-session-lock",
                          .summary = "a session-level lock is not released on some path",
                          .level = FindingLevel::error,
                          .check = check_nothing};
const Rule session_lock = {.id = "session-lock",
                           .summary = "a session-level lock is taken",
                           .level = FindingLevel::note,
                           .on_request = true,
                           .check = check_nothing};
const Rule* const rules[] = {&hashtext_key, &leaked_lock, &session_lock};

std::string_view page(std::string_view id) {
  if (id == "hashtext-key")
    return "# hashtext-key\n\nA key is made with hashtext(),\nwhich is internal.\n\n## Why\nIt may change.\n";
  if (id == "leaked-session-lock")
    return "# leaked-session-lock\n\nA lock stays.\n";
  return "# session-lock\n\nA lock is taken.\n";
}

} // namespace

Sample::Sample(std::initializer_list<std::pair<std::string, std::string>> given) : files(given) {
  report.version = "0.1.0";
  report.rules = rules;
  report.rule_page = page;
  report.sources = whole_sources([this](FileId file) { return std::string_view(files.at(file).first); },
                                 [this](FileId file) { return &files.at(file).second; });
}

Span Sample::find(FileId file, std::string_view text, int nth) const {
  std::size_t at = files.at(file).second.find(text);
  for (; nth > 0; --nth)
    at = files[file].second.find(text, at + 1);
  return {.file = file, .begin = static_cast<std::uint32_t>(at), .end = static_cast<std::uint32_t>(at + text.size())};
}

Finding& Sample::add(std::string rule, FindingLevel level, Span where, std::string message) {
  report.findings.push_back({.rule = std::move(rule), .level = level, .primary = where, .message = std::move(message)});
  return report.findings.back();
}

std::string Sample::text(TextOptions options) const {
  std::string out;
  write_text(out, report, options);
  return out;
}

std::string Sample::notices() const {
  std::string out;
  write_notices(out, report, {});
  return out;
}

std::string Sample::sarif() const {
  std::string out;
  write_sarif(out, report);
  return out;
}

} // namespace padlint
