#include "analyzer/sql/statement_reader.h"

#include "analyzer/core/lock.h"
#include "analyzer/sql/expression.h"
#include "analyzer/sql/literal.h"

#include <algorithm>

// What can be told of a statement that the parser refuses: a template with a hole in the wrong place, another dialect,
// a newer version's syntax. A broken statement must not hide the lock in it.

namespace padlint {

StatementKind kind_of_words(std::string_view text, const std::vector<Token>& tokens) {
  using enum StatementKind;
  constexpr std::pair<std::string_view, StatementKind> first_words[] = {
      {"select", select},       {"with", select},     {"values", select}, {"insert", insert},   {"update", update},
      {"delete", delete_rows},  {"merge", merge},     {"begin", begin},   {"commit", commit},   {"end", commit},
      {"savepoint", savepoint}, {"set", set},         {"do", do_block},   {"call", call},       {"copy", copy},
      {"explain", explain},     {"execute", execute}, {"listen", listen}, {"prepare", prepare}, {"abort", rollback},
      {"rollback", rollback},
  };
  const auto word = [&](std::size_t at, std::string_view folded) {
    return at < tokens.size() && is_word(text, tokens[at], folded);
  };
  if (word(0, "create"))
    for (std::size_t i = 1; i < std::min<std::size_t>(tokens.size(), 5); ++i)
      if (word(i, "function") || word(i, "procedure"))
        return create_function;
  for (const auto& [first, kind] : first_words)
    if (word(0, first))
      return kind;
  return other;
}

constexpr std::size_t max_argument_tokens = 100;

std::vector<SqlCall> lock_calls_of_tokens(const SqlText& text, const std::vector<Token>& tokens) {
  std::vector<SqlCall> calls;
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    const bool name = tokens[i].kind == TokenKind::word || tokens[i].kind == TokenKind::quoted;
    if (!name || !is_punctuation(text.text, tokens[i + 1], "("))
      continue;
    const std::string function = identifier(text.text, tokens[i]);
    const bool defined =
        i > 0 && (is_word(text.text, tokens[i - 1], "function") || is_word(text.text, tokens[i - 1], "procedure"));
    if (lock_function(function) == nullptr || defined)
      continue;
    const std::size_t close = closing(text.text, tokens, i + 1);
    SqlCall& call = calls.emplace_back();
    call.name = function;
    call.position = SqlPosition::other;
    call.name_span = text.source(tokens[i].begin, tokens[i].end);
    call.span = text.source(tokens[i].begin, close < tokens.size() ? tokens[close].end : tokens[i + 1].end);
    int depth = 0;
    std::size_t first = i + 2; // token of the argument that is being read
    for (std::size_t at = i + 2; at <= close && at < tokens.size(); ++at) {
      const std::string_view written = tokens[at].kind == TokenKind::punctuation ? text_of(text.text, tokens[at]) : "";
      depth += written == "(" || written == "[" ? 1 : written == ")" || written == "]" ? -1 : 0;
      if (at != close && (depth != 0 || written != ","))
        continue;
      // An argument that is another lock call is looked at on its own, not once for each call around it.
      if (at > first && at - first > max_argument_tokens) {
        call.arguments.push_back(make_opaque(text.source(tokens[first].begin, tokens[at - 1].end)));
      } else if (at > first) {
        std::vector<SqlCall> inner;
        const auto value = read_expression(text, tokens[first].begin, tokens[at - 1].end, inner);
        call.arguments.push_back(value.value_or(make_opaque(text.source(tokens[first].begin, tokens[at - 1].end))));
      }
      first = at + 1;
    }
  }
  return calls;
}

void tables_of_tokens(std::string_view text, const std::vector<Token>& tokens, Statement& statement) {
  using enum StatementKind;
  const bool changes = statement.kind == insert || statement.kind == update || statement.kind == delete_rows;
  if (!changes && statement.kind != select)
    return;
  const auto is_name = [&](std::size_t at) {
    return at < tokens.size() && (tokens[at].kind == TokenKind::word || tokens[at].kind == TokenKind::quoted);
  };
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    constexpr std::string_view before_table[] = {"from", "join", "into", "update"};
    const bool table = tokens[i].kind == TokenKind::word && is_name(i + 1) && ends_operand(text, tokens[i + 1]) &&
                       std::ranges::find(before_table, fold(text_of(text, tokens[i]))) != std::end(before_table);
    if (!table)
      continue;
    std::string name = identifier(text, tokens[i + 1]);
    for (i += 1; i + 2 < tokens.size() && is_punctuation(text, tokens[i + 1], ".") && is_name(i + 2); i += 2)
      name += "." + identifier(text, tokens[i + 2]);
    auto& tables = changes && statement.writes.empty() ? statement.writes : statement.reads;
    if (std::ranges::find(tables, name) == tables.end())
      tables.push_back(std::move(name));
  }
  statement.works = !statement.reads.empty() || !statement.writes.empty();
}

SqlText without_clause_holes(const SqlText& text, const std::vector<Token>& tokens) {
  SqlText result = text;
  bool operand = true; // the statement's start, too, is no place for an operand
  for (const Token& token : tokens) {
    if (operand && hole_index(text, text_of(text.text, token))) {
      std::fill_n(result.text.begin() + token.begin, token.end - token.begin, ' ');
      continue;
    }
    operand = ends_operand(text.text, token);
  }
  return result;
}

} // namespace padlint
