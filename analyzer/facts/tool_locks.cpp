#include "analyzer/config/config.h"
#include "analyzer/facts/config_connections.h"
#include "analyzer/facts/environment.h"
#include "analyzer/facts/library_locks.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

// The locks of tools: a connection of a configuration file that a tool migrates, or a command that runs it.

namespace padlint {
namespace {

struct Command {
  const FileFacts* file = nullptr;
  const ConfigFact* fact = nullptr;
  std::size_t at = 0; // where the tool's own words begin
};

/// The offset at which a command line runs one of these commands.
std::optional<std::size_t> runs(std::string_view line, const std::vector<std::string>& commands) {
  for (const std::string& command : commands)
    for (std::size_t at = line.find(command); at != std::string_view::npos; at = line.find(command, at + 1))
      if (at == 0 || std::string_view(" \t\"'`;&|(/=").contains(line[at - 1]))
        return at;
  return std::nullopt;
}

/// The word after `name` and one of `=`, `: ` and a blank, without quotes; nothing when the line does not have it.
std::optional<std::string> word_after(std::string_view line, std::string_view name, std::string_view separators) {
  for (std::size_t at = line.find(name); at != std::string_view::npos; at = line.find(name, at + 1)) {
    std::size_t end = at + name.size();
    const bool begins = at == 0 || !(std::isalnum(static_cast<unsigned char>(line[at - 1])) || line[at - 1] == '_' ||
                                     line[at - 1] == '-');
    if (!begins || end >= line.size() || !separators.contains(line[end]))
      continue;
    end = std::min(line.find_first_not_of(" :=\"'", end), line.size());
    return std::string(line.substr(end, line.find_first_of(" \t\"'", end) - end));
  }
  return std::nullopt;
}

bool switches_off(const std::string& value) { return !value.empty() && value != "0"; }

/// A step of a pipeline has an environment of its own, which files of the project do not set.
bool in_pipeline(const Command& command) {
  const std::string& path = command.file->path;
  return path.contains(".github/workflows/") || path.ends_with(".gitlab-ci.yml");
}

/// Places from which a deployment runs a command once, whatever the number of replicas: a release phase, a pipeline,
/// the build of a host that builds each deployment once.
bool runs_once(const Command& command) {
  constexpr std::array<std::string_view, 4> phases = {"release:", "release_command", "preDeployCommand", "postdeploy"};
  constexpr std::array<std::string_view, 4> scripts = {"vercel-build", "heroku-postbuild", "release", "postdeploy"};
  const std::string& path = command.file->path;
  const std::string_view name = std::string_view(path).substr(path.rfind('/') + 1);
  return in_pipeline(command) ||
         std::ranges::any_of(phases,
                             [&](std::string_view phase) { return command.fact->value.find(phase) < command.at; }) ||
         std::ranges::any_of(scripts, [&](std::string_view script) {
           return command.fact->target == script || name.substr(0, name.rfind('.')) == script;
         });
}

class Collector {
public:
  explicit Collector(ProjectFacts& facts) : facts_(facts), project_(*facts.linked) {
    for (const FileId id : project_.configured)
      if (const FileFacts& file = project_.file(id); !file.traits.test)
        for (const ConfigFact& fact : file.configs)
          if (fact.setting == "command")
            command_lines_.push_back({.file = &file, .fact = &fact, .at = fact.value.size()});
  }

  void run() {
    for (const Tool& tool : tools().tools) {
      const std::vector<Command> commands = commands_of(tool);
      if (tool.configs.empty()) {
        for (const Command& command : commands)
          of_command(tool, command);
        continue;
      }
      for (const std::string& config : tool.configs)
        for (const ConfigConnection& connection : config_connections(project_, config)) {
          std::vector<Command> own = commands;
          std::erase_if(own, [&](const Command& each) { return !near(each.file->file, connection.span.file); });
          if (!configured_in_code(tool, connection.span.file))
            of_connection(tool, connection, own);
        }
    }
  }

private:
  [[nodiscard]] std::vector<Command> commands_of(const Tool& tool) const {
    std::vector<Command> found;
    for (const Command& line : command_lines_)
      if (const auto at = runs(line.fact->value, tool.commands))
        found.push_back({.file = line.file, .fact = line.fact, .at = *at});
    return found;
  }

  /// Whether one of two files is part of the other one's unit or of what lies around it.
  [[nodiscard]] bool near(FileId a, FileId b) const { return project_.reaches(a, b) || project_.reaches(b, a); }

  /// Whether a call of the project gives the tool its connection, and the file's is not used.
  [[nodiscard]] bool configured_in_code(const Tool& tool, FileId file) const {
    return std::ranges::any_of(facts_.library_locks, [&](const LibraryLock& lock) {
      return lock.routine && lock.library == tool.library && near(lock.span.file, file);
    });
  }

  void of_connection(const Tool& tool, const ConfigConnection& connection, const std::vector<Command>& commands) {
    if (leads_to_postgresql(project_, connection) == Answer::no ||
        std::ranges::any_of(tool.except, [&](const ToolSetting& each) { return connection.has(each); }))
      return;
    LibraryLock lock = made(tool, connection.span, connection.name);
    if (leads_to_postgresql(project_, connection) == Answer::unknown)
      step(lock, "nothing says which database server this is", connection.span);
    if (environment_rank(connection.environment) == 0)
      step(lock, fmt::format("only the environment `{}` is known", connection.environment), connection.span);
    if (tool.needs_command && commands.empty())
      step(lock, "no command of the project runs it", connection.span);
    for (const ToolSetting& setting : tool.session)
      if (connection.has(setting)) {
        lock.level = Level::session;
        lock.span = connection.settings.at(setting.setting)->span;
      }
    for (const ToolSetting& setting : tool.off)
      if (const auto found = connection.settings.find(setting.setting); found != connection.settings.end()) {
        const Expanded value = expanded(project_, found->second->value, connection.environment, connection.span.file);
        if (value.text == setting.value) {
          lock.off = true;
          lock.decided = found->second->span;
          lock.confidence = weaker(lock.confidence, value.confidence);
        }
      }
    off_by_variable(tool, lock);
    once(lock, commands);
    Handle handle = handle_for(tool, endpoints_of(project_, connection));
    if (const auto own = of_own_variable(tool, commands))
      handle.endpoints = *own;
    // Both switches together are what guides to poolers tell; which address it is only the machine knows.
    if (lock.off && handle.endpoints.empty())
      for (const ToolSetting& hint : connection.table->hints)
        if (connection.has(hint))
          lock.seems_pooled = Step{
              .text = fmt::format("`{}: {}` is what a pooler in transaction mode asks for", hint.setting, hint.value),
              .span = connection.settings.at(hint.setting)->span,
              .confidence = Confidence::likely};
    for (const Endpoint& endpoint : handle.endpoints)
      seem_pooled(lock, connection, endpoint);
    add(std::move(lock), std::move(handle));
  }

  void of_command(const Tool& tool, const Command& command) {
    const std::string& line = command.fact->value;
    LibraryLock lock = made(tool, command.fact->span,
                            std::string(line.substr(command.at, line.find_first_of(";&|", command.at) - command.at)));
    for (const std::string& flag : tool.off_flags)
      if (line.find(flag, command.at) != std::string::npos) {
        lock.off = true;
        lock.decided = lock.span;
      }
    off_by_variable(tool, lock);
    once(lock, {command});
    std::vector<Endpoint> endpoints = endpoints_of_command(tool, command);
    if (!lock.off && endpoints.empty() && in_pipeline(command))
      return; // a test run, mostly
    add(std::move(lock), handle_for(tool, std::move(endpoints)));
  }

  LibraryLock made(const Tool& tool, Span span, std::string taker) const {
    constexpr std::size_t longest_taker = 60;
    if (taker.size() > longest_taker)
      taker = taker.substr(0, taker.rfind(' ', longest_taker)) + " ...";
    while (taker.ends_with(' '))
      taker.pop_back();
    return {.span = span,
            .library = tool.library,
            .taker = std::move(taker),
            .level = tool.level,
            .tool = true,
            .direct = tool.direct};
  }

  static Handle handle_for(const Tool& tool, std::vector<Endpoint> endpoints) {
    return {.kind = HandleKind::pinned, .text = tool.library, .endpoints = std::move(endpoints)};
  }

  static void step(LibraryLock& lock, std::string text, Span span) {
    lock.steps.push_back({.text = std::move(text), .span = span, .confidence = Confidence::likely});
  }

  void off_by_variable(const Tool& tool, LibraryLock& lock) const {
    for (const std::string& variable : tool.off_variables) {
      for (const ConfigFact* fact : settings_of(project_, variable, lock.span.file))
        if (environment_rank(fact->environment) == 1 && switches_off(fact->value)) {
          lock.off = true;
          lock.decided = fact->span;
        }
      for (const Command& line : command_lines_)
        if (near(line.file->file, lock.span.file))
          if (const auto value = word_after(line.fact->value, variable, "=: "); value && switches_off(*value)) {
            lock.off = true;
            lock.decided = line.fact->span;
            if (runs_once(line))
              lock.single_run = line.fact->span;
          }
    }
  }

  void once(LibraryLock& lock, const std::vector<Command>& commands) const {
    if (project_.notes.single_runner)
      lock.single_run = lock.span;
    if (!commands.empty() && std::ranges::all_of(commands, runs_once))
      lock.single_run = commands.front().fact->span;
  }

  /// Where the tool leads when every command that runs it sets the variable with the address itself; nothing when they
  /// do not.
  std::optional<std::vector<Endpoint>> of_own_variable(const Tool& tool, const std::vector<Command>& commands) const {
    std::vector<Endpoint> found;
    if (tool.variable.empty() || commands.empty())
      return std::nullopt;
    for (const Command& command : commands) {
      const auto value = word_after(std::string_view(command.fact->value).substr(0, command.at), tool.variable, "=");
      if (!value)
        return std::nullopt;
      const auto some = of_text(*value, command.fact->span);
      found.insert(found.end(), some.begin(), some.end());
    }
    return found;
  }

  std::vector<Endpoint> endpoints_of_command(const Tool& tool, const Command& command) const {
    const std::string& line = command.fact->value;
    for (const std::string& flag : tool.flags)
      if (const auto value = word_after(std::string_view(line).substr(command.at), flag, " ="))
        return of_text(*value, command.fact->span);
    if (tool.variable.empty() || in_pipeline(command))
      return {};
    const auto own = word_after(std::string_view(line).substr(0, command.at), tool.variable, "=");
    return of_text(own ? *own : "${" + tool.variable + "}", command.fact->span);
  }

  /// The address that a word of a command is, its variables put in.
  std::vector<Endpoint> of_text(std::string word, Span span) const {
    if (word.starts_with('$') && !word.starts_with("${"))
      word = "${" + word.substr(1) + "}";
    const Expanded address = expanded(project_, word, {}, span.file);
    std::optional<Endpoint> endpoint = parse_connection(address.text);
    if (!endpoint)
      return {};
    endpoint->span = address.only == nullptr ? span : address.only->span;
    endpoint->confidence = weaker(endpoint->confidence, address.confidence);
    return {*endpoint};
  }

  /// A port of poolers together with a setting that only a pooler asks for.
  static void seem_pooled(LibraryLock& lock, const ConfigConnection& connection, const Endpoint& endpoint) {
    constexpr std::array<std::string_view, 2> pooler_ports = {"6432", "6543"};
    if (std::ranges::find(pooler_ports, endpoint.port) == pooler_ports.end())
      return;
    for (const ToolSetting& hint : connection.table->hints)
      if (connection.has(hint))
        lock.seems_pooled =
            Step{.text = fmt::format("port {} and `{}: {}` are what a pooler in transaction mode asks for",
                                     endpoint.port, hint.setting, hint.value),
                 .span = endpoint.span,
                 .confidence = Confidence::likely};
  }

  void add(LibraryLock lock, Handle handle) {
    lock.handle = static_cast<HandleId>(facts_.handles.size());
    facts_.handles.push_back(std::move(handle));
    facts_.library_locks.push_back(std::move(lock));
  }

  ProjectFacts& facts_;
  const LinkedProject& project_;
  std::vector<Command> command_lines_; // whole lines
};

} // namespace

void collect_tool_locks(ProjectFacts& facts) { Collector(facts).run(); }

} // namespace padlint
