#include "analyzer/facts/environment.h"
#include "analyzer/facts/tools.h"

#include <algorithm>

namespace padlint {

int environment_rank(const std::string& environment) {
  return environment.empty() || environment == "production" ? 1 : 0;
}

std::vector<const ConfigFact*> settings_of(const LinkedProject& project, const std::string& variable, FileId from) {
  std::vector<const ConfigFact*> found;
  int best = -1;
  for (const FileId id : project.configured) {
    const FileFacts& file = project.file(id);
    const std::string& kind = file.configs.front().kind; // of one file all are of one kind
    if ((kind != "env" && kind != "compose") || !project.reaches(from, id))
      continue;
    bool pooler = false; // of a Compose file, the service is one: its variables are its own
    for (const ConfigFact& fact : file.configs) {
      if (kind == "compose" && fact.setting == "image")
        pooler = pooler_image(fact.value) != nullptr;
      if (fact.setting != variable || pooler)
        continue;
      const int rank = environment_rank(fact.environment);
      if (rank < best)
        continue;
      if (rank > best)
        found.clear();
      best = rank;
      found.push_back(&fact);
    }
  }
  return found;
}

Expanded expanded(const LinkedProject& project, std::string_view text, const std::string& environment, FileId from) {
  Expanded out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = text.find("${", at);
    const std::size_t end = begin == std::string_view::npos ? begin : text.find('}', begin);
    if (end == std::string_view::npos) {
      out.text += text.substr(at);
      break;
    }
    out.text += text.substr(at, begin - at);
    std::string_view name = text.substr(begin + 2, end - begin - 2);
    const std::size_t colon = name.find(":-");
    const std::string_view otherwise = colon == std::string_view::npos ? std::string_view() : name.substr(colon + 2);
    name = name.substr(0, colon);
    std::vector<const ConfigFact*> settings = settings_of(project, std::string(name), from);
    const auto same = std::ranges::find(settings, environment, &ConfigFact::environment);
    if (same != settings.end())
      settings = {*same};
    if (!settings.empty()) {
      const ConfigFact* chosen = settings.front();
      out.text += chosen->value;
      if (begin == 0 && end + 1 == text.size())
        out.only = chosen;
      const bool several =
          std::ranges::any_of(settings, [&](const ConfigFact* each) { return each->value != chosen->value; });
      if (several || environment_rank(chosen->environment) == 0)
        out.confidence = Confidence::likely;
    } else if (colon != std::string_view::npos) {
      out.text += otherwise;
      out.confidence = Confidence::likely; // the machine may say something else
    } else {
      out.text += text.substr(begin, end + 1 - begin);
      out.confidence = Confidence::likely;
    }
    at = end + 1;
  }
  return out;
}

} // namespace padlint
