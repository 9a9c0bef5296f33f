#pragma once

#include <span>
#include <string_view>

namespace padlint {

/// The candidate that a mistyped word most likely stands for: fewest single-letter edits, the first of equals. Empty
/// when even that one differs in more than a third of its letters.
std::string_view nearest(std::string_view word, std::span<const std::string_view> candidates);

} // namespace padlint
