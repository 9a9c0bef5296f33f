#include "analyzer/sql/json.h"

#include <algorithm>
#include <charconv>
#include <optional>

namespace padlint {

namespace {

struct Reader {
  char* at;
  const char* end;
  std::vector<JsonNode>& nodes;

  void skip_space() {
    while (at < end && (*at == ' ' || *at == '\n' || *at == '\t' || *at == '\r'))
      ++at;
  }
  bool take(char wanted) {
    skip_space();
    if (at >= end || *at != wanted)
      return false;
    ++at;
    return true;
  }
  bool take_word(std::string_view word) {
    if (!std::string_view(at, static_cast<std::size_t>(end - at)).starts_with(word))
      return false;
    at += word.size();
    return true;
  }
  std::optional<std::string_view> string();
  void escape(char*& out);
  bool scalar(JsonNode& node);
  bool value();
};

/// Decodes the escape at `at`, behind its backslash. libpg_query writes \u00XX for control characters only.
void Reader::escape(char*& out) {
  constexpr std::string_view letters = "bfnrt";
  constexpr std::string_view decoded = "\b\f\n\r\t";
  const char c = *at++;
  if (const std::size_t letter = letters.find(c); letter != std::string_view::npos) {
    *out++ = decoded[letter];
  } else if (c == 'u' && end - at >= 4) {
    unsigned code = 0;
    std::from_chars(at, at + 4, code, 16);
    at += 4;
    *out++ = static_cast<char>(code < 0x80 ? code : '?');
  } else {
    *out++ = c;
  }
}

/// Behind the opening quote.
std::optional<std::string_view> Reader::string() {
  const char* const begin = at;
  char* out = at;
  while (at < end && *at != '"') {
    if (*at == '\\' && at + 1 < end) {
      ++at;
      escape(out);
    } else {
      *out++ = *at++;
    }
  }
  if (at >= end)
    return std::nullopt;
  ++at;
  return std::string_view(begin, static_cast<std::size_t>(out - begin));
}

bool Reader::scalar(JsonNode& node) {
  if (take('"')) {
    const auto text = string();
    node.kind = JsonNode::string;
    node.text = text.value_or("");
    return text.has_value();
  }
  if (take_word("null"))
    return true;
  if (const bool yes = take_word("true"); yes || take_word("false")) {
    node.kind = JsonNode::boolean;
    node.integer = yes ? 1 : 0;
    return true;
  }
  const char* const first = at;
  while (at < end && ((*at >= '0' && *at <= '9') || *at == '-' || *at == '+' || *at == '.' || *at == 'e' || *at == 'E'))
    ++at;
  node.kind = JsonNode::number;
  std::from_chars(first, at, node.integer);
  return at > first;
}

/// One value with all that is in it. Open arrays and objects are kept in a list, so that depth costs no stack.
bool Reader::value() {
  std::vector<std::size_t> open;
  do {
    JsonNode node;
    const bool in_object = !open.empty() && nodes[open.back()].kind == JsonNode::object;
    if (!open.empty()) {
      JsonNode& parent = nodes[open.back()];
      if (take(parent.kind == JsonNode::object ? '}' : ']')) {
        parent.skip = static_cast<std::uint32_t>(nodes.size() - open.back());
        open.pop_back();
        continue;
      }
      if (parent.size > 0 && !take(','))
        return false;
      ++parent.size;
    }
    if (in_object) {
      if (!take('"'))
        return false;
      const auto key = string();
      if (!key || !take(':'))
        return false;
      node.key = *key;
    }
    skip_space();
    const bool array = take('[');
    if (array || take('{')) {
      node.kind = array ? JsonNode::array : JsonNode::object;
      open.push_back(nodes.size());
    } else if (!scalar(node)) {
      return false;
    }
    nodes.push_back(node);
  } while (!open.empty());
  return true;
}

} // namespace

Json read_json(std::string_view text) {
  Json json{.text = std::make_unique_for_overwrite<char[]>(text.size())};
  std::ranges::copy(text, json.text.get());
  json.nodes.reserve(text.size() / 16);
  Reader reader{json.text.get(), json.text.get() + text.size(), json.nodes};
  if (!reader.value())
    json.nodes.clear();
  return json;
}

} // namespace padlint
