#pragma once

#include "analyzer/core/lock.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

// What tools and frameworks mean that take locks without a call in the code, read from grammars/tools.toml;
// grammars/tools.md documents the keys.

namespace padlint {

/// A setting of a configuration file that has a certain value.
struct ToolSetting {
  std::string setting;
  std::string value;
};

/// A kind of configuration file whose entries are connections.
struct ConnectionConfig {
  std::vector<std::string> configs; // ConfigFact::kind
  std::vector<std::string> url;     // settings that hold an address; the first one that is given decides
  std::vector<std::pair<std::string, std::string>> parts;     // setting -> "host", "port", "database", "user"
  std::vector<std::pair<std::string, std::string>> variables; // entry -> variable that overrides its settings;
                                                              // `*`: any other, `{}` in the name is its own in capitals
  std::string server_setting;                                 // says which database server the entry is for
  std::vector<std::string> server_values;                     // ... and with these it is PostgreSQL
  std::string port;                                           // of an entry with a host and no port
  std::vector<ToolSetting> hints;                             // what is set where a pooler is in the way
};

/// A tool or framework that takes a lock while it runs.
struct Tool {
  std::string library;
  Level level = Level::session;
  std::vector<std::string> configs;       // kinds of configuration files whose connections it uses
  std::vector<std::string> commands;      // beginnings of command lines that run it
  bool needs_command = false;             // without such a command in the project it is only likely that it is used
  std::vector<ToolSetting> except;        // entries of the configuration that it leaves alone
  std::vector<ToolSetting> session;       // settings of an entry that make the lock a session-level one
  std::vector<ToolSetting> off;           // settings of an entry that switch the lock off
  std::vector<std::string> off_variables; // variables that do, with any value but none and 0
  std::vector<std::string> off_flags;     // and options of the command
  std::vector<std::string> flags;         // options with the address of the database
  std::string variable;                   // variable with the address of the database
  std::string direct;                     // advice: how to lead it past a pooler
};

/// A pooler that is known by its host.
struct HostedPooler {
  std::string name;
  std::vector<std::string> hosts; // with globs
  std::string port;               // empty: any
  std::string mode;
};

/// A container image that runs a pooler, and the variables that configure it.
struct PoolerImage {
  std::string image; // with globs, without registry and version
  std::string mode;
  std::string port;
  std::string default_port;
  std::string database; // `*`, any, when it is not given
  std::string host;     // of the server
  std::string url;      // or the address of the server and its database
};

struct Tools {
  std::vector<ConnectionConfig> connections;
  std::vector<Tool> tools;
  std::vector<HostedPooler> poolers;
  std::vector<PoolerImage> images;
};

/// What is known of an image, `registry/name:version`; nullptr when it is no pooler's.
const PoolerImage* pooler_image(std::string_view image);

/// The compiled-in table. Read once, thread-safe; a test asks for its faults.
const Tools& tools();
std::string tools_fault(std::string_view toml);

} // namespace padlint
