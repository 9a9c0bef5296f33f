#include "analyzer/sql/plpgsql_reader.h"

#include "analyzer/sql/expression.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

namespace padlint {

namespace {

constexpr std::string_view select_word = "SELECT ";
static_assert(select_word.size() == std::string_view("PERFORM").size());

constexpr std::size_t max_copied_nodes = 64;
constexpr std::size_t max_tables = 64;

std::size_t count_nodes(const Value& value) {
  std::size_t nodes = 1;
  for (const Value& part : value.parts)
    nodes += nodes > max_copied_nodes ? 1 : count_nodes(part);
  return nodes;
}

/// Words that end a SELECT list.
constexpr std::array<std::string_view, 12> clauses = {"from",  "where",     "group",  "having", "window", "union",
                                                      "order", "intersect", "except", "limit",  "offset", "fetch"};

} // namespace

Value bounded(const Value& value) { return count_nodes(value) > max_copied_nodes ? make_opaque(value.span) : value; }

std::string_view PlReader::text(PlRange range) const {
  return std::string_view(body.text).substr(range.begin, range.end - range.begin);
}

std::pair<std::size_t, std::size_t> PlReader::tokens_in(PlRange range) const {
  const auto first = std::ranges::lower_bound(tokens, range.begin, {}, &Token::begin);
  const auto last = std::ranges::lower_bound(tokens, range.end, {}, &Token::begin);
  return {static_cast<std::size_t>(first - tokens.begin()), static_cast<std::size_t>(last - tokens.begin())};
}

void PlReader::note_names(PlRange range, PlRange except) {
  const auto [first, last] = tokens_in(range);
  for (std::size_t i = first; i < last; ++i) {
    const bool word = tokens[i].kind == TokenKind::word || tokens[i].kind == TokenKind::quoted;
    if (!word || (except.begin <= tokens[i].begin && tokens[i].begin < except.end))
      continue;
    if (i >= first + 2 && is_punctuation(body.text, tokens[i - 1], ".") &&
        !labels.contains(identifier(body.text, tokens[i - 2]))) {
      continue; // a column or field: the name before it is what is read
    }
    read.insert(identifier(body.text, tokens[i]));
  }
}

PlExpression PlReader::expression(PlRange range) {
  PlExpression out;
  out.statement.kind = StatementKind::select;
  out.statement.span = span(range);
  out.value = make_opaque(out.statement.span);
  if (range.empty())
    return out;
  note_names(range);
  if (auto value = read_expression(body, range.begin, range.end, out.statement.calls)) {
    out.value = std::move(*value);
  } else {
    out.statement.parsed = false;
    notice(range, "expression");
  }
  // PL/pgSQL runs `SELECT <expression>`. The word has room before any expression, behind BEGIN or DECLARE.
  const auto [first, last] = tokens_in(range);
  const bool sub_select = std::any_of(tokens.begin() + static_cast<std::ptrdiff_t>(first),
                                      tokens.begin() + static_cast<std::ptrdiff_t>(last),
                                      [&](const Token& token) { return is_word(body.text, token, "from"); });
  if (sub_select && range.begin >= select_word.size()) {
    const std::uint32_t begin = range.begin - static_cast<std::uint32_t>(select_word.size());
    const std::string before = body.text.substr(begin, select_word.size());
    body.text.replace(begin, select_word.size(), select_word);
    Statement whole = read_statement(body, begin, range.end);
    body.text.replace(begin, select_word.size(), before);
    out.statement.reads = std::move(whole.reads);
    out.statement.reads.resize(std::min(out.statement.reads.size(), max_tables));
    out.statement.writes = std::move(whole.writes);
    out.statement.works = whole.works;
  }
  return out;
}

Statement PlReader::query(PlRange range) {
  note_names(range);
  Statement result = read_statement(body, range.begin, range.end);
  if (!result.parsed)
    notice(range, "statement");
  return result;
}

Statement PlReader::statement(const PlStatement& node) {
  note_names(node.range, node.into);
  if (node.kind == PlKind::perform)
    body.text.replace(node.range.begin, select_word.size(), select_word);
  body.text.replace(node.into.begin, node.into.end - node.into.begin, node.into.end - node.into.begin, ' ');
  Statement result = read_statement(body, node.range.begin, node.range.end);
  if (!result.parsed)
    notice(node.range, "statement");
  result.span = span(node.range);
  result.into = !node.into.empty();
  return result;
}

std::vector<Value> PlReader::selected(const PlStatement& node) {
  std::vector<Token> without_into;
  const auto [first, last] = tokens_in(node.range);
  for (std::size_t i = first; i < last; ++i)
    if (tokens[i].begin < node.into.begin || tokens[i].begin >= node.into.end)
      without_into.push_back(tokens[i]);
  std::vector<Value> values;
  for (const PlRange& item : select_list(body.text, without_into)) {
    std::vector<SqlCall> calls; // the statement has them already
    values.push_back(read_expression(body, item.begin, item.end, calls).value_or(make_opaque(span(item))));
  }
  if (values.size() != node.targets.size())
    values.clear();
  return values;
}

std::vector<PlRange> select_list(std::string_view text, const std::vector<Token>& tokens) {
  std::vector<PlRange> items;
  if (tokens.empty() || !is_word(text, tokens[0], "select"))
    return items;
  std::size_t first = 1;
  for (std::size_t i = 1; i <= tokens.size(); ++i) {
    const bool end = i == tokens.size() || std::ranges::any_of(clauses, [&](std::string_view clause) {
                       return is_word(text, tokens[i], clause);
                     });
    if (end || is_punctuation(text, tokens[i], ",")) {
      if (first < i)
        items.push_back({tokens[first].begin, tokens[i - 1].end});
      first = i + 1;
    } else if (is_punctuation(text, tokens[i], "(") || is_punctuation(text, tokens[i], "[")) {
      i = std::min(closing(text, tokens, i), tokens.size() - 1);
    }
    if (end)
      break;
  }
  return items;
}

void PlReader::notice(PlRange range, std::string_view what) {
  if (fold(text(range)).find("advisory") != std::string::npos) {
    notices.push_back({.kind = NoticeKind::note,
                       .id = "plpgsql-not-parsed",
                       .span = span(range),
                       .text = fmt::format("{} of a PL/pgSQL body not understood", what)});
  }
}

} // namespace padlint
