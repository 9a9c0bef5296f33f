#include "analyzer/sql/tree.h"

#include "analyzer/sql/literal.h"

#include <algorithm>
#include <pg_query.h>

namespace padlint {

namespace {

constexpr std::size_t longest_text = 1 << 20;
constexpr std::size_t most_tokens = 20'000;
/// libpg_query prints its tree by recursion: each level of brackets, and each operator of a chain, is one deeper.
constexpr int deepest_nesting = 1'000;

bool within_limits(const SqlText& text, const std::vector<Token>& tokens, std::size_t size) {
  if (size > longest_text || tokens.size() > most_tokens)
    return false;
  int depth = 0;
  int deepest = 0;
  for (const Token& token : tokens) {
    const std::string_view written = text_of(text.text, token);
    if (token.kind == TokenKind::punctuation && (written == "(" || written == "["))
      deepest = std::max(deepest, ++depth);
    else if (token.kind == TokenKind::punctuation && (written == ")" || written == "]"))
      --depth;
    else if (is_word(text.text, token, "case") || is_word(text.text, token, "not"))
      deepest = std::max(deepest, ++depth);
    else if (is_word(text.text, token, "end") || written == "," || written == ";")
      depth = std::max(0, depth - 1);
  }
  return deepest <= deepest_nesting;
}

std::size_t utf8_length(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U; };
  const unsigned first = byte(at);
  const std::size_t length = first < 0x80                    ? 1
                             : first >= 0xC2 && first < 0xE0 ? 2
                             : first >= 0xE0 && first < 0xF0 ? 3
                             : first >= 0xF0 && first < 0xF5 ? 4
                                                             : 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((byte(at + i) & 0xC0) != 0x80)
      return 0;
  return length;
}

/// What the JSON reader and libpg_query cannot take, bytes that are no UTF-8 and NUL, becomes a question mark.
void clean(std::string& text) {
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = utf8_length(text, i);
    if (length == 0 || text[i] == '\0')
      text[i] = '?';
    i += std::max<std::size_t>(length, 1);
  }
}

Json parse(std::string statement) {
  clean(statement);
  const PgQueryParseResult result = pg_query_parse(statement.c_str());
  Json json;
  if (result.error == nullptr && result.parse_tree != nullptr)
    json = read_json(result.parse_tree);
  pg_query_free_parse_result(result);
  return json;
}

/// text.text[begin, end) without what stands between the dollar quotes of CREATE FUNCTION and DO: bodies are read
/// apart, and nothing behind one has a place that matters.
std::string without_bodies(const SqlText& text, const std::vector<Token>& tokens, std::uint32_t begin,
                           std::uint32_t end) {
  std::string result;
  if (tokens.empty() || (!is_word(text.text, tokens[0], "create") && !is_word(text.text, tokens[0], "do")))
    return result.append(text.text, begin, end - begin);
  for (const Token& token : tokens)
    if (token.kind == TokenKind::dollar_string) {
      const Content body = literal_content(text.text, token);
      result.append(text.text, begin, body.begin - begin);
      begin = body.end;
    }
  return result.append(text.text, begin, end - begin);
}

} // namespace

std::optional<std::uint32_t> Parsed::location(Tree fields) const {
  const Tree value = field(fields, "location");
  if (!value.is(JsonNode::number) || value.node()->integer < 0 || value.node()->integer + shift < 0)
    return std::nullopt;
  return static_cast<std::uint32_t>(value.node()->integer + shift);
}

std::size_t Parsed::token_at(std::uint32_t offset) const {
  return static_cast<std::size_t>(std::ranges::lower_bound(tokens, offset, {}, &Token::begin) - tokens.begin());
}

std::optional<std::uint32_t> Parsed::leftmost(Tree root) const {
  std::optional<std::uint32_t> result;
  const JsonNode* const end = root.node() + (root.is_structured() ? root.node()->skip : 0);
  for (const JsonNode* at = root.node(); at != end; ++at)
    if (at->kind == JsonNode::object)
      if (const auto found = location(Tree(at)); found && (!result || *found < *result))
        result = found;
  return result;
}

Parsed parse_sql(const SqlText& text, std::uint32_t begin, std::uint32_t end, std::string_view prefix) {
  Parsed parsed{.text = &text, .tokens = scan(text.text, begin, end)};
  parsed.shift = static_cast<std::int64_t>(begin) - static_cast<std::int64_t>(prefix.size());
  const std::string statement = without_bodies(text, parsed.tokens, begin, end);
  if (within_limits(text, parsed.tokens, statement.size()))
    parsed.json = parse(std::string(prefix) + statement);
  if (const Tree statements = field(parsed.json.root(), "stmts"); statements.size() == 1)
    parsed.tree = field(statements[0], "stmt");
  return parsed;
}

Tree field(Tree fields, std::string_view name) {
  if (fields.is_object())
    for (const Tree child : fields)
      if (child.node()->key == name)
        return child;
  return {};
}

std::string_view text_field(Tree fields, std::string_view name) {
  const Tree value = field(fields, name);
  return value.is_null() ? std::string_view() : value.node()->text;
}

bool flag(Tree fields, std::string_view name) {
  const Tree value = field(fields, name);
  return value.is(JsonNode::boolean) && value.node()->integer != 0;
}

Tree node(Tree tree, std::string_view type) { return field(tree, type); }

TypedNode typed(Tree tree) {
  if (!tree.is_object() || tree.size() != 1 || !tree[0].is_object())
    return {};
  return {tree[0].node()->key, tree[0]};
}

std::string joined_names(Tree list) {
  std::string result;
  for (const Tree part : list) {
    const Tree name = node(part, "String");
    if (!result.empty())
      result += '.';
    result += name.is_object() ? text_field(name, "sval") : "*";
  }
  return result;
}

std::string table_name(Tree range_var) {
  const std::string_view schema = text_field(range_var, "schemaname");
  std::string result(schema);
  if (!schema.empty())
    result += '.';
  return result += text_field(range_var, "relname");
}

std::string function_name(Tree func_call) {
  const Tree names = field(func_call, "funcname");
  return names.empty() ? std::string() : std::string(text_field(node(names.back(), "String"), "sval"));
}

std::vector<std::string> column_parts(Tree tree) {
  std::vector<std::string> parts;
  for (const Tree part : field(node(tree, "ColumnRef"), "fields"))
    parts.emplace_back(text_field(node(part, "String"), "sval"));
  return parts;
}

bool is_constant(Tree tree) {
  const auto [type, fields] = typed(tree);
  return type == "A_Const" || (type == "TypeCast" && is_constant(field(fields, "arg")));
}

std::int64_t integer(Tree tree, std::int64_t otherwise) {
  const Tree value = field(node(tree, "A_Const"), "ival");
  if (!value.is_object())
    return otherwise;
  const Tree number = field(value, "ival");
  return number.is(JsonNode::number) ? number.node()->integer : 0;
}

} // namespace padlint
