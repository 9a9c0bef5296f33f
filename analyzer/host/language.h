#pragma once

#include "analyzer/host/host.h"
#include "analyzer/host/roles.h"
#include "grammars/embedded.h"

#include <expected>
#include <string>
#include <string_view>
#include <vector>

namespace padlint::host {

/// What an operator means beyond its name.
enum class OperatorKind : std::uint8_t {
  plain,
  logical_and,
  logical_or,
  logical_not,
  join, // puts texts together
};

struct Operator {
  std::string name; // as Values have it
  OperatorKind kind = OperatorKind::plain;
};

/// What the methods do to which a block is written. A block belongs to the routine around it: it uses its variables and
/// may return from it. A method of no list runs it once. Entries are method names, perhaps with `*` at their end, or
/// dotted names with the object.
struct BlockRules {
  std::vector<std::string> repeat;    // run it any number of times
  std::vector<std::string> map;       // the same, and use its values
  std::vector<std::string> forever;   // run it until it leaves
  std::vector<std::string> run;       // methods of a block that has a name: run it
  std::vector<std::string> elsewhere; // keep it: it runs at another time, as a routine of its own
};

/// How string literals are written. Letters are ASCII characters, each one standing for itself.
struct TextRules {
  std::string raw_prefix;                // in the opening quote: no escapes
  std::string raw_literal;               // ... but for a backslash before these, which stand for themselves
  std::string template_prefix;           // before the quotes: has holes, and `doubled` characters
  std::string doubled;                   // stand for one of themselves when written twice in a template
  std::string simple;                    // letters of one-letter escapes, with the meaning they have in C (and e, s)
  std::string literal;                   // characters that a backslash makes stand for themselves
  std::vector<std::pair<char, int>> hex; // letter and number of digits; 0 digits: in braces
  int octal = 0;                         // most octal digits of an escape, 0 for none
  char named = 0;                        // letter of an escape with the name of a character in braces
  bool keeps_unknown = false;            // the backslash of an unknown escape stays in the text
};

} // namespace padlint::host

namespace padlint {

struct HostLanguage {
  const TSLanguage* grammar = nullptr;
  HostFiles files;
  std::vector<host::RoleEntry> entries;  // [0]: no role
  std::vector<std::uint8_t> by_symbol;   // node kind -> index in `entries`
  std::vector<host::Operator> operators; // by node kind, for kinds without name
  std::vector<std::string> joins;        // operators that put texts together
  host::TextRules text;
  std::vector<std::string> catch_all;       // exception classes whose handler catches everything
  std::vector<std::string> never_returns;   // functions that end the process or the thread
  std::string integer_separator;            // characters that may stand between digits
  std::string integer_suffix;               // characters that may stand after them
  std::string address_of;                   // unary operator that gives the place of a name, for others to write to
  std::string dereference;                  // unary operator that gives what stands at a place
  std::string blank;                        // name that takes a value and forgets it
  bool receiver_is_first_parameter = false; // of a method: the object itself
  std::vector<std::string> static_methods;  // ... but for methods with one of these annotations, which get none
  std::string receiver;                     // or it has this name, and no parameter
  std::string index_method;                 // `a[b]` is a call of this method
  std::string append;                       // operator that changes the text on its left
  std::vector<std::string> mixins;          // calls in the body of a class that add their arguments to its bases
  host::BlockRules blocks;
  bool last_value_is_result = false;            // a routine gives the value of its last statement
  std::vector<std::string> exports;             // objects whose members are what the file exports
  std::vector<std::string> import_calls;        // functions that give a module
  std::vector<std::string> continuations;       // methods of a promise: after it, when it fails, in any case
  bool break_leaves_match = false;              // and not the loop around it
  bool cases_fall_through = false;              // a case without statements is another condition for the next one
  bool module_binds_first_part = false;         // importing a module by a dotted name binds the name's first part
  bool misreads_type_arguments_of_tags = false; // the grammar takes the brackets of f<A>`text` for operators
  bool calls_raise = true;                      // false: a call answers with an error, and only a throw leaves

  [[nodiscard]] const host::RoleEntry& entry(TSNode node) const {
    const TSSymbol symbol = node.id ? ts_node_symbol(node) : static_cast<TSSymbol>(0);
    return entries[symbol < by_symbol.size() ? by_symbol[symbol] : 0]; // an error node has no kind of the grammar
  }
  [[nodiscard]] host::Role role(TSNode node) const { return entry(node).role; }
};

/// Reads language.toml, and those that it builds on, and resolves the names in the grammar; the error names what is
/// wrong.
std::expected<HostLanguage, std::string> load_language(const EmbeddedLanguage& embedded);

} // namespace padlint
