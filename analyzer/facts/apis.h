#pragma once

#include "analyzer/core/handle.h"
#include "analyzer/core/lock.h"
#include "analyzer/core/value.h"
#include "analyzer/facts/api_arguments.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

// What the database libraries of a language mean, read from grammars/<language>/apis.toml. Everything that link knows
// about a library stands there; grammars/apis.md documents the keys.

namespace padlint {

enum class ApiKind {
  other,
  pool,       // executes on any free connection
  factory,    // gives connections, executes nothing itself (engine, session maker)
  connection, // one session for as long as it lives
  session,    // takes a connection when it needs one, gives it back at commit (unit of work)
  cursor,     // executes on the connection that it was made from
  scope,      // a block object: a transaction
};

struct ApiType {
  std::string name;
  std::vector<std::string> aliases; // qualified names that mean the same
  ApiKind kind = ApiKind::other;
  OnReturn on_return = OnReturn::unknown;  // of a pool or factory: what happens to session locks
  bool autocommit = true;                  // without a transaction block each statement stands alone
  std::vector<std::string> receiver_names; // names by which an untyped receiver is guessed, with globs
  bool ambient = false;                    // the library gives the same one to every caller in the thread
  bool transaction = false;                // it stands for an open transaction
  bool requests = false;                   // each call is a request of its own to a service
  bool general = false;       // a parameter declared as it may be a transaction: the types of those derive from it
  std::string session;        // name that the ambient objects of one connection share; else the type's
  bool unknown_types = false; // a type of which nothing is known may be one: Account.connection
};

/// How what a call gives relates to the object that it is called on.
enum class ApiRelation { fresh, checkout, same, argument };

/// What leaving a `with` over the value does.
enum class ApiLeave { nothing, close, give_back, commit };

/// A function or method that gives a database object.
struct ApiGives {
  std::vector<std::string> names; // qualified functions
  std::vector<std::string> on;    // or methods of these types
  std::vector<std::string> methods;
  std::string type; // of the result; empty: that of the receiver or argument
  ApiRelation relation = ApiRelation::same;
  ApiLeave leave = ApiLeave::nothing;
  bool transaction = false; // the result, once entered, is inside a transaction
  ApiArgument source;       // relation argument, or `bind`: the connection, engine or pool it is made over
  ApiArgument endpoint;     // URL or keyword string
  std::vector<std::pair<std::string, std::string>> endpoint_parts; // keyword -> "host", "port", "database", "user"
  std::vector<ApiSwitch> autocommit;
  std::vector<ApiArgument> pool_size;
  std::vector<ApiSwitch> closing; // switches by which the pool closes what comes back
  std::vector<ApiSwitch> single;  // switches that make the pool one of no or one connection
};

/// What a call that sends SQL gives, or what is read from that. Only a value is the answer to a question; the others
/// are the same whatever the answer is.
enum class ApiResult {
  value,  // the first column itself
  row,    // its parts are values
  rows,   // its parts are rows
  values, // its parts are values: the first column of all rows
  result, // an object with fetch methods
  cursor, // the answer is fetched from the receiver (the call may give the receiver too)
  status, // no answer can be reached
  count,  // how many rows there are
};

/// A function that a call gets and runs with a database object: `pool.connect(async (client) => ...)`.
struct ApiBlock {
  std::vector<std::string> names;
  std::vector<std::string> on;
  std::vector<std::string> methods;
  int parameter = 0; // of the function: the object
  std::string type;  // of the object; empty: that of the receiver
  ApiRelation relation = ApiRelation::checkout;
  bool transaction = false; // the object is inside a transaction for as long as the function runs
  std::string ambient_with; // method that, called anywhere, puts whatever the function sends into that transaction
};

/// Methods that get statements, not yet sent, in a list, and send them in one transaction.
struct ApiBatch {
  std::vector<std::string> on;
  std::vector<std::string> methods;
};

/// Methods that send SQL.
struct ApiSends {
  std::vector<std::string> on;
  std::vector<std::string> names; // or qualified functions (migration operations)
  std::vector<std::string> methods;
  ApiArgument sql;
  ApiArgument binds;                           // a list, map or single value
  bool binds_rest = false;                     // all arguments after the SQL text
  bool bind_pairs = false;                     // each of them may be a pair of a type and the value
  bool on_text = false;                        // the receiver is the text, the connection an argument: `connection`
  ApiArgument connection;                      // the object through which it is sent, in place of the receiver
  std::vector<std::string> connection_methods; // or the argument of one of these, chained to the call
  std::string connection_type;                 // what that argument is when nothing else is known of it
  bool routine = false;                        // the text is the name of an SQL routine, the binds are its arguments
  ApiResult result = ApiResult::result;
  bool text_answers = false;    // a boolean comes as text, `t` or `f`
  bool builder = false;         // the arguments are the select list of a query
  std::string clause;           // ... or texts of SQL for this clause of a query on the rows of the receiver
  bool simple_protocol = false; // several statements in one text are sent as one message
  std::string session;          // of a function: the type of the session in which the library runs it
  std::string atomic_field;     // ... unless the class around it sets this field to false: then in autocommit
  bool autocommit = false;      // that session commits each statement by itself
  std::string atomic_call;      // ... or calls this
  bool cached = false;          // the answer may come from a cache of the library's, without asking the server
};

/// Methods that change rows without a text of SQL: of a session, of mapped objects on the library's own connection, or
/// of whatever gets the session as an argument.
struct ApiWrites {
  std::vector<std::string> on;
  std::vector<std::string> methods;
  std::string ambient; // type of the ambient connection that it goes through, when it is not that of the object
};

/// What reads an answer: from a result object, or from the cursor that executed.
struct ApiFetch {
  std::vector<std::string> methods; // result.fetchone()
  std::vector<std::string> members; // result.rowcount
  std::vector<std::string> names;   // len(rows)
  ApiResult result = ApiResult::row;
  bool asks_parts = false; // it asks whether a part is true: of `values` that is the answer
};

enum class ApiEffect { commit, rollback, close, give_back, begin, release_deferred };

/// Methods that change the state of a connection.
struct ApiControl {
  std::vector<std::string> on;
  std::vector<std::string> names;
  std::vector<std::string> methods;
  ApiEffect effect = ApiEffect::commit;
  int argument = -1; // the object that it is about, when it is not the receiver
  ApiSwitch closing; // when this holds the connection is closed in place
};

/// A transaction as a block, a decorator or a method pair.
struct ApiTransaction {
  std::vector<std::string> on;
  std::vector<std::string> methods;
  std::vector<std::string> names; // qualified: usable as block and decorator
  std::string ambient;            // session of the ambient connection that it is about, also on an unknown receiver
  bool outside = false;           // the contrary: inside the block there is no transaction
};

/// Something that turns autocommit on or off after the fact.
struct ApiOption {
  std::vector<std::string> on;
  std::vector<std::string> methods; // conn.set_autocommit(True)
  std::vector<std::string> fields;  // conn.autocommit = True
  ApiSwitch on_when;                // autocommit is on when
};

/// A member (not a call) that is a database object: `connections["default"]`, `self.env.cr`, `request.db`.
struct ApiObject {
  std::string name;            // qualified name; with `*` a guess
  std::vector<std::string> on; // or member of a type
  std::vector<std::string> members;
  std::string type;
  bool indexed = false; // reached by a key, which is then part of its identity
};

/// What says, after a pool was made, how many connections it may have.
struct ApiLimit {
  std::vector<std::string> on;
  std::vector<std::string> methods; // pool.SetMaxOpenConns(1)
  std::vector<std::string> fields;  // config.MaxConns = 1
};

/// Functions whose result is the SQL text that they are given, or text built from expressions.
struct ApiText {
  std::vector<std::string> names;
  std::string form;                 // "same": argument 0 is the text; "select": the arguments are the select list;
                                    // "function": any member of the name is an SQL function of that name; "named
                                    // function": the first argument is its name; "format": a pattern and its values;
                                    // "join": a list and what stands between; "collected": `methods` read the text
                                    // that objects of these types have been given; "collect": what gives them a piece,
                                    // "collect format": a pattern and its values
  std::vector<std::string> methods; // form "clause": methods chained to a select
  std::string clause;               // "from", "where", "order by", "limit", "offset", "binds", "join"
};

/// What is known of a routine by its class, its decorator or by being passed somewhere.
struct ApiMark {
  std::vector<std::string> bases; // methods `methods` of classes with such a base
  std::vector<std::string> methods;
  std::vector<std::string> annotations;
  std::vector<std::string> passed_to; // function arguments of these
  std::vector<std::string> paths;     // routines of this name in files with such a path
  std::string atomic_field; // the class around it, a keyword, or a constant of the file for routines known by its path,
                            // turns "open" into "none" with this set to false
  std::string atomic_call;  // ... or a call of this in it
  std::string transaction;  // "none", "open", "request" (as the settings say), "unknown"
};

/// A test that a transaction is open: a routine that makes it has taken care itself.
struct ApiGuard {
  std::vector<std::string> members;
};

/// Settings of a framework: a map in a module, whose entries are endpoints.
struct ApiSettings {
  std::string name;   // constant that holds a map of profiles
  std::string config; // or the kind of configuration file whose entries are the profiles
  std::string type;   // type of the objects that the profiles configure
  std::string default_profile;
  std::vector<std::string> choosers; // methods that, called in the body of a class, choose a profile for its objects
  ApiArgument choice;                // of those: the profile, or a map with it
  std::vector<std::pair<std::string, std::string>> parts; // key -> endpoint part
  std::vector<std::string> file_names;                    // base names of the modules that may hold it
  std::string atomic_key;                                 // key that opens a transaction for each request
};

/// A function that makes a URL of separate parts.
struct ApiUrl {
  std::vector<std::string> names;
  std::vector<std::pair<std::string, std::string>> parts; // keyword -> endpoint part
};

/// What an element of a hash is, and with it how many bits of the hash a part of it has.
enum class ApiUnit {
  same,     // of a conversion: what it was
  number,   // an integer
  hex,      // text, 4 bits a character
  decimal,  // text, 3.3 bits a character
  bytes,    // 8 bits an element
  object,   // something that the number is asked of
  fraction, // a number from 0 to 1
};

/// Where else a hash, or something else that makes a number, gives another one.
enum class ApiUnstable { no, process, call, time };

/// A function that makes a number of a name, or of nothing: what lock keys are made of.
struct ApiHash {
  std::vector<std::string> names;   // qualified functions
  std::vector<std::string> methods; // or methods of what is hashed
  int bits = 64;
  ApiUnit unit = ApiUnit::number;
  ApiArgument of; // what is hashed; without it the first argument, or what a method is called on
  ApiUnstable unstable = ApiUnstable::no;
  std::string seed;                      // variable of the environment that makes it stable
  std::vector<std::string> stable_types; // of values that it gives the same number for everywhere
  ApiArgument limit;                     // a constant that the result is below
};

/// A call or member that hands on a hash in another form, whole or in part.
struct ApiConvert {
  std::vector<std::string> names;
  std::vector<std::string> methods; // called, or only read
  ApiArgument of;                   // what it hands on; without it the first argument, or what a method is called on
  ApiUnit unit = ApiUnit::same;
  int bits = 0;       // at most; 0: all
  ApiArgument format; // a text whose first letter stands in `widths`
  std::vector<std::pair<std::string, int>> widths;
  ApiArgument count; // how many elements it keeps; those from `begin` to `end` when it has these
  ApiArgument begin;
  ApiArgument end;
  ApiArgument limit;  // a constant that the result is below
  ApiArgument width;  // a constant that says how many bits it keeps
  ApiSwitch when;     // only a call with this constant is one
  bool feeds = false; // its argument is hashed too: hasher.update(name)
};

/// A member that is given a certain constant: `config.active_job.queue_adapter = :good_job`.
struct ApiAssignment {
  std::string member;
  std::string value;
};

/// A lock that a library takes on the user's behalf.
struct ApiLibraryLock {
  std::string library;                 // as its users name it
  std::vector<std::string> words;      // in lower case; a file without any of them cannot ask for the lock
  std::vector<std::string> names;      // qualified functions and classes: a call asks for it
  std::vector<std::string> on;         // or methods of these types
  std::vector<std::string> methods;    // without `on`: of anything, the name is the library's alone
  std::vector<ApiAssignment> assigned; // or settings in code that ask for it
  std::vector<ApiAssignment> unless;   // ... unless the project has one of these too
  Level level = Level::session;
  std::vector<ApiSwitch> transaction; // switches that make it a transaction-level lock
  std::vector<ApiSwitch> session;     // ... and a session-level one
  std::vector<ApiSwitch> off;         // ... and none at all
  bool tool = false;                  // of migrations: taken once a deployment
  std::vector<std::string> acquire;   // the call only makes an object: a block or one of these methods takes the lock
  bool begins = false;                // a block over that object begins the transaction of its transaction-level lock
  std::vector<ApiSwitch> tries;       // switches that make it a try, which answers what it is taken by
  std::vector<ApiSwitch> raises;      // ... unless one of these ends the block or the call when the try fails
  std::string connection;             // type of the library's own connection that it is taken on, when of no argument
  ApiArgument profile;                // names the profile of that connection
  ApiArgument handle;                 // the connection, session or pool that it is taken on
  ApiArgument endpoint;               // URL of a connection of its own
  bool needs_endpoint = false;   // it serves other stores too: a lock only where the URL is known to be PostgreSQL's
  std::string transaction_level; // advice: how to have it at transaction level
  std::string direct;            // advice: how to lead it past a pooler
};

struct Apis {
  std::string language;
  std::string module_separator;
  std::vector<std::string> extensions;
  std::vector<std::string> index_names; // file that stands for its folder
  bool packages = false; // a folder is one module, whose files share their names and add to each other's types
  std::vector<std::string> module_roots; // where modules are packages: first parts of those of the project; a sign is
                                         // no folder
  bool global_types = false;             // types and constants are known everywhere by their qualified names
  bool type_paths = false;               // the path of a type's file is its qualified name in snake_case
  std::vector<std::string> environment_calls;   // f("NAME", default)
  std::vector<std::string> environment_objects; // object["NAME"]
  std::vector<std::string> placeholders;        // styles: "%s", "%(name)s", ":name", "?"
  std::vector<std::string> quiet_calls;         // calls that raise nothing worth a path (logging)
  std::vector<std::string> process_exits;
  std::vector<std::string> closed_members; // conn.closed, conn.is_closed()
  std::vector<std::string> map_calls;      // dict(a=1)
  std::vector<std::string> truth_calls;    // bool(x)
  std::vector<std::string> scalar_rows;    // with one of these imported, a row may be the value itself
  std::vector<std::string> code_names;     // members that name a part of the program: as few as it has parts
  std::vector<std::string> closed_types;   // types, or bases of types, whose values stand in the program
  int bit_operators = 0;                   // bits to which the bit operators cut numbers; 0 when they keep them whole
  bool zero_is_true = false;               // so that a boolean that was cast to a number is always true
  std::vector<std::string> optional_types; // Optional[X], Annotated[X, ...]
  std::vector<std::string>
      transaction_wrappers;               // names of functions, with globs, that may run what they get in a transaction
  std::vector<std::string> open_types;    // names of types, with globs, that a transaction may have as well as a pool
  bool map_arguments = false;             // the entries of a map among the arguments of a call are its keywords
  std::string constructor;                // name of the method that a call of a class runs
  std::vector<std::string> instantiators; // methods of a class that make an instance: Locker.new(conn)
  std::vector<std::string> class_of;      // members of an object that are its class: self.class
  bool own_members = false;               // inside a class its members, and those of its bases, go by their bare names
  bool accessors = false;                 // a call without arguments may read a member: object.pool
  std::vector<std::string> cache_off;     // blocks in which queries are not answered from the library's cache
  std::vector<std::string> cache_emptied; // calls that empty it
  std::vector<std::string> uncached_files; // paths of files that run where there is none
  std::vector<std::string> faults;         // members of an answer that only tell whether there is one
  std::vector<std::string> conversions;    // types of integers; called, they give the same number
  std::vector<ApiType> types;
  std::vector<ApiGives> gives;
  std::vector<ApiBlock> blocks;
  std::vector<ApiBatch> batches;
  std::vector<ApiSends> sends;
  std::vector<ApiWrites> writes;
  std::vector<ApiFetch> fetches;
  std::vector<ApiHash> hashes;
  std::vector<ApiConvert> converts;
  std::vector<ApiControl> controls;
  std::vector<ApiTransaction> transactions;
  std::vector<ApiOption> options;
  std::vector<ApiLimit> limits;
  std::vector<ApiObject> objects;
  std::vector<ApiText> texts;
  std::vector<ApiMark> marks;
  std::vector<ApiGuard> guards;
  std::vector<ApiSettings> settings;
  std::vector<ApiUrl> urls;
  std::vector<ApiLibraryLock> library_locks;

  [[nodiscard]] const ApiType* type(std::string_view name_or_alias) const;
};

/// The tables of a compiled-in language, or else of the one that it extends: languages of one family have one object,
/// and names cross between their files. nullptr when there is none. Read once, thread-safe. A fault in a table is a
/// fault of the build: `apis_fault` says where, and a test asks it.
const Apis* apis_of(std::string_view language);
std::string apis_fault(std::string_view toml);

inline bool has(const std::vector<std::string>& list, std::string_view word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

/// Whether database libraries have a method of this name: then it says nothing about a class of the project.
bool library_method(const Apis& apis, std::string_view name);

/// `*` stands for any characters.
bool glob_name(std::string_view pattern, std::string_view name);

/// Whether one of the patterns fits the name.
inline bool has_glob(const std::vector<std::string>& patterns, std::string_view name) {
  return std::any_of(patterns.begin(), patterns.end(),
                     [&](const std::string& pattern) { return glob_name(pattern, name); });
}

} // namespace padlint
