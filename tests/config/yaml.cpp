#include "analyzer/config/yaml.h"

#include "analyzer/config/erb.h"

#include <gtest/gtest.h>

namespace padlint {
namespace {

/// `path = value`, a line each; merge keys are resolved.
std::string flat(const Yaml& yaml, std::uint32_t node, const std::string& path, int depth = 0) {
  if (yaml.nodes[node].kind == YamlNode::scalar || depth > 8)
    return path + " = " + yaml.nodes[node].value + "\n";
  std::string out;
  for (const YamlEntry& entry : yaml.entries(node))
    out += flat(yaml, entry.value_node, path + "/" + entry.key, depth + 1);
  return out;
}

std::string flat(std::string_view text) {
  const Yaml yaml = read_yaml(text);
  return yaml.documents.empty() ? "" : flat(yaml, yaml.documents[0], "");
}

TEST(Yaml, MergesAnchorsAndLetsTheMappingOverride) {
  EXPECT_EQ(flat("a: &a\n  x: 1\n  y: 2\nb:\n  <<: *a\n  y: 3\n"), "/a/x = 1\n/a/y = 2\n/b/y = 3\n/b/x = 1\n");
  EXPECT_EQ(flat("a: &a {x: 1}\nb: &b {x: 2, y: 3}\nc: {<<: [*a, *b]}\n"),
            "/a/x = 1\n/b/x = 2\n/b/y = 3\n/c/x = 1\n/c/y = 3\n");
}

TEST(Yaml, KeepsPlaces) {
  const std::string_view text = "host: 'a''b' # why\n";
  const Yaml yaml = read_yaml(text);
  const YamlNode& value = yaml.nodes[yaml.nodes[0].parts[1]];
  EXPECT_EQ(value.value, "a'b");
  EXPECT_EQ(text.substr(value.begin, value.end - value.begin), "a''b");
}

TEST(Yaml, ReadsJson) { EXPECT_EQ(flat(R"({"scripts": {"start": "a \"b\""}})"), "/scripts/start = a \"b\"\n"); }

TEST(Yaml, WhatStandsBeforeAFaultIsThere) {
  const Yaml yaml = read_yaml("a: 1\nb: [2\nc: 3\n");
  ASSERT_TRUE(yaml.fault);
  EXPECT_EQ(yaml.nodes.at(2).value, "1");
  EXPECT_TRUE(read_yaml("a:\n\tb: 1\n").fault);
}

TEST(Yaml, IsBounded) {
  std::string laughs = "a: &a [x,x,x,x,x,x,x,x,x]\n";
  for (char name = 'b'; name < 'n'; ++name)
    laughs += std::string(1, name) + ": &" + name + " [" + "*" + char(name - 1) + ",*" + char(name - 1) + "]\n";
  EXPECT_LT(read_yaml(laughs).nodes.size(), 100U);
  for (const std::string_view open : {"[", "{a: ", "- "}) {
    std::string nested;
    for (int i = 0; i < 100'000; ++i)
      nested += open;
    const Yaml yaml = read_yaml(nested);
    EXPECT_TRUE(yaml.fault);
    EXPECT_LE(yaml.nodes.size(), 2 * most_yaml_depth + 2);
  }
  std::string wide = "[";
  for (int i = 0; i < 300'000; ++i)
    wide += "a,";
  EXPECT_LE(read_yaml(wide + "]").nodes.size(), most_yaml_nodes + 1);
  std::string aliases = "a: &a 1\nb: [";
  for (int i = 0; i < 300'000; ++i)
    aliases += "*a,";
  EXPECT_TRUE(read_yaml(aliases + "]").fault);
}

TEST(Yaml, AnAliasOfItselfIsNoCycle) { EXPECT_EQ(flat("a: &a {b: *a}\n<<: *gone\n"), "/a/b = \n"); }

TEST(Yaml, StrangeBytesAreNoCrash) {
  for (const std::string_view text :
       {std::string_view("a: \xff\xfe\x80\n"), std::string_view("\0\0\0", 3), std::string_view("\xfe\xff\0a", 4),
        std::string_view("%YAML 9\n---\n"), std::string_view("a: !!binary |\n"), std::string_view("? ? ? :"),
        std::string_view("&a &b c"), std::string_view("\xef\xbb\xbf: 1")})
    read_yaml(text);
}

TEST(Erb, IsMaskedByteForByte) {
  const std::string_view text = "<% if x %>\na: <%= y %>\n  <%= z %>\nb: \"c<%= d %>\"\n";
  const std::string masked = without_erb(text);
  EXPECT_EQ(masked, "          \na: eeeeeeee\n          \nb: \"ceeeeeeee\"\n");
  EXPECT_EQ(masked.size(), text.size());
  EXPECT_EQ(without_erb("a: <%= never closed"), "a: eeeeeeeeeeeeeeee");
}

TEST(Erb, TellsWhatOnlyReadsTheEnvironment) {
  EXPECT_EQ(erb_value(R"(<%= ENV["HOST"] %>)"), "${HOST}");
  EXPECT_EQ(erb_value(R"(<%= ENV.fetch('HOST') -%>)"), "${HOST}");
  EXPECT_EQ(erb_value(R"(<%= ENV.fetch("PORT", 6432) %>)"), "${PORT:-6432}");
  EXPECT_EQ(erb_value(R"(<%= ENV.fetch("PORT") { 6432 } %>)"), "${PORT:-6432}");
  EXPECT_EQ(erb_value(R"(<%= ENV["PORT"] || "6432" %>)"), "${PORT:-6432}");
  EXPECT_EQ(erb_value(R"("shop<%= ENV["N"] %>")"), "shop${N}");
  EXPECT_EQ(erb_value("<%= 5 %>"), "5");
  EXPECT_EQ(erb_value(R"(<%= ENV["LOCKS"] == "yes" %>)"), "${}");
  EXPECT_EQ(erb_value("<%= Rails.application.credentials.db %>"), "${}");
}

} // namespace
} // namespace padlint
