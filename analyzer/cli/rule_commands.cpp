#include "analyzer/cli/commands.h"
#include "analyzer/cli/exit_code.h"
#include "analyzer/cli/explain.h"
#include "analyzer/cli/nearest.h"
#include "analyzer/cli/output.h"
#include "analyzer/cli/request.h"
#include "analyzer/core/rule.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

namespace padlint {
namespace {

int print(std::string_view text) {
  const auto written = write_report(text, "");
  return written ? exit_clean : failed(written.error());
}

struct Line {
  std::string path;
  std::uint32_t number = 0;
};

/// `jobs/sync.py:12`, or `jobs/sync.py:12:8` as reports print it; nothing for a text of another form.
std::optional<Line> line_in(const std::string& text) {
  std::optional<Line> line;
  std::string_view rest = text;
  for (std::size_t colon = rest.rfind(':'); colon != std::string_view::npos && colon > 0; colon = rest.rfind(':')) {
    std::uint32_t number = 0;
    const char* end = text.data() + rest.size();
    const auto [stop, error] = std::from_chars(text.data() + colon + 1, end, number);
    if (error != std::errc() || stop != end || number == 0)
      break;
    rest = rest.substr(0, colon);
    line = Line{.path = std::string(rest), .number = number};
  }
  return line;
}

int explain_place(const Line& line, const Options& options) {
  Options asked = options;
  asked.paths = {line.path};
  const auto request = resolve_request(asked);
  if (!request)
    return failed(request.error());
  if (request->paths.empty())
    return failed(fmt::format("{}: not a file", line.path));
  // The findings of the whole project: what decides one may stand in another file.
  const auto text = explain_line(work_tree(request->root), request->paths.front(), line.number, {});
  return text ? print(*text) : failed(text.error());
}

} // namespace

int run_rules(const Options&) {
  std::size_t width = 0;
  for (const Rule* rule : all_rules())
    width = std::max(width, rule->id.size());
  std::string table;
  for (const Rule* rule : all_rules())
    table += fmt::format("{:<{}}  {:<7}  {:<10}  {}\n", rule->id, width, to_text(rule->level),
                         rule->on_request ? "on request" : "on", rule->summary);
  return print(table);
}

int run_explain(const Options& options) {
  if (const std::string_view page = rule_page(options.subject); !page.empty())
    return print(page);
  if (const auto place = line_in(options.subject))
    return explain_place(*place, options);
  std::vector<std::string_view> ids;
  for (const Rule* rule : all_rules())
    ids.push_back(rule->id);
  const std::string_view near = nearest(options.subject, ids);
  return failed(near.empty()
                    ? fmt::format("no rule `{}`; `padlint rules` lists them, and a line is PATH:LINE", options.subject)
                    : fmt::format("no rule `{}`; did you mean `{}`?", options.subject, near));
}

} // namespace padlint
