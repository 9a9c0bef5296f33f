#pragma once

#include "analyzer/host/roles.h"

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

namespace padlint {
struct HostLanguage;
}

namespace padlint::host {

using Tree = std::unique_ptr<TSTree, decltype(&ts_tree_delete)>;

/// Parses text[begin, end); places in the tree are places in `text`. Null when the parser needed more operations than
/// any text that a person wrote.
Tree parse(const HostLanguage& language, std::string_view text, std::uint32_t begin, std::uint32_t end);

/// The first node that the grammar could not place, or that it had to add; null when the tree has none.
TSNode first_error(const Tree& tree);

constexpr TSNode no_node{};
inline bool exists(TSNode node) { return node.id != nullptr; }

struct Child {
  TSNode node;
  TSFieldId field = 0;
};

/// The children of the nodes that a walk is inside of, in one vector: a child by index costs a walk along its siblings
/// in tree-sitter, a cursor visits each once.
struct ChildStack {
  std::vector<Child> children;
  TSTreeCursor cursor;

  explicit ChildStack(TSNode root) : cursor(ts_tree_cursor_new(root)) {}
  ~ChildStack() { ts_tree_cursor_delete(&cursor); }
  ChildStack(const ChildStack&) = delete;
  ChildStack& operator=(const ChildStack&) = delete;
};

/// The children of one node, without comments and texts that only stand there, for as long as this lives.
class Children {
public:
  Children(ChildStack& stack, const HostLanguage& language, TSNode node);
  ~Children() { stack_.children.resize(begin_); }
  Children(const Children&) = delete;
  Children& operator=(const Children&) = delete;

  [[nodiscard]] std::size_t size() const { return end_ - begin_; }
  /// By value: walking into a child moves the stack.
  [[nodiscard]] Child operator[](std::size_t index) const { return stack_.children[begin_ + index]; }
  [[nodiscard]] TSNode node(std::size_t index) const { return stack_.children[begin_ + index].node; }
  [[nodiscard]] bool named(std::size_t index) const { return ts_node_is_named(node(index)); }

  /// The child at a place, the n-th named child; no_node when there is none.
  [[nodiscard]] TSNode at(const Place& place) const;
  [[nodiscard]] TSNode named_at(std::size_t position) const;
  [[nodiscard]] std::vector<TSNode> all_at(const Place& place) const;
  [[nodiscard]] std::vector<TSNode> all_named() const;

private:
  [[nodiscard]] bool fits(std::size_t index, const Place& place) const;

  ChildStack& stack_;
  std::size_t begin_;
  std::size_t end_;
};

} // namespace padlint::host
