#include "analyzer/facts/tools.h"

#include "analyzer/facts/data_table.h"
#include "grammars/embedded.h"

#include <algorithm>
#include <exception>

namespace padlint {
namespace {

ToolSetting read_setting(DataTable& t) { return {.setting = t.text("setting"), .value = t.text("value")}; }

ConnectionConfig read_connections(DataTable& t) {
  ConnectionConfig out{.configs = t.list("config"),
                       .url = t.list("url"),
                       .parts = t.pairs("parts"),
                       .variables = t.pairs("variables"),
                       .port = t.text("port"),
                       .hints = t.tables<ToolSetting>("hints", read_setting)};
  t.table("server", [&](DataTable& server) {
    out.server_setting = server.text("setting");
    out.server_values = server.list("values");
  });
  return out;
}

Tool read_tool(DataTable& t) {
  return {.library = t.text("library"),
          .level = t.choice<Level>("level", {{"session", Level::session}, {"transaction", Level::transaction}},
                                   Level::session),
          .configs = t.list("config"),
          .commands = t.list("commands"),
          .needs_command = t.flag("needs_command"),
          .except = t.tables<ToolSetting>("except", read_setting),
          .session = t.tables<ToolSetting>("session", read_setting),
          .off = t.tables<ToolSetting>("off", read_setting),
          .off_variables = t.list("off_variables"),
          .off_flags = t.list("off_flags"),
          .flags = t.list("flags"),
          .variable = t.text("variable"),
          .direct = t.text("direct")};
}

HostedPooler read_pooler(DataTable& t) {
  return {.name = t.text("name"), .hosts = t.list("hosts"), .port = t.text("port"), .mode = t.text("mode")};
}

PoolerImage read_image(DataTable& t) {
  return {.image = t.text("image"),
          .mode = t.text("mode"),
          .port = t.text("port"),
          .default_port = t.text("default_port"),
          .database = t.text("database"),
          .host = t.text("host"),
          .url = t.text("url")};
}

Tools load(std::string_view text) {
  Tools out;
  const toml::table root = toml::parse(text);
  for (const auto& [name, node] : root)
    if (name.str() != "connections" && name.str() != "tool" && name.str() != "pooler" && name.str() != "pooler_image")
      data_fault(node, fmt::format("unknown table {}", name.str()));
  read_all(root, "connections", out.connections, read_connections);
  read_all(root, "tool", out.tools, read_tool);
  read_all(root, "pooler", out.poolers, read_pooler);
  read_all(root, "pooler_image", out.images, read_image);
  return out;
}

} // namespace

const PoolerImage* pooler_image(std::string_view image) {
  const std::size_t slash = image.rfind('/');
  const std::size_t end = image.find_first_of(":@", slash == std::string_view::npos ? 0 : slash);
  const std::string_view name = image.substr(0, end);
  const auto found =
      std::ranges::find_if(tools().images, [&](const PoolerImage& each) { return glob_name(each.image, name); });
  return found == tools().images.end() ? nullptr : &*found;
}

std::string tools_fault(std::string_view text) {
  try {
    load(text);
    return {};
  } catch (const toml::parse_error& error) {
    return fmt::format("{}: {}", error.source().begin.line, error.description());
  } catch (const std::exception& error) {
    return error.what();
  }
}

const Tools& tools() {
  static const Tools loaded = tools_fault(embedded_tools()).empty() ? load(embedded_tools()) : Tools();
  return loaded;
}

} // namespace padlint
