#include "sarif/report.h"

#include "analyzer/core/mask.h"

#include <algorithm>

namespace padlint {

std::string rule_uri(std::string_view rule) {
  return std::string("https://github.com/padlint/padlint/blob/main/rules/").append(rule).append(".md");
}

std::string sentence(std::string_view message) {
  std::string text = masked(message);
  if (!text.empty() && text.front() >= 'a' && text.front() <= 'z')
    text.front() = static_cast<char>(text.front() - 'a' + 'A');
  if (!text.empty() && !std::string_view(".!?").contains(text.back()))
    text.push_back('.');
  return text;
}

std::vector<const Related*> ordered_related(const Finding& finding) {
  std::vector<const Related*> related;
  for (const Related& place : finding.related)
    related.push_back(&place);
  std::ranges::stable_partition(related, &Related::deciding);
  return related;
}

} // namespace padlint
