#pragma once

#include "analyzer/core/flow.h"
#include "analyzer/core/notice.h"
#include "analyzer/core/span.h"
#include "analyzer/core/statement.h"
#include "analyzer/core/value.h"

#include <cstdint>
#include <string>
#include <vector>

// Everything that padlint knows of one file. Reading is a pure function from a file's bytes to this; the syntax tree
// is forgotten. It is the same whatever made padlint read the file.

namespace padlint {

/// How a name comes to its value.
enum class BindingRole : std::uint8_t {
  assigned, // name = value
  scoped,   // with value as name: the name is what entering `value` gives
  iterated, // for name in value: the name is an element of `value`
  caught,   // except E as name
  filled,   // value is a call that gets the address of name and writes to it
};

/// A name, or a field of an object, and what the file binds to it.
struct Binding {
  std::string name;
  BindingRole role = BindingRole::assigned;
  Value value;
  Value type;                // declared type, opaque when none
  std::uint32_t routine = 0; // the routine in which the names of `value` are to be understood
  Span span;
};

struct Parameter {
  std::string name;
  Value type;    // declared type, opaque when none
  Value initial; // default, opaque when none (then initial.span is empty)
  Span span;
};

enum class RoutineForm : std::uint8_t {
  file,     // what the file does at its top level; always routines[0]
  function, // function or method of a host language
  anonymous,
  sql_function,
  sql_procedure,
  sql_do,
};

/// What CREATE FUNCTION says beside the body.
struct SqlSignature {
  std::string schema;
  std::string name;
  std::string language;   // folded
  std::string volatility; // "volatile", "stable", "immutable"
  std::string returns;    // type as written, folded; "trigger", "void", empty for procedures
  std::vector<std::string> argument_types;
  bool strict = false;
};

struct Routine {
  RoutineForm form = RoutineForm::function;
  std::string name;         // as written; empty for anonymous ones and the file
  std::string owner;        // class that it is a method of, empty for none
  std::uint32_t parent = 0; // routine that it is defined in
  Span span;                // the whole definition
  Span name_span;
  bool generator = false; // has a yield of its own
  std::vector<Parameter> parameters;
  std::vector<Value> annotations; // decorators and the like, in order
  Value result_type;              // declared type of the result, opaque when none
  std::vector<Binding> bindings;  // local names, in order
  std::vector<std::string> reads; // names that are read in it or in routines inside it, sorted, unique
  std::vector<Value> returns;
  Flow flow;
  SqlSignature sql; // for the sql_ forms
};

struct Class {
  std::string name;
  Span span;
  std::uint32_t routine = 0; // where it is defined
  std::vector<Value> bases;
  std::vector<Binding> bindings; // names bound in its body
  std::vector<Binding> fields;   // self.name = value, in any of its methods, or given where an object is made
  bool interface = false;        // says what others implement
  Value part_of;                 // opaque for a definition; else this only adds to the type that it names here
};

/// `from module import name as local`; an empty name means that the module itself is bound.
struct Import {
  std::string local;
  std::string module; // dotted; leading dots as written for a relative one
  std::string name;
  Span span;
};

/// `padlint: ignore[rule, rule] reason` in a comment, good for findings on its line and the next one.
struct Suppression {
  Span span;
  std::vector<std::string> rules; // empty: all
  std::string reason;
};

/// One setting of a configuration file.
struct ConfigFact {
  std::string kind;        // "pgbouncer", "env"
  std::string section;     // "databases", "users", "pgbouncer"; empty where the format has none
  std::string target;      // database, user or profile that the setting is for; empty for the section itself
  std::string setting;     // "pool_mode", "host", ... ; name of the variable for env
  std::string value;       // never printed unmasked: may hold a password
  std::string environment; // "production", "test", ... ; empty when the file is for none in particular
  Span span;               // the setting and its value
};

struct FileTraits {
  bool test = false;
  bool generated = false;
  bool vendored = false;
  bool example = false; // examples, fixtures, documentation
};

struct FileFacts {
  FileId file = 0;
  std::string path;     // relative to the root, with '/'
  std::string language; // id of grammars/<language>, "sql", "psql", or the kind of a configuration file
  FileTraits traits;
  std::vector<Import> imports;
  std::vector<Routine> routines; // routines[0] is the file's top level
  std::vector<Class> classes;
  std::vector<Statement> statements;
  std::vector<ConfigFact> configs;
  std::vector<Suppression> suppressions;
  std::vector<Notice> notices;
};

std::string to_text(const Routine& routine);

/// All facts, a line each, in the order of the file.
std::string to_text(const FileFacts& facts);

} // namespace padlint
