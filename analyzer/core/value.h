#pragma once

#include "analyzer/core/shared_list.h"
#include "analyzer/core/span.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

// What an expression is, as far as one file tells. A file cannot know what a name in it means elsewhere, so names stay
// names until link follows them over the project's constants, types, fields and callers. Both host languages and SQL
// expressions become Values; a call in a Value and the event of that call in a Flow have the same span.

namespace padlint {

enum class ValueKind : std::uint8_t {
  opaque,    // not understood, or known at run time only
  null,      // None, nil, NULL
  boolean,   // number is 0 or 1
  integer,   // number; a literal beyond 64 bits is opaque
  text,      // text, decoded; steps lead back to the source
  concat,    // text put together: template with holes, +, adjacent literals; parts in order
  list,      // list, tuple, array, row: parts in order
  map,       // parts, each labelled with its key
  name,      // text is the identifier as written (a dotted SQL column name has its parts joined by dots)
  member,    // parts[0] is the object, text the member's name
  index,     // parts[0] is the object, parts[1] the key
  call,      // parts[0] is the callee, the rest the arguments; a keyword argument has its label
  operation, // text is the operator ("+", "<<", "not", "and", "==", "::bigint" for an SQL cast, ":" for a
             // slice, with null for an end that is not written), parts the operands
  choice,    // one of the parts (at most 4): conditional expression, branches that bind one name
  function,  // an anonymous function or a block: number is its routine's index in the file
  parameter, // a placeholder of an SQL text: number from 0 by position, or label when it has a name
  spread,    // *args or **kwargs: parts[0] is what is spread
};

/// From `text` (offset in the decoded text) on, decoded bytes stand in the source from `source` (byte in the file) on,
/// one for one, up to the next step.
struct OffsetStep {
  std::uint32_t text = 0;
  std::uint32_t source = 0;
  auto operator<=>(const OffsetStep&) const = default;
};

/// Deeper expressions are opaque, and longer lists are cut: what a reader of locks needs is shallow.
constexpr int max_value_depth = 24;
constexpr std::size_t max_value_parts = 64;

struct Value {
  ValueKind kind = ValueKind::opaque;
  Span span;
  std::string text;
  std::int64_t number = 0;
  std::string label; // keyword of an argument, key of a map entry, name of a placeholder
  SharedList<Value> parts;
  SharedList<OffsetStep> steps; // for text: at least one, sorted

  [[nodiscard]] bool is(ValueKind wanted) const { return kind == wanted; }
  [[nodiscard]] bool constant() const;
};

Value make_opaque(Span span);
Value make_name(std::string name, Span span);
Value make_text(std::string text, Span span, std::vector<OffsetStep> steps);
Value make_integer(std::int64_t number, Span span);
Value make_member(Value object, std::string name, Span span);
Value make_index(Value object, Value key, Span span);
Value make_call(Value callee, std::vector<Value> arguments, Span span);
Value make_operation(std::string op, std::vector<Value> operands, Span span);

/// The argument with this keyword, or else the one at this position among those without a keyword (from 0; -1 for
/// none); nullptr when the call has neither.
const Value* argument(const Value& call, int position, std::string_view keyword);

/// `psycopg.connect` for a member of a name; empty when it is neither a name nor members of a name.
std::string dotted(const Value& value);

/// Compact form for tests and `padlint facts`: `call(name(pool).fetchval, "SELECT 1", 7)`.
std::string to_text(const Value& value);

/// As SQL would write it, for messages and keys: `hashtext(name)`, `(a << 32) | b`, `$1`; `?` for what is not known.
std::string to_sql(const Value& value);

} // namespace padlint
