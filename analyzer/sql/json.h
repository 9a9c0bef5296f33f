#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <string_view>
#include <vector>

// JSON as libpg_query prints it, read once and forgotten: nodes in the order of the text, so that a node's first child
// is the next node, and the sibling behind a subtree is `skip` nodes on. Strings are decoded in place.

namespace padlint {

struct JsonNode {
  enum Kind : std::uint8_t { null, boolean, number, string, array, object } kind = null;
  std::uint32_t size = 0;   // children
  std::uint32_t skip = 1;   // nodes of the subtree, this one included
  std::int64_t integer = 0; // of a boolean and a number
  std::string_view key;     // in an object
  std::string_view text;    // of a string
};

/// A node seen from above: its children can be iterated over. Absent fields are trees, too, and null.
class Tree {
public:
  struct Iterator {
    using difference_type = std::ptrdiff_t;
    using value_type = Tree;
    const JsonNode* node = nullptr;
    std::uint32_t index = 0;
    Tree operator*() const { return Tree(node); }
    Iterator& operator++() {
      node += node->skip;
      ++index;
      return *this;
    }
    Iterator operator++(int) {
      const Iterator before = *this;
      ++*this;
      return before;
    }
    bool operator==(const Iterator& other) const { return index == other.index; }
  };

  Tree() = default;
  explicit Tree(const JsonNode* node) : node_(node) {}

  [[nodiscard]] const JsonNode* node() const { return node_; }
  [[nodiscard]] bool is(JsonNode::Kind kind) const { return node_ != nullptr && node_->kind == kind; }
  [[nodiscard]] bool is_null() const { return node_ == nullptr || node_->kind == JsonNode::null; }
  [[nodiscard]] bool is_object() const { return is(JsonNode::object); }
  [[nodiscard]] bool is_structured() const { return is_object() || is(JsonNode::array); }
  [[nodiscard]] std::size_t size() const { return node_ == nullptr ? 0 : node_->size; }
  [[nodiscard]] bool empty() const { return size() == 0; }
  [[nodiscard]] Iterator begin() const { return {empty() ? nullptr : node_ + 1, 0}; }
  [[nodiscard]] Iterator end() const { return {nullptr, static_cast<std::uint32_t>(size())}; }
  /// The child of this index, which exists.
  Tree operator[](std::size_t index) const { return *std::next(begin(), static_cast<std::ptrdiff_t>(index)); }
  [[nodiscard]] Tree back() const { return (*this)[size() - 1]; }

private:
  const JsonNode* node_ = nullptr;
};

/// A text and its nodes; the nodes point into the text.
struct Json {
  std::unique_ptr<char[]> text;
  std::vector<JsonNode> nodes;

  /// The root; null when the text was no JSON.
  [[nodiscard]] Tree root() const { return nodes.empty() ? Tree() : Tree(nodes.data()); }
};

Json read_json(std::string_view text);

} // namespace padlint
