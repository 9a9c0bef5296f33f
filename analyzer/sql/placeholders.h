#pragma once

#include "analyzer/sql/sql.h"

#include <cstdint>
#include <span>
#include <string>

namespace padlint {

/// text.text[begin, end) with each placeholder made a hole whose Value is a parameter: its number by position from 0,
/// or its label. Styles: "%s", "%(name)s", ":name", "?", "{}", "psql" (`:v`, `:'v'`, `:"v"`), "template" (`{{ v }}`,
/// `${v}`, `#{v}`, `<%= v %>`), "$<name>" (`$<v>`, `${v}`,
/// `$(v)`, `$[v]`, `$/v/`, `$v`, a format behind `:` left out); `@name` always. `%%` becomes `%` when a %-style is
/// among them. Placeholders inside quotes are text; in a dollar-quoted body only the %-styles, which drivers put in
/// before the server sees quotes.
SqlText with_placeholders(const SqlText& text, std::uint32_t begin, std::uint32_t end,
                          std::span<const std::string> styles);

} // namespace padlint
