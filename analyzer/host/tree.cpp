#include "analyzer/host/tree.h"

#include "analyzer/host/language.h"
#include "analyzer/host/type_arguments.h"

#include <algorithm>
#include <cstdlib>
#include <mutex>
#include <optional>
#include <string>

namespace padlint::host {

namespace {

/// tree-sitter asks whether to go on once in a hundred operations of the parser: once in about 150 bytes of code, and
/// in 40 to 55 of a table of numbers or of unclosed brackets.
constexpr std::uint64_t questions_at_least = 1000;
constexpr std::uint64_t bytes_per_question = 8;
/// In a text that is all error, each operation copies what was read so far, so that counting them bounds nothing; the
/// memory asked for, in bytes, does. Code that is understood takes some 200 bytes a byte.
constexpr std::uint64_t memory_at_least = std::uint64_t{64} << 20;
constexpr std::uint64_t memory_per_byte = 4096;

thread_local std::uint64_t memory_asked_for = 0; // by the parser, since the thread began

void count_memory() {
  ts_set_allocator(
      [](std::size_t size) {
        memory_asked_for += size;
        return std::malloc(size);
      },
      [](std::size_t count, std::size_t size) {
        memory_asked_for += count * size;
        return std::calloc(count, size);
      },
      [](void* old, std::size_t size) {
        memory_asked_for += size;
        return std::realloc(old, size);
      },
      std::free);
}

struct Source {
  std::string_view text;
  std::uint64_t questions_left = 0;
  std::uint64_t most_memory = 0; // of memory_asked_for
};

const char* read_source(void* payload, std::uint32_t offset, TSPoint, std::uint32_t* length) {
  const std::string_view text = static_cast<Source*>(payload)->text;
  *length = offset < text.size() ? static_cast<std::uint32_t>(text.size()) - offset : 0;
  return *length == 0 ? "" : text.data() + offset;
}

bool spent(TSParseState* state) {
  auto* source = static_cast<Source*>(state->payload);
  return source->questions_left-- == 0 || memory_asked_for > source->most_memory;
}

} // namespace

Tree parse(const HostLanguage& language, std::string_view text, std::uint32_t begin, std::uint32_t end) {
  static std::once_flag once;
  std::call_once(once, count_memory);
  const std::unique_ptr<TSParser, decltype(&ts_parser_delete)> parser(ts_parser_new(), &ts_parser_delete);
  ts_parser_set_language(parser.get(), language.grammar);
  if (begin != 0 || end != text.size()) {
    const TSRange range{.start_point = {0, begin}, .end_point = {0, end}, .start_byte = begin, .end_byte = end};
    ts_parser_set_included_ranges(parser.get(), &range, 1);
  }
  const std::optional<std::string> readable =
      language.misreads_type_arguments_of_tags ? without_type_arguments_of_tags(text) : std::nullopt;
  Source source{.text = readable ? *readable : text,
                .questions_left = questions_at_least + (end - begin) / bytes_per_question,
                .most_memory = memory_asked_for + memory_at_least + (end - begin) * memory_per_byte};
  const TSInput input{.payload = &source, .read = read_source, .encoding = TSInputEncodingUTF8, .decode = nullptr};
  const TSParseOptions options{.payload = &source, .progress_callback = spent};
  return {ts_parser_parse_with_options(parser.get(), nullptr, input, options), &ts_tree_delete};
}

TSNode first_error(const Tree& tree) {
  TSNode node = ts_tree_root_node(tree.get());
  if (!ts_node_has_error(node))
    return no_node;
  TSTreeCursor cursor = ts_tree_cursor_new(node);
  const auto faulty = [&] { return ts_node_has_error(ts_tree_cursor_current_node(&cursor)); };
  while (ts_tree_cursor_goto_first_child(&cursor)) {
    while (!faulty() && ts_tree_cursor_goto_next_sibling(&cursor)) {
    }
    if (!faulty())
      break;
    node = ts_tree_cursor_current_node(&cursor);
    if (ts_node_is_error(node) || ts_node_is_missing(node))
      break;
  }
  ts_tree_cursor_delete(&cursor);
  return node;
}

Children::Children(ChildStack& stack, const HostLanguage& language, TSNode node)
    : stack_(stack), begin_(stack.children.size()), end_(begin_) {
  if (!exists(node))
    return;
  ts_tree_cursor_reset(&stack.cursor, node);
  if (!ts_tree_cursor_goto_first_child(&stack.cursor))
    return;
  do {
    const TSNode child = ts_tree_cursor_current_node(&stack.cursor);
    if (const Role role = language.role(child); role != Role::comment && role != Role::text_body)
      stack.children.push_back({child, ts_tree_cursor_current_field_id(&stack.cursor)});
  } while (ts_tree_cursor_goto_next_sibling(&stack.cursor));
  end_ = stack.children.size();
}

bool Children::fits(std::size_t index, const Place& place) const {
  const Child& child = stack_.children[begin_ + index];
  const auto is = [](auto number) { return [number](auto wanted) { return wanted != 0 && wanted == number; }; };
  return std::ranges::any_of(place.fields, is(child.field)) ||
         std::ranges::any_of(place.kinds, is(ts_node_symbol(child.node)));
}

TSNode Children::at(const Place& place) const {
  if (place.position >= 0)
    return named_at(static_cast<std::size_t>(place.position));
  for (std::size_t i = 0; i < size(); ++i)
    if (fits(i, place))
      return node(i);
  return no_node;
}

TSNode Children::named_at(std::size_t position) const {
  for (std::size_t i = 0; i < size(); ++i)
    if (named(i) && position-- == 0)
      return node(i);
  return no_node;
}

std::vector<TSNode> Children::all_at(const Place& place) const {
  std::vector<TSNode> out;
  for (std::size_t i = 0; i < size(); ++i)
    if (fits(i, place) && named(i))
      out.push_back(node(i));
  return out;
}

std::vector<TSNode> Children::all_named() const {
  std::vector<TSNode> out;
  out.reserve(size());
  for (std::size_t i = 0; i < size(); ++i)
    if (named(i))
      out.push_back(node(i));
  return out;
}

} // namespace padlint::host
