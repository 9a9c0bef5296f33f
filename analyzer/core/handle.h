#pragma once

#include "analyzer/core/confidence.h"
#include "analyzer/core/span.h"

#include <optional>
#include <string>
#include <vector>

// Through what a statement reaches the server. Whether two statements run in one session, and whether a transaction is
// open, hang on this more than on anything else.

namespace padlint {

enum class HandleKind {
  unknown,
  pool,        // each call may take another connection
  pinned,      // one connection for as long as the handle lives
  transaction, // one connection inside a transaction that the handle stands for
};

/// What becomes of a session-level lock when the connection goes back to where it came from.
enum class OnReturn { unknown, keeps, unlocks, closes };

/// One reason for what a handle or a finding is taken to be, with its place.
struct Step {
  std::string text; // "`conn` is bound here"
  Span span;
  Confidence confidence = Confidence::certain;
};

/// Where a connection leads, as far as constants tell. Empty parts are unknown or left out.
struct Endpoint {
  std::string host;
  std::string port;
  std::string database;
  std::string user;
  std::string environment;
  Span span; // the URL or the settings
  Confidence confidence = Confidence::certain;
};

struct Handle {
  HandleKind kind = HandleKind::unknown;
  std::string text;                    // as the source writes it
  std::string type;                    // library type: "asyncpg.Pool"
  std::string identity;                // equal for two calls exactly when they are known to use one connection object
  std::string pool;                    // identity of the pool that it was taken from, empty for none
  bool from_caller = false;            // a parameter, or an ambient connection: callers decide about its transaction
  bool ambient = false;                // one per thread or request by the library's rules (Django's `connection`)
  bool fresh = false;                  // opened for this use, and closed when nothing refers to it any more
  Answer autocommit = Answer::unknown; // no: the first statement begins a transaction
  bool commit_returns = false;         // commit and rollback give the connection back (SQLAlchemy Session)
  OnReturn on_return = OnReturn::unknown;
  std::optional<int> pool_size;      // most connections of the pool, where the text tells
  bool pool_size_unresolved = false; // the text sets it, with a value that cannot be read
  std::vector<Endpoint> endpoints;
  Confidence confidence = Confidence::certain;
  std::vector<Step> steps;
};

std::string to_text(HandleKind kind);
std::string to_text(OnReturn on_return);
std::string to_text(const Endpoint& endpoint);
/// `pool asyncpg.Pool self.db autocommit=yes`
std::string to_text(const Handle& handle);

} // namespace padlint
