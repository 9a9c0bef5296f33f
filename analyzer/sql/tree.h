#pragma once

#include "analyzer/sql/json.h"
#include "analyzer/sql/range.h"
#include "analyzer/sql/sql.h"
#include "analyzer/sql/tokens.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// PostgreSQL's own parse tree, as libpg_query prints it: each node is an object with one entry, its type's name; fields
// that are zero, false or empty are left out; locations are bytes of the parsed text.

namespace padlint {

/// One parsed statement together with its tokens.
struct Parsed {
  const SqlText* text = nullptr;
  std::vector<Token> tokens; // in bytes of text->text
  Json json;
  Tree tree;              // of the statement: {"SelectStmt": {...}}
  std::int64_t shift = 0; // location in the tree + shift = byte of text->text

  /// The place of a node with a location; nothing for one without.
  [[nodiscard]] std::optional<std::uint32_t> location(Tree fields) const;
  /// The index of the token that begins at `offset`, or of the first one after it.
  [[nodiscard]] std::size_t token_at(std::uint32_t offset) const;
  [[nodiscard]] std::string_view written(std::size_t token) const { return text_of(text->text, tokens[token]); }
  [[nodiscard]] bool word(std::size_t token, std::string_view folded) const {
    return token < tokens.size() && is_word(text->text, tokens[token], folded);
  }
  [[nodiscard]] bool punctuation(std::size_t token, std::string_view expected) const {
    return token < tokens.size() && is_punctuation(text->text, tokens[token], expected);
  }
  /// The smallest location in a tree: where its text begins, parentheses aside.
  [[nodiscard]] std::optional<std::uint32_t> leftmost(Tree tree) const;
};

/// Parses text[begin, end), which holds one statement, with `prefix` before it ("SELECT " for an expression). The tree
/// is null when it does not parse, or is too long or too deeply nested for libpg_query.
Parsed parse_sql(const SqlText& text, std::uint32_t begin, std::uint32_t end, std::string_view prefix = "");

/// The field, or a null tree.
Tree field(Tree fields, std::string_view name);
std::string_view text_field(Tree fields, std::string_view name);
bool flag(Tree fields, std::string_view name);

/// The fields of a node if it is of this type, or a null tree.
Tree node(Tree tree, std::string_view type);
/// A node's type and its fields; empty for what is no node.
struct TypedNode {
  std::string_view type;
  Tree fields;
};
TypedNode typed(Tree tree);

/// The texts of a list of String nodes, joined by dots: qualified names.
std::string joined_names(Tree list);
/// `schema.table` of a RangeVar's fields.
std::string table_name(Tree range_var);

/// The name of a FuncCall's function without its schema.
std::string function_name(Tree func_call);

/// The parts of a column reference: {"q", "id"}; empty for any other node.
std::vector<std::string> column_parts(Tree tree);

/// A literal, with or without a cast.
bool is_constant(Tree tree);

/// The number of an integer literal that is not negative.
std::int64_t integer(Tree tree, std::int64_t otherwise);

/// Visits nodes until found(type, fields) says yes; a sub-select is a query of its own and not visited.
bool contains(Tree tree, auto found) {
  const JsonNode* const end = tree.node() + (tree.is_structured() ? tree.node()->skip : 0);
  for (const JsonNode* at = tree.node(); at != end;) {
    const auto [type, fields] = typed(Tree(at));
    if (!type.empty() && type != "SubLink" && found(type, fields))
      return true;
    at += type == "SubLink" ? at->skip : 1;
  }
  return false;
}

} // namespace padlint
