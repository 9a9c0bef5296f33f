#include "sarif/sarif_parts.h"
#include "sarif/unicode.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace padlint {

namespace {

constexpr std::size_t longest_description = 1024; // GitHub refuses more

/// `SessionLockBehindPooler` from `session-lock-behind-pooler`
std::string pascal_case(std::string_view id) {
  std::string name;
  bool first = true;
  for (const char c : id) {
    if (c != '-')
      name.push_back(first && c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c);
    first = c == '-';
  }
  return name;
}

/// The page without its heading.
std::string_view page_body(std::string_view page) {
  if (page.starts_with("# "))
    page.remove_prefix(std::min(page.find('\n'), page.size()));
  page.remove_prefix(std::min(page.find_first_not_of('\n'), page.size()));
  return page;
}

/// The first paragraph, on one line.
std::string first_paragraph(std::string_view body) {
  std::string text(body.substr(0, body.find("\n\n")));
  std::ranges::replace(text, '\n', ' ');
  return text;
}

/// GitHub's words for how bad a rule's findings are.
std::string_view severity_of(FindingLevel level) {
  switch (level) {
  case FindingLevel::note: return "recommendation";
  case FindingLevel::warning: return "warning";
  case FindingLevel::error: return "error";
  }
  return "warning";
}

/// reportingDescriptor (3.49). GitHub wants all of it, for notifications as well.
struct Descriptor {
  std::string id;
  std::string name; // another word than the id (SARIF1001)
  std::string summary;
  std::string description;
  std::string help; // Markdown
  std::string uri;
  std::string_view level;
};

Json to_json(const Descriptor& descriptor) {
  const std::string markdown = fmt::format("{}\n\n[{}]({})\n", descriptor.help, descriptor.id, descriptor.uri);
  return {{"id", descriptor.id},
          {"name", descriptor.name},
          {"shortDescription", sarif_text(valid_utf8(descriptor.summary, longest_description))},
          {"fullDescription", sarif_text(valid_utf8(descriptor.description, longest_description))},
          {"help", {{"text", descriptor.help}, {"markdown", markdown}}},
          {"helpUri", descriptor.uri},
          {"defaultConfiguration", {{"level", descriptor.level}}}};
}

/// `Syntax error.` from `syntax-error`
std::string spelled_out(std::string_view id) {
  std::string text(id);
  std::ranges::replace(text, '-', ' ');
  return sentence(text);
}

std::string_view level_of(NoticeKind kind) {
  switch (kind) {
  case NoticeKind::note: return "note";
  case NoticeKind::warning: return "warning";
  case NoticeKind::error: return "error";
  }
  return "error";
}

/// notification (3.58)
Json notification(const Notice& notice, std::size_t index, IndexedSources& sources) {
  Json json = {{"descriptor", {{"id", notice.id}, {"index", index}}},
               {"level", level_of(notice.kind)},
               {"message", sarif_text(sentence(notice.text))}};
  if (!notice.path.empty()) {
    const Region region = sources.region(notice.span, ColumnUnit::utf16);
    json["locations"] =
        Json::array({{{"physicalLocation", sarif_place(notice.path, notice.span.empty() ? nullptr : &region)}}});
  }
  return json;
}

} // namespace

Json sarif_rules(const RunReport& report) {
  Json rules = Json::array();
  for (const Rule* rule : report.rules) {
    const std::string_view body = page_body(report.rule_page(rule->id));
    Json json = to_json({.id = std::string(rule->id),
                         .name = pascal_case(rule->id),
                         .summary = sentence(rule->summary),
                         .description = first_paragraph(body),
                         .help = valid_utf8(body),
                         .uri = rule_uri(rule->id),
                         .level = to_text(rule->level)});
    json["properties"] = {{"tags", {"postgresql", "advisory-locks", "concurrency"}},
                          {"precision", rule->on_request ? "medium" : "high"},
                          {"problem.severity", severity_of(rule->level)}};
    rules.push_back(std::move(json));
  }
  return rules;
}

SarifNotices sarif_notices(const RunReport& report, std::size_t results_dropped, IndexedSources& sources) {
  std::vector<Notice> notices = report.notices;
  if (results_dropped > 0)
    notices.push_back({.kind = NoticeKind::warning,
                       .id = "results-dropped",
                       .text = fmt::format("{} results of the lowest levels are left out: code scanning takes no more",
                                           results_dropped)});
  std::map<std::string, std::size_t> indexes; // sorted by id
  for (const Notice& notice : notices)
    indexes[notice.id] = 0;
  SarifNotices result;
  for (auto& [id, index] : indexes) {
    index = result.descriptors.size();
    result.descriptors.push_back(to_json(
        {.id = id,
         .name = pascal_case(id) + "Notice",
         .summary = spelled_out(id),
         .description = "Something that padlint could not read or did not use; the notification says what and why.",
         .help = "padlint goes on without it, so findings may be missing there.",
         .uri = "https://github.com/padlint/padlint#notices",
         .level = "warning"}));
  }
  Json notifications = Json::array();
  for (const Notice& notice : notices)
    notifications.push_back(notification(notice, indexes[notice.id], sources));
  result.invocations.push_back(
      {{"executionSuccessful", report.successful}, {"toolExecutionNotifications", std::move(notifications)}});
  return result;
}

} // namespace padlint
