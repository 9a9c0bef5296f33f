#pragma once

#include "analyzer/core/file_facts.h"
#include "analyzer/core/handle.h"
#include "analyzer/core/lock.h"
#include "analyzer/facts/apis.h"
#include "analyzer/facts/wrapper.h"
#include "analyzer/sql/sql.h"

#include <algorithm>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

// The resolved project behind ProjectFacts: names are followed over files here, expressions get their values and types,
// and calls become executions. Everything is a pure function of the file facts; results are kept where asked twice.

namespace padlint {

/// Where names are to be understood.
struct Scope {
  FileId file = 0;
  std::uint32_t routine = 0;
  auto operator<=>(const Scope&) const = default;
};

/// What a name stands for.
struct Definition {
  enum Kind { none, bindings, parameter, routine, type, module, external } kind = none;
  Scope scope;                       // of the definition
  std::vector<const Binding*> bound; // bindings: all of that name in the scope
  std::uint32_t parameter_index = 0;
  RoutineRef target;                      // routine
  const Class* type_definition = nullptr; // type
  std::string name;                       // external: qualified name
};

/// A database object, or an instance of a class of the project.
struct Typed {
  const ApiType* type = nullptr;
  const Class* instance_of = nullptr;
  FileId instance_file = 0;
  ApiKind kind = ApiKind::other;
  std::string identity; // of the session, pool or engine
  std::string pool;     // what it was checked out from
  Answer autocommit = Answer::unknown;
  bool transaction = false; // stands for an open transaction
  bool from_caller = false;
  bool fresh = false;   // a connection of its own, closed when nothing refers to it
  bool guessed = false; // by name
  bool single = false;  // no pool behind it, or one of a single connection
  std::string origin;   // identity of the pool, where it was made
  ApiLeave leave = ApiLeave::nothing;
  OnReturn on_return = OnReturn::unknown;
  std::optional<int> pool_size;
  bool pool_size_unresolved = false;
  std::vector<Endpoint> endpoints;
  Confidence confidence = Confidence::certain;
  std::vector<Step> steps;

  [[nodiscard]] bool ambient() const { return identity.starts_with("ambient:"); }
};

/// A call that sends SQL.
struct Execution {
  RoutineRef routine;
  const Event* event = nullptr;
  Span span; // of the call
  Value call;
  const ApiSends* sends = nullptr; // nullptr: the receiver is unknown
  std::optional<Typed> receiver;
  bool unknown_method = false;       // no library has the method: only the text says that it is sent
  bool deferred = false;             // it is registered here and happens when a scope ends
  std::vector<std::size_t> readings; // one for each text that it may send, into LinkedProject::readings
  Confidence confidence = Confidence::certain;
};

/// A text that was put together and read, and where its placeholders and holes find their values.
struct Reading {
  SqlText text;
  SqlReading sql;
  std::vector<std::pair<Value, Scope>> binds; // by position; a keyed one has its label
  Scope scope;                                // of the holes
  std::size_t first_statement = 0;            // where its statements were put in the file's
  bool deferred = false;                      // a release that is certain to come later
  bool chosen = false;                        // of the execution's readings, the code picks one, by flags
  Confidence confidence = Confidence::certain;
};

/// A call of one routine by another.
struct CallSite {
  RoutineRef caller;
  RoutineRef callee;
  Span span;
  Value call;
  std::string transaction;         // of a mark, when the routine is only handed over: "none", "open", "unknown"
  Value handed_to;                 // ... to this call
  const ApiBlock* block = nullptr; // ... which runs it with a database object
  Confidence confidence = Confidence::certain;
};

/// A name and the routine of the project's SQL that it calls.
struct SqlWrapper {
  RoutineRef routine;
  bool only_locks = false; // it does no work of its own
};

/// What an event does to sessions, in order.
struct Effect {
  enum Kind {
    acquire, // lock
    release, // release
    begin,
    commit,
    rollback,
    suspend,   // a block without transaction begins
    resume,    // ... and ends
    give_back, // the session ends for this holder: its connection returns to the pool
    close,     // the connection is closed
    work,      // a statement runs
  } kind = work;
  std::uint32_t id = 0; // of the lock or release
  std::string identity; // the session it is about
  std::string pool;     // begin: the pool that the session was taken from
  OnReturn on_return = OnReturn::unknown;
  bool scoped = false;   // begin and commit of a block: the state before comes back at its end
  bool deferred = false; // a release that is certain to come later
};

/// Whether an effect on `pattern` concerns the session `identity`; `*` at its end stands for any rest.
inline bool concerns(std::string_view pattern, std::string_view identity) {
  return pattern.ends_with('*') ? identity.starts_with(pattern.substr(0, pattern.size() - 1)) : pattern == identity;
}

class TransactionFlow;

/// What is kept where it is asked often. A search that comes back to where it is already under way finds nothing there:
/// that is how cycles end (`query = query.where(...)`), and why a search costs no more than the program is long.
struct Caches {
  struct TypeKey {
    Span span;
    ValueKind kind = ValueKind::opaque;
    std::string text;
    Scope scope;
    std::string method;
    auto operator<=>(const TypeKey&) const = default;
  };
  struct TypeEntry {
    bool done = false;
    int depth = 0; // of the search that found nothing: a search from further out may find more
    std::optional<Typed> typed;
  };
  struct BoundEntry {
    bool done = false;
    std::optional<Value> value;
  };
  std::map<TypeKey, TypeEntry> types;
  std::map<const Binding*, BoundEntry> bound;
  std::map<std::pair<FileId, std::string>, std::optional<FileId>> module_files; // by importer and module
  std::map<const ApiType*, bool> imported; // whether any file imports the library of a type
  std::map<std::pair<RoutineRef, std::string>, std::shared_ptr<const TransactionFlow>> transaction_flows;
  std::map<RoutineRef, std::vector<LockId>> locks_of;                                  // in the order of ids
  std::map<Scope, std::unordered_map<std::string, Definition>> names;                  // what a scope itself defines
  std::unordered_map<FileId, std::vector<std::vector<std::uint32_t>>> inner_functions; // by file, by routine
  std::unordered_map<FileId, std::unordered_map<std::string, const Definition*>> package_names; // by its first file
};

struct LinkedProject {
  ProjectNotes notes;
  std::vector<FileFacts> files;    // sorted by path
  std::vector<std::string> units;  // of each file (units.h)
  std::vector<const Apis*> tables; // of each file's language
  std::vector<FileId> configured;  // files with settings, sorted by path
  /// By the name of a table of settings, the files of code, no tests, that bind it or an entry of it at the top.
  std::map<std::string, std::vector<FileId>, std::less<>> settings;
  std::deque<ApiSends> wrappers; // how the wrappers of the settings send SQL
  std::deque<ApiSends> senders;  // how routines send that hand their text on (senders.h)
  std::unordered_map<FileId, std::size_t> position;
  std::vector<Execution> executions;
  std::deque<Reading> readings;
  std::vector<CallSite> calls;
  std::map<RoutineRef, std::vector<std::size_t>> callers;                                  // by callee, into calls
  std::map<RoutineRef, std::map<std::pair<Span, EventKind>, std::vector<Effect>>> effects; // by event

  std::map<std::string, std::vector<SqlWrapper>> sql_routines; // by folded name
  std::map<Span, std::size_t> execution_at;                    // by the span of the call
  std::map<std::string, std::vector<std::pair<FileId, const Class*>>> classes;
  std::map<std::string, std::vector<RoutineRef>> routines_by_name;
  std::map<std::string, std::vector<std::pair<FileId, const Class*>>> types; // parts of the types that all files know
  std::unordered_map<const Class*, std::string> type_names;                  // their qualified names
  std::map<std::string, std::vector<const Binding*>> globals;                // what files of such languages bind
  std::map<std::string, std::vector<FileId>> modules;                        // by the last part of the module's name
  std::map<std::string, Answer> autocommit_options;                          // by identity of a connection
  std::map<std::string, std::vector<FileId>> packages;                       // by language and folder
  std::map<std::string, std::optional<int>> pool_limits; // by identity of a pool, where it was made; empty: unknown

  mutable Caches caches;

  [[nodiscard]] const FileFacts& file(FileId id) const { return files[position.at(id)]; }
  /// Whether code of the file `here` finds what `there` holds without importing it.
  [[nodiscard]] bool reaches(FileId here, FileId there) const;
  [[nodiscard]] const Routine& routine(RoutineRef ref) const { return file(ref.file).routines[ref.index]; }
  [[nodiscard]] const Apis* apis(FileId id) const { return tables[position.at(id)]; }
};

/// Says of the bindings of SQL routines which routine they are in: a body is read before its place in the file is
/// known.
void own_bindings(FileFacts& file);

/// Fills in the index of files, classes, routines and modules (index.cpp).
void index_files(LinkedProject& project);

// ---- names (names.cpp)

/// `a/b/c.py` is the module {a, b, c}; an index file stands for its folder.
std::vector<std::string> module_path(const Apis& apis, const std::string& path);
/// A module's path without the parts that are versions: `github.com/acme/db/v2`.
std::string without_versions(std::string_view path);
/// The library that a qualified name belongs to: `psycopg`, `github.com/acme/db`.
std::string library_of(const Apis& apis, std::string_view name);
std::optional<FileId> module_file(const LinkedProject& project, FileId importer, std::string_view module);
/// `place` tells the class, where the scope is the top level of a file.
Definition look_up(const LinkedProject& project, Scope scope, std::string_view name, Span place = {});
/// What a name or a chain of members means: `settings.LOCKS` follows the import, `Kiln.KEY` the class.
Definition definition_of(const LinkedProject& project, const Value& value, Scope scope, int depth = 0);
/// The same, for a value that stands elsewhere than where its names are to be understood.
Definition definition_at(const LinkedProject& project, const Value& value, Scope scope, Span place, int depth = 0);
/// What an entry of a map that is bound to a name stands for, and where that is to be understood: `LOCKS.JOBS`,
/// `LOCKS["jobs"]`.
std::optional<std::pair<Value, Scope>> entry_of(const LinkedProject& project, const Value& member, Scope scope,
                                                int depth = 0);
/// Qualified name of something outside the project: `psycopg.connect`; empty for what is the project's own. A name that
/// nothing defines is its own qualified name (a built-in function).
std::string external_name(const LinkedProject& project, const Value& value, Scope scope);
/// The class whose method the scope is in, when `value` is the method's own object.
const Class* own_class(const LinkedProject& project, const Value& value, Scope scope);
/// The bindings of a field of a class, its bases included.
std::vector<std::pair<Scope, const Binding*>> field_bindings(const LinkedProject& project, FileId file,
                                                             const Class& owner, std::string_view field, int depth = 0);
/// The files of one package: those of its folder, with this one.
const std::vector<FileId>& package_of(const LinkedProject& project, FileId file);
/// Whether one of the bindings gives a value and the others only declare.
inline bool only_filled_once(const std::vector<std::pair<Scope, const Binding*>>& fields) {
  return !fields.empty() && (fields.size() == 1 || fields[1].second->value.span.empty());
}
/// The innermost class whose definition is around a place.
const Class* class_around(const LinkedProject& project, Span place);
/// Whether a class, or a keyword of the call itself, sets this field to false.
bool set_to_false(const LinkedProject& project, const Value& call, Span place, std::string_view field);
/// A method of a class, its bases included.
std::optional<RoutineRef> method_of(const LinkedProject& project, FileId file, const Class& owner,
                                    std::string_view name, int depth = 0);

// ---- values (fold.cpp)

/// The value with names replaced by the constants that they stand for, and operations on constants carried out.
Value fold(const LinkedProject& project, const Value& value, Scope scope, int depth = 0);
/// Where a value of a parameter may come from: the arguments of known callers.
std::vector<std::pair<Value, Scope>> arguments_for(const LinkedProject& project, RoutineRef routine,
                                                   std::uint32_t parameter);
/// What a call gives for a parameter of the routine that it runs; the parameter's default when it gives nothing.
/// nullptr when there is neither.
const Value* argument_for(const Routine& routine, const Value& call, std::uint32_t parameter);
/// The text of a constant of any kind; nothing for others.
std::optional<std::string> constant_text(const Value& value);

// ---- arguments (switches.cpp)

/// The argument of a call where a table says that it stands; nullptr when the call does not have it.
const Value* find_argument(const Value& call, const ApiArgument& wanted);
/// What a switch says; nothing when the call does not have it.
std::optional<Answer> switched(const LinkedProject& project, const ApiSwitch& option, const Value& call, Scope scope);
/// `raw(...).transacting(trx)`: the argument; empty when nothing like that is chained to the call.
Value connection_chained(const LinkedProject& project, const Execution& execution);
/// Whether something after the first argument of a call may be a map with entries that cannot be read.
bool has_unread_map(const LinkedProject& project, const Value& call, Scope scope);

// ---- types (types.cpp)

/// `method` is what is about to be called on it: it decides between guesses by name.
std::optional<Typed> type_of(const LinkedProject& project, const Value& value, Scope scope,
                             std::string_view method = {}, int depth = 0);

// ---- texts (texts.cpp)

struct ComposedText {
  SqlText text;
  std::vector<std::pair<Value, Scope>> binds; // of .bindparams and the like
  Scope scope;
  bool chosen = false; // one of several of which the code picks one, by flags
  Confidence confidence = Confidence::certain;
};

/// The texts that a value may stand for (at most 4).
std::vector<ComposedText> compose(const LinkedProject& project, const Value& value, Scope scope, int depth = 0);
/// Whether methods of that name, chained to a query, add a clause to it.
bool adds_a_clause(const Apis& apis, std::string_view method);
/// A method that is given texts of SQL for a clause of a query; nothing when no method of that name is.
const ApiSends* sends_clause(const Apis& apis, std::string_view method);
/// Whether a text among the arguments of a call, or a constant that is one, names a lock function.
bool mentions_lock(const LinkedProject& project, const Value& call, Scope scope);
/// The query of a builder call whose arguments are the select list; what is chained to it, up to `whole`, adds clauses.
std::vector<ComposedText> compose_query(const LinkedProject& project, const Value& call, const Value& whole,
                                        const ApiSends& sends, Scope scope);

// ---- endpoints (endpoints.cpp)

/// The endpoints that a URL, keyword string or environment variable leads to.
std::vector<Endpoint> endpoints_of(const LinkedProject& project, const Value& value, Scope scope, int depth = 0);
/// The endpoints of a framework's connection of this profile (empty: the default one), as code of the file `from`
/// sees it.
std::vector<Endpoint> profile_endpoints(const LinkedProject& project, const ApiSettings& settings,
                                        const std::string& profile, FileId from);
/// Whether the settings open a transaction for each request; unknown when no settings were found.
Answer transaction_per_request(const LinkedProject& project, const ApiSettings& settings);

/// One part of an endpoint ("host", "port", "database", "user") as the code gives it.
struct EndpointPart {
  std::string name;
  Value value;
};
/// The endpoints that separate settings make, one for each environment that sets a variable among them.
std::vector<Endpoint> endpoints_of_parts(const LinkedProject& project, const std::vector<EndpointPart>& parts,
                                         Scope scope, Span span);

// ---- calls (calls.cpp)

/// The routines of the project that a callee may be.
std::vector<std::pair<RoutineRef, Confidence>> targets_of(const LinkedProject& project, const Value& callee,
                                                          Scope scope, int depth = 0);
void collect_calls(LinkedProject& project);

// ---- executions (executions.cpp)

/// Finds the calls that send SQL and reads what they send; statements and routines that they define join their file's.
void collect_executions(LinkedProject& project);
/// A text that an execution sends without it standing in the program.
struct WrittenText {
  std::size_t execution = 0;
  ComposedText text;
  bool deferred = false; // it is sent when a scope ends
};
/// Reads what the executions send, what `written` says in place of their arguments, and drops those on unknown
/// receivers that send no lock (readings.cpp).
void read_executions(LinkedProject& project, std::vector<WrittenText> written);
/// Marks every session for which something turns autocommit on after it was opened.
void collect_options(LinkedProject& project); // options.cpp
/// Notes how many connections a pool may have, where that is said after it was made.
void collect_limits(LinkedProject& project);
/// The value that a placeholder or hole of a text stands for, and where it is to be understood.
std::optional<std::pair<Value, Scope>> bound_value(const Reading& reading, const Value& parameter);

// ---- locks (locks.cpp)

/// Routines of the project's SQL that a later definition or a DROP has ended (superseded.cpp).
std::set<RoutineRef> superseded_routines(const LinkedProject& project);

struct ProjectFacts;
/// Makes the locks, releases and handles of the executions and of the project's SQL, with their effects.
void collect_locks(ProjectFacts& facts);
/// A handle as rules see it, of what is known of an expression.
Handle handle_of(const Typed& typed, std::string text);
/// Adds what library calls and blocks of host code do to sessions (effects.cpp).
void collect_effects(ProjectFacts& facts);

// ---- results (results.cpp)

/// The execution (host) or lock call (SQL) whose boolean a condition tests, and whether it holds when that is true.
struct Truth {
  Span of;
  bool positive = true;
};
std::optional<Truth> truth_of(const LinkedProject& project, const Value& condition, Scope scope, int depth = 0);
/// What becomes of the answer of an execution.
TryResult result_of(const LinkedProject& project, const Execution& execution);

/// Visits every call event of a routine once, copies of cleanup blocks left out.
template <class Visit>
void for_each_call(const Routine& routine, Visit visit) {
  std::vector<Span> seen; // sorted: almost always each call comes behind those before it
  for (const Block& block : routine.flow.blocks)
    for (const Event& event : block.events) {
      if (event.kind != EventKind::call)
        continue;
      const auto place = std::ranges::lower_bound(seen, event.span);
      if (place != seen.end() && *place == event.span)
        continue;
      seen.insert(place, event.span);
      visit(event);
    }
}

} // namespace padlint
