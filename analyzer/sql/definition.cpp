#include "analyzer/sql/definition.h"

#include "analyzer/sql/expression.h"
#include "analyzer/sql/literal.h"
#include "analyzer/sql/plpgsql.h"
#include "analyzer/sql/query.h"
#include "analyzer/sql/script.h"
#include "analyzer/sql/tree_place.h"
#include "analyzer/sql/tree_value.h"

#include <algorithm>

namespace padlint {

namespace {

/// A type as written, folded: from its location up to where the tree says nothing more, read from tokens.
std::string written_type(const Parsed& sql, Tree type_name) {
  const auto at = sql.location(type_name);
  return at ? type_at(sql, sql.token_at(*at)).name : std::string();
}

Parameter read_parameter(const Parsed& sql, Tree fields) {
  Parameter parameter{.name = std::string(text_field(fields, "name"))};
  const Tree type = field(fields, "argType");
  if (const auto at = sql.location(type)) {
    const TypeName name = type_at(sql, sql.token_at(*at));
    parameter.span = sql.text->source(name.range.begin, name.range.end);
    parameter.type = make_name(name.name, parameter.span);
    // The parameter's name stands before its type, with a mode before or between.
    for (std::size_t token = sql.token_at(*at); token-- > 0 && !parameter.name.empty();) {
      if (sql.punctuation(token, "(") || sql.punctuation(token, ","))
        break;
      if (identifier(sql.text->text, sql.tokens[token]) == parameter.name)
        parameter.span = sql.text->source(sql.tokens[token].begin, name.range.end);
    }
  }
  if (const Tree initial = field(fields, "defexpr"); !initial.is_null())
    parameter.initial = tree_value(sql, initial);
  return parameter;
}

/// OUT columns and those of RETURNS TABLE are results.
bool is_argument(Tree fields) {
  const std::string_view mode = text_field(fields, "mode");
  return mode != "FUNC_PARAM_OUT" && mode != "FUNC_PARAM_TABLE";
}

void read_signature(const Parsed& sql, Tree fields, Routine& routine) {
  SqlSignature& signature = routine.sql;
  const std::string name = joined_names(field(fields, "funcname"));
  const std::size_t dot = name.rfind('.');
  signature.name = dot == std::string::npos ? name : name.substr(dot + 1);
  signature.schema = dot == std::string::npos ? "" : name.substr(0, dot);
  signature.language = "sql"; // the default of a body that is not quoted
  signature.volatility = "volatile";
  routine.form = flag(fields, "is_procedure") ? RoutineForm::sql_procedure : RoutineForm::sql_function;
  routine.name = name;
  for (const Tree item : field(fields, "parameters")) {
    const Tree parameter = node(item, "FunctionParameter");
    if (!is_argument(parameter))
      continue;
    routine.parameters.push_back(read_parameter(sql, parameter));
    signature.argument_types.push_back(routine.parameters.back().type.text);
  }
  const Tree returns = field(fields, "returnType");
  const std::string type = written_type(sql, returns);
  signature.returns = (flag(returns, "setof") && type != "table" ? "setof " : "") + type;
  for (const Tree item : field(fields, "options")) {
    const Tree option = node(item, "DefElem");
    const std::string_view option_name = text_field(option, "defname");
    const std::string_view text = text_field(node(field(option, "arg"), "String"), "sval");
    if (option_name == "language")
      signature.language = fold(text);
    else if (option_name == "volatility")
      signature.volatility = text;
    else if (option_name == "strict")
      signature.strict = flag(node(field(option, "arg"), "Boolean"), "boolval");
  }
}

/// The name in CREATE FUNCTION: the last word before the parameter list.
void find_name(const Parsed& sql, Routine& routine) {
  for (std::size_t token = 1; token + 1 < sql.tokens.size(); ++token)
    if (sql.punctuation(token + 1, "(")) {
      routine.name_span = sql.text->source(sql.tokens[token].begin, sql.tokens[token].end);
      return;
    }
}

/// What can be told of a definition that does not parse as a whole: its language and its name.
void read_words(const Parsed& sql, Routine& routine) {
  for (std::size_t token = 0; token + 1 < sql.tokens.size(); ++token) {
    if (sql.word(token, "language"))
      routine.sql.language = identifier(sql.text->text, sql.tokens[token + 1]);
    else if (routine.sql.language.empty() && routine.name.empty() && sql.punctuation(token + 1, "("))
      routine.name = routine.sql.name = identifier(sql.text->text, sql.tokens[token]);
  }
  if (routine.sql.language.starts_with('\'')) // LANGUAGE 'plpgsql'
    routine.sql.language = routine.sql.language.substr(1, routine.sql.language.size() - 2);
  routine.sql.volatility = "volatile";
}

bool is_literal(const Token& token) {
  return token.kind == TokenKind::dollar_string || token.kind == TokenKind::string;
}

/// The body behind AS (or the only literal of DO), or between BEGIN ATOMIC and END, or behind RETURN.
bool find_body(const Parsed& sql, SqlDefinition& definition) {
  const SqlText& text = *sql.text;
  for (std::size_t token = 0; token + 1 < sql.tokens.size(); ++token) {
    const bool quoted =
        sql.word(token, "as") || (definition.routine.form == RoutineForm::sql_do && !sql.word(token, "language"));
    if (quoted && is_literal(sql.tokens[token + 1])) {
      const Token& literal = sql.tokens[token + 1];
      definition.text = literal_text(text, literal);
      definition.body = {0, static_cast<std::uint32_t>(definition.text.text.size())};
      return true;
    }
    const bool atomic = sql.word(token, "begin") && sql.word(token + 1, "atomic");
    if ((!atomic && !sql.word(token, "return")) || definition.routine.form == RoutineForm::sql_do)
      continue;
    const std::size_t first = atomic ? token + 2 : token + 1;
    const std::size_t last = sql.tokens.size() - (atomic && sql.word(sql.tokens.size() - 1, "end") ? 2 : 1);
    if (first > last || last >= sql.tokens.size())
      return false;
    definition.expression = !atomic;
    definition.text.holes = text.holes;
    definition.text.unique_columns = text.unique_columns;
    append_range(definition.text, text, sql.tokens[first].begin, sql.tokens[last].end);
    definition.body = {0, static_cast<std::uint32_t>(definition.text.text.size())};
    return true;
  }
  return false;
}

void add_event(const Statement& statement, ResultUse use, std::vector<Statement>& statements, Block& block) {
  block.events.push_back({.kind = EventKind::sql,
                          .span = statement.span,
                          .number = static_cast<std::uint32_t>(statements.size()),
                          .use = use});
  statements.push_back(statement);
}

/// A body in SQL is its statements one after the other; the last one gives the result.
void read_sql_body(SqlDefinition& definition, std::vector<Statement>& statements, std::vector<Notice>& notices) {
  Routine& routine = definition.routine;
  Block block;
  const std::vector<ScriptItem> items =
      split_script(definition.text, definition.body.begin, definition.body.end, Dialect::plain);
  for (const ScriptItem& item : items) {
    const bool last = &item == &items.back();
    const bool returned = last && routine.sql.returns != "void" && !routine.sql.returns.empty();
    if (definition.expression) {
      Statement statement{.kind = StatementKind::select,
                          .span = definition.text.source(item.range.begin, item.range.end)};
      if (auto value = read_expression(definition.text, item.range.begin, item.range.end, statement.calls))
        routine.returns.push_back(std::move(*value));
      add_event(statement, ResultUse::returned, statements, block);
      continue;
    }
    const StatementReading reading = read_one(definition.text, item.range.begin, item.range.end);
    if (auto notice = not_parsed(definition.text, item.range, reading.statement))
      notices.push_back(std::move(*notice));
    const Tree list = field(node(reading.sql.tree, "SelectStmt"), "targetList");
    if (returned && !list.empty())
      routine.returns.push_back(tree_value(reading.sql, field(node(list[0], "ResTarget"), "val")));
    add_event(reading.statement, returned ? ResultUse::returned : ResultUse::dropped, statements, block);
  }
  block.edges = {
      {EdgeKind::next, exit_return, {}}, {EdgeKind::error, exit_error, {}}, {EdgeKind::cancel, exit_cancel, {}}};
  routine.flow.blocks = {std::move(block)};
}

} // namespace

std::optional<SqlDefinition> read_definition(const StatementReading& reading) {
  const StatementKind kind = reading.statement.kind;
  if (kind != StatementKind::create_function && kind != StatementKind::do_block)
    return std::nullopt;
  const Parsed& sql = reading.sql;
  SqlDefinition definition;
  Routine& routine = definition.routine;
  routine.span = reading.statement.span;
  if (kind == StatementKind::do_block) {
    routine.form = RoutineForm::sql_do;
    read_words(sql, routine);
    routine.name.clear();
    routine.sql.name.clear();
    if (routine.sql.language.empty())
      routine.sql.language = "plpgsql";
  } else {
    const Tree fields = node(sql.tree, "CreateFunctionStmt");
    routine.form =
        sql.word(1, "procedure") || sql.word(3, "procedure") ? RoutineForm::sql_procedure : RoutineForm::sql_function;
    if (fields.is_object())
      read_signature(sql, fields, routine);
    else
      read_words(sql, routine);
    find_name(sql, routine);
  }
  if (!find_body(sql, definition))
    return std::nullopt;
  return definition;
}

void read_body(SqlDefinition& definition, std::vector<Statement>& statements, std::vector<Notice>& notices) {
  if (definition.routine.sql.language == "sql")
    read_sql_body(definition, statements, notices);
  else if (definition.routine.sql.language == "plpgsql")
    read_plpgsql_body(definition.text, definition.body.begin, definition.body.end, definition.routine, statements,
                      notices);
}

std::optional<Notice> not_parsed(const SqlText& text, Range range, const Statement& statement) {
  if (statement.parsed)
    return std::nullopt;
  const std::string words = fold(std::string_view(text.text).substr(range.begin, range.end - range.begin));
  if (words.find("advisory") == std::string::npos)
    return std::nullopt;
  return Notice{.kind = NoticeKind::note,
                .id = "sql-not-parsed",
                .span = statement.span,
                .text = "a statement with an advisory lock does not parse; its lock calls are read from its words"};
}

} // namespace padlint
