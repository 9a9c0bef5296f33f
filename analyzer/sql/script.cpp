#include "analyzer/sql/script.h"

#include "analyzer/sql/tokens.h"

#include <algorithm>

namespace padlint {

namespace {

constexpr std::string_view senders[] = {"g", "gx", "gexec", "gdesc", "crosstabview", "watch"};

struct Splitter {
  std::string& text;
  std::uint32_t end;
  Dialect dialect;
  std::vector<ScriptItem> items = {};
  std::vector<Token> tokens = {}; // of the statement that is being read
  int atomic = 0;                 // open BEGIN ATOMIC and CASE inside of it

  [[nodiscard]] bool word(std::size_t token, std::string_view folded) const {
    return token < tokens.size() && is_word(text, tokens[token], folded);
  }
  void finish(Ending ending, std::string argument = {});
  void follow_body();
  std::uint32_t meta(std::uint32_t offset);
  std::uint32_t skip_copy_data(std::uint32_t offset) const;
  [[nodiscard]] bool copies_from_stdin() const;
};

void Splitter::finish(Ending ending, std::string argument) {
  if (!tokens.empty())
    items.push_back(
        {.range = {tokens.front().begin, tokens.back().end}, .ending = ending, .argument = std::move(argument)});
  tokens.clear();
  atomic = 0;
}

/// Counts the words that open and close a body of SQL statements.
void Splitter::follow_body() {
  const std::size_t last = tokens.size() - 1;
  if (word(last, "atomic") && last > 0 && word(last - 1, "begin") && word(0, "create"))
    ++atomic;
  else if (atomic > 0 && word(last, "case"))
    ++atomic;
  else if (atomic > 0 && word(last, "end"))
    --atomic;
}

bool Splitter::copies_from_stdin() const {
  if (!word(0, "copy"))
    return false;
  for (std::size_t i = 1; i + 1 < tokens.size(); ++i)
    if (word(i, "from") && (word(i + 1, "stdin") || word(i + 1, "pstdin")))
      return true;
  return false;
}

/// From the semicolon of COPY to behind the line `\.`.
std::uint32_t Splitter::skip_copy_data(std::uint32_t offset) const {
  std::size_t line = text.find('\n', offset);
  while (line != std::string::npos && line + 1 < end) {
    const std::size_t next = text.find('\n', line + 1);
    std::string_view content =
        std::string_view(text).substr(line + 1, next == std::string::npos ? next : next - line - 1);
    if (content.ends_with('\r'))
      content.remove_suffix(1);
    if (content == "\\.")
      return static_cast<std::uint32_t>(line + 1 + content.size());
    line = next;
  }
  return end;
}

/// Reads the meta command at `offset`, writes spaces over it, and gives the offset behind it.
std::uint32_t Splitter::meta(std::uint32_t offset) {
  std::uint32_t at = offset + 1;
  if (at < end && (text[at] == ';' || text[at] == '\\')) {
    if (text[at] == ';')
      finish(Ending::joined);
    text[offset] = text[at] = ' ';
    return at + 1;
  }
  const auto stop = static_cast<std::uint32_t>(std::min<std::size_t>(text.find_first_of("\r\n", at), end));
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  while (at < stop && is_letter(text[at]))
    ++at;
  ScriptItem item{
      .kind = ScriptItem::meta, .range = {offset, stop}, .command = text.substr(offset + 1, at - offset - 1)};
  // `\gset \echo x`: the next command ends this one, except for those that take the whole line.
  std::uint32_t line_end = stop;
  if (item.command != "copy" && item.command != "!")
    line_end = static_cast<std::uint32_t>(std::min<std::size_t>(text.find('\\', at), stop));
  item.argument = text.substr(at, line_end - at);
  item.argument.erase(0, item.argument.find_first_not_of(" \t"));
  item.argument.erase(item.argument.find_last_not_of(" \t") + 1);
  std::fill(text.begin() + offset, text.begin() + line_end, ' ');
  if (item.command == "gset")
    finish(Ending::stored, item.argument);
  else if (std::ranges::find(senders, item.command) != std::end(senders))
    finish(Ending::shown);
  items.push_back(std::move(item));
  return line_end;
}

} // namespace

std::vector<ScriptItem> split_script(SqlText& text, std::uint32_t begin, std::uint32_t end, Dialect dialect) {
  Splitter splitter{.text = text.text, .end = end, .dialect = dialect};
  std::uint32_t offset = begin;
  for (Token token = next_token(text.text, offset, end); token.begin < token.end;
       token = next_token(text.text, offset, end)) {
    offset = token.end;
    if (dialect == Dialect::psql && is_punctuation(text.text, token, "\\")) {
      offset = splitter.meta(token.begin);
      continue;
    }
    if (is_punctuation(text.text, token, ";") && splitter.atomic == 0) {
      const bool data = dialect != Dialect::plain && splitter.copies_from_stdin();
      splitter.finish(Ending::semicolon);
      if (data)
        offset = splitter.skip_copy_data(offset);
      continue;
    }
    splitter.tokens.push_back(token);
    splitter.follow_body();
  }
  splitter.finish(Ending::end_of_text);
  return std::move(splitter.items);
}

} // namespace padlint
