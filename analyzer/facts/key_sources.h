#pragma once

#include "analyzer/core/lock.h"
#include "analyzer/facts/linked_project.h"

#include <optional>
#include <set>

// What makes the number of a key. An expression is followed back, through names, callers, helpers and conversions, to
// the hash that it comes from; on the way back up, what slices, masks and casts leave of it is counted in bits.

namespace padlint {

struct CallFrame;

/// Where an expression is understood: in a routine, perhaps as one call runs it, perhaps in a text that a program
/// sends.
struct Standpoint {
  Scope scope;
  const Reading* reading = nullptr;
  const CallFrame* frame = nullptr;
  /// The libraries that names there mean; nullptr in SQL.
  [[nodiscard]] const Apis* apis(const LinkedProject& project) const;
};

/// One call of a routine: its parameters are the arguments.
struct CallFrame {
  RoutineRef routine;
  const Value& call;
  Standpoint caller;
};

/// The source of a part of a key; nothing when it is no hash, or not known.
std::optional<KeySource> source_of(const LinkedProject& project, const Value& part, const Standpoint& at);

/// The qualified name of what is called, a member of something that nothing defines included: `int.from_bytes`.
std::string global_name(const LinkedProject& project, const Value& callee, Scope scope);

/// Whether a name that is hashed is one text, or one of a list that stands in the program (closed_names.cpp).
Answer is_closed(const LinkedProject& project, const Value& name, const Standpoint& at);

/// The value of a parameter where a frame gives one.
std::optional<std::pair<Value, Standpoint>> framed_argument(const LinkedProject& project, RoutineRef routine,
                                                            std::uint32_t parameter, const CallFrame* frame);

/// A source on its way to the lock.
struct Made {
  KeySource source; // bits: all that are left, more than 64 of a digest
  ApiUnit unit = ApiUnit::number;
  bool shifted = false; // its bits stand above others
};

/// What slices and operators leave of a source (key_widths.cpp); nothing when it is no source any more.
std::optional<Made> sliced(Made made, const Value& key);
std::optional<Made> operated(Made made, std::string_view op, const Value* other, bool left);
std::optional<Made> cast_to(Made made, std::string_view type);
/// The first so many elements.
Made shortened(Made made, std::int64_t elements);
/// A number below a limit.
Made limited(Made made, std::int64_t limit);
/// Two sources in one number.
Made combined(const Made& left, const Made& right);
/// Of two that may be meant: the one that says more against the key.
std::optional<Made> worse(std::optional<Made> left, std::optional<Made> right);

} // namespace padlint
