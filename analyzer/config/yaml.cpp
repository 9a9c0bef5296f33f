#include "analyzer/config/yaml.h"

#include <libfyaml.h>

#include <algorithm>
#include <map>
#include <memory>
#include <set>

// The library's stream of events is turned into a flat tree here, so that nothing recurses over what a text nests, and
// an alias is the number of a node. An alias can lead only to a node that is complete: the tree has no cycle.

namespace padlint {
namespace {

struct Delete {
  void operator()(fy_parser* parser) const { fy_parser_destroy(parser); }
  void operator()(fy_diag* diag) const { fy_diag_destroy(diag); }
};

void say_nothing(fy_diag* /*diag*/, void* /*user*/, const char* /*text*/, size_t /*length*/) {}

std::string text_of(fy_token* token) {
  std::size_t length = 0;
  const char* text = token == nullptr ? nullptr : fy_token_get_text(token, &length);
  return text == nullptr ? std::string() : std::string(text, length);
}

class TreeBuilder {
public:
  TreeBuilder(Yaml& yaml, std::size_t size) : yaml_(yaml), size_(size) {}

  /// False at the end, and when the text cannot be read on.
  bool take(fy_event* event) {
    switch (event->type) {
    case FYET_SCALAR: add({.value = text_of(event->scalar.value)}, event, event->scalar.anchor); break;
    case FYET_ALIAS: alias(event); break;
    case FYET_MAPPING_START: open({.kind = YamlNode::mapping}, event, event->mapping_start.anchor); break;
    case FYET_SEQUENCE_START: open({.kind = YamlNode::sequence}, event, event->sequence_start.anchor); break;
    case FYET_MAPPING_END:
    case FYET_SEQUENCE_END: close(event); break;
    case FYET_DOCUMENT_START: anchors_.clear(); break;
    default: break;
    }
    if (yaml_.nodes.size() > most_yaml_nodes || open_.size() > most_yaml_depth)
      yaml_.fault = {.offset = last_, .text = "too many or too deeply nested parts: the rest is not read"};
    return !yaml_.fault;
  }

  [[nodiscard]] std::size_t last() const { return last_; }

private:
  std::uint32_t add(YamlNode node, fy_event* event, fy_token* anchor) {
    const fy_mark* start = fy_event_start_mark(event);
    const fy_mark* end = fy_event_end_mark(event);
    node.begin = start == nullptr ? last_ : std::min(start->input_pos, size_);
    node.end = end == nullptr ? node.begin : std::clamp(end->input_pos, node.begin, size_);
    last_ = node.end;
    const auto index = static_cast<std::uint32_t>(yaml_.nodes.size());
    const bool complete = node.kind == YamlNode::scalar;
    yaml_.nodes.push_back(std::move(node));
    attach(index);
    if (const std::string name = text_of(anchor); !name.empty()) {
      if (complete)
        anchors_[name] = index;
      else
        pending_[index] = name;
    }
    return index;
  }

  void open(YamlNode node, fy_event* event, fy_token* anchor) { open_.push_back(add(std::move(node), event, anchor)); }

  void close(fy_event* event) {
    if (open_.empty())
      return;
    YamlNode& node = yaml_.nodes[open_.back()];
    if (const fy_mark* end = fy_event_end_mark(event))
      node.end = std::clamp(end->input_pos, node.end, size_);
    if (const auto name = pending_.find(open_.back()); name != pending_.end())
      anchors_[name->second] = open_.back();
    open_.pop_back();
  }

  void alias(fy_event* event) {
    const auto known = anchors_.find(text_of(event->alias.anchor));
    if (known == anchors_.end()) {
      add({}, event, nullptr);
    } else {
      yaml_.nodes[known->second].anchored = true;
      attach(known->second);
    }
  }

  void attach(std::uint32_t index) {
    if (open_.empty())
      yaml_.documents.push_back(index);
    else
      yaml_.nodes[open_.back()].parts.push_back(index);
    ++attached_;
    if (attached_ > 2 * most_yaml_nodes)
      yaml_.fault = {.offset = last_, .text = "too many aliases: the rest is not read"};
  }

  Yaml& yaml_;
  std::size_t size_;
  std::size_t last_ = 0;
  std::size_t attached_ = 0;
  std::vector<std::uint32_t> open_;
  std::map<std::string, std::uint32_t> anchors_;
  std::map<std::uint32_t, std::string> pending_; // anchors of nodes that are not complete
};

void collect(const Yaml& yaml, std::uint32_t node, std::set<std::uint32_t>& seen, std::vector<YamlEntry>& out,
             std::map<std::string, std::size_t, std::less<>>& at, std::size_t depth) {
  if (depth > most_yaml_depth || !seen.insert(node).second)
    return;
  const YamlNode& mapping = yaml.nodes[node];
  if (mapping.kind == YamlNode::sequence) // `<<: [*a, *b]`: the earlier one wins
    for (const std::uint32_t part : mapping.parts)
      collect(yaml, part, seen, out, at, depth + 1);
  if (mapping.kind != YamlNode::mapping)
    return;
  const std::size_t first = out.size();
  for (std::size_t i = 0; i + 1 < mapping.parts.size(); i += 2) {
    const YamlNode& key = yaml.nodes[mapping.parts[i]];
    if (key.kind != YamlNode::scalar || key.value == "<<")
      continue;
    const YamlEntry entry{.key = key.value, .key_node = mapping.parts[i], .value_node = mapping.parts[i + 1]};
    const auto known = at.find(key.value);
    if (known == at.end()) {
      at[key.value] = out.size();
      out.push_back(entry);
    } else if (known->second >= first) {
      out[known->second] = entry;
    }
  }
  for (std::size_t i = 0; i + 1 < mapping.parts.size(); i += 2)
    if (yaml.nodes[mapping.parts[i]].value == "<<")
      collect(yaml, mapping.parts[i + 1], seen, out, at, depth + 1);
}

} // namespace

std::vector<YamlEntry> Yaml::entries(std::uint32_t node) const {
  std::vector<YamlEntry> out;
  if (nodes[node].kind != YamlNode::mapping)
    return out;
  std::set<std::uint32_t> seen;
  std::map<std::string, std::size_t, std::less<>> at;
  collect(*this, node, seen, out, at, 0);
  return out;
}

Yaml read_yaml(std::string_view text) {
  Yaml yaml;
  fy_diag_cfg silent{};
  fy_diag_cfg_default(&silent);
  silent.fp = nullptr;
  silent.output_fn = say_nothing;
  const std::unique_ptr<fy_diag, Delete> diag(fy_diag_create(&silent));
  const fy_parse_cfg config{.search_path = nullptr, .flags = FYPCF_QUIET, .userdata = nullptr, .diag = diag.get()};
  const std::unique_ptr<fy_parser, Delete> parser(fy_parser_create(&config));
  if (!parser || fy_parser_set_string(parser.get(), text.data(), text.size()) != 0) {
    yaml.fault = {.offset = 0, .text = "cannot be read as YAML"};
    return yaml;
  }
  TreeBuilder builder(yaml, text.size());
  bool more = true;
  bool ended = false;
  while (more) {
    fy_event* event = fy_parser_parse(parser.get());
    if (event == nullptr)
      break;
    ended = event->type == FYET_STREAM_END;
    more = builder.take(event) && !ended;
    fy_parser_event_free(parser.get(), event);
  }
  if (!ended && !yaml.fault)
    yaml.fault = {.offset = builder.last(), .text = "no YAML from here on: the rest is not read"};
  return yaml;
}

} // namespace padlint
