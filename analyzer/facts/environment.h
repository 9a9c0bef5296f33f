#pragma once

#include "analyzer/facts/linked_project.h"

namespace padlint {

/// Production and files for no environment in particular decide; others only where nothing else exists.
int environment_rank(const std::string& environment);

/// Every setting of a variable that code of the file `from` reaches, of the environments that decide.
std::vector<const ConfigFact*> settings_of(const LinkedProject& project, const std::string& variable, FileId from);

/// A value of a configuration file with the variables of the environment (`${NAME}`, `${NAME:-default}`) put in as far
/// as files that the file `from` reaches set them.
struct Expanded {
  std::string text; // what nobody sets is left as it is written
  Confidence confidence = Confidence::certain;
  const ConfigFact* only = nullptr; // the setting that is the whole text, if one is
};
Expanded expanded(const LinkedProject& project, std::string_view text, const std::string& environment, FileId from);

} // namespace padlint
