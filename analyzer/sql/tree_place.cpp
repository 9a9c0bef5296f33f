#include "analyzer/sql/tree_place.h"

#include <algorithm>
#include <array>

namespace padlint {

void join(Range& range, Range other) {
  if (other.empty())
    return;
  range = range.empty() ? other : Range{std::min(range.begin, other.begin), std::max(range.end, other.end)};
}

Range token_range(const Parsed& sql, std::size_t token) {
  return token < sql.tokens.size() ? Range{sql.tokens[token].begin, sql.tokens[token].end} : Range{};
}

Range with_brackets(const Parsed& sql, std::size_t token) {
  Range range = token_range(sql, token);
  const std::size_t open = sql.punctuation(token, "(") || sql.punctuation(token, "[") ? token : token + 1;
  if (sql.punctuation(open, "(") || sql.punctuation(open, "["))
    join(range, token_range(sql, std::min(closing(sql.text->text, sql.tokens, open), sql.tokens.size() - 1)));
  return range;
}

Range balanced(const Parsed& sql, Range range) {
  int depth = 0;
  int missing = 0;
  std::size_t token = sql.token_at(range.begin);
  const std::size_t first = token;
  for (; token < sql.tokens.size() && sql.tokens[token].begin < range.end; ++token) {
    if (sql.punctuation(token, "("))
      ++depth;
    else if (sql.punctuation(token, ")") && --depth < 0) {
      ++missing;
      depth = 0;
    }
  }
  for (std::size_t before = first; missing > 0 && before > 0 && sql.punctuation(before - 1, "("); --missing)
    range.begin = sql.tokens[--before].begin;
  for (; depth > 0 && sql.punctuation(token, ")"); --depth)
    range.end = sql.tokens[token++].end;
  return range;
}

TypeName type_at(const Parsed& sql, std::size_t token) {
  constexpr std::array<std::string_view, 6> continued{"precision", "varying", "with", "without", "time", "zone"};
  TypeName result;
  if (token >= sql.tokens.size())
    return result;
  const auto take = [&](std::string_view separator = "") {
    result.name += std::string(separator) + identifier(sql.text->text, sql.tokens[token]);
    join(result.range, token_range(sql, token++));
  };
  take();
  while (sql.punctuation(token, ".") && token + 1 < sql.tokens.size()) {
    take();
    take();
  }
  if (result.name.starts_with("pg_catalog."))
    result.name.erase(0, sizeof "pg_catalog." - 1);
  for (;;) {
    if (sql.punctuation(token, "(") || sql.punctuation(token, "[")) {
      const std::size_t close = closing(sql.text->text, sql.tokens, token);
      while (token <= close && token < sql.tokens.size())
        take();
    } else if (std::ranges::any_of(continued, [&](std::string_view word) { return sql.word(token, word); })) {
      take(" ");
    } else {
      return result;
    }
  }
}

SqlCallSite call_site(const Parsed& sql, Tree func_call) {
  SqlCallSite site;
  const Tree names = field(func_call, "funcname");
  site.schema = joined_names(names);
  const std::size_t dot = site.schema.rfind('.');
  site.name = dot == std::string::npos ? site.schema : site.schema.substr(dot + 1);
  site.schema.resize(dot == std::string::npos ? 0 : dot);
  if (site.schema == "pg_catalog")
    site.schema.clear();
  const auto at = sql.location(func_call);
  if (!at)
    return site;
  std::size_t token = sql.token_at(*at);
  site.range = token_range(sql, token);
  while (sql.punctuation(token + 1, "."))
    token += 2;
  site.name_range = token_range(sql, token);
  if (sql.punctuation(token + 1, "("))
    join(site.range, with_brackets(sql, token));
  return site;
}

} // namespace padlint
