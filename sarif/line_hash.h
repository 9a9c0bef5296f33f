#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace padlint {

/// GitHub's identity of each line of a file, `hash:ordinal`, from the first line on: what code scanning wants as
/// partialFingerprints.primaryLocationLineHash. It counts a lone "\r" as a line end.
std::vector<std::string> line_hashes(std::string_view text);

} // namespace padlint
