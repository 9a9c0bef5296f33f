#pragma once

#include "analyzer/core/file_facts.h"
#include "analyzer/core/handle.h"
#include "analyzer/core/mask.h"

#include <optional>
#include <string>
#include <string_view>

namespace padlint {

/// The kind of configuration file that a path (relative, '/') names: "pgbouncer", "env", "database-yml", "compose",
/// "prisma", "spring-yml", "spring-properties", "flyway-conf", "package-json", "commands"; empty for none of ours.
std::string_view config_kind(std::string_view path);

/// Reads a configuration file: its settings as ConfigFacts in order (where a setting is repeated, all of them), what is
/// wrong with it as Notices.
/// pgbouncer: a setting of [pgbouncer] has no target. An entry of [databases] or [users] has its name as target and
/// gives one fact with an empty setting for the whole line, then one for each of its keywords. `%include FILE` is a
/// setting "%include".
/// env: each variable is a setting without section and target.
/// compose: each variable of a service is a setting of [services] with the service as target, after "image", which is
/// empty where the service is built.
/// database-yml, prisma: an entry has its environment, or "datasource", as section and its name as target; it gives one
/// fact with an empty setting for its name, then one for each of its settings. What only the environment of the machine
/// knows is written `${NAME}`, `${NAME:-default}`, or `${}` where it cannot be told.
/// spring-yml, spring-properties, flyway-conf: the settings of migrations, by their dotted names, are one such entry
/// for each list of settings. commands, package-json: each command line that speaks of migrations or advisory locks is
/// a setting "command".
FileFacts read_config_file(FileId file, std::string_view path, std::string_view kind, std::string_view text);

/// The parts of a connection URL (postgres://, postgresql://, with or without +driver, jdbc:postgresql:, postgis://
/// ...) or of a libpq keyword string (`host=... dbname=...`); nothing when it is neither. A part that is a template or
/// a variable (`${HOST}`) stays empty and makes the endpoint likely, as do several different hosts, of which the first
/// is taken. The span is the caller's to fill in.
std::optional<Endpoint> parse_connection(std::string_view text);

} // namespace padlint
