#include "analyzer/config/config.h"

#include "analyzer/config/environment.h"
#include "analyzer/config/keywords.h"
#include "analyzer/config/reader.h"

#include <algorithm>
#include <array>

namespace padlint {

namespace {

constexpr std::array<std::string_view, 6> template_suffixes = {".j2", ".erb", ".tpl", ".tmpl", ".template", ".gotmpl"};
constexpr std::size_t most_problems = 20;

std::string_view base_name(std::string_view path) { return path.substr(path.rfind('/') + 1); }

/// The name without the suffix of a template.
std::string_view without_template_suffix(std::string_view name) {
  const auto* suffix = std::ranges::find_if(template_suffixes, [&](auto s) { return name.ends_with(s); });
  return suffix == template_suffixes.end() ? name : name.substr(0, name.size() - suffix->size());
}

struct Format {
  std::string_view kind;
  void (*read)(ConfigReader&);
};
constexpr std::array<Format, 10> formats = {{
    {"compose", read_compose},
    {"pgbouncer", read_pgbouncer},
    {"env", read_env},
    {"database-yml", read_database_yml},
    {"prisma", read_prisma},
    {"spring-yml", read_dotted_yaml},
    {"spring-properties", read_dotted_lines},
    {"flyway-conf", read_dotted_lines},
    {"commands", read_commands},
    {"package-json", read_package_json},
}};

bool runs_commands(std::string_view path, std::string_view name) {
  return name == "Procfile" || name == "Makefile" || name == "Dockerfile" || name.starts_with("Dockerfile.") ||
         name.ends_with(".dockerfile") || name.ends_with(".sh") || name == "fly.toml" || name == "render.yaml" ||
         name == "app.json" || path.contains(".github/workflows/") || name == ".gitlab-ci.yml";
}

} // namespace

std::string_view config_kind(std::string_view path) {
  std::string_view name = base_name(path);
  std::string_view inner = without_template_suffix(name);
  if (inner.starts_with("pgbouncer") && inner.ends_with(".ini"))
    return "pgbouncer";
  if (name == ".env" || name.starts_with(".env.") || (inner.size() > 4 && inner.ends_with(".env")))
    return "env";
  const bool yaml = inner.ends_with(".yml") || inner.ends_with(".yaml");
  if (yaml && (inner.starts_with("docker-compose") || inner.starts_with("compose.")))
    return "compose";
  if (inner == "database.yml" || inner == "database.yaml")
    return "database-yml";
  if (name.starts_with("application") && (name.ends_with(".yml") || name.ends_with(".yaml")))
    return "spring-yml";
  if (name.starts_with("application") && name.ends_with(".properties"))
    return "spring-properties";
  if (name.starts_with("flyway") && (name.ends_with(".conf") || name.ends_with(".properties")))
    return "flyway-conf";
  if (name.ends_with(".prisma"))
    return "prisma";
  if (name == "package.json")
    return "package-json";
  if (runs_commands(path, name))
    return "commands";
  return {};
}

void ConfigReader::fact(std::string_view section, std::string_view target, std::string_view setting,
                        std::string_view value, Span where) {
  facts.configs.push_back({.kind = facts.language,
                           .section = std::string(section),
                           .target = std::string(target),
                           .setting = std::string(setting),
                           .value = std::string(value),
                           .environment = environment,
                           .span = where});
}

void ConfigReader::problem(std::size_t begin, std::size_t end, std::string_view id, std::string_view message) {
  bool in_template = has_template(text.substr(begin, end - begin));
  if (in_template || facts.notices.size() > most_problems)
    return;
  if (facts.notices.size() == most_problems)
    message = "more lines of this file cannot be read; they are not listed";
  facts.notices.push_back({.kind = NoticeKind::warning,
                           .id = std::string(id),
                           .path = facts.path,
                           .span = span(begin, end),
                           .text = std::string(message)});
}

void ConfigReader::yaml_problem(const Yaml& yaml) {
  if (yaml.fault)
    problem(yaml.fault->offset, std::min(text.find('\n', yaml.fault->offset), text.size()), "config-syntax",
            yaml.fault->text);
}

std::string_view trimmed(std::string_view text, std::size_t& offset) {
  constexpr std::string_view space = " \t\r\n\v\f";
  std::size_t begin = std::min(text.find_first_not_of(space), text.size());
  offset += begin;
  text.remove_prefix(begin);
  return text.substr(0, text.find_last_not_of(space) + 1);
}

FileFacts read_config_file(FileId file, std::string_view path, std::string_view kind, std::string_view text) {
  FileFacts facts;
  facts.file = file;
  facts.path = path;
  facts.language = kind;
  facts.routines.push_back({.form = RoutineForm::file, .span = {.file = file}});
  ConfigReader reader{.facts = facts, .text = text, .environment = std::string(environment_of(path))};
  if (const auto* format = std::ranges::find(formats, kind, &Format::kind); format != formats.end())
    format->read(reader);
  return facts;
}

} // namespace padlint
