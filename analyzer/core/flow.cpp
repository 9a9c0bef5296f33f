#include "analyzer/core/flow.h"

#include <fmt/format.h>

namespace padlint {

namespace {

std::string_view to_text(EdgeKind kind) {
  switch (kind) {
  case EdgeKind::next: return "next";
  case EdgeKind::when_true: return "true";
  case EdgeKind::when_false: return "false";
  case EdgeKind::error: return "error";
  case EdgeKind::cancel: return "cancel";
  }
  return "";
}

std::string target_text(std::uint32_t target) {
  switch (target) {
  case exit_return: return "return";
  case exit_error: return "raise";
  case exit_cancel: return "cancel";
  default: return std::to_string(target);
  }
}

/// ` dropped`, ` stored(row)`; nothing when the use is unknown.
std::string use_text(const Event& event) {
  if (event.use == ResultUse::unknown)
    return {};
  const std::string target = event.target.empty() ? "" : fmt::format("({})", event.target);
  return fmt::format(" {}{}", to_text(event.use), target);
}

std::string to_text(const Event& event) {
  const std::string value = to_text(event.value);
  switch (event.kind) {
  case EventKind::call: return value + use_text(event);
  case EventKind::enter: return fmt::format("enter {}{}", value, event.target.empty() ? "" : " as " + event.target);
  case EventKind::leave: return "leave " + value;
  case EventKind::assign: return fmt::format("{} = {}", event.target, value);
  case EventKind::yield: return event.value.is(ValueKind::opaque) ? "yield" : "yield " + value;
  case EventKind::sql: return fmt::format("sql {}{}", event.number, use_text(event));
  case EventKind::begin: return "begin";
  case EventKind::commit: return "commit";
  }
  return "";
}

std::string to_text(const Block& block) {
  std::string out;
  for (const Event& event : block.events)
    out += (&event == block.events.data() ? " " : "; ") + to_text(event);
  for (const Edge& edge : block.edges)
    if (edge.kind == EdgeKind::when_true || edge.kind == EdgeKind::when_false) {
      out += " if " + to_text(block.condition);
      break;
    }
  for (const Edge& edge : block.edges)
    out += fmt::format("{} {} {}", &edge == block.edges.data() ? " ->" : ",", to_text(edge.kind),
                       target_text(edge.target));
  return out;
}

} // namespace

std::string to_text(ResultUse use) {
  switch (use) {
  case ResultUse::unknown: return "unknown";
  case ResultUse::dropped: return "dropped";
  case ResultUse::tested: return "tested";
  case ResultUse::returned: return "returned";
  case ResultUse::stored: return "stored";
  case ResultUse::chained: return "chained";
  case ResultUse::passed: return "passed";
  case ResultUse::operand: return "operand";
  case ResultUse::iterated: return "iterated";
  }
  return "";
}

std::string to_text(const Flow& flow) {
  std::string out;
  for (std::size_t i = 0; i < flow.blocks.size(); ++i)
    out += fmt::format("{}:{}\n", i, to_text(flow.blocks[i]));
  return out;
}

} // namespace padlint
