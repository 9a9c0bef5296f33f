#include "analyzer/host/actions.h"
#include "analyzer/host/contexts.h"
#include "analyzer/host/tidy.h"

#include <deque>
#include <utility>

// Lowering is a small compiler. What surrounds the place that is being lowered is a chain of contexts: a loop knows
// where break and continue go, handlers know which blocks an exception may reach, a cleanup knows the actions that
// every way out has to make. To leave a place one goes along the chain outwards; at a cleanup the way goes through a
// copy of its actions, one copy for each distinct way on, made when the first leaver asks for it.

namespace padlint::host {

namespace {

struct Lowering {
  Flow flow;
  Context* context = nullptr;
  std::uint32_t current = 0; // the block that the next event goes to
  std::size_t events = 0;
  bool calls_raise = true;
  bool full = false;                   // nothing is added any more
  std::deque<Context> put_off;         // one for each time that a deferred action surrounds what follows it
  std::vector<const Action*> deferred; // in the routine so far, in blocks that have ended

  Block& block() { return flow.blocks[current]; }

  std::uint32_t new_block() {
    full = full || flow.blocks.size() >= max_blocks;
    if (!full)
      flow.blocks.emplace_back();
    return static_cast<std::uint32_t>(flow.blocks.size() - 1);
  }

  void edge(EdgeKind kind, std::uint32_t target, Span span = {}) {
    if (!full)
      block().edges.push_back({.kind = kind, .target = target, .span = span});
  }

  void go_to(std::uint32_t target) { edge(EdgeKind::next, target); }

  /// Starts a new block unless the current one is still empty: events of one block share their error edges.
  void fresh_block() {
    if (block().events.empty())
      return;
    const std::uint32_t next = new_block();
    go_to(next);
    current = next;
  }

  void leave(const Leaving& leaving) {
    for (const std::uint32_t target : targets(context, leaving))
      edge(EdgeKind::next, target, leaving.span);
    current = new_block(); // what follows cannot be reached
  }

  /// Where control may go that leaves a place inside `from`: several blocks where a handler may or may not fit.
  std::vector<std::uint32_t> targets(Context* from, const Leaving& leaving) {
    std::vector<std::uint32_t> out;
    for (Context* at = from; at; at = at->outer) {
      if (at->kind == Context::cleanup) {
        out.push_back(copy_of(*at, leaving));
        return out;
      }
      if (at->kind == Context::places && (leaving.label.empty() || leaving.label == at->label))
        if (const auto place = at->place(leaving.way))
          return {*place};
      if (at->kind == Context::handlers && leaving.way == Way::error) {
        out.insert(out.end(), at->handled_at.begin(), at->handled_at.end());
        if (at->catches_all)
          return out;
      }
    }
    out.push_back(leaving.way == Way::error ? exit_error : exit_return);
    return out;
  }

  std::uint32_t copy_of(Context& cleanup, const Leaving& leaving) {
    if (const auto known = cleanup.copies.find(leaving); known != cleanup.copies.end())
      return known->second;
    const std::uint32_t entry = new_block();
    cleanup.copies[leaving] = entry;
    Context* const saved_context = std::exchange(context, cleanup.outer);
    const std::uint32_t saved_block = std::exchange(current, entry);
    clean_up(cleanup);
    for (const std::uint32_t target : targets(context, leaving))
      edge(EdgeKind::next, target, leaving.span);
    context = saved_context;
    current = saved_block;
    return entry;
  }

  void clean_up(const Context& cleanup) {
    if (!cleanup.perhaps)
      return clean_up(*cleanup.actions);
    const std::uint32_t reached = new_block();
    const std::uint32_t after = new_block();
    test(make_opaque(cleanup.actions->span), reached, after);
    current = reached;
    clean_up(*cleanup.actions);
    go_to(after);
    current = after;
  }

  /// A copy of what a `finally` does, of what was put off, or of leaving a scoped block.
  void clean_up(const Action& cleanup) {
    if (full)
      return;
    if (cleanup.kind == ActionKind::deferred) {
      Actions copies = cleanup.parts;
      return routine(copies);
    }
    if (cleanup.kind == ActionKind::scoped) {
      Event event = cleanup.event;
      event.kind = EventKind::leave;
      add(std::move(event));
      return;
    }
    Action copy = cleanup;
    lower(copy);
  }

  static bool may_raise(EventKind kind) { return kind != EventKind::assign; }

  void add(Event event) {
    if (full)
      return;
    const bool has_error_edge = !block().edges.empty();
    if (calls_raise && may_raise(event.kind) && !has_error_edge)
      for (const std::uint32_t target : targets(context, {}))
        edge(EdgeKind::error, target);
    full = full || ++events > max_events;
    if (!full)
      block().events.push_back(std::move(event));
  }

  /// Statements in order. What is put off surrounds the rest of its block and, once that has ended, perhaps the rest
  /// of the routine.
  void lower(Actions& actions) {
    Context* const outer = context;
    const std::size_t deferred_before = deferred.size();
    for (Action& action : actions) {
      if (action.kind == ActionKind::deferred) {
        put_off_from_here(action, false);
        deferred.push_back(&action);
        continue;
      }
      const std::size_t before = deferred.size();
      lower(action);
      for (std::size_t i = before; i < deferred.size(); ++i)
        put_off_from_here(*deferred[i], true);
    }
    context = outer;
    if (!actions.empty() && leaves(actions.back()))
      deferred.resize(deferred_before); // nothing comes after it
  }

  static bool leaves(const Action& action) {
    return action.kind >= ActionKind::leave_return ||
           (action.kind == ActionKind::sequence && !action.parts.empty() && leaves(action.parts.back()));
  }

  void put_off_from_here(const Action& action, bool perhaps) {
    fresh_block();
    put_off.push_back({.kind = Context::cleanup, .outer = context, .actions = &action, .perhaps = perhaps});
    context = &put_off.back();
  }

  /// The whole of a routine: at its end happens what was put off.
  void routine(Actions& actions) {
    Context* const outer = context;
    std::vector<const Action*> around = std::exchange(deferred, {});
    for (Action& action : actions) {
      const std::size_t before = deferred.size();
      if (action.kind == ActionKind::deferred)
        put_off_from_here(action, false);
      else
        lower(action);
      for (std::size_t i = before; i < deferred.size(); ++i)
        put_off_from_here(*deferred[i], true);
    }
    while (context != outer) {
      const Context& last = *context;
      context = last.outer;
      clean_up(last);
    }
    deferred = std::move(around);
  }

  void lower(Action& action) {
    if (full)
      return;
    switch (action.kind) {
    case ActionKind::event: add(std::move(action.event)); break;
    case ActionKind::sequence: lower(action.parts); break;
    case ActionKind::branch: branch(action.parts); break;
    case ActionKind::loop: loop(action); break;
    case ActionKind::breakable: breakable(action); break;
    case ActionKind::attempt: attempt(action); break;
    case ActionKind::scoped: scoped(action); break;
    case ActionKind::inlined: inlined(action); break;
    case ActionKind::leave_return: leave({Way::to_return, action.span, {}}); break;
    case ActionKind::leave_throw: leave({Way::error, action.span, {}}); break;
    case ActionKind::leave_break: leave({Way::to_break, {}, action.label}); break;
    case ActionKind::leave_continue: leave({Way::to_continue, {}, action.label}); break;
    case ActionKind::leave_retry: leave({Way::to_retry, {}, {}}); break;
    case ActionKind::deferred:
    case ActionKind::test:
    case ActionKind::negate:
    case ActionKind::both:
    case ActionKind::either:
    case ActionKind::handler: break; // lowered by what they are a part of
    }
  }

  /// Ends the current block with the edges of a condition.
  void condition(Action& action, std::uint32_t if_true, std::uint32_t if_false) {
    if (action.kind == ActionKind::negate) {
      condition(action.parts[0], if_false, if_true);
    } else if (action.kind == ActionKind::both || action.kind == ActionKind::either) {
      for (Action& part : action.parts) {
        const bool last = &part == &action.parts.back();
        const std::uint32_t more = last ? 0 : new_block();
        condition(part, last || action.kind == ActionKind::either ? if_true : more,
                  last || action.kind == ActionKind::both ? if_false : more);
        current = more;
      }
    } else {
      lower(action.parts);
      test(std::move(action.event.value), if_true, if_false);
    }
  }

  void test(Value value, std::uint32_t if_true, std::uint32_t if_false) {
    if (value.is(ValueKind::boolean) || value.is(ValueKind::integer)) {
      go_to(value.number != 0 ? if_true : if_false);
      return;
    }
    edge(EdgeKind::when_true, if_true);
    edge(EdgeKind::when_false, if_false);
    if (!full)
      block().condition = std::move(value);
  }

  void branch(Actions& parts) {
    const std::uint32_t after = new_block();
    for (std::size_t i = 0; i + 1 < parts.size(); i += 2) {
      const std::uint32_t then = new_block();
      const std::uint32_t otherwise = i + 2 < parts.size() ? new_block() : after;
      condition(parts[i], then, otherwise);
      current = then;
      lower(parts[i + 1]);
      go_to(after);
      current = otherwise;
    }
    if (parts.size() % 2 == 1) {
      lower(parts.back());
      go_to(after);
      current = after;
    }
  }

  void loop(Action& action) {
    Actions& parts = action.parts;
    const std::uint32_t head = new_block();
    const std::uint32_t body = new_block();
    const std::uint32_t round_end = parts.size() > 3 ? new_block() : head;
    const std::uint32_t otherwise = new_block();
    const std::uint32_t after = new_block();
    go_to(head);
    current = head;
    condition(parts[0], body, otherwise);
    Context around{.outer = context, .label = action.label, .on_break = after, .on_continue = round_end};
    context = &around;
    current = body;
    lower(parts[1]);
    go_to(round_end);
    context = around.outer;
    if (parts.size() > 3) {
      current = round_end;
      lower(parts[3]);
      go_to(head);
    }
    current = otherwise;
    if (parts.size() > 2)
      lower(parts[2]);
    go_to(after);
    current = after;
  }

  void breakable(Action& action) {
    const std::uint32_t after = new_block();
    Context around{.outer = context, .label = action.label, .on_break = after};
    context = &around;
    lower(action.parts);
    context = around.outer;
    go_to(after);
    current = after;
  }

  void inlined(Action& action) {
    const std::uint32_t after = new_block();
    Context around{.outer = context, .on_return = after};
    context = &around;
    routine(action.parts);
    context = around.outer;
    go_to(after);
    current = after;
  }

  void attempt(Action& action) {
    Context cleanup{.kind = Context::cleanup, .outer = context, .actions = &action.parts[2]};
    if (action.cleans_up)
      context = &cleanup;
    Context handlers{.kind = Context::handlers, .outer = context};
    for (std::size_t i = 3; i < action.parts.size(); ++i) {
      handlers.handled_at.push_back(new_block());
      handlers.catches_all = handlers.catches_all || action.parts[i].catches_all;
    }
    const std::uint32_t after = new_block();

    fresh_block();
    const std::uint32_t begin = current;
    context = &handlers;
    lower(action.parts[0]);
    context = handlers.outer;
    fresh_block();
    lower(action.parts[1]);
    go_to(after);
    Context again{.outer = context, .on_retry = begin};
    context = &again;
    for (std::size_t i = 3; i < action.parts.size(); ++i) {
      current = handlers.handled_at[i - 3];
      lower(action.parts[i].parts);
      go_to(after);
    }
    context = again.outer;
    current = after;
    if (action.cleans_up) {
      context = cleanup.outer;
      clean_up(action.parts[2]);
    }
  }

  void scoped(Action& action) {
    add(action.event);
    fresh_block();
    Context outside{.outer = context};
    Context around{.kind = Context::cleanup, .outer = &outside, .actions = &action};
    Context inside{.outer = &around};
    if (action.block) {
      outside.on_break = new_block();
      inside.on_continue = new_block();
    }
    context = &inside;
    lower(action.parts);
    context = outside.outer;
    if (action.block)
      continue_at(*inside.on_continue);
    fresh_block();
    clean_up(action);
    if (action.block)
      continue_at(*outside.on_break);
  }

  void continue_at(std::uint32_t block) {
    go_to(block);
    current = block;
  }
};

} // namespace

LoweredFlow lower(Actions actions, bool calls_raise) {
  Lowering lowering{.calls_raise = calls_raise};
  lowering.current = lowering.new_block();
  lowering.routine(actions);
  lowering.go_to(exit_return);
  tidy(lowering.flow);
  return {std::move(lowering.flow), !lowering.full};
}

} // namespace padlint::host
