#include "analyzer/sql/script_flow.h"

#include "analyzer/sql/tokens.h"

// psql sends each statement alone, so nothing ties two of them together but BEGIN .. COMMIT, `\;` and AUTOCOMMIT off.
// An error does not end a script either, unless ON_ERROR_STOP is on; then the session ends with it. So the blocks of a
// script have no error edges.
// Source: PostgreSQL manual, psql, "\if", "\gset", "\;" and "AUTOCOMMIT".

namespace padlint {

namespace {

struct Branch {
  std::uint32_t decision = 0;      // the block whose when_false edge is still open
  bool open = true;                // no \else yet
  std::vector<std::uint32_t> ends; // last blocks of the arms so far
};

struct Lowering {
  Flow flow = {};
  std::uint32_t current = 0;
  std::vector<Branch> branches = {};
  bool autocommit = true;
  bool transaction = false; // one is open
  bool message = false;     // inside statements joined by `\;`

  Block& block() { return flow.blocks[current]; }
  std::uint32_t new_block() {
    flow.blocks.emplace_back();
    return static_cast<std::uint32_t>(flow.blocks.size() - 1);
  }
  void edge(std::uint32_t from, EdgeKind kind, std::uint32_t to, Span span = {}) {
    flow.blocks[from].edges.push_back({kind, to, span});
  }
  void statement(const ScriptEvent& event);
  void meta(const ScriptEvent& event);
  void decide(const ScriptEvent& event, Branch& branch);
  void next_arm(Branch& branch);
  void join();
};

void Lowering::statement(const ScriptEvent& event) {
  const StatementKind kind = event.kind;
  const bool ends = kind == StatementKind::commit || kind == StatementKind::rollback;
  const bool joined = event.item.ending == Ending::joined;
  if (kind != StatementKind::begin && !ends && !transaction && !message && (!autocommit || joined)) {
    block().events.push_back({.kind = EventKind::begin, .span = event.span});
    (autocommit ? message : transaction) = true;
  }
  Event sql{.kind = EventKind::sql, .span = event.span, .number = event.number};
  if (event.item.ending == Ending::stored) {
    sql.use = ResultUse::stored;
    sql.target = event.item.argument + event.column;
  }
  block().events.push_back(std::move(sql));
  if (kind == StatementKind::begin)
    transaction = true;
  else if (ends)
    transaction = false;
  if (message && !joined) {
    block().events.push_back({.kind = EventKind::commit, .span = event.span});
    message = false;
  }
}

/// `\if :got_lock`: the variable that \gset stored. `\if :{?got_lock}`: whether there is one. Any other expression is
/// known to psql only.
Value condition_of(const std::string& argument, Span span) {
  constexpr std::string_view others = "{}? '\"";
  if (argument.starts_with(":{?") && argument.ends_with('}')) {
    const std::string name = argument.substr(3, argument.size() - 4);
    if (name.find_first_of(others) == std::string::npos)
      return {.kind = ValueKind::operation, .span = span, .text = "is not null", .parts = {make_name(name, span)}};
  }
  const bool variable = argument.starts_with(':') && argument.find_first_of(others, 1) == std::string::npos;
  return variable ? make_name(argument.substr(1), span) : make_opaque(span);
}

void Lowering::decide(const ScriptEvent& event, Branch& branch) {
  block().condition = condition_of(event.item.argument, event.span);
  branch.decision = current;
  branch.open = true;
  const std::uint32_t arm = new_block();
  edge(branch.decision, EdgeKind::when_true, arm);
  current = arm;
}

void Lowering::next_arm(Branch& branch) {
  branch.ends.push_back(current);
  current = new_block();
  edge(branch.decision, EdgeKind::when_false, current);
  branch.open = false;
}

void Lowering::join() {
  const Branch branch = std::move(branches.back());
  branches.pop_back();
  const std::uint32_t last = current;
  current = new_block();
  edge(last, EdgeKind::next, current);
  for (const std::uint32_t end : branch.ends)
    edge(end, EdgeKind::next, current);
  if (branch.open)
    edge(branch.decision, EdgeKind::when_false, current);
}

void Lowering::meta(const ScriptEvent& event) {
  const std::string& command = event.item.command;
  if (command == "if") {
    branches.emplace_back();
    decide(event, branches.back());
  } else if (command == "elif" && !branches.empty() && branches.back().open) {
    next_arm(branches.back());
    decide(event, branches.back());
  } else if (command == "else" && !branches.empty() && branches.back().open) {
    next_arm(branches.back());
  } else if (command == "endif" && !branches.empty()) {
    join();
  } else if (command == "q" || command == "quit") {
    edge(current, EdgeKind::next, exit_return, event.span);
    current = new_block(); // nothing leads here
  } else if (command == "set") {
    const std::string argument = fold(event.item.argument);
    if (argument.starts_with("autocommit"))
      autocommit = !(argument.ends_with("off") || argument.ends_with("false") || argument.ends_with('0'));
  }
}

} // namespace

Flow script_flow(const std::vector<ScriptEvent>& events) {
  Lowering lowering;
  lowering.new_block();
  for (const ScriptEvent& event : events)
    if (event.item.kind == ScriptItem::statement)
      lowering.statement(event);
    else
      lowering.meta(event);
  while (!lowering.branches.empty())
    lowering.join();
  lowering.edge(lowering.current, EdgeKind::next, exit_return);
  return std::move(lowering.flow);
}

} // namespace padlint
