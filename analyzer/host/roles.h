#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <tree_sitter/api.h>

// What a node of a syntax tree means to a reader of locks. grammars/<language>/language.toml maps each role to the node
// kinds of its grammar, and each slot of a role to where that part stands below the node. A node without a role is an
// expression that nobody understands: opaque, but the calls inside it happen.

namespace padlint::host {

enum class Role : std::uint8_t {
  none,

  // Expressions
  name,      // an identifier
  local,     // an identifier that is a variable once the routine has bound it, and before that a call without arguments
  own_field, // the whole of it names a field of the object whose method the routine is
  word,      // an identifier that stands for a member, a key or a field, and is no expression
  path,      // a dotted name that the grammar does not build of members; alone in a pattern it binds
  member,    // `name` of `object`
  index,     // element `key` of `object`
  slice,     // the elements from one key to another, of `object`; without one it is a key itself
  call,      // `callee`, or the method `name` of `object`, called with `arguments` and perhaps a `block`
  arguments, // the list around the arguments of a call
  keyword,   // argument `value` under the name `name`
  spread,    // a list or map whose elements stand in place of it; in a target, what takes the rest
  text,      // a string literal: its first and last child are the quotes
  text_mark, // stands for a text that begins on a later line
  text_body, // such a text; bodies come in the order of their marks
  symbol,    // a text without quotes, perhaps after a colon
  hole,      // `value` put into a text
  joined,    // string literals side by side
  integer,
  boolean_true,
  boolean_false,
  null,
  list,          // list, tuple, set; as a target, unpacking
  several,       // expressions side by side, of which one alone means itself
  map,           // pairs and spreads
  pair,          // `key` and `value` in a map
  shorthand,     // key and value of a map in one name
  operation,     // operands are the named children, the operator is the one without name
  conditional,   // `then` or `else`, as `condition` decides
  assign,        // `value` bound to `target`, declared as `type`; also where it stands inside an expression
  augment,       // `target` bound to its old value, operated with `value`
  alias,         // `value` that gets the name `name`
  lambda,        // a function without name: `parameters` and `body`
  handed_block,  // an argument that hands over a block that exists already
  comprehension, // `body` for each element of its `each` and `guard` clauses: opaque, what is inside runs
  guard,         // a condition: of a clause of a comprehension, of a case
  fallback,      // `value`, or `else` when evaluating it raises
  transparent,   // means what its one child means: parentheses, await
  yield,         // hands a value to the caller and waits to be resumed
  construct,     // an object, list or map of `type`, with the elements of `body`
  cast,          // `value`, taken to be of `type`
  counter,       // the number of its declaration in a series

  // Statements
  block,     // statements in order
  statement, // an expression whose value is dropped
  branch,    // `initial`, `condition`, `then`, any number of `else` (branches themselves, or blocks)
  loop,      // `initial`, then `body` and `step` while `condition` holds, then `else` unless it was left by break;
             // without a slot for the condition, what stands before the body is one, a loop_head or an each
  loop_head, // `initial`, `condition` and `step` of the loop around it
  repeat,    // `body`, and again while `condition` holds
  each,      // `body` for each element of `source`, bound to `target`
  attempt,   // `body`, then its handler, cleanup and other (no exception) children; without a place for the body:
             // statements, and `else` for no exception
  handler,   // `body` for an exception of the classes `value`
  cleanup,   // runs on every way out of its attempt
  scoped,    // `body` inside the management of `items`
  managed,   // bindings whose values are managed until the block around them ends
  match,  // the cases in its `body`, or directly in it, over `subject`: the first that fits; may have an `initial` and
          // give the subject a `name`
  choose, // its cases: one of them happens, and nothing tells which
  match_case,     // `initial`, then `body`, for subjects that fit the `pattern` and the `guard`, or are equal to one of
                  // `values` (without a subject: one of them holds), or of `type`
  leave_return,   // leaves the routine with a value
  leave_throw,    // raises an exception
  leave_break,    // leaves a loop
  leave_continue, // goes on with the next round of a loop
  leave_retry,    // out of a handler: begins its attempt again
  labelled,       // a statement that break and continue know by its `label`
  deferred,       // a call that happens when the routine is left
  spawn,          // a call that runs beside the routine
  assertion,      // raises unless its first child holds

  // Declarations
  function,  // `name`, `parameters`, `body`, the `type` that it returns; `receiver` of a method outside of its class
  parameter, // `name`s, `type`, `initial`; with `field` it is a field of the object too
  block_parameter, // `name` is the block that the caller gives
  class_,          // `name`, `bases`, and `body`: its members, or another type that it is made of
  interface,       // body of a class that says what others implement
  field,           // `name`s of a `type`; without a name a base
  series,          // declarations; one without a value repeats the value before
  decorated,       // annotations, then a `definition`
  annotation,      // an expression that marks a definition
  type_alias,      // `name` for a type
  import,          // `name`s of `module`, or modules; what the module's text names where `module` is a text
  namespace_,      // in an import: the module itself, under a name
  export_,         // names of `module`, a `definition`, or a `value` for those who import the module itself (`default`)
  outer,           // its names belong to the file, not to the routine
  comment,         // may hold a suppression
  ignored,         // says nothing about what runs
  count_,
};

enum class Slot : std::uint8_t {
  object,
  name,
  key,
  value,
  callee,
  arguments,
  condition,
  then,
  else_,
  target,
  type,
  body,
  parameters,
  bases,
  initial,
  step,
  field,
  items,
  source,
  subject,
  pattern,
  guard,
  definition,
  default_,
  module,
  label,
  values,
  receiver,
  block,
  count_,
};

constexpr std::size_t role_count = static_cast<std::size_t>(Role::count_);
constexpr std::size_t slot_count = static_cast<std::size_t>(Slot::count_);

/// The key of a role in the table [roles] of language.toml, and of a slot in its entries.
std::string_view to_text(Role role);
std::string_view to_text(Slot slot);

/// Where a part of a node stands: under a field or another one, as a child of a kind or of another one, or at a
/// position among the named children.
struct Place {
  std::array<TSFieldId, 2> fields{};
  std::array<TSSymbol, 3> kinds{};
  std::int16_t position = -1;
  [[nodiscard]] bool nowhere() const { return position < 0 && fields[0] == 0 && kinds[0] == 0; }
};

/// What one node kind means.
struct RoleEntry {
  Role role = Role::none;
  std::array<Place, slot_count> places{};
  bool negated = false;     // of a branch or loop: it is for the condition not to hold
  bool tests_after = false; // of a loop: a body that is an attempt runs before the first test
  [[nodiscard]] const Place& at(Slot slot) const { return places[static_cast<std::size_t>(slot)]; }
};

} // namespace padlint::host
