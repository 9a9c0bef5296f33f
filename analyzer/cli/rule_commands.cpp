#include "analyzer/cli/commands.h"
#include "analyzer/cli/exit_code.h"
#include "analyzer/cli/nearest.h"
#include "analyzer/cli/output.h"
#include "analyzer/core/rule.h"

#include <fmt/format.h>

#include <algorithm>

namespace padlint {
namespace {

int print(std::string_view text) {
  const auto written = write_report(text, "");
  return written ? exit_clean : failed(written.error());
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
  if (const std::string_view page = rule_page(options.rule); !page.empty())
    return print(page);
  std::vector<std::string_view> ids;
  for (const Rule* rule : all_rules())
    ids.push_back(rule->id);
  const std::string_view near = nearest(options.rule, ids);
  return failed(near.empty() ? fmt::format("no rule `{}`; `padlint rules` lists them", options.rule)
                             : fmt::format("no rule `{}`; did you mean `{}`?", options.rule, near));
}

} // namespace padlint
