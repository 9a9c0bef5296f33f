#include "analyzer/core/mask.h"
#include "sarif/frame.h"
#include "sarif/report.h"
#include "sarif/unicode.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace padlint {

namespace {

constexpr std::string_view bold = "\x1b[1m";
constexpr std::string_view dim = "\x1b[2m";
constexpr std::string_view red = "\x1b[1;31m";
constexpr std::string_view yellow = "\x1b[1;33m";
constexpr std::string_view cyan = "\x1b[1;36m";
constexpr std::string_view reset = "\x1b[0m";

std::string_view color_of(FindingLevel level) {
  switch (level) {
  case FindingLevel::note: return cyan;
  case FindingLevel::warning: return yellow;
  case FindingLevel::error: return red;
  }
  return reset;
}

FindingLevel level_of(NoticeKind kind) {
  switch (kind) {
  case NoticeKind::note: return FindingLevel::note;
  case NoticeKind::warning: return FindingLevel::warning;
  case NoticeKind::error: return FindingLevel::error;
  }
  return FindingLevel::error;
}

/// `1 error`, `2 errors`
std::string counted(std::size_t count, std::string_view what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

/// Foreign text: no secrets, no control characters.
std::string shown(std::string_view text) { return printable(masked(text)); }

struct TextWriter {
  std::string& out;
  const RunReport& report;
  const TextOptions& options;
  IndexedSources sources{report.sources};

  [[nodiscard]] std::string colored(std::string_view color, std::string_view text) const {
    return options.color ? fmt::format("{}{}{}", color, text, reset) : std::string(text);
  }

  [[nodiscard]] std::string level_text(FindingLevel level) const { return colored(color_of(level), to_text(level)); }

  std::string place(const Span& span) {
    const Region region = sources.region(span, ColumnUnit::code_point);
    return fmt::format("{}:{}:{}", printable(sources.path(span.file)), region.line, region.column);
  }

  void write_frame(const Finding& finding) {
    const LineIndex* index = sources.index(finding.primary.file);
    if (index == nullptr)
      return;
    const std::uint32_t number = index->line_at(finding.primary.begin);
    const std::size_t line_begin = index->begins[number - 1];
    const auto offset = [&](std::size_t at) { return at - std::min(at, line_begin); };
    const FrameLine frame = frame_line(index->line(number), offset(finding.primary.begin), offset(finding.primary.end));
    const std::string gutter = fmt::format("{}", number);
    const std::string blank(gutter.size(), ' ');
    const std::string mark(frame.mark_end - frame.mark_begin, '^');
    out += fmt::format("{} {}\n", blank, colored(dim, "|"));
    out += fmt::format("{} {} {}\n", gutter, colored(dim, "|"), frame.text);
    out += fmt::format("{} {} {}{}\n", blank, colored(dim, "|"), std::string(frame.mark_begin, ' '),
                       colored(color_of(shown_level(finding)), mark));
  }

  void write_finding(const Finding& finding) {
    out += fmt::format("{}: {}: {} {}\n", colored(bold, place(finding.primary)), level_text(shown_level(finding)),
                       shown(finding.message), colored(dim, fmt::format("[{}]", printable(finding.rule))));
    write_frame(finding);
    for (const Related* related : ordered_related(finding))
      out += fmt::format("  {}: {}: {}\n", colored(cyan, "note"), place(related->span), shown(related->text));
    if (!finding.advice.empty())
      out += fmt::format("  {}: {}\n", colored(cyan, "help"), shown(finding.advice));
    out += '\n';
  }

  /// `12 notes (session-lock 9, hashtext-key 3): --min-level note shows them`
  void write_hidden(FindingLevel level) {
    std::map<std::string_view, std::size_t> rules;
    std::size_t count = 0;
    for (const Finding& finding : report.findings) {
      if (shown_level(finding) == level) {
        ++rules[finding.rule];
        ++count;
      }
    }
    if (count == 0)
      return;
    std::vector<std::pair<std::string_view, std::size_t>> by_count(rules.begin(), rules.end());
    std::ranges::stable_sort(by_count, std::ranges::greater(), &std::pair<std::string_view, std::size_t>::second);
    std::string list;
    for (const auto& [rule, number] : by_count)
      list += fmt::format("{}{} {}", list.empty() ? "" : ", ", printable(rule), number);
    out += fmt::format("{} ({}): --min-level {} {}\n", counted(count, to_text(level)), list, to_text(level),
                       count == 1 ? "shows it" : "shows them");
  }

  void write_coverage() {
    const Coverage& coverage = report.coverage;
    const auto count = [&](FindingLevel level) {
      return static_cast<std::size_t>(std::ranges::count(report.findings, level, shown_level));
    };
    out += fmt::format("padlint: {}, {}, {}", counted(count(FindingLevel::error), "error"),
                       counted(count(FindingLevel::warning), "warning"), counted(count(FindingLevel::note), "note"));
    std::size_t read = 0;
    for (const std::size_t files : coverage.files_read)
      read += files;
    out += fmt::format("; read {} of {}", read, counted(coverage.files_listed, "file"));
    if (coverage.files_read.size() > 1)
      out += fmt::format(" ({} by round)", fmt::join(coverage.files_read, " + "));
    out += fmt::format("; understood {} of {}", coverage.sql_understood, counted(coverage.sql_texts, "SQL text"));
    if (coverage.names_given_up > 0)
      out += fmt::format("; gave up {}", counted(coverage.names_given_up, "name"));
    if (!report.notices.empty())
      out += fmt::format("; {}", counted(report.notices.size(), "notice"));
    if (!coverage.deciding_configs.empty()) {
      std::vector<std::string> paths;
      for (const std::string& path : coverage.deciding_configs)
        paths.push_back(printable(path));
      out += fmt::format("; settings from {}", fmt::join(paths, ", "));
    }
    out += '\n';
  }
};

} // namespace

void write_text(std::string& out, const RunReport& report, const TextOptions& options) {
  TextWriter writer{.out = out, .report = report, .options = options};
  for (const Finding& finding : report.findings)
    if (shown_level(finding) >= options.min_level)
      writer.write_finding(finding);
  if (options.quiet)
    return;
  for (const FindingLevel level : {FindingLevel::warning, FindingLevel::note})
    if (level < options.min_level)
      writer.write_hidden(level);
  writer.write_coverage();
}

void write_notices(std::string& out, const RunReport& report, const TextOptions& options) {
  TextWriter writer{.out = out, .report = report, .options = options};
  for (const Notice& notice : report.notices) {
    std::string place = printable(notice.path);
    if (!notice.path.empty() && !notice.span.empty())
      place = writer.place(notice.span);
    out += fmt::format("{}{}{}: {} [{}]\n", place, place.empty() ? "" : ": ", writer.level_text(level_of(notice.kind)),
                       shown(notice.text), printable(notice.id));
  }
}

} // namespace padlint
