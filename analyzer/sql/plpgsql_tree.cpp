#include "analyzer/sql/plpgsql_tree.h"

#include <array>

#include <fmt/format.h>

namespace padlint {

namespace {

constexpr std::array names = {
    "block",      "if",      "case",   "loop",     "while",   "for range",       "for query",
    "for cursor", "foreach", "exit",   "continue", "return",  "return next",     "return query",
    "raise",      "assert",  "assign", "perform",  "execute", "get diagnostics", "open",
    "fetch",      "close",   "null",   "sql",
};

struct Printer {
  std::string_view text;
  std::string out;

  void line(int depth, std::string_view content) { out += fmt::format("{:{}}{}\n", "", 2 * depth, content); }

  [[nodiscard]] std::string quote(PlRange range) const {
    return fmt::format("`{}`", text.substr(range.begin, range.end - range.begin));
  }

  [[nodiscard]] std::string quote(const std::vector<PlRange>& ranges) const {
    std::string result;
    for (const PlRange& range : ranges)
      result += (result.empty() ? "" : ", ") + quote(range);
    return result;
  }

  void declaration(int depth, const PlDeclaration& declared) {
    constexpr std::array forms = {"variable", "alias", "cursor"};
    std::string content = fmt::format("{} {}", forms[declared.form], declared.name);
    if (!declared.type.empty())
      content += " " + quote(declared.type);
    if (!declared.initial.empty())
      content += " = " + quote(declared.initial);
    line(depth, content);
  }

  void statement(int depth, const PlStatement& node) {
    std::string content = names[static_cast<std::size_t>(node.kind)];
    for (const std::string* part : {&node.label, &node.word, &node.condition})
      content += part->empty() ? "" : " " + *part;
    const char* separator = " ";
    for (const PlTarget& target : node.targets) {
      content += separator + target.name + (target.element ? "[]" : "");
      separator = ", ";
    }
    content += node.dynamic ? " dynamic" : "";
    content += node.expression.empty() ? "" : " " + quote(node.expression);
    content += node.kind == PlKind::sql ? " " + quote(node.range) : "";
    content += node.into.empty() ? "" : " without " + quote(node.into);
    content += node.arguments.empty() ? "" : " with " + quote(node.arguments);
    line(depth, content);
    for (const PlDeclaration& declared : node.declarations)
      declaration(depth + 1, declared);
    for (const PlBranch& branch : node.branches) {
      line(depth, "when " + quote(branch.conditions));
      statements(depth + 1, branch.body);
    }
    statements(depth + 1, node.body);
    if (node.has_otherwise) {
      line(depth, "else");
      statements(depth + 1, node.otherwise);
    }
    for (const PlHandler& handler : node.handlers) {
      line(depth, fmt::format("handler {}", fmt::join(handler.conditions, ", ")));
      statements(depth + 1, handler.body);
    }
  }

  void statements(int depth, const std::vector<PlStatement>& nodes) {
    for (const PlStatement& node : nodes)
      statement(depth, node);
  }
};

} // namespace

std::string to_text(const PlBody& body, std::string_view text) {
  Printer printer{text, {}};
  printer.statements(0, body.block);
  for (const PlError& error : body.errors)
    printer.line(0, fmt::format("error {} {}", error.text, printer.quote(error.range)));
  return printer.out;
}

} // namespace padlint
