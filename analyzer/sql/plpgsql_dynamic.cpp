#include "analyzer/sql/plpgsql_dynamic.h"

#include "analyzer/sql/expression.h"
#include "analyzer/sql/plpgsql_reader.h"
#include "analyzer/sql/tokens.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>
#include <utility>

namespace padlint {

namespace {

/// Steps for text.substr(begin), of a text with these steps.
std::vector<OffsetStep> steps_from(const SharedList<OffsetStep>& steps, std::uint32_t begin) {
  std::vector<OffsetStep> result;
  for (const OffsetStep& step : steps)
    if (step.text <= begin)
      result = {{.text = 0, .source = step.source + (begin - step.text)}};
    else
      result.push_back({.text = step.text - begin, .source = step.source});
  return result;
}

struct Writer {
  SqlText out;
  bool constant = false;

  void literal(const Value& text, std::size_t begin, std::size_t end) {
    const std::string_view part = std::string_view(text.text).substr(begin, end - begin);
    if (part.empty())
      return;
    std::vector<OffsetStep> steps = steps_from(text.steps, static_cast<std::uint32_t>(begin));
    std::erase_if(steps, [&](const OffsetStep& step) { return step.text >= part.size(); });
    out.append(part, text.span.file, steps);
    constant = true;
  }

  void expression(const Value& value) {
    const std::string callee = value.is(ValueKind::call) ? dotted(value.parts[0]) : std::string();
    if (value.is(ValueKind::text))
      literal(value, 0, value.text.size());
    else if (value.is(ValueKind::concat) || (value.is(ValueKind::operation) && value.text == "||"))
      parts(value, 0);
    else if (callee == "concat")
      parts(value, 1);
    else if (callee == "format" && value.parts.size() > 1 && value.parts[1].is(ValueKind::text))
      format(value);
    else if (value.is(ValueKind::operation) && value.text.starts_with("::") && value.parts.size() == 1)
      expression(value.parts[0]);
    else if (callee.starts_with("quote_") && value.parts.size() == 2)
      out.append_hole(value.parts[1]);
    else
      out.append_hole(value);
  }

  void parts(const Value& value, std::size_t first) {
    for (std::size_t i = first; i < value.parts.size(); ++i)
      expression(value.parts[i]);
  }

  /// %[position$][flags][width]type with type s, I or L; %% is a percent sign.
  void format(const Value& call) {
    const Value& pattern = call.parts[1];
    std::size_t next = 2; // the argument of the next specifier without a position
    std::size_t done = 0;
    for (std::size_t i = pattern.text.find('%'); i < pattern.text.size(); i = pattern.text.find('%', done)) {
      const std::size_t type = pattern.text.find_first_not_of("0123456789$-", i + 1);
      if (type == std::string::npos)
        break;
      if (pattern.text[type] == '%') {
        literal(pattern, done, type);
      } else {
        literal(pattern, done, i);
        std::size_t position = 0;
        const char* first = pattern.text.data() + i + 1;
        const auto [stop, error] = std::from_chars(first, pattern.text.data() + type, position);
        if (error == std::errc() && *stop == '$')
          next = position + 1;
        out.append_hole(next < call.parts.size() ? bounded(call.parts[next]) : make_opaque(pattern.span));
        ++next;
      }
      done = type + 1;
    }
    literal(pattern, done, pattern.text.size());
  }
};

/// Puts in what the parameters stand for.
void substitute(Value& value, const SqlText& text, const std::vector<Value>& arguments, int depth) {
  if (value.is(ValueKind::parameter)) {
    const std::vector<Value>& values = value.text == "hole" ? text.holes : arguments;
    const auto index = static_cast<std::size_t>(value.number);
    value = index < values.size() && value.label.empty() ? bounded(values[index]) : make_opaque(value.span);
  } else if (depth < max_value_depth) {
    for (Value& part : value.parts.edit())
      substitute(part, text, arguments, depth + 1);
  }
}

/// Tokens between semicolons.
std::vector<std::vector<Token>> split(std::string_view text) {
  std::vector<std::vector<Token>> statements(1);
  for (const Token& token : scan(text, 0, static_cast<std::uint32_t>(text.size())))
    if (is_punctuation(text, token, ";"))
      statements.emplace_back();
    else
      statements.back().push_back(token);
  std::erase_if(statements, [](const std::vector<Token>& one) { return one.empty(); });
  return statements;
}

} // namespace

std::optional<SqlText> dynamic_sql(const Value& expression) {
  Writer writer;
  writer.expression(expression);
  return writer.constant ? std::optional(std::move(writer.out)) : std::nullopt;
}

std::vector<DynamicStatement> dynamic_statements(const SqlText& text, const std::vector<Value>& arguments) {
  std::vector<DynamicStatement> result;
  for (const std::vector<Token>& tokens : split(text.text)) {
    DynamicStatement one{read_statement(text, tokens.front().begin, tokens.back().end), {}};
    for (SqlCall& call : one.statement.calls)
      for (Value& argument : call.arguments)
        substitute(argument, text, arguments, 0);
    for (const PlRange& item : select_list(text.text, tokens)) {
      std::vector<SqlCall> calls; // the statement has them already
      if (auto value = read_expression(text, item.begin, item.end, calls)) {
        substitute(*value, text, arguments, 0);
        one.selected.push_back(std::move(*value));
      }
    }
    result.push_back(std::move(one));
  }
  if (std::ranges::none_of(
          result, [](const DynamicStatement& one) { return one.statement.parsed || !one.statement.calls.empty(); })) {
    result.clear();
  }
  return result;
}

} // namespace padlint
