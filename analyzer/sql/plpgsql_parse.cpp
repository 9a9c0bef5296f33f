#include "analyzer/sql/plpgsql_parse.h"

#include "analyzer/sql/plpgsql_cursor.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

// Blocks and control flow. What makes recovery work is that every END says what it closes: END IF, END LOOP, END CASE,
// or a plain END for a block. `open` has what is open; an END that closes an outer construct ends the inner ones, an
// END that closes nothing is skipped.

namespace padlint {

namespace {

struct Parser {
  PlCursor cursor;
  PlBody result;
  std::vector<std::string_view> open = {}; // "if", "loop", "case", "block"

  bool too_deep = false; // the rest of the body was skipped; that what is open has no END then is no error of its own

  void error(PlRange range, std::string message) {
    if (!too_deep)
      result.errors.push_back({range, std::move(message)});
  }

  /// Tokens [first, at) were no good.
  void fail(std::size_t first, std::string message) { error(cursor.range(first, cursor.at), std::move(message)); }

  void skip(std::size_t first, std::string message) {
    cursor.skip_statement();
    fail(first, std::move(message));
  }

  [[nodiscard]] std::string_view closed_by_end() const {
    for (const std::string_view construct : {"if", "loop", "case"})
      if (cursor.is(construct, 1))
        return construct;
    return "block";
  }

  [[nodiscard]] bool at_end() const {
    return cursor.is("end") && std::ranges::find(open, closed_by_end()) != open.end();
  }

  /// Statements up to one of the words, or an END that closes something open.
  void statements(std::vector<PlStatement>& out, PlStops stops) {
    while (!cursor.done() && !at_end() && !cursor.is_any(stops)) {
      if (cursor.accept(";"))
        continue;
      const std::size_t first = cursor.at;
      PlStatement node;
      if (!statement(node)) {
        skip(first, "not a statement");
        continue;
      }
      node.range = cursor.range(first, cursor.at);
      out.push_back(std::move(node));
      if (!cursor.accept(";") && !at_end())
        skip(first, "expected ;");
    }
  }

  /// END of the innermost open construct, with the label that may follow. An END of an outer one stays for that.
  void close(std::size_t first) {
    const std::string_view construct = open.back();
    open.pop_back();
    if (!cursor.is("end") || closed_by_end() != construct) {
      error(cursor.range(first, first + 1), "no END");
      return;
    }
    cursor.at += construct == "block" ? 1 : 2;
    cursor.take_name();
  }

  bool statement(PlStatement& node) {
    if (open.size() >= max_plpgsql_depth) {
      const std::size_t first = cursor.at;
      cursor.at = cursor.tokens.size();
      fail(first, fmt::format("what is nested deeper than {} levels", max_plpgsql_depth));
      too_deep = true;
      return false;
    }
    if (cursor.accept("<<")) {
      node.label = cursor.take_name();
      if (!cursor.accept(">>"))
        return false;
    }
    if (cursor.is("end"))
      return false;
    if (cursor.is_any({"declare", "begin"}))
      return block(node);
    if (cursor.is_any({":=", "="}, 1))
      return plpgsql_simple_statement(cursor, node);
    const std::size_t first = cursor.at;
    if (cursor.accept("if"))
      return if_statement(first, node);
    if (cursor.accept("case"))
      return case_statement(first, node);
    if (cursor.accept("loop")) {
      node.kind = PlKind::loop;
      return loop_body(first, node);
    }
    if (cursor.accept("while")) {
      node.kind = PlKind::while_loop;
      node.expression = cursor.take({"loop"});
      return cursor.accept("loop") && loop_body(first, node);
    }
    if (cursor.accept("for"))
      return for_head(node) && cursor.accept("loop") && loop_body(first, node);
    if (cursor.accept("foreach"))
      return foreach_head(node) && cursor.accept("loop") && loop_body(first, node);
    return plpgsql_simple_statement(cursor, node);
  }

  bool loop_body(std::size_t first, PlStatement& node) {
    open.push_back("loop");
    statements(node.body, {});
    close(first);
    return true;
  }

  bool if_statement(std::size_t first, PlStatement& node) {
    node.kind = PlKind::if_then;
    open.push_back("if");
    do {
      PlBranch& branch = node.branches.emplace_back();
      branch.conditions.push_back(cursor.take({"then"}));
      then(first);
      statements(branch.body, {"elsif", "elseif", "else"});
    } while (cursor.accept("elsif") || cursor.accept("elseif"));
    otherwise(node);
    close(first);
    return true;
  }

  bool case_statement(std::size_t first, PlStatement& node) {
    node.kind = PlKind::case_when;
    node.expression = cursor.take({"when"});
    open.push_back("case");
    while (cursor.accept("when")) {
      PlBranch& branch = node.branches.emplace_back();
      branch.conditions = cursor.take_list({"then"});
      then(first);
      statements(branch.body, {"when", "else"});
    }
    otherwise(node);
    close(first);
    return !node.branches.empty();
  }

  void then(std::size_t first) {
    if (!cursor.accept("then"))
      skip(first, "expected THEN");
  }

  void otherwise(PlStatement& node) {
    if (cursor.accept("else")) {
      node.has_otherwise = true;
      statements(node.otherwise, {});
    }
  }

  /// FOR targets IN what comes before LOOP: EXECUTE, a bound cursor, a range of integers, or else a query.
  bool for_head(PlStatement& node) {
    if (!cursor.take_targets(node.targets) || !cursor.accept("in"))
      return false;
    if (cursor.accept("execute")) {
      node.kind = PlKind::for_query;
      node.dynamic = true;
      node.expression = cursor.take({"using", "loop"});
      if (cursor.accept("using"))
        node.arguments = cursor.take_list({"loop"});
      return true;
    }
    const std::size_t behind_cursor = cursor.is("(", 1) ? cursor.partner[cursor.at + 1] - cursor.at + 1 : 1;
    if (cursor.is_name() && cursor.is("loop", behind_cursor)) {
      node.kind = PlKind::for_cursor;
      node.word = cursor.take_name();
      if (cursor.accept("(")) {
        node.arguments = cursor.take_list({")"});
        cursor.accept(")");
      }
      return true;
    }
    if (cursor.is("..", cursor.distance({"..", "loop"}))) {
      node.kind = PlKind::for_range;
      cursor.accept("reverse");
      node.arguments.push_back(cursor.take({".."}));
      cursor.accept("..");
      node.arguments.push_back(cursor.take({"by", "loop"}));
      if (cursor.accept("by"))
        node.arguments.push_back(cursor.take({"loop"}));
      return true;
    }
    node.kind = PlKind::for_query;
    node.expression = cursor.take({"loop"});
    return true;
  }

  bool foreach_head(PlStatement& node) {
    node.kind = PlKind::foreach;
    if (!cursor.take_targets(node.targets))
      return false;
    if (cursor.accept("slice"))
      ++cursor.at;
    if (!cursor.accept("in") || !cursor.accept("array"))
      return false;
    node.expression = cursor.take({"loop"});
    return true;
  }

  bool block(PlStatement& node) {
    const std::size_t first = cursor.at;
    node.kind = PlKind::block;
    declarations(node.declarations);
    if (!cursor.accept("begin"))
      return false;
    open.push_back("block");
    statements(node.body, {"exception"});
    if (cursor.accept("exception"))
      while (cursor.is("when"))
        handler(node.handlers.emplace_back());
    close(first);
    return true;
  }

  void handler(PlHandler& out) {
    const std::size_t first = cursor.at++;
    do {
      if (cursor.accept("sqlstate")) {
        const std::string_view quoted =
            cursor.done() ? std::string_view() : text_of(cursor.text, cursor.tokens[cursor.at++]);
        out.conditions.push_back(quoted.size() > 2 ? fold(quoted.substr(1, quoted.size() - 2)) : std::string());
      } else {
        out.conditions.push_back(cursor.take_name());
      }
    } while (cursor.accept("or"));
    out.range = cursor.range(first, cursor.at);
    then(first);
    statements(out.body, {"when"});
  }

  void declarations(std::vector<PlDeclaration>& out) {
    while (!cursor.done() && !cursor.is("begin")) {
      if (cursor.accept("declare"))
        continue;
      const std::size_t first = cursor.at;
      PlDeclaration declared;
      if (declaration(declared) && cursor.is(";")) {
        out.push_back(std::move(declared));
      } else {
        cursor.take({"begin"});
        fail(first, "not a declaration");
      }
      cursor.accept(";");
    }
  }

  bool declaration(PlDeclaration& out) {
    const std::size_t first = cursor.at;
    out.name = cursor.take_name();
    out.range = cursor.range(first, cursor.at);
    if (out.name.empty())
      return false;
    if (cursor.accept("alias")) {
      out.form = PlDeclaration::alias;
      const bool complete = cursor.accept("for");
      out.initial = cursor.take({"begin"});
      return complete;
    }
    if (cursor.is_any({"cursor", "no", "scroll"}) && cursor.is("cursor", cursor.distance({"cursor", "begin"}))) {
      out.form = PlDeclaration::cursor;
      cursor.take({"for", "is"});
      const bool complete = cursor.accept("for") || cursor.accept("is");
      out.initial = cursor.take({"begin"});
      return complete;
    }
    cursor.accept("constant");
    out.type = cursor.take({":=", "=", "default", "not", "begin"});
    if (cursor.accept("not"))
      cursor.accept("null");
    if (cursor.is_any({":=", "=", "default"})) {
      ++cursor.at;
      out.initial = cursor.take({"begin"});
    }
    return !out.type.empty();
  }

  /// #option dump, #print_strict_params on, #variable_conflict use_column: three tokens each.
  void compiler_options() {
    while (cursor.is("#"))
      cursor.at += 3;
  }
};

} // namespace

PlBody plpgsql_parse(std::string_view text, const std::vector<Token>& tokens) {
  Parser parser{PlCursor(text, tokens), {}};
  parser.compiler_options();
  if (parser.cursor.done())
    return {};
  PlStatement block;
  std::size_t read = 0;
  if (parser.statement(block) && block.kind == PlKind::block) {
    block.range = parser.cursor.range(0, parser.cursor.at);
    parser.result.block.push_back(std::move(block));
    parser.cursor.accept(";");
    read = parser.cursor.at;
  }
  if (read < tokens.size()) {
    parser.cursor.at = tokens.size();
    parser.fail(read, "not a block");
  }
  return std::move(parser.result);
}

} // namespace padlint
