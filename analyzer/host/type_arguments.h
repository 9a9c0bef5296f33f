#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace padlint::host {

/// The text with blanks in place of the type arguments that stand between a tag and its text: f<A<B>>`text`. Every
/// other byte stays where it is. Nothing when the text has none.
std::optional<std::string> without_type_arguments_of_tags(std::string_view text);

} // namespace padlint::host
