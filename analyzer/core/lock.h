#pragma once

#include "analyzer/core/confidence.h"
#include "analyzer/core/flow.h"
#include "analyzer/core/span.h"
#include "analyzer/core/statement.h"
#include "analyzer/core/value.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// What a call of one of PostgreSQL's eleven advisory lock functions does. The server knows locks as numbers;
// everything here is what the text of the program tells about them.
// Source: PostgreSQL manual, "Advisory Lock Functions" (11 names, 21 signatures).

namespace padlint {

/// How long the lock is held: until an unlock or the end of the session, or until COMMIT or ROLLBACK.
enum class Level { session, transaction };

/// One bigint, or two int4. The two spaces never overlap: 42 and (0, 42) are different locks.
enum class KeyForm { none, bigint, two_int4 };

/// What one of the eleven functions does, by its name.
struct LockFunction {
  std::string_view name;
  enum Effect { acquire, release, release_all } effect = acquire;
  Level level = Level::session;
  bool shared = false;
  bool waits = true; // false for the try functions
};

/// The function of this (folded) name, or nullptr.
const LockFunction* lock_function(std::string_view name);

/// Where else a number that is made at run time is another one.
enum class Stability { stable, per_process, per_call, over_time };

/// What makes the number of a key part: a hash of a name, or something that is not the same everywhere.
struct KeySource {
  Span span;         // the call that makes it
  std::string maker; // as the program writes it: `zlib.crc32`
  int bits = 64;     // of what it makes that reach the lock, at most 64
  Stability stability = Stability::stable;
  std::string seed;           // variable of the environment that makes it stable
  bool packed = false;        // it fills a part of the number, beside something else
  Answer closed = Answer::no; // what is hashed is one text, or one of a list that stands in the program
  Confidence confidence = Confidence::certain;
};

/// Which lock: the form and its one or two parts, resolved as far as the project tells.
struct Key {
  KeyForm form = KeyForm::none;
  std::vector<Value> parts;
  std::vector<std::string> printed;              // of each part; empty for one that is not known (set by link)
  std::vector<std::optional<KeySource>> sources; // of each part (set by link)
};

/// `41`, `(7, 42)`, `hashtext(name)`: as a reader would write it; equal keys of one routine print alike.
std::string to_text(const Key& key);

/// `zlib.crc32 32 bits`, `hash 64 bits per process`
std::string to_text(const KeySource& source);

using LockId = std::uint32_t;
using HandleId = std::uint32_t;

/// A routine of the project: its file and its index there.
struct RoutineRef {
  FileId file = 0;
  std::uint32_t index = 0;
  auto operator<=>(const RoutineRef&) const = default;
};

/// What the program does with the boolean of a try function, seen to its end.
enum class TryResult { unknown, read, dropped };

/// One acquire, in the flow of the routine that sends it.
struct LockCall {
  LockId id = 0;
  Span span;      // the function's name and arguments, where their text stands; for a wrapper the call of it
  Span execution; // the call that sends it (host), or the statement (SQL)
  RoutineRef routine;
  HandleId handle = 0;
  const LockFunction* function = nullptr;
  Key key;
  SqlPosition position = SqlPosition::select_list;
  RowShape rows;
  TryResult result = TryResult::unknown;
  bool lone = true;              // the statement does nothing but lock
  std::optional<LockId> wrapped; // for a call of an SQL wrapper: the lock inside it
  Confidence confidence = Confidence::certain;

  [[nodiscard]] Level level() const { return function->level; }
  [[nodiscard]] bool waits() const { return function->waits; }
  [[nodiscard]] bool shared() const { return function->shared; }
};

/// One release.
struct LockRelease {
  LockId id = 0;
  Span span;
  Span execution;
  RoutineRef routine;
  HandleId handle = 0;
  const LockFunction* function = nullptr; // effect release or release_all
  Key key;
  bool wrapped = false; // a call of one of the project's own SQL routines that releases
  Confidence confidence = Confidence::certain;
};

std::string to_text(Level level);

/// `lock session exclusive try bigint 41 rows=one result=dropped`
std::string to_text(const LockCall& lock);
std::string to_text(const LockRelease& release);

} // namespace padlint
