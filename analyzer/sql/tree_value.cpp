#include "analyzer/sql/tree_value.h"

#include "analyzer/sql/literal.h"
#include "analyzer/sql/tree_place.h"

#include <algorithm>
#include <array>
#include <charconv>

// The range of an expression is made bottom up: from the tokens of the leaves, joined over the operands, widened until
// its parentheses balance (tree_place.h).

namespace padlint {

namespace {

struct Read {
  Value value;
  Range range;
};

Read read(const Parsed& sql, Tree tree, int depth);

Span source(const Parsed& sql, Range range) { return sql.text->source(range.begin, range.end); }

Value named_call(const Parsed& sql, std::string name, Range name_range, std::vector<Value> arguments, Range range) {
  return make_call(make_name(std::move(name), source(sql, name_range)), std::move(arguments), source(sql, range));
}

/// The operands, each also joined into `range`.
std::vector<Value> operands(const Parsed& sql, const auto& list, int depth, Range& range) {
  std::vector<Value> values;
  for (const Tree item : list) {
    if (values.size() == max_value_parts)
      break;
    Read part = read(sql, item, depth + 1);
    join(range, part.range);
    values.push_back(std::move(part.value));
  }
  return values;
}

Read operation(const Parsed& sql, Tree fields, std::string op, std::initializer_list<Tree> parts, int depth) {
  Range range;
  if (const auto at = sql.location(fields))
    range = token_range(sql, sql.token_at(*at));
  std::vector<Value> values;
  for (const Tree part : parts) {
    if (part.is_null())
      continue;
    Read operand = read(sql, part, depth + 1);
    join(range, operand.range);
    values.push_back(std::move(operand.value));
  }
  range = balanced(sql, range);
  return {make_operation(std::move(op), std::move(values), source(sql, range)), range};
}

/// The number that is written at a token; libpg_query prints a negative integer as zero.
std::optional<std::int64_t> written_integer(const Parsed& sql, std::size_t token) {
  const bool negative = sql.punctuation(token, "-");
  token += negative ? 1 : 0;
  if (token >= sql.tokens.size() || sql.tokens[token].kind != TokenKind::number)
    return std::nullopt;
  const std::string digits = (negative ? "-" : "") + std::string(sql.written(token));
  std::int64_t number = 0;
  const auto [stop, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (error != std::errc() || stop != digits.data() + digits.size())
    return std::nullopt;
  return number;
}

Read read_constant(const Parsed& sql, Tree fields) {
  const auto at = sql.location(fields);
  if (!at)
    return {};
  const std::size_t token = sql.token_at(*at);
  Range range = token_range(sql, token);
  if (sql.punctuation(token, "-")) // the parser folds -5 into one constant
    join(range, token_range(sql, token + 1));
  const Span span = source(sql, range);
  if (flag(fields, "isnull"))
    return {Value{.kind = ValueKind::null, .span = span}, range};
  if (const Tree boolean = field(fields, "boolval"); boolean.is_object())
    return {Value{.kind = ValueKind::boolean, .span = span, .number = flag(boolean, "boolval") ? 1 : 0}, range};
  if (const Tree string = field(fields, "sval"); string.is_object() && token < sql.tokens.size()) {
    if (const TokenKind kind = sql.tokens[token].kind; kind == TokenKind::string || kind == TokenKind::dollar_string)
      return {literal_value(*sql.text, sql.tokens[token]), range};
    // A word that stands for a string: extract(epoch FROM ..), SET search_path = a.
    return {make_text(std::string(text_field(string, "sval")), span, {{.text = 0, .source = span.begin}}), range};
  }
  if (const auto number = written_integer(sql, token))
    return {make_integer(*number, span), range};
  Value opaque = make_opaque(span);
  opaque.text = text_field(field(fields, "fval"), "fval");
  if (opaque.text.empty())
    opaque.text = text_field(field(fields, "bsval"), "bsval");
  return {std::move(opaque), range};
}

Read read_column(const Parsed& sql, Tree fields) {
  const auto at = sql.location(fields);
  if (!at)
    return {};
  std::size_t token = sql.token_at(*at);
  Range range = token_range(sql, token);
  const Tree names = field(fields, "fields");
  for (std::size_t part = 1; part < names.size() && sql.punctuation(token + 1, "."); ++part) {
    token += 2;
    join(range, token_range(sql, token));
  }
  const Span span = source(sql, range);
  std::string name = joined_names(names);
  if (const auto hole = hole_index(*sql.text, name))
    return {hole_value(*sql.text, *hole, span), range};
  return {make_name(std::move(name), span), range};
}

Read read_call(const Parsed& sql, Tree fields, int depth) {
  SqlCallSite site = call_site(sql, fields);
  Range inner;
  std::vector<Value> arguments = operands(sql, field(fields, "args"), depth, inner);
  const Span span = source(sql, site.range);
  if (site.schema == "sqlc" && !arguments.empty()) // sqlc's named parameters parse as calls
    return {Value{.kind = ValueKind::parameter, .span = span, .label = arguments[0].text}, site.range};
  std::string name = site.schema.empty() ? site.name : site.schema + "." + site.name;
  return {named_call(sql, std::move(name), site.name_range, std::move(arguments), site.range), site.range};
}

/// COALESCE, LEAST, GREATEST, NULLIF, CURRENT_DATE ...: calls that have node types of their own.
Read read_keyword_call(const Parsed& sql, Tree fields, const auto& arguments, int depth) {
  const auto at = sql.location(fields);
  if (!at)
    return {};
  const std::size_t token = sql.token_at(*at);
  if (token >= sql.tokens.size())
    return {};
  Range inner;
  std::vector<Value> values = operands(sql, arguments, depth, inner);
  const Range range = with_brackets(sql, token);
  return {named_call(sql, fold(sql.written(token)), token_range(sql, token), std::move(values), range), range};
}

Read read_cast(const Parsed& sql, Tree fields, int depth) {
  Read operand = read(sql, field(fields, "arg"), depth + 1);
  Range range = operand.range;
  TypeName type;
  if (const auto at = sql.location(field(fields, "typeName")))
    type = type_at(sql, sql.token_at(*at));
  join(range, type.range);
  if (const auto at = sql.location(fields)) {
    const std::size_t token = sql.token_at(*at);
    if (sql.word(token, "cast"))
      range = with_brackets(sql, token);
  }
  range = balanced(sql, range);
  return {make_operation("::" + type.name, {std::move(operand.value)}, source(sql, range)), range};
}

Read read_case(const Parsed& sql, Tree fields, int depth) {
  const auto at = sql.location(fields);
  if (!at)
    return {};
  std::size_t token = sql.token_at(*at);
  Range range = token_range(sql, token);
  int open = 0;
  for (; token < sql.tokens.size(); ++token) {
    open += sql.word(token, "case") ? 1 : sql.word(token, "end") ? -1 : 0;
    if (open == 0) {
      join(range, token_range(sql, token));
      break;
    }
  }
  const Span span = source(sql, range);
  Value result{.kind = ValueKind::choice, .span = span};
  for (const Tree when : field(fields, "args"))
    result.parts.push_back(read(sql, field(node(when, "CaseWhen"), "result"), depth + 1).value);
  if (const Tree otherwise = field(fields, "defresult"); !otherwise.is_null())
    result.parts.push_back(read(sql, otherwise, depth + 1).value);
  else
    result.parts.push_back({.kind = ValueKind::null, .span = span});
  return {result.parts.size() <= 4 ? std::move(result) : make_opaque(span), range};
}

Read read_list(const Parsed& sql, Tree fields, Tree items, int depth) {
  Range range;
  std::vector<Value> values = operands(sql, items, depth, range);
  if (const auto at = sql.location(fields))
    join(range, with_brackets(sql, sql.token_at(*at)));
  Value list{.kind = ValueKind::list, .span = source(sql, range)};
  list.parts = std::move(values);
  return {std::move(list), range};
}

Read read_indirection(const Parsed& sql, Tree fields, int depth) {
  Read object = read(sql, field(fields, "arg"), depth + 1);
  for (const Tree step : field(fields, "indirection")) {
    std::size_t token = sql.token_at(object.range.end);
    while (sql.punctuation(token, ")"))
      ++token;
    if (const Tree name = node(step, "String"); name.is_object()) {
      join(object.range, token_range(sql, token + 1));
      object.range = balanced(sql, object.range);
      object.value =
          make_member(std::move(object.value), std::string(text_field(name, "sval")), source(sql, object.range));
    } else {
      const Tree index = node(step, "A_Indices");
      Value key = flag(index, "is_slice") ? make_opaque({}) : read(sql, field(index, "uidx"), depth + 1).value;
      join(object.range, with_brackets(sql, token));
      object.range = balanced(sql, object.range);
      object.value = make_index(std::move(object.value), std::move(key), source(sql, object.range));
    }
  }
  return object;
}

Read read_expression_node(const Parsed& sql, Tree fields, int depth) {
  const std::string_view kind = text_field(fields, "kind");
  std::string op = joined_names(field(fields, "name"));
  const Tree left = field(fields, "lexpr");
  const Tree right = field(fields, "rexpr");
  if (kind == "AEXPR_NULLIF")
    return read_keyword_call(sql, fields, std::array{left, right}, depth);
  if (kind == "AEXPR_IN")
    op = op == "=" ? "in" : "not in";
  else if (kind == "AEXPR_OP_ANY")
    op += " any";
  else if (kind == "AEXPR_OP_ALL")
    op += " all";
  else if (kind == "AEXPR_DISTINCT" || kind == "AEXPR_NOT_DISTINCT")
    op = kind == "AEXPR_DISTINCT" ? "is distinct from" : "is not distinct from";
  return operation(sql, fields, fold(op), {left, right}, depth);
}

Read read_logic(const Parsed& sql, Tree fields, int depth) {
  const std::string_view kind = text_field(fields, "boolop");
  Range range;
  if (const auto at = sql.location(fields))
    range = token_range(sql, sql.token_at(*at));
  std::vector<Value> values = operands(sql, field(fields, "args"), depth, range);
  range = balanced(sql, range);
  const std::string_view op = kind == "AND_EXPR" ? "and" : kind == "OR_EXPR" ? "or" : "not";
  return {make_operation(std::string(op), std::move(values), source(sql, range)), range};
}

std::string test_name(std::string_view kind) { // IS_NULL, IS_NOT_TRUE ...
  std::string name = fold(kind);
  std::ranges::replace(name, '_', ' ');
  return name;
}

Read read_sub_select(const Parsed& sql, Tree fields, int depth) {
  Range range;
  if (const auto at = sql.location(fields)) {
    std::size_t token = sql.token_at(*at);
    range = with_brackets(sql, token);
  }
  const Tree test = field(fields, "testexpr");
  if (!test.is_null())
    join(range, read(sql, test, depth + 1).range);
  Value opaque = make_opaque(source(sql, range));
  const Tree select = node(field(fields, "subselect"), "SelectStmt");
  const Tree targets = field(select, "targetList");
  if (text_field(fields, "subLinkType") != "EXPR_SUBLINK" || targets.size() != 1)
    return {std::move(opaque), range};
  // What it selects is known, which row is not.
  Value selected = read(sql, field(node(targets[0], "ResTarget"), "val"), depth + 1).value;
  const Span span = opaque.span;
  return {make_operation("select", {std::move(selected), std::move(opaque)}, span), range};
}

Read read(const Parsed& sql, Tree tree, int depth) {
  const auto [type, fields] = typed(tree);
  if (depth >= max_value_depth || type.empty())
    return {};
  if (type == "A_Const")
    return read_constant(sql, fields);
  if (type == "ColumnRef")
    return read_column(sql, fields);
  if (type == "ParamRef") {
    const auto at = sql.location(fields);
    const Range range = at ? token_range(sql, sql.token_at(*at)) : Range{};
    const Tree number = field(fields, "number");
    const std::int64_t position = number.is(JsonNode::number) ? number.node()->integer - 1 : 0;
    return {Value{.kind = ValueKind::parameter, .span = source(sql, range), .number = position}, range};
  }
  if (type == "FuncCall")
    return read_call(sql, fields, depth);
  if (type == "TypeCast")
    return read_cast(sql, fields, depth);
  if (type == "A_Expr")
    return read_expression_node(sql, fields, depth);
  if (type == "BoolExpr")
    return read_logic(sql, fields, depth);
  if (type == "NullTest")
    return operation(sql, fields, test_name(text_field(fields, "nulltesttype")), {field(fields, "arg")}, depth);
  if (type == "BooleanTest")
    return operation(sql, fields, test_name(text_field(fields, "booltesttype")), {field(fields, "arg")}, depth);
  if (type == "CoalesceExpr" || type == "MinMaxExpr" || type == "SQLValueFunction")
    return read_keyword_call(sql, fields, field(fields, "args"), depth);
  if (type == "CaseExpr")
    return read_case(sql, fields, depth);
  if (type == "A_ArrayExpr")
    return read_list(sql, fields, field(fields, "elements"), depth);
  if (type == "RowExpr")
    return read_list(sql, fields, field(fields, "args"), depth);
  if (type == "List")
    return read_list(sql, fields, field(fields, "items"), depth);
  if (type == "A_Indirection")
    return read_indirection(sql, fields, depth);
  if (type == "SubLink")
    return read_sub_select(sql, fields, depth);
  if (type == "CollateClause")
    return read(sql, field(fields, "arg"), depth + 1);
  if (type == "NamedArgExpr") {
    Read argument = read(sql, field(fields, "arg"), depth + 1);
    argument.value.label = text_field(fields, "name");
    return argument;
  }
  Range range;
  if (const auto at = sql.leftmost(tree))
    range = token_range(sql, sql.token_at(*at));
  return {make_opaque(source(sql, range)), range};
}

} // namespace

std::vector<Value> call_arguments(const Parsed& sql, Tree func_call) {
  Range range;
  return operands(sql, field(func_call, "args"), 0, range);
}

Value tree_value(const Parsed& sql, Tree expression) { return read(sql, expression, 0).value; }

Range tree_range(const Parsed& sql, Tree expression) { return read(sql, expression, 0).range; }

} // namespace padlint
