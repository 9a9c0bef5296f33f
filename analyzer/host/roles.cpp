#include "analyzer/host/roles.h"

namespace padlint::host {

namespace {

constexpr std::array<std::string_view, role_count> role_names = {
    "none",          "name",        "local",     "own_field",   "word",      "path",       "member",
    "index",         "slice",       "call",      "arguments",   "keyword",   "spread",     "text",
    "text_mark",     "text_body",   "symbol",    "hole",        "joined",    "integer",    "true",
    "false",         "null",        "list",      "several",     "map",       "pair",       "shorthand",
    "operation",     "conditional", "assign",    "augment",     "alias",     "lambda",     "handed_block",
    "comprehension", "guard",       "fallback",  "transparent", "yield",     "construct",  "cast",
    "counter",       "block",       "statement", "branch",      "loop",      "loop_head",  "repeat",
    "each",          "try",         "handler",   "cleanup",     "scoped",    "managed",    "match",
    "choose",        "case",        "return",    "throw",       "break",     "continue",   "retry",
    "labelled",      "deferred",    "spawn",     "assert",      "function",  "parameter",  "block_parameter",
    "class",         "interface",   "field",     "series",      "decorated", "annotation", "type_alias",
    "import",        "namespace",   "export",    "outer",       "comment",   "ignored"};

constexpr std::array<std::string_view, slot_count> slot_names = {
    "object",  "name",  "key",        "value",   "callee",  "arguments", "condition", "then",     "else",   "target",
    "type",    "body",  "parameters", "bases",   "initial", "step",      "field",     "items",    "source", "subject",
    "pattern", "guard", "definition", "default", "module",  "label",     "values",    "receiver", "block",
};

static_assert(!role_names.back().empty() && !slot_names.back().empty());

} // namespace

std::string_view to_text(Role role) { return role_names.at(static_cast<std::size_t>(role)); }

std::string_view to_text(Slot slot) { return slot_names.at(static_cast<std::size_t>(slot)); }

} // namespace padlint::host
