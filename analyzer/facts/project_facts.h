#pragma once

#include "analyzer/core/file_facts.h"
#include "analyzer/core/finding.h"
#include "analyzer/core/handle.h"
#include "analyzer/core/library_lock.h"
#include "analyzer/core/lock.h"
#include "analyzer/facts/wrapper.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// What the rules see: the locks of the whole project with everything that was resolved about them, and the questions
// that rules ask. No rule sees a file, a tree or a parser.

namespace padlint {

/// What some fact refers to and no file read so far defines: the next round reads the files that contain one of the
/// names, and those whose path without its extension ends in one of the module paths. Sorted, unique.
struct Wants {
  std::vector<std::string> names; // callers of helpers, the project's own SQL routines, settings; compared without case
  std::vector<std::string> modules; // `kelp/engines`
  // Where a folder is a package: folders, and imported paths that may lead to one, with what their files end in.
  std::vector<std::string> folders;  // `kelp/engines/*.x`
  std::vector<std::string> packages; // `example.com/kelp/engines/*.x`
};

/// Whether an imported path (`example.com/kelp/engines/`) may lead to a folder (`src/kelp/engines/`).
bool leads_to(std::string_view package, std::string_view folder);

Wants find_wants(std::span<const FileFacts> files, const ProjectNotes& notes = {});

/// The pool modes of PgBouncer and its like.
enum class PoolMode { session, transaction, statement };

/// The pooler entry that serves an endpoint, and what decided its mode.
struct PooledRoute {
  PoolMode mode = PoolMode::session;
  std::string pooler = "PgBouncer";
  std::string database; // entry by which the pooler serves it
  Confidence confidence = Confidence::certain;
  Span mode_span;        // the setting that decides the mode
  Span endpoint_span;    // the URL or settings that lead to the pooler
  std::string mode_text; // "`pool_mode = transaction`", "the default"
  std::string reason;    // "user `roster`", "database `app`", "the whole pooler"
};

/// Whether a transaction is open where a lock is taken.
enum class TransactionState {
  open,
  none,   // autocommit: the statement is its own transaction
  caller, // whoever calls the routine decides, and not all of them are known
  unknown,
};

struct TransactionAnswer {
  TransactionState state = TransactionState::unknown;
  bool explicit_block = false; // open: by a block or BEGIN, not by the driver's own beginning
  Confidence confidence = Confidence::certain;
  std::vector<Step> steps;
};

/// A call of a routine of the project, or of a helper that leads to it, and the transaction there.
struct CallerAnswer {
  Span call;
  RoutineRef routine;
  TransactionAnswer transaction;
};

/// How a path leaves the routine of a lock with the lock held.
struct LeakPath {
  enum Kind { leaves, raises, cancelled } kind = leaves;
  Span span; // the return or raise statement, or the event that may raise; empty at the end of the body
  bool explicit_exit = false; // a return or raise statement, not an implied exception
  bool to_pool = false;       // the connection goes back to its pool with the lock on it
};

struct LeakAnswer {
  std::vector<LeakPath> paths;     // none: released, or the connection is closed, on every path
  bool release_in_routine = false; // some release of this lock on this connection stands in the same routine
  bool on_every_path = false;      // no normal way out has it free
  bool always_to_pool = false;     // every normal way out gives the connection back with the lock on it
  bool outlives_routine = true;    // the connection is not known to end with the routine
};

/// A release that comes before the commit of what the lock protects.
struct EarlyRelease {
  std::optional<LockId> release; // nothing for the end of a library's block
  Span at;                       // the release, the call of a helper that releases, or what takes the library's block
  Span work;                     // what is not committed by then
  Confidence confidence = Confidence::certain;
};

/// How the time for which a session-level lock is held lies to the transactions of its session.
struct HoldAnswer {
  bool taken_inside = false;    // a transaction is certainly open when the lock is taken
  bool explicit_block = false;  // ... by a block or BEGIN, not by the driver's own beginning
  bool released_inside = false; // some path releases it in that transaction
  bool released_after = false;  // some path releases it when that transaction is over
  bool used_inside = false;     // the session does something in between, so that the transaction may fail
  std::vector<EarlyRelease> early;
  Confidence confidence = Confidence::certain;
};

/// A transaction that is open on another session than the one that a lock goes through.
struct OtherTransaction {
  std::string text; // the handle or the block, as the source writes it
  Span begins;
  Span call; // in a caller of the lock's routine; empty when it is in the routine itself
};

/// What is wrong with a release.
enum class Mismatch { none, transaction_level, other_form, other_mode, other_key, one_too_many };

struct MismatchAnswer {
  Mismatch kind = Mismatch::none;
  std::optional<LockId> lock; // the acquire that it looks like being meant for
  Confidence confidence = Confidence::certain;
};

/// What is tested instead of the answer of a try: it is the same whatever the answer is.
struct Misread {
  enum Kind {
    none,
    row,
    rows,
    count,    // how many rows there are
    handle,   // a cursor, result or status
    text,     // `t` or `f`
    boolean,  // that such a text is a boolean
    presence, // that there is an answer
    found,    // PL/pgSQL's FOUND
  } kind = none;
  Span test;
};

/// How a path comes to a release without the lock.
struct WithoutLock {
  enum Reason { refused, raised } reason = refused; // the try said no, or the acquire ended with an error
  LockId lock = 0;
};

struct LinkCoverage {
  std::size_t texts_found = 0; // strings that might be SQL with a lock call
  std::size_t texts_understood = 0;
  std::size_t names_given_up = 0;   // receivers, texts and keys that stayed unknown
  std::vector<std::string> configs; // paths of configuration files that decided something, sorted
};

struct LinkedProject; // the resolved index behind the queries, see linked_project.h

struct ProjectFacts {
  std::vector<LockCall> locks; // sorted by span; id is the index
  std::vector<LockRelease> releases;
  std::vector<LibraryLock> library_locks; // sorted by span; id is the index
  std::vector<Handle> handles;
  std::vector<Notice> notices;
  LinkCoverage coverage;
  std::shared_ptr<LinkedProject> linked;

  [[nodiscard]] const std::vector<FileFacts>& files() const; // sorted by path
  [[nodiscard]] const Handle& handle(const LockCall& lock) const { return handles[lock.handle]; }
  [[nodiscard]] const Handle& handle(const LockRelease& release) const { return handles[release.handle]; }
  [[nodiscard]] const Handle& handle(const LibraryLock& lock) const { return handles[lock.handle]; }
  [[nodiscard]] const Routine& routine(const RoutineRef& ref) const;
  /// Name of the enclosing routine with its class, empty at the top level of a file.
  [[nodiscard]] std::string symbol(const RoutineRef& ref) const;

  /// The releases that free this lock: same key, form and mode, on the same connection or where that is not known.
  [[nodiscard]] std::vector<const LockRelease*> releases_for(const LockCall& lock) const;
  /// Whether two keys are certainly equal, certainly different, or not to be told.
  [[nodiscard]] static Answer same_key(const Key& left, const Key& right);

  [[nodiscard]] TransactionAnswer transaction_of(const LockCall& lock) const;
  [[nodiscard]] TransactionAnswer transaction_of(const LibraryLock& lock) const;
  /// For a lock whose transaction is its callers' business: each known caller, up to three calls away.
  [[nodiscard]] std::vector<CallerAnswer> callers_of(const LockCall& lock) const;
  [[nodiscard]] std::vector<CallerAnswer> callers_of(const LibraryLock& lock) const;
  /// A transaction that was opened on a session of the same pool, and encloses the lock.
  [[nodiscard]] std::optional<OtherTransaction> other_transaction(const LockCall& lock) const;
  /// The BEGIN that was sent as a call of its own through the pool that the lock goes through; empty for none.
  [[nodiscard]] Span begun_through_pool(const LockCall& lock) const;
  [[nodiscard]] LeakAnswer held_at_exit(const LockCall& lock) const;
  /// Within the lock's routine. `caller_open`: as if each caller called it in a transaction of its own.
  [[nodiscard]] HoldAnswer hold_of(const LockCall& lock, bool caller_open = false) const;
  /// Where the block of a library's session-level lock ends before the commit of what was changed in it.
  [[nodiscard]] std::optional<EarlyRelease> early_release(const LibraryLock& lock) const;
  [[nodiscard]] MismatchAnswer mismatch(const LockRelease& release) const;
  /// Whether the lock is certainly free already, after having been held, when this release runs.
  [[nodiscard]] bool one_too_many(const LockRelease& release) const;
  /// Whether some path comes to this release without the lock that it is for, past no test that could tell.
  [[nodiscard]] std::optional<WithoutLock> without_lock(const LockRelease& release) const;
  /// Whether nothing happens between the lock and a release of it: a probe that asks whether somebody holds it.
  [[nodiscard]] bool released_at_once(const LockCall& lock) const;
  /// The test that a try is misread by, when all that is ever tested is not its answer.
  [[nodiscard]] std::optional<Misread> misread(const LockCall& lock) const;
  /// What a loop repeats whose later rounds a cache of the library's answers: the lock's execution, or the call of a
  /// routine that does nothing else.
  [[nodiscard]] std::optional<Span> repeated_from_cache(const LockCall& lock) const;
  /// The calls of the lock's routine that drop the answer which the routine hands on to them.
  [[nodiscard]] std::vector<Span> callers_dropping(const LockCall& lock) const;
  /// Where a handle's pool is known to hold at most one connection.
  [[nodiscard]] static Answer single_connection_pool(const Handle& handle);
  /// Whether each call of the lock's handle is a request, and a transaction, of its own.
  [[nodiscard]] bool sent_as_request(const LockCall& lock) const;
  /// Every endpoint of the handle that a known pooler serves.
  [[nodiscard]] std::vector<PooledRoute> pooled_routes(const Handle& handle) const;
  /// Whether anything in the project speaks of a pooler between it and the server.
  [[nodiscard]] bool has_pooler() const;
  /// A release of the same lock that goes through another checkout of the same pool, if any.
  /// The task, of a library that lends each task a connection of its pool, in which the lock is taken on that
  /// connection.
  [[nodiscard]] std::optional<Step> task_of(const LockCall& lock) const;
  [[nodiscard]] const LockRelease* release_on_other_checkout(const LockCall& lock) const;
  /// A commit or rollback between lock and release that gives the connection of a lock back to its pool; empty if none.
  [[nodiscard]] Span returned_by_commit(const LockCall& lock) const;
};

/// Resolves everything. `files` are sorted by path, FileFacts::file is the position in the listing.
ProjectFacts link(std::vector<FileFacts> files, ProjectNotes notes = {});

/// The lock call as it would be written at another level: `pg_advisory_xact_lock(7, id)`.
std::string rewritten(const LockCall& lock, Level level);

/// A finding about a lock or a release, with its subject, place, symbol and the confidence of what was resolved.
Finding about(const ProjectFacts& project, std::string_view rule, FindingLevel level, const LockCall& lock);
Finding about(const ProjectFacts& project, std::string_view rule, FindingLevel level, const LockRelease& release);
Finding about(const ProjectFacts& project, std::string_view rule, FindingLevel level, const LibraryLock& lock);

} // namespace padlint
