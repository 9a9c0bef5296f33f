#pragma once

#include "analyzer/core/file_facts.h"

#include <optional>
#include <string_view>

namespace padlint::host {

/// The mark before a suppression in a comment.
constexpr std::string_view suppression_mark = "padlint:";

/// Reads `padlint: ignore[rule, rule] reason` from the mark to the end of the line; nothing when it says something
/// else.
std::optional<Suppression> read_suppression(std::string_view text, Span span);

} // namespace padlint::host
