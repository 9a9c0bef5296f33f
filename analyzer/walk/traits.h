#pragma once

#include "analyzer/core/file_facts.h"
#include "analyzer/walk/glob.h"

#include <span>
#include <string_view>

namespace padlint {

/// How much of a file's beginning is searched for the mark of a generator, in bytes.
constexpr std::size_t generated_mark_limit = 1024;

/// What a file is for, as its path tells (by the conventions of most projects and the language's own `test_globs`), and
/// as the beginning of its text tells: generators mark their output there.
FileTraits traits_of(std::string_view path, std::string_view text, std::span<const Glob> test_globs);

} // namespace padlint
