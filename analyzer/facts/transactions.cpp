#include "analyzer/facts/marks.h"
#include "analyzer/facts/project_facts.h"
#include "analyzer/facts/session_start.h"
#include "analyzer/facts/typing.h"

#include <fmt/format.h>

#include <algorithm>

// Whether a transaction is open at a point of a routine. Where only the caller can tell, the same question is asked at
// each known call.

namespace padlint {
namespace {

constexpr int max_hops = 3;

struct Point {
  RoutineRef routine;
  Span event;
  EventKind kind = EventKind::call;
  LockId stop_at = ~LockId{0}; // effects of the event before this acquire count
};

class Asker {
public:
  explicit Asker(const ProjectFacts& facts) : project_(*facts.linked) {}

  TransactionAnswer at(const Point& point, const Handle& handle) const {
    TransactionAnswer answer{.confidence = handle.confidence, .steps = handle.steps};
    if (handle.kind == HandleKind::transaction) {
      answer.explicit_block = true;
      return with(answer, TransactionState::open);
    }
    const auto session = session_start(project_, point.routine, handle);
    if (!session)
      return with(answer, TransactionState::unknown);
    if (handle.ambient && mark_of(project_, point.routine) == "request" &&
        transaction_per_request(project_, point.routine.file) == Answer::unknown) {
      answer.confidence = weaker(answer.confidence, Confidence::likely);
      answer.steps.push_back(
          {.text = "requests run in autocommit unless the settings, which were not found, say otherwise",
           .span = project_.routine(point.routine).name_span,
           .confidence = Confidence::likely});
    }
    const TransactionFlow& flow = transaction_flow(project_, point.routine, handle.identity, *session);
    // Each call of a pool stands alone: only what the same message began is open, or a block over the pool itself.
    const bool alone = handle.kind == HandleKind::pool && !begun_in_blocks(point.routine, handle.identity);
    Mask mask = alone ? TransactionFlow::bit(session->start, 0) : flow.before(point.event, point.kind);
    if (const auto* effects = effects_of(project_, point.routine, point.event, point.kind);
        effects != nullptr && point.stop_at != ~LockId{0})
      for (const Effect& effect : *effects) {
        if (effect.kind == Effect::acquire && effect.id == point.stop_at)
          break;
        mask = flow.after(effect, mask);
      }
    answer.explicit_block = TransactionFlow::open_explicitly(mask);
    if (TransactionFlow::open(mask))
      return with(answer, TransactionState::open);
    if (mask == TransactionFlow::bit(TransactionFlow::autocommit, 0))
      return with(answer, TransactionState::none);
    const Mask caller = TransactionFlow::bit(TransactionFlow::from_caller, 0);
    if ((mask & caller) != 0 && ((mask & ~caller) == 0 || TransactionFlow::open(mask & ~caller)))
      return with(answer, TransactionState::caller);
    return with(answer, TransactionState::unknown);
  }

  /// The same for where a lock is taken: a routine that only the framework calls has no other callers.
  TransactionAnswer of_lock(const Point& point, const Handle& handle) const {
    TransactionAnswer answer = at(point, handle);
    if (answer.state == TransactionState::caller)
      if (const auto routed = routed_without_transaction(point.routine, handle)) {
        answer.state = TransactionState::none;
        answer.steps.push_back(*routed);
      }
    return answer;
  }

  /// Each known caller of a lock's routine, in the order of the text.
  std::vector<CallerAnswer> callers(RoutineRef routine, const Handle& handle, Span lock) const {
    std::vector<CallerAnswer> answers;
    std::vector<RoutineRef> seen;
    callers(routine, handle, 1, lock, answers, seen);
    std::sort(answers.begin(), answers.end(),
              [](const CallerAnswer& a, const CallerAnswer& b) { return a.call < b.call; });
    return answers;
  }

private:
  /// `via` is the call that leads to the lock, or the lock itself: what is told when the routine is only handed over.
  void callers(RoutineRef routine, const Handle& handle, int depth, Span via, std::vector<CallerAnswer>& out,
               std::vector<RoutineRef>& seen) const {
    const auto known = project_.callers.find(routine);
    if (known == project_.callers.end() || depth > max_hops ||
        std::find(seen.begin(), seen.end(), routine) != seen.end())
      return;
    seen.push_back(routine);
    for (std::size_t index : known->second) {
      const CallSite& site = project_.calls[index];
      if (project_.file(site.caller.file).traits.test)
        continue;
      CallerAnswer answer{.call = site.span, .routine = site.caller};
      if (!site.transaction.empty()) {
        answer.transaction.state = state_of(site.transaction);
        answer.call = via;
        answer.routine = routine;
        answer.transaction.steps.push_back({.text = "the routine is handed over here", .span = site.span});
        out.push_back(std::move(answer));
        continue;
      }
      const std::optional<Handle> there = passed(handle, routine, site);
      if (!there) {
        answer.transaction.state = TransactionState::unknown;
        out.push_back(std::move(answer));
        continue;
      }
      answer.transaction = at({site.caller, site.span, EventKind::call}, *there);
      answer.transaction.confidence = weaker(answer.transaction.confidence, site.confidence);
      if (answer.transaction.state != TransactionState::caller) {
        out.push_back(std::move(answer));
        continue;
      }
      if (const auto routed = routed_without_transaction(site.caller, *there)) {
        answer.transaction.state = TransactionState::none;
        answer.transaction.steps.push_back(*routed);
        out.push_back(std::move(answer));
        continue;
      }
      const std::size_t before = out.size();
      callers(site.caller, *there, depth + 1, site.span, out, seen);
      if (out.size() > before)
        continue;
      // Nobody calls the caller. The library's own connection is in autocommit unless somebody says otherwise.
      // Where methods are called on objects of unknown types, callers that nobody sees are the rule.
      const Apis* apis = project_.apis(site.caller.file);
      if (there->ambient && !project_.callers.contains(site.caller) && !is_method_of_unknown(site.caller) &&
          apis != nullptr && !apis->accessors) {
        answer.transaction.state = TransactionState::none;
        answer.transaction.confidence = weaker(answer.transaction.confidence, Confidence::likely);
        answer.transaction.steps.push_back(
            {.text = "nothing in the project calls this routine from within a transaction",
             .span = site.span,
             .confidence = Confidence::likely});
      }
      out.push_back(std::move(answer));
    }
    seen.pop_back();
  }

  static TransactionState state_of(std::string_view word) {
    return word == "none"   ? TransactionState::none
           : word == "open" ? TransactionState::open
                            : TransactionState::unknown;
  }

  /// A routine that only the framework calls, for requests that the settings give no transaction.
  std::optional<Step> routed_without_transaction(RoutineRef ref, const Handle& handle) const {
    const auto known = project_.callers.find(ref);
    const Apis* apis = project_.apis(ref.file);
    if (!handle.ambient || known == project_.callers.end() || apis == nullptr || mark_of(project_, ref) == "unknown")
      return std::nullopt;
    for (std::size_t index : known->second)
      if (project_.calls[index].transaction != "request")
        return std::nullopt;
    if (transaction_per_request(project_, ref.file) == Answer::no)
      return Step{.text = "requests are routed to it, and the settings open no transaction for a request",
                  .span = project_.calls[known->second.front()].span};
    return std::nullopt;
  }

  /// Whether all transactions of that session in the routine are blocks.
  bool begun_in_blocks(RoutineRef routine, const std::string& identity) const {
    const auto events = project_.effects.find(routine);
    bool any = false;
    if (events != project_.effects.end())
      for (const auto& [key, effects] : events->second)
        for (const Effect& effect : effects)
          if (effect.kind == Effect::begin && effect.identity == identity) {
            if (!effect.scoped)
              return false;
            any = true;
          }
    return any;
  }

  static TransactionAnswer with(TransactionAnswer answer, TransactionState state) {
    answer.state = state;
    return answer;
  }

  bool is_method_of_unknown(RoutineRef ref) const { return mark_of(project_, ref) == "unknown"; }

  /// The handle of a callee as its caller has it.
  std::optional<Handle> passed(const Handle& handle, RoutineRef callee, const CallSite& site) const {
    if (handle.ambient)
      return handle;
    const Routine& routine = project_.routine(callee);
    const std::string prefix = fmt::format("param:{}:{}:", callee.file, callee.index);
    if (handle.identity.starts_with(prefix)) {
      const std::string name = handle.identity.substr(prefix.size());
      for (std::uint32_t i = 0; i < routine.parameters.size(); ++i) {
        if (routine.parameters[i].name != name || !site.call.is(ValueKind::call))
          continue;
        const int position = static_cast<int>(i) - (routine.owner.empty() ? 0 : 1);
        const Value* value = position < 0 ? nullptr : argument(site.call, position, name);
        Scope scope{site.caller.file, site.caller.index};
        if (value == nullptr && !routine.parameters[i].initial.span.empty()) {
          value = &routine.parameters[i].initial;
          scope = {callee.file, callee.index};
        }
        if (value == nullptr)
          return std::nullopt;
        const auto typed = type_of(project_, *value, scope, "execute");
        if (!typed || typed->type == nullptr)
          return std::nullopt;
        Handle out = handle;
        out.kind = handle_kind(*typed);
        out.identity = typed->identity;
        out.from_caller = typed->from_caller;
        out.ambient = typed->ambient();
        out.autocommit = typed->autocommit;
        out.confidence = typed->confidence;
        out.steps = typed->steps;
        return out;
      }
    }
    if (handle.identity.starts_with("field:") && !routine.owner.empty() &&
        project_.routine(site.caller).owner == routine.owner && site.caller.file == callee.file)
      return handle;
    return std::nullopt;
  }

  const LinkedProject& project_;
};

/// Folders whose SQL files are run by a tool that may put each file into a transaction, or that hold texts for a
/// program.
bool runner_decides(const FileFacts& file) {
  for (const char* word : {"migrat", "flyway", "liquibase", "alembic", "sqitch", "queries", "versions", "changelog",
                           "evolutions", "deploy", "revert"})
    if (file.path.find(word) != std::string::npos)
      return true;
  return false;
}

} // namespace

TransactionAnswer ProjectFacts::transaction_of(const LockCall& lock) const {
  const Routine& where = routine(lock.routine);
  switch (where.form) {
  case RoutineForm::sql_function:
  case RoutineForm::sql_procedure:
  case RoutineForm::sql_do:
    return {.state = TransactionState::open}; // a statement runs it, and that statement is in one
  default: break;
  }
  const FileFacts& file = linked->file(lock.routine.file);
  const bool host = linked->apis(lock.routine.file) != nullptr;
  TransactionAnswer answer = Asker(*this).of_lock(
      {lock.routine, lock.execution, host ? EventKind::call : EventKind::sql, lock.id}, handle(lock));
  if (!host && answer.state == TransactionState::none && file.language != "psql") {
    // What does not parse is not sent as it stands: the text is a program's, with places for its values.
    if (runner_decides(file) || lock.confidence != Confidence::certain)
      answer.state = TransactionState::unknown;
    else
      answer.steps.push_back(
          {.text = "a file of SQL is run statement by statement", .span = lock.span, .confidence = Confidence::likely});
    answer.confidence = weaker(answer.confidence, Confidence::likely);
  }
  return answer;
}

TransactionAnswer ProjectFacts::transaction_of(const LibraryLock& lock) const {
  if (!lock.routine || lock.taken.empty() || handle(lock).identity.empty())
    return {};
  if (lock.block && lock.begins)
    return {.state = TransactionState::open, .explicit_block = true};
  return Asker(*this).of_lock({*lock.routine, lock.taken, lock.block ? EventKind::enter : EventKind::call},
                              handle(lock));
}

std::vector<CallerAnswer> ProjectFacts::callers_of(const LockCall& lock) const {
  return Asker(*this).callers(lock.routine, handle(lock), lock.span);
}

std::vector<CallerAnswer> ProjectFacts::callers_of(const LibraryLock& lock) const {
  if (!lock.routine)
    return {};
  return Asker(*this).callers(*lock.routine, handle(lock), lock.span);
}

} // namespace padlint
