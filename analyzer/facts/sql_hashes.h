#pragma once

#include "analyzer/facts/apis.h"

#include <vector>

namespace padlint {

/// What PostgreSQL's own functions, and those of the extensions that come with it, make keys of.
const std::vector<ApiHash>& sql_hashes();
const std::vector<ApiConvert>& sql_converts();

} // namespace padlint
