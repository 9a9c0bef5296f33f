#pragma once

#include <string_view>

namespace padlint {

/// The version of the project in CMakeLists.txt; a test compares them.
constexpr std::string_view padlint_version = "0.1.0";

} // namespace padlint
