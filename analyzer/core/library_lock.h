#pragma once

#include "analyzer/core/confidence.h"
#include "analyzer/core/handle.h"
#include "analyzer/core/lock.h"
#include "analyzer/core/span.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace padlint {

using LibraryLockId = std::uint32_t;

/// An advisory lock that a library, a framework or a tool takes on the user's behalf: the project asks for it by a
/// call, a setting or a command, and the SQL stands nowhere in its sources.
struct LibraryLock {
  LibraryLockId id = 0;
  Span span;                         // the call, the entry of a configuration file, the command
  std::optional<RoutineRef> routine; // of a call
  std::string library;               // as its users name it: "django-pglock", "Rails migrations"
  std::string taker;                 // what takes it, as the source writes it: "pglock.advisory", "primary"
  Level level = Level::session;
  bool off = false;  // switched off: nothing is locked
  bool tool = false; // taken once at deployment, for migrations, and not by the running program
  Span decided;      // the switch that chose the level or turned it off; empty for the library's default
  HandleId handle = 0;
  Span taken;           // the event that takes it: the call, or what enters or acquires the object that the call gives;
                        // empty where none is seen
  bool block = false;   // ... and a block begins there, at whose end the library releases the lock
  bool begins = false;  // that block is a transaction of its own
  bool answers = false; // a try: it says whether the lock was taken, and the program goes on
  TryResult result = TryResult::unknown; // what becomes of that answer; an object that nothing takes drops it
  std::string transaction_level;         // how to have the lock at transaction level, empty where there is no way
  std::string direct;                    // how to lead it past a pooler, empty where there is no way of its own
  std::optional<Step> seems_pooled;      // no pooler is known, but its settings are those that one asks for
  Span single_run;                       // what shows that a deployment runs the tool once; empty for nothing
  Confidence confidence = Confidence::certain;
  std::vector<Step> steps;
};

/// `library lock session django-pglock pglock.advisory`, with ` try dropped` for a try
std::string to_text(const LibraryLock& lock);

} // namespace padlint
