#pragma once

#include "analyzer/core/flow.h"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <vector>

// One dataflow for every question. The state at a point is the set of situations that some path may bring there, as
// bits of a mask; joining is union, and transfer works on each bit alone, so the solution is exact for the graph and
// ends quickly. A question supplies what an event does, what an edge lets through, and which events may raise.

namespace padlint {

using Mask = std::uint32_t;

struct Solution {
  std::vector<Mask> at_entry; // of each block
};

/// Whether a block ends by raising.
inline bool throws(const Block& block) {
  return std::all_of(block.edges.begin(), block.edges.end(),
                     [](const Edge& edge) { return edge.kind == EdgeKind::error || edge.kind == EdgeKind::cancel; });
}

/// `transfer(event, mask)`, `passes(block, edge, mask)` and `raises(event, mask)` describe the question: what holds
/// after an event, what an edge lets through, and what holds when the event raises, 0 where it does not.
template <class Transfer, class Passes, class Raises>
Solution solve(const Flow& flow, Mask initial, Transfer transfer, Passes passes, Raises raises) {
  Solution solution{.at_entry = std::vector<Mask>(flow.blocks.size(), 0)};
  if (flow.blocks.empty())
    return solution;
  solution.at_entry[0] = initial;
  std::deque<std::uint32_t> work{0};
  std::vector<bool> queued(flow.blocks.size(), false);
  while (!work.empty()) {
    const std::uint32_t index = work.front();
    work.pop_front();
    queued[index] = false;
    const Block& block = flow.blocks[index];
    Mask mask = solution.at_entry[index];
    Mask raised = 0;
    for (const Event& event : block.events) {
      raised |= raises(event, mask);
      mask = transfer(event, mask);
    }
    if (throws(block))
      raised |= mask;
    for (const Edge& edge : block.edges) {
      if (is_exit(edge.target) || edge.target >= flow.blocks.size())
        continue;
      const bool exceptional = edge.kind == EdgeKind::error || edge.kind == EdgeKind::cancel;
      const Mask out = passes(block, edge, exceptional && !block.events.empty() ? raised : mask);
      if ((out & ~solution.at_entry[edge.target]) != 0) {
        solution.at_entry[edge.target] |= out;
        if (!queued[edge.target]) {
          queued[edge.target] = true;
          work.push_back(edge.target);
        }
      }
    }
  }
  return solution;
}

/// Walks the solved graph once: `at(event, mask before)` for every event, `leaves(block, edge, mask)` for every exit,
/// where `event` is the raising one or nullptr.
template <class Transfer, class Passes, class Raises, class At, class Leaves>
void visit(const Flow& flow, const Solution& solution, Transfer transfer, Passes passes, Raises raises, At at,
           Leaves leaves) {
  for (std::size_t index = 0; index < flow.blocks.size(); ++index) {
    Mask mask = solution.at_entry[index];
    if (mask == 0)
      continue;
    const Block& block = flow.blocks[index];
    std::vector<std::pair<const Event*, Mask>> raised;
    for (const Event& event : block.events) {
      at(event, mask);
      if (const Mask then = raises(event, mask); then != 0)
        raised.emplace_back(&event, then);
      mask = transfer(event, mask);
    }
    for (const Edge& edge : block.edges) {
      if (!is_exit(edge.target))
        continue;
      if (edge.kind == EdgeKind::error || edge.kind == EdgeKind::cancel) {
        if (block.events.empty())
          leaves(block, edge, nullptr, mask);
        for (const auto& [event, before] : raised)
          leaves(block, edge, event, before);
      } else {
        leaves(block, edge, nullptr, passes(block, edge, mask));
      }
    }
  }
}

} // namespace padlint
