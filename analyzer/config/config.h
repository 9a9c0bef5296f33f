#pragma once

#include "analyzer/core/file_facts.h"
#include "analyzer/core/handle.h"

#include <optional>
#include <string>
#include <string_view>

namespace padlint {

/// The kind of configuration file that a path (relative, '/') names: "pgbouncer", "env"; empty for none of ours.
std::string_view config_kind(std::string_view path);

/// Reads a configuration file: its settings as ConfigFacts in order, what is wrong with it as Notices.
FileFacts read_config_file(FileId file, std::string_view path, std::string_view kind, std::string_view text);

/// The parts of a connection URL (postgres://, postgresql://, with or without +driver, postgis://, ...) or of a libpq
/// keyword string (`host=... dbname=...`); nothing when it is neither. The span is the caller's to fill in.
std::optional<Endpoint> parse_connection(std::string_view text);

/// The text with the password of each URL's userinfo and each value of a password-like key replaced by `***`.
std::string masked(std::string_view text);

} // namespace padlint
