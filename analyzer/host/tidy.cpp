#include "analyzer/host/tidy.h"

#include <algorithm>

namespace padlint::host {

namespace {

/// An empty block that only leads on; paths may as well pass it by.
bool passes_on(const Block& block) {
  return block.events.empty() && block.edges.size() == 1 && block.edges[0].kind == EdgeKind::next;
}

void pass_by_empty_blocks(Flow& flow) {
  for (Block& block : flow.blocks)
    for (Edge& edge : block.edges)
      for (std::size_t guard = 0; guard < flow.blocks.size() && !is_exit(edge.target); ++guard) {
        const Block& target = flow.blocks[edge.target];
        if (!passes_on(target))
          break;
        edge.target = target.edges[0].target;
        if (edge.span.empty())
          edge.span = target.edges[0].span;
      }
}

/// The blocks that can be reached, each one before those that follow it (loops aside), error paths last.
std::vector<std::uint32_t> reverse_postorder(const Flow& flow) {
  std::vector<std::uint32_t> order;
  std::vector<bool> seen(flow.blocks.size());
  struct Visit {
    std::uint32_t block;
    std::vector<std::uint32_t> todo; // successors, the next one last
  };
  std::vector<Visit> path;
  const auto visit = [&](std::uint32_t at) {
    if (is_exit(at) || seen[at])
      return;
    seen[at] = true;
    path.push_back({at, {}});
    for (const bool errors : {false, true})
      for (const Edge& edge : flow.blocks[at].edges)
        if ((edge.kind == EdgeKind::error) == errors)
          path.back().todo.push_back(edge.target);
  };
  visit(0);
  while (!path.empty()) {
    if (path.back().todo.empty()) {
      order.push_back(path.back().block);
      path.pop_back();
      continue;
    }
    const std::uint32_t next = path.back().todo.back();
    path.back().todo.pop_back();
    visit(next);
  }
  std::ranges::reverse(order);
  return order;
}

void number_anew(Flow& flow, const std::vector<std::uint32_t>& order) {
  std::vector<std::uint32_t> number(flow.blocks.size());
  for (std::uint32_t i = 0; i < order.size(); ++i)
    number[order[i]] = i;
  std::vector<Block> blocks;
  blocks.reserve(order.size());
  for (const std::uint32_t old : order) {
    blocks.push_back(std::move(flow.blocks[old]));
    blocks.back().events.shrink_to_fit();
    for (Edge& edge : blocks.back().edges)
      if (!is_exit(edge.target))
        edge.target = number[edge.target];
  }
  flow.blocks = std::move(blocks);
}

} // namespace

void tidy(Flow& flow) {
  pass_by_empty_blocks(flow);
  number_anew(flow, reverse_postorder(flow));
}

} // namespace padlint::host
