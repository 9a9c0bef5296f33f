#include "analyzer/sql/plpgsql_cursor.h"

#include <utility>

// Statements of PL/pgSQL that hold no others. Each reader begins behind the words that name it and ends at the
// semicolon, which the caller checks.

namespace padlint {

namespace {

/// `a.b[1] :=` or `=`: comes first, because a variable may be named like a keyword.
bool assignment(PlCursor& cursor, PlStatement& node) {
  const std::size_t first = cursor.at;
  PlTarget target;
  if (cursor.take_target(target) && (cursor.accept(":=") || cursor.accept("="))) {
    node.kind = PlKind::assign;
    node.targets.push_back(std::move(target));
    node.expression = cursor.take({});
    return true;
  }
  cursor.at = first;
  return false;
}

/// EXECUTE's clauses stand in any order: [INTO [STRICT] targets] [USING list].
bool into_and_using(PlCursor& cursor, PlStatement& node) {
  while (!cursor.done() && !cursor.is(";")) {
    if (cursor.accept("into")) {
      cursor.accept("strict");
      if (!cursor.take_targets(node.targets))
        return false;
    } else if (cursor.accept("using")) {
      node.arguments = cursor.take_list({"into"});
    } else {
      return false;
    }
  }
  return true;
}

bool dynamic_query(PlCursor& cursor, PlStatement& node) {
  node.dynamic = true;
  node.expression = cursor.take({"using"});
  return into_and_using(cursor, node);
}

bool leave(PlCursor& cursor, PlStatement& node, PlKind kind) {
  node.kind = kind;
  if (!cursor.is("when"))
    node.label = cursor.take_name();
  if (cursor.accept("when"))
    node.expression = cursor.take({});
  return true;
}

bool return_statement(PlCursor& cursor, PlStatement& node) {
  if (cursor.accept("next")) {
    node.kind = PlKind::return_next;
  } else if (cursor.accept("query")) {
    node.kind = PlKind::return_query;
    if (cursor.accept("execute"))
      return dynamic_query(cursor, node);
  } else {
    node.kind = PlKind::return_value;
  }
  node.expression = cursor.take({});
  return true;
}

/// The text of a plain literal; empty for another token.
std::string literal(const PlCursor& cursor) {
  if (!cursor.is(TokenKind::string))
    return {};
  const std::string_view quoted = text_of(cursor.text, cursor.tokens[cursor.at]);
  return quoted.size() > 2 && quoted.front() == '\'' ? std::string(quoted.substr(1, quoted.size() - 2)) : std::string();
}

bool raise(PlCursor& cursor, PlStatement& node) {
  node.kind = PlKind::raise;
  if (cursor.done() || cursor.is(";"))
    return true;
  node.word = "exception";
  if (cursor.is_any({"debug", "log", "info", "notice", "warning", "exception"}))
    node.word = cursor.take_name();
  if (cursor.is(TokenKind::string) || cursor.is(TokenKind::dollar_string)) {
    while (cursor.is(TokenKind::string) || cursor.is(TokenKind::dollar_string))
      ++cursor.at; // literals on several lines are one
    if (cursor.accept(","))
      node.arguments = cursor.take_list({"using"});
  } else if (cursor.accept("sqlstate")) {
    node.condition = literal(cursor);
    ++cursor.at;
  } else if (!cursor.is("using")) {
    node.condition = cursor.take_name();
  }
  if (cursor.accept("using")) {
    do {
      const bool code = cursor.is("errcode");
      cursor.take_name();
      if (!cursor.accept("=") && !cursor.accept(":="))
        return false;
      if (code)
        node.condition = fold(literal(cursor));
      node.arguments.push_back(cursor.take({","}));
    } while (cursor.accept(","));
  }
  return true;
}

bool get_diagnostics(PlCursor& cursor, PlStatement& node) {
  node.kind = PlKind::get_diagnostics;
  do {
    PlTarget target;
    if (!cursor.take_target(target) || !(cursor.accept("=") || cursor.accept(":=")))
      return false;
    node.targets.push_back(std::move(target));
    node.arguments.push_back(cursor.take({","}));
  } while (cursor.accept(","));
  return true;
}

/// OPEN c; OPEN c(args); OPEN c [[NO] SCROLL] FOR query; OPEN c FOR EXECUTE text USING list.
bool open(PlCursor& cursor, PlStatement& node) {
  node.kind = PlKind::open;
  node.word = cursor.take_name();
  cursor.accept("no");
  cursor.accept("scroll");
  if (cursor.accept("for")) {
    if (cursor.accept("execute"))
      return dynamic_query(cursor, node);
    node.expression = cursor.take({});
    return !node.expression.empty();
  }
  if (cursor.accept("(")) {
    node.arguments = cursor.take_list({")"});
    return cursor.accept(")");
  }
  return true;
}

/// FETCH and MOVE [direction [FROM | IN]] cursor [INTO targets]: the cursor is the last word before INTO.
bool fetch(PlCursor& cursor, PlStatement& node, PlKind kind) {
  node.kind = kind;
  cursor.take({"into"});
  if (cursor.at > 0)
    node.word = identifier(cursor.text, cursor.tokens[cursor.at - 1]);
  return !cursor.accept("into") || cursor.take_targets(node.targets);
}

bool assertion(PlCursor& cursor, PlStatement& node) {
  node.kind = PlKind::assertion;
  node.expression = cursor.take({","});
  if (cursor.accept(","))
    node.arguments = {cursor.take({})};
  return !node.expression.empty();
}

/// Any other statement is SQL's. Its INTO is PL/pgSQL's, except after INSERT and MERGE and in IMPORT FOREIGN SCHEMA.
bool sql(PlCursor& cursor, PlStatement& node) {
  node.kind = PlKind::sql;
  const bool import = cursor.is("import");
  bool before_into_table = false;
  while (!cursor.done() && !cursor.is(";")) {
    if (cursor.is("into") && !import && !before_into_table && node.into.empty()) {
      const std::size_t first = cursor.at++;
      cursor.accept("strict");
      if (!cursor.take_targets(node.targets))
        return false;
      node.into = cursor.range(first, cursor.at);
      continue;
    }
    before_into_table = cursor.is_any({"insert", "merge"});
    cursor.at = cursor.partner[cursor.at] + 1;
  }
  return true;
}

} // namespace

bool plpgsql_simple_statement(PlCursor& cursor, PlStatement& node) {
  if (assignment(cursor, node))
    return true;
  if (cursor.accept("exit"))
    return leave(cursor, node, PlKind::exit);
  if (cursor.accept("continue"))
    return leave(cursor, node, PlKind::continue_loop);
  if (cursor.accept("return"))
    return return_statement(cursor, node);
  if (cursor.accept("raise"))
    return raise(cursor, node);
  if (cursor.accept("assert"))
    return assertion(cursor, node);
  if (cursor.accept("perform")) {
    node.kind = PlKind::perform;
    node.expression = cursor.take({});
    return !node.expression.empty();
  }
  if (cursor.accept("execute")) {
    node.kind = PlKind::execute;
    node.dynamic = true;
    node.expression = cursor.take({"into", "using"});
    return !node.expression.empty() && into_and_using(cursor, node);
  }
  if (cursor.accept("get")) {
    const bool named = cursor.accept("current") || cursor.accept("stacked");
    return (cursor.accept("diagnostics") || named) && get_diagnostics(cursor, node);
  }
  if (cursor.accept("open"))
    return open(cursor, node);
  if (cursor.accept("fetch"))
    return fetch(cursor, node, PlKind::fetch);
  if (cursor.accept("move"))
    return fetch(cursor, node, PlKind::close);
  if (cursor.accept("close")) {
    node.kind = PlKind::close;
    node.word = cursor.take_name();
    return !node.word.empty();
  }
  if (cursor.is("null") && (cursor.is(";", 1) || cursor.at + 1 == cursor.tokens.size())) {
    ++cursor.at;
    node.kind = PlKind::null;
    return true;
  }
  return sql(cursor, node);
}

} // namespace padlint
