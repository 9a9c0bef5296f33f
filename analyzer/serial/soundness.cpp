#include "analyzer/serial/facts_file.h"
#include "analyzer/serial/parts.h"

#include <fmt/format.h>

// Everything above takes the indexes inside facts for granted, because the readers of sources make no others. Facts
// from a file have to earn that: somebody may have made them by hand.

namespace padlint {
namespace {

/// How many parts an expression of a kind has at least.
std::size_t least_parts(ValueKind kind) {
  switch (kind) {
  case ValueKind::index: return 2;
  case ValueKind::member:
  case ValueKind::call:
  case ValueKind::choice:
  case ValueKind::spread: return 1;
  default: return 0;
  }
}

std::string flow_fault(const Routine& routine, const FileFacts& facts) {
  const std::size_t blocks = routine.flow.blocks.size();
  for (const Block& block : routine.flow.blocks) {
    for (const Event& event : block.events)
      if (event.kind == EventKind::sql && event.number >= facts.statements.size())
        return fmt::format("statement {} of {}", event.number, facts.statements.size());
    for (const Edge& edge : block.edges)
      if (edge.target >= blocks && !is_exit(edge.target))
        return fmt::format("block {} of {}", edge.target, blocks);
  }
  return {};
}

std::string routine_fault(const FileFacts& facts) {
  if (facts.routines.empty() || facts.routines[0].form != RoutineForm::file)
    return "no routine for the file itself";
  const std::size_t routines = facts.routines.size();
  std::uint32_t highest = 0;
  const auto see = [&](std::uint32_t routine) { highest = std::max(highest, routine); };
  each_part_of<Binding>(facts, [&](const Binding& binding) { see(binding.routine); });
  each_part_of<Class>(facts, [&](const Class& type) { see(type.routine); });
  each_part_of<Value>(facts, [&](const Value& value) {
    if (value.is(ValueKind::function))
      see(static_cast<std::uint32_t>(value.number));
  });
  for (std::size_t i = 0; i < routines; ++i)
    if (facts.routines[i].parent >= std::max<std::size_t>(i, 1)) // whoever goes up has to arrive
      return fmt::format("routine {} is inside routine {}", i, facts.routines[i].parent);
  if (highest >= routines)
    return fmt::format("routine {} of {}", highest, routines);
  for (const Routine& routine : facts.routines)
    if (std::string fault = flow_fault(routine, facts); !fault.empty())
      return fault;
  return {};
}

std::string line_fault(const StoredFile& file) {
  std::uint64_t number = 1;
  std::uint64_t begin = 0;
  for (const StoredLine& line : file.lines) {
    // Between two lines that are kept there is room for the ends of those that are not.
    const bool misplaced = line.number == number ? line.begin != begin : line.begin < begin + (line.number - number);
    if (line.number < number || misplaced || line.begin + line.text.size() > file.size || line.text.contains('\n'))
      return fmt::format("line {} at byte {}", line.number, line.begin);
    number = std::uint64_t{line.number} + 1;
    begin = line.begin + line.text.size() + 1;
  }
  return {};
}

} // namespace

std::string unsound(const StoredFile& file) {
  std::string fault = routine_fault(file.facts);
  each_part_of<Span>(file.facts, [&](const Span& span) {
    if (span.begin > span.end || span.end > file.size)
      fault = fmt::format("bytes {} to {} of {}", span.begin, span.end, file.size);
  });
  each_part_of<Value>(file.facts, [&](const Value& value) {
    if (value.parts.size() < least_parts(value.kind))
      fault = fmt::format("an expression without its parts at byte {}", value.span.begin);
    std::uint32_t text = 0;
    for (const OffsetStep& step : value.steps) {
      if (step.text < text || step.text > value.text.size() || step.source > file.size)
        fault = fmt::format("a text that stands nowhere at byte {}", value.span.begin);
      text = step.text;
    }
  });
  return fault.empty() ? line_fault(file) : fault;
}

} // namespace padlint
