#pragma once

#include <span>
#include <string>
#include <string_view>

namespace padlint {

/// The unit that a path belongs to: the folder of the nearest package manifest, with '/' at its end, or of the nearest
/// folder of fixtures or examples, each of which is on its own; empty for the root. `folders` are those with a
/// manifest, sorted.
std::string unit_of(std::string_view path, std::span<const std::string> folders);

/// Whether code of the unit `here` finds what `there` holds without importing it: its own things and those of the
/// folders around it, as far as no folder of fixtures or examples lies between.
bool reaches(std::string_view here, std::string_view there);

} // namespace padlint
