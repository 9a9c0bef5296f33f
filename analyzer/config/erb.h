#pragma once

#include <string>
#include <string_view>

namespace padlint {

/// The text with each ERB tag replaced, byte for byte, by letters (a tag that prints something on a line with other
/// text) or blanks, so that what is left can be read as YAML. Nothing is executed.
std::string without_erb(std::string_view text);

/// A scalar of the original text, its ERB tags written as `${NAME}` or `${NAME:-default}` where they only read the
/// environment, as the constant where they are one, and as `${}` where they do anything else.
std::string erb_value(std::string_view source);

} // namespace padlint
