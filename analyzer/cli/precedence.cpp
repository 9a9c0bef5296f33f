#include "analyzer/cli/precedence.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>

// Two rules often see one fault: a session-level lock behind a transaction pooler is a session-level lock too. A rule
// says which others it replaces and to which it yields; either side may say it, so that a new rule edits no old one.
// The relation is made transitive once, as a matrix, and then holds between findings about one lock call.

namespace padlint {
namespace {

struct Precedence {
  std::vector<std::string_view> ids;     // sorted
  std::vector<std::vector<bool>> before; // before[a][b]: a replaces b

  [[nodiscard]] std::optional<std::size_t> index(std::string_view id) const {
    const auto found = std::ranges::lower_bound(ids, id);
    if (found == ids.end() || *found != id)
      return std::nullopt;
    return static_cast<std::size_t>(found - ids.begin());
  }
};

bool replaces_all(const Rule& rule) { return std::ranges::find(rule.replaces, "*") != rule.replaces.end(); }

void close_transitively(std::vector<std::vector<bool>>& before) {
  for (std::size_t via = 0; via < before.size(); ++via)
    for (std::size_t from = 0; from < before.size(); ++from)
      if (before[from][via])
        for (std::size_t to = 0; to < before.size(); ++to)
          if (before[via][to])
            before[from][to] = true;
}

Precedence precedence_of(std::span<const Rule* const> rules) {
  Precedence result;
  for (const Rule* rule : rules)
    result.ids.push_back(rule->id);
  std::ranges::sort(result.ids);
  result.before.assign(rules.size(), std::vector<bool>(rules.size()));
  const auto set = [&](std::string_view stronger, std::string_view weaker) {
    const auto left = result.index(stronger);
    const auto right = result.index(weaker);
    if (left && right)
      result.before[*left][*right] = true;
  };
  for (const Rule* rule : rules) {
    for (const std::string_view name : rule->replaces)
      set(rule->id, name);
    for (const std::string_view name : rule->yields_to)
      set(name, rule->id);
    if (replaces_all(*rule)) // but not another of its kind: they would replace each other
      for (const Rule* other : rules)
        if (!replaces_all(*other))
          set(rule->id, other->id);
  }
  close_transitively(result.before);
  return result;
}

bool replaces(const Finding& stronger, const Finding& weaker, const Precedence& precedence) {
  if (stronger.confidence == Confidence::possible || shown_level(stronger) < shown_level(weaker))
    return false;
  const auto left = precedence.index(stronger.rule);
  const auto right = precedence.index(weaker.rule);
  return left && right && left != right && precedence.before[*left][*right];
}

} // namespace

std::vector<std::string_view> replacing_rules(std::span<const Finding> findings, std::span<const Rule* const> rules) {
  const Precedence precedence = precedence_of(rules);
  std::map<Subject, std::vector<std::size_t>> subjects;
  for (std::size_t i = 0; i < findings.size(); ++i)
    if (findings[i].subject.kind != Subject::none)
      subjects[findings[i].subject].push_back(i);

  std::vector<std::string_view> replacing(findings.size());
  for (const auto& [subject, group] : subjects)
    for (const std::size_t weaker : group)
      for (const std::size_t stronger : group)
        if (replacing[weaker].empty() && replaces(findings[stronger], findings[weaker], precedence))
          replacing[weaker] = findings[stronger].rule;
  return replacing;
}

std::vector<std::string> precedence_faults(std::span<const Rule* const> rules) {
  const Precedence precedence = precedence_of(rules);
  std::vector<std::string> faults;
  for (const Rule* rule : rules) {
    for (const std::string_view name : rule->replaces)
      if (name != "*" && !precedence.index(name))
        faults.push_back(fmt::format("{} replaces {}, which is no rule", rule->id, name));
    for (const std::string_view name : rule->yields_to)
      if (!precedence.index(name))
        faults.push_back(fmt::format("{} yields to {}, which is no rule", rule->id, name));
  }
  for (std::size_t i = 0; i < precedence.ids.size(); ++i)
    if (precedence.before[i][i])
      faults.push_back(fmt::format("{} comes before itself", precedence.ids[i]));
  return faults;
}

} // namespace padlint
