#pragma once

#include "analyzer/host/actions.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

// What surrounds the place that is being lowered, from the inside out.

namespace padlint::host {

enum class Way : std::uint8_t { to_return, error, to_break, to_continue, to_retry };

/// How control leaves, and the statement that makes it leave (empty for an exception that some event raises).
struct Leaving {
  Way way = Way::error;
  Span span;
  std::string label; // of the loop that is left or continued, empty for the innermost
  auto operator<=>(const Leaving&) const = default;
};

struct Context {
  enum Kind : std::uint8_t { places, handlers, cleanup } kind = places;
  Context* outer = nullptr;
  std::string label;                     // of a loop or breakable
  std::optional<std::uint32_t> on_break; // places that a way may lead to
  std::optional<std::uint32_t> on_continue;
  std::optional<std::uint32_t> on_retry;
  std::optional<std::uint32_t> on_return;
  std::vector<std::uint32_t> handled_at; // handlers
  bool catches_all = false;
  const Action* actions = nullptr; // cleanup
  bool perhaps = false;            // cleanup that was put off in a block that may not have been reached
  std::map<Leaving, std::uint32_t> copies;

  [[nodiscard]] std::optional<std::uint32_t> place(Way way) const {
    return way == Way::to_break      ? on_break
           : way == Way::to_continue ? on_continue
           : way == Way::to_retry    ? on_retry
           : way == Way::to_return   ? on_return
                                     : std::nullopt;
  }
};

} // namespace padlint::host
