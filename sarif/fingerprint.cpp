#include "sarif/fingerprint.h"

#include "analyzer/core/hash.h"

#include <algorithm>
#include <cstdint>
#include <fmt/format.h>
#include <unordered_map>

namespace padlint {

namespace {

/// Each run of blanks and line ends as one blank.
std::string normalised(std::string_view text) {
  std::string result;
  for (const char c : text) {
    const bool blank = c == ' ' || (c >= '\t' && c <= '\r');
    if (!blank)
      result.push_back(c);
    else if (!result.empty() && result.back() != ' ')
      result.push_back(' ');
  }
  return result;
}

std::uint64_t hash_of(const Finding& finding, const Sources& sources) {
  const std::string* text = sources.text(finding.primary.file);
  Hash hash;
  hash.add(finding.rule);
  hash.add(sources.path(finding.primary.file));
  hash.add(finding.symbol);
  if (text != nullptr)
    hash.add(normalised(marked_text(*text, finding.primary)));
  return hash.value;
}

} // namespace

void fill_fingerprints(std::vector<Finding>& findings, const Sources& sources) {
  std::vector<Finding*> in_order;
  for (Finding& finding : findings)
    in_order.push_back(&finding);
  std::ranges::stable_sort(in_order, {}, &Finding::primary);
  std::unordered_map<std::uint64_t, std::size_t> seen;
  for (Finding* finding : in_order) {
    Hash hash{.value = hash_of(*finding, sources)};
    hash.add(std::to_string(++seen[hash.value]));
    finding->fingerprint = fmt::format("{:016x}", hash.value);
  }
}

} // namespace padlint
