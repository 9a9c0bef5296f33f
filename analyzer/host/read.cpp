#include "analyzer/host/suppression.h"
#include "analyzer/host/walker.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace padlint {

namespace {

using namespace host;

constexpr std::size_t max_file_size = 2 << 20;

void note(FileFacts& facts, std::string id, std::string text, Span span) {
  facts.notices.push_back({.id = std::move(id), .path = facts.path, .span = span, .text = std::move(text)});
}

/// The marks that stand in comments; the same words in a string say nothing.
void find_suppressions(const HostLanguage& language, TSNode root, std::string_view text, FileFacts& facts) {
  for (std::size_t at = text.find(suppression_mark); at != std::string_view::npos;
       at = text.find(suppression_mark, at + 1)) {
    const auto begin = static_cast<std::uint32_t>(at);
    const TSNode node = ts_node_descendant_for_byte_range(root, begin, begin);
    if (language.role(node) != Role::comment)
      continue;
    const std::uint32_t end = ts_node_end_byte(node);
    const Span span{facts.file, begin, end};
    if (auto found = read_suppression(text.substr(begin, end - begin), span))
      facts.suppressions.push_back(std::move(*found));
    else
      note(facts, "suppression-unread", "`padlint:` is followed by nothing that padlint knows", span);
  }
}

/// Texts that begin after the line of their marks come in the order of the marks.
std::map<std::uint32_t, TSNode> marked_texts(const HostLanguage& language, TSNode root) {
  std::map<std::uint32_t, TSNode> found;
  if (std::ranges::find(language.entries, Role::text_mark, &RoleEntry::role) == language.entries.end())
    return found;
  std::vector<std::uint32_t> marks;
  std::vector<TSNode> bodies;
  TSTreeCursor cursor = ts_tree_cursor_new(root);
  for (bool more = true; more;) {
    const TSNode node = ts_tree_cursor_current_node(&cursor);
    if (language.role(node) == Role::text_mark)
      marks.push_back(ts_node_start_byte(node));
    else if (language.role(node) == Role::text_body)
      bodies.push_back(node);
    more = ts_tree_cursor_goto_first_child(&cursor);
    while (!more && !ts_tree_cursor_goto_next_sibling(&cursor))
      if (!ts_tree_cursor_goto_parent(&cursor)) {
        ts_tree_cursor_delete(&cursor);
        for (std::size_t i = 0; i < std::min(marks.size(), bodies.size()); ++i)
          found[marks[i]] = bodies[i];
        return found;
      }
    more = true;
  }
  return found;
}

void walk(const HostLanguage& language, TSNode root, std::string_view text, FileFacts& facts) {
  ChildStack stack(root);
  Walker walker{.language = language, .source = text, .facts = facts, .stack = stack};
  Actions top_level;
  walker.marked_texts = marked_texts(language, root);
  walker.actions = &top_level;
  walker.statement(root);
  walker.finish_routine(0, std::move(top_level), 0);
  if (walker.too_deep)
    note(facts, "too-deep", fmt::format("nested deeper than {} levels: what is inside is left out", max_walk_depth),
         {});
}

/// How many blocks the deepest line is inside of, if each indents further. A grammar keeps its stack of indentations in
/// a buffer of 1,024 bytes, two for each, and does not look whether they fit.
std::size_t deepest_indentation(std::string_view text) {
  std::vector<std::size_t> stack{0};
  std::size_t deepest = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::size_t first = text.find_first_not_of(" \t\f\r", begin);
    if (first < end) {
      while (stack.back() > first - begin)
        stack.pop_back();
      if (stack.back() < first - begin)
        stack.push_back(first - begin);
      deepest = std::max(deepest, stack.size());
    }
    begin = end + 1;
  }
  return deepest;
}

constexpr std::size_t max_indentations = 400;

} // namespace

FileFacts read_host_file(const HostLanguage& language, FileId file, std::string_view path, std::string_view text) {
  const auto size = static_cast<std::uint32_t>(text.size());
  FileFacts facts{.file = file, .path = std::string(path), .language = language.files.language};
  facts.routines.push_back({.form = RoutineForm::file, .span = {file, 0, size}});
  if (text.size() > max_file_size) {
    note(facts, "too-large", fmt::format("{} bytes: only files up to {} bytes are read", text.size(), max_file_size),
         {});
    return facts;
  }
  if (deepest_indentation(text) > max_indentations) {
    note(facts, "too-deep", fmt::format("indented more than {} times: nothing of this file is read", max_indentations),
         {});
    return facts;
  }
  const Tree tree = parse(language, text, 0, size);
  if (!tree) {
    note(facts, "too-complex", "the parser gave up: nothing of this file is read", {});
    return facts;
  }
  if (const TSNode error = first_error(tree); exists(error)) {
    const std::uint32_t begin = ts_node_start_byte(error);
    // What is missing has no width.
    const Span place{file, begin, std::min(std::max(ts_node_end_byte(error), begin + 1), size)};
    note(facts, "syntax-error", "not understood from here on; what the error touches is left out", place);
  }
  const TSNode root = ts_tree_root_node(tree.get());
  walk(language, root, text, facts);
  facts.routines.shrink_to_fit();
  find_suppressions(language, root, text, facts);
  return facts;
}

} // namespace padlint
