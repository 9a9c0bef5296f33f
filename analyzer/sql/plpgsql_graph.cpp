#include "analyzer/sql/plpgsql_graph.h"

#include "analyzer/core/confidence.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

// Which handler runs: the first one, from the inside out, whose conditions fit. OTHERS fits all but query_canceled and
// assert_failure; a condition that ends a class of SQLSTATEs (plpgsql_error is P0000) fits the whole class.
// Source: PostgreSQL manual, "Trapping Errors"; exception_matches_conditions in pl_exec.c.

namespace padlint {

namespace {

constexpr std::array<std::string_view, 4> cancels = {"query_canceled", "57014", "operator_intervention", "57000"};
constexpr std::array<std::string_view, 2> assertions = {"assert_failure", "p0004"};
constexpr std::array<std::string_view, 2> plpgsql_class = {"plpgsql_error", "p0000"};
constexpr std::array<std::string_view, 2> raised_by_default = {"raise_exception", "p0001"};

bool among(const auto& names, std::string_view name) { return std::ranges::find(names, name) != names.end(); }

Answer catches(std::string_view condition, const PlRaised& raised) {
  const bool always = among(plpgsql_class, condition);
  switch (raised.kind) {
  case PlRaised::cancel: return among(cancels, condition) ? Answer::yes : Answer::no;
  case PlRaised::assertion: return always || among(assertions, condition) ? Answer::yes : Answer::no;
  case PlRaised::error:
    if (condition == "others")
      return Answer::yes;
    return among(cancels, condition) || among(assertions, condition) ? Answer::no : Answer::unknown;
  case PlRaised::exception:
    if (condition == "others" || condition == raised.condition)
      return Answer::yes;
    if (raised.condition.empty())
      return always || among(raised_by_default, condition) ? Answer::yes : Answer::no;
    return Answer::unknown;
  }
  return Answer::unknown;
}

Answer catches(const std::vector<std::string>& conditions, const PlRaised& raised) {
  Answer answer = Answer::no;
  for (const std::string& condition : conditions) {
    const Answer one = catches(condition, raised);
    answer = one == Answer::yes || answer == Answer::no ? one : answer;
  }
  return answer;
}

EdgeKind edge_kind(const PlRaised& raised) {
  return raised.kind == PlRaised::cancel || raised.kind == PlRaised::assertion ? EdgeKind::cancel : EdgeKind::error;
}

/// A block that only leads on to another one.
bool only_leads_on(const Block& block) {
  return block.events.empty() && block.edges.size() == 1 && block.edges[0].kind == EdgeKind::next &&
         block.edges[0].span.empty();
}

/// What raises looks at this many conditions of handlers, and may end in this many of them.
constexpr std::size_t max_conditions = 128;
constexpr std::size_t max_escapes = 32;

/// Chains of empty blocks are as long as ends of constructs can coincide.
constexpr int max_chain = 256;

/// The block behind the empty ones; a loop of empty blocks stays.
std::uint32_t behind_empty(const Flow& flow, std::uint32_t block) {
  for (int steps = 0; steps < max_chain && !is_exit(block) && only_leads_on(flow.blocks[block]); ++steps)
    block = flow.blocks[block].edges[0].target;
  return block;
}

bool is_sql(const Event& event) { return event.kind == EventKind::sql; }

/// Depth first, edges in order.
void visit(const Flow& flow, std::uint32_t root, std::vector<std::uint32_t>& order, std::vector<bool>& seen) {
  std::vector<std::uint32_t> waiting = {root};
  while (!waiting.empty()) {
    const std::uint32_t block = waiting.back();
    waiting.pop_back();
    if (is_exit(block) || seen[block])
      continue;
    seen[block] = true;
    order.push_back(block);
    for (auto edge = flow.blocks[block].edges.rbegin(); edge != flow.blocks[block].edges.rend(); ++edge)
      waiting.push_back(edge->target);
  }
}

} // namespace

PlGraph::PlGraph() { start(add_block()); }

std::uint32_t PlGraph::add_block() {
  flow.blocks.emplace_back();
  escapes.emplace_back();
  return static_cast<std::uint32_t>(flow.blocks.size() - 1);
}

void PlGraph::start(std::uint32_t block) { current = block; }

Block& PlGraph::here() {
  if (!current)
    start(add_block());
  return flow.blocks[*current];
}

void PlGraph::add(Event event) { here().events.push_back(std::move(event)); }

void PlGraph::add_statement(Event event) {
  add(std::move(event));
  std::vector<Edge>& edges = escapes[*current];
  if (edges.empty()) {
    escape(edges, {.kind = PlRaised::error});
    escape(edges, {.kind = PlRaised::cancel});
  }
}

void PlGraph::escape(std::vector<Edge>& edges, const PlRaised& raised) const {
  const EdgeKind kind = edge_kind(raised);
  std::size_t conditions = 0;
  for (auto frame = frames.rbegin(); frame != frames.rend(); ++frame)
    for (const PlCatcher& catcher : frame->catchers) {
      conditions += catcher.conditions.size();
      if (conditions > max_conditions)
        break;
      const Answer answer = catches(catcher.conditions, raised);
      if (answer == Answer::yes || (answer == Answer::unknown && edges.size() < max_escapes))
        edges.push_back({kind, catcher.block, raised.span});
      if (answer == Answer::yes)
        return;
    }
  edges.push_back({kind, kind == EdgeKind::cancel ? exit_cancel : exit_error, raised.span});
}

void PlGraph::jump(std::uint32_t target, Span span) {
  here().edges.push_back({EdgeKind::next, target, span});
  current.reset();
}

void PlGraph::branch(Value condition, std::uint32_t holds, std::uint32_t fails) {
  here().condition = std::move(condition);
  here().edges.push_back({EdgeKind::when_true, holds, {}});
  here().edges.push_back({EdgeKind::when_false, fails, {}});
  current.reset();
}

void PlGraph::raise(PlRaised raised) {
  if (among(cancels, raised.condition)) // as if the server had raised it
    raised.kind = PlRaised::cancel;
  else if (among(assertions, raised.condition))
    raised.kind = PlRaised::assertion;
  own_block();
  escape(here().edges, raised);
  current.reset();
}

void PlGraph::raise_again(Span span) {
  own_block();
  std::vector<Edge>& edges = here().edges;
  const auto handler =
      std::find_if(frames.rbegin(), frames.rend(), [](const PlFrame& frame) { return !frame.caught.empty(); });
  if (handler == frames.rend()) {
    escape(edges, {.kind = PlRaised::error, .span = span});
  } else {
    for (const PlRaised::Kind kind : {PlRaised::error, PlRaised::cancel, PlRaised::assertion}) {
      const PlRaised raised{.kind = kind, .span = span};
      if (catches(handler->caught, raised) != Answer::no)
        escape(edges, raised);
    }
  }
  current.reset();
}

void PlGraph::own_block() {
  if (!here().events.empty()) {
    const std::uint32_t block = add_block();
    jump(block);
    start(block);
  }
}

void PlGraph::leave_routine(Span span) {
  commit_sub_transactions(0);
  jump(exit_return, span);
}

bool PlGraph::leave(const std::string& label, bool again) {
  for (std::size_t i = frames.size(); i-- > 0;) {
    const PlFrame& frame = frames[i];
    if (label.empty() ? frame.loop : frame.label == label && (frame.loop || !again)) {
      commit_sub_transactions(i);
      jump(again ? frame.again : frame.behind);
      return true;
    }
  }
  return false;
}

void PlGraph::begin_sub_transaction(Span span) {
  add({.kind = EventKind::enter, .span = span, .value = make_name("exception_block", span)});
}

void PlGraph::commit_sub_transaction(const PlFrame& frame) {
  if (frame.guarded)
    add({.kind = EventKind::leave, .span = frame.span, .value = make_name("exception_block", frame.span)});
}

void PlGraph::roll_back_sub_transaction(const PlFrame& frame) {
  add({.kind = EventKind::leave, .span = frame.span, .value = make_name("exception_rollback", frame.span)});
}

void PlGraph::commit_sub_transactions(std::size_t outermost) {
  for (std::size_t i = frames.size(); i-- > outermost;)
    commit_sub_transaction(frames[i]);
}

Flow PlGraph::finish() && {
  for (std::size_t i = 0; i < flow.blocks.size(); ++i) {
    std::vector<Edge>& edges = flow.blocks[i].edges;
    edges.insert(edges.end(), escapes[i].begin(), escapes[i].end());
  }
  for (Block& block : flow.blocks)
    for (Edge& edge : block.edges)
      edge.target = behind_empty(flow, edge.target);
  std::vector<std::uint32_t> order;
  std::vector<bool> seen(flow.blocks.size());
  visit(flow, 0, order, seen);
  for (std::uint32_t block = 0; block < flow.blocks.size(); ++block)
    if (std::ranges::any_of(flow.blocks[block].events, is_sql))
      visit(flow, block, order, seen);
  std::vector<std::uint32_t> number(flow.blocks.size());
  for (std::uint32_t i = 0; i < order.size(); ++i)
    number[order[i]] = i;
  Flow result;
  for (const std::uint32_t block : order) {
    result.blocks.push_back(std::move(flow.blocks[block]));
    for (Edge& edge : result.blocks.back().edges)
      edge.target = is_exit(edge.target) ? edge.target : number[edge.target];
  }
  return result;
}

} // namespace padlint
