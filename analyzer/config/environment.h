#pragma once

#include <string_view>

namespace padlint {

/// The environment that a path speaks of: "production", "staging", "test", "development", "example"; empty for none.
/// The words of the file's name decide (`.env.staging`, `pgbouncer-prod.ini`), else the nearest folder that is named
/// after an environment.
std::string_view environment_of(std::string_view path);

} // namespace padlint
