#include "analyzer/config/config.h"
#include "analyzer/facts/linked_project.h"
#include "analyzer/facts/project_facts.h"
#include "analyzer/facts/tools.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

// The join of a client's endpoint with a pooler: the port is the pooler's, the database one that it serves. The mode of
// a user beats that of a database, which beats that of the whole pooler (measured), and the default is session.

namespace padlint {
namespace {

constexpr std::string_view default_listen_port = "6432";
constexpr std::string_view default_server_port = "5432";

struct Setting {
  std::string value;
  Span span;
  [[nodiscard]] bool given() const { return !span.empty(); }
};

struct Entry {
  Setting host, port, database, mode;
  Span span;
};

struct Pooler {
  std::string path;
  std::string environment;
  Setting mode, port;
  std::map<std::string, Entry> databases;
  std::map<std::string, Setting> users;
  std::string host; // by which clients reach it, where that is known
};

std::optional<PoolMode> mode_of(std::string value) {
  std::transform(value.begin(), value.end(), value.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (value == "session")
    return PoolMode::session;
  if (value == "transaction")
    return PoolMode::transaction;
  if (value == "statement")
    return PoolMode::statement;
  return std::nullopt;
}

/// The services of a Compose file that run a pooler: their names are their hosts, in the network of the file.
void add_services(const FileFacts& file, std::vector<Pooler>& found) {
  const PoolerImage* image = nullptr;
  Entry entry;
  std::string database;
  const auto finish = [&] {
    if (image != nullptr)
      found.back().databases[database.empty() ? "*" : database] = entry;
  };
  for (const ConfigFact& fact : file.configs) {
    const Setting setting{.value = fact.value, .span = fact.span};
    if (fact.setting == "image") {
      finish();
      image = pooler_image(fact.value);
      if (image == nullptr)
        continue;
      entry = {.span = fact.span};
      database.clear();
      found.push_back({.path = file.path, .environment = fact.environment, .host = fact.target});
      found.back().port = {.value = image->default_port, .span = fact.span};
    } else if (image == nullptr) {
      continue;
    } else if (fact.setting == image->mode) {
      found.back().mode = setting;
    } else if (fact.setting == image->port) {
      found.back().port = setting;
    } else if (fact.setting == image->database) {
      database = fact.value;
    } else if (fact.setting == image->host) {
      entry.host = setting;
    } else if (fact.setting == image->url) {
      if (const auto server = parse_connection(fact.value)) {
        database = server->database;
        entry.host = {.value = server->host, .span = fact.span};
      }
    }
  }
  finish();
}

std::vector<Pooler> poolers_of(const ProjectFacts& facts) {
  std::vector<Pooler> found;
  for (const FileId id : facts.linked->configured) {
    const FileFacts& file = facts.linked->file(id);
    if (file.configs.front().kind == "compose")
      add_services(file, found);
    if (file.configs.front().kind != "pgbouncer") // of one file all are of one kind
      continue;
    Pooler pooler{.path = file.path};
    for (const ConfigFact& fact : file.configs) {
      pooler.environment = fact.environment;
      const Setting setting{.value = fact.value, .span = fact.span}; // a repeated key: the last one counts
      if (fact.section == "pgbouncer" && fact.setting == "pool_mode")
        pooler.mode = setting;
      else if (fact.section == "pgbouncer" && fact.setting == "listen_port")
        pooler.port = setting;
      else if (fact.section == "users" && fact.setting == "pool_mode")
        pooler.users[fact.target] = setting;
      else if (fact.section == "databases") {
        Entry& entry = pooler.databases[fact.target];
        if (fact.setting.empty())
          entry.span = fact.span;
        else if (fact.setting == "host")
          entry.host = setting;
        else if (fact.setting == "port")
          entry.port = setting;
        else if (fact.setting == "dbname")
          entry.database = setting;
        else if (fact.setting == "pool_mode")
          entry.mode = setting;
      }
    }
    found.push_back(std::move(pooler));
  }
  return found;
}

std::optional<PooledRoute> route(const Pooler& pooler, const Endpoint& endpoint) {
  const std::string_view listens = pooler.port.given() ? std::string_view(pooler.port.value) : default_listen_port;
  PooledRoute out{.confidence = endpoint.confidence, .endpoint_span = endpoint.span};
  if (!pooler.host.empty() && pooler.host != endpoint.host)
    return std::nullopt;
  if (endpoint.port.empty()) {
    if (endpoint.host.empty() || (!pooler.host.empty() && listens != default_server_port))
      return std::nullopt;
    if (pooler.host.empty())
      out.confidence = weaker(out.confidence, Confidence::likely); // the port is left out
  } else if (endpoint.port != listens) {
    return std::nullopt;
  }
  auto entry = pooler.databases.find(endpoint.database);
  if (entry == pooler.databases.end()) {
    entry = pooler.databases.find("*");
    if (entry == pooler.databases.end())
      return std::nullopt;
    if (pooler.host.empty())
      out.confidence = weaker(out.confidence, Confidence::likely);
  }
  // The pooler's own way to the server is not a way through the pooler.
  const std::string_view server_port =
      entry->second.port.given() ? std::string_view(entry->second.port.value) : default_server_port;
  if (entry->second.host.given() && entry->second.host.value == endpoint.host &&
      server_port == (endpoint.port.empty() ? default_server_port : std::string_view(endpoint.port)))
    return std::nullopt;
  out.database = entry->first;
  const auto user = pooler.users.find(endpoint.user);
  const Setting* decides = nullptr;
  if (!endpoint.user.empty() && user != pooler.users.end()) {
    decides = &user->second;
    out.reason = fmt::format("for the user `{}`", endpoint.user);
  } else if (entry->second.mode.given()) {
    decides = &entry->second.mode;
    out.reason = fmt::format("for the database `{}`", entry->first);
  } else if (pooler.mode.given()) {
    decides = &pooler.mode;
    out.reason = "for the whole pooler";
  }
  if (decides == nullptr) {
    out.mode = PoolMode::session;
    out.mode_span = entry->second.span;
    out.mode_text = "the default";
    return out;
  }
  const auto mode = mode_of(decides->value);
  if (!mode)
    return std::nullopt;
  out.mode = *mode;
  out.mode_span = decides->span;
  out.mode_text = fmt::format("`pool_mode = {}`", decides->value);
  return out;
}

/// The way through a pooler that its host alone gives away.
std::optional<PooledRoute> hosted_route(const Endpoint& endpoint) {
  for (const HostedPooler& pooler : tools().poolers) {
    const bool here =
        std::ranges::any_of(pooler.hosts, [&](const std::string& host) { return glob_name(host, endpoint.host); });
    if (!here || !(pooler.port.empty() || pooler.port == endpoint.port))
      continue;
    return PooledRoute{.mode = mode_of(pooler.mode).value_or(PoolMode::session),
                       .pooler = pooler.name,
                       .database = endpoint.database,
                       .confidence = endpoint.confidence,
                       .mode_span = endpoint.span,
                       .endpoint_span = endpoint.span,
                       .mode_text = fmt::format("this host is {}", pooler.name),
                       .reason = fmt::format("in {} mode", pooler.mode)};
  }
  return std::nullopt;
}

} // namespace

std::vector<PooledRoute> ProjectFacts::pooled_routes(const Handle& handle) const {
  std::vector<PooledRoute> found;
  const std::vector<Pooler> poolers = poolers_of(*this);
  for (const Endpoint& endpoint : handle.endpoints) {
    if (auto hosted = hosted_route(endpoint)) {
      hosted->confidence = weaker(hosted->confidence, handle.confidence);
      found.push_back(std::move(*hosted));
      continue;
    }
    for (const Pooler& pooler : poolers)
      if (auto joined = route(pooler, endpoint)) {
        joined->confidence = weaker(joined->confidence, handle.confidence);
        found.push_back(std::move(*joined));
      }
  }
  return found;
}

bool ProjectFacts::has_pooler() const {
  return !poolers_of(*this).empty() || std::ranges::any_of(library_locks, [&](const LibraryLock& lock) {
    return lock.seems_pooled || std::ranges::any_of(handle(lock).endpoints, [](const Endpoint& endpoint) {
             return hosted_route(endpoint).has_value();
           });
  });
}

bool ProjectFacts::sent_as_request(const LockCall& lock) const {
  const Apis* apis = linked->apis(lock.routine.file);
  const ApiType* type = apis == nullptr ? nullptr : apis->type(handle(lock).type);
  return type != nullptr && type->requests;
}

Answer ProjectFacts::single_connection_pool(const Handle& handle) {
  if (handle.pool_size_unresolved)
    return Answer::unknown;
  return handle.pool_size && *handle.pool_size <= 1 ? Answer::yes : Answer::no;
}

} // namespace padlint
