#include "analyzer/facts/linked_project.h"
#include "analyzer/facts/project_facts.h"

#include <algorithm>

// What a program tests when it means to test the answer of a try. The answer is followed from the call through names,
// fetches and parts: what is reached is the answer itself (a value), or something around it that is the same whatever
// the answer is. Wherever the value is read, or the whole is handed on, somebody may look at the answer: only when
// all that ever happens is a test of something else, the lock is misread.

namespace padlint {
namespace {

constexpr int max_depth = 12;

struct Kind {
  ApiResult result = ApiResult::value;
  bool handed_on = false; // a method of it is called that nobody knows
};

bool is_comparison(std::string_view op) {
  constexpr auto ops =
      std::to_array<std::string_view>({"==", "!=", "===", "!==", "=", "<>", ">", "<", ">=", "<=", "is", "is not"});
  return std::find(ops.begin(), ops.end(), op) != ops.end();
}

bool is_presence(std::string_view op) { return op == "is not null" || op == "is null"; }

class Reads {
public:
  Reads(const ProjectFacts& facts, const LockCall& lock)
      : project_(*facts.linked), lock_(lock), routine_(facts.routine(lock.routine)),
        scope_{lock.routine.file, lock.routine.index} {
    const auto found = project_.execution_at.find(lock.execution);
    execution_ = found == project_.execution_at.end() ? nullptr : &project_.executions[found->second];
    apis_ = execution_ == nullptr ? nullptr : project_.apis(lock.routine.file);
    if (execution_ != nullptr && execution_->call.parts[0].is(ValueKind::member))
      object_ = dotted(execution_->call.parts[0].parts[0]);
  }

  std::optional<Misread> find() {
    if (execution_ != nullptr && (apis_ == nullptr || execution_->readings.size() != 1 || execution_->deferred ||
                                  execution_->unknown_method || rows_may_be_values()))
      return std::nullopt;
    for (const Block& block : routine_.flow.blocks) {
      last_is_ours_ = false;
      for (const Event& event : block.events)
        read(event);
      walk(block.condition, true);
    }
    for (const Value& value : routine_.returns)
      walk(value, false);
    for (const Binding& binding : routine_.bindings)
      if (binding.role == BindingRole::iterated)
        walk(binding.value, false);
    return read_ ? std::nullopt : misread_;
  }

private:
  bool rows_may_be_values() const {
    const std::vector<Import>& imports = project_.file(lock_.routine.file).imports;
    return std::any_of(imports.begin(), imports.end(), [&](const Import& import) {
      return has(apis_->scalar_rows, import.module + apis_->module_separator + import.name);
    });
  }

  bool ours(const Value& value) const {
    const bool call = value.is(ValueKind::call) || value.is(ValueKind::index); // DB["SELECT ..."]
    return call && value.span == (execution_ != nullptr ? lock_.execution : lock_.span);
  }

  // ---- what an expression is of the answer

  static Kind fetched(const ApiFetch& fetch, Kind from) {
    const bool all = fetch.result == ApiResult::rows || fetch.result == ApiResult::values;
    if (fetch.asks_parts && from.result == ApiResult::values)
      return {ApiResult::value};
    if (fetch.result ==
        ApiResult::count) // of the answer itself it asks whether there is one: nobody knows what that means
      return {.result = ApiResult::count, .handed_on = from.result == ApiResult::value || from.handed_on};
    if (from.result == ApiResult::values || (from.result == ApiResult::row && fetch.result != ApiResult::count))
      return {all ? ApiResult::values : ApiResult::value};
    return {fetch.result};
  }

  /// `rows.any? { |row| row["locked"] }`: what the block asks, it asks of the parts.
  static bool has_block(const Value& call) { return call.parts.back().label == "&"; }

  /// Whether `value` is the object on which the answer waits to be fetched, where `at` stands.
  bool is_cursor(const Value& value, Span at) const {
    if (execution_ == nullptr || object_.empty() || dotted(value) != object_ || at.begin < lock_.execution.begin)
      return false;
    const ApiResult result = execution_->sends == nullptr ? ApiResult::cursor : execution_->sends->result;
    if (result != ApiResult::cursor)
      return false;
    // Another statement on it comes in between.
    for (auto next = project_.execution_at.upper_bound(lock_.execution); next != project_.execution_at.end(); ++next) {
      if (next->first.file != at.file || next->first.begin >= at.begin)
        return true;
      const Value& callee = project_.executions[next->second].call.parts[0];
      if (callee.is(ValueKind::member) && dotted(callee.parts[0]) == object_)
        return false;
    }
    return true;
  }

  /// What a call gives that writes its answer to an address, and what it gives beside the answer: an error.
  bool is_fault(const Value& value) const {
    if (apis_ == nullptr || apis_->faults.empty())
      return false;
    if (value.is(ValueKind::call))
      return std::any_of(value.parts.begin(), value.parts.end(), [](const Value& part) {
        return part.is(ValueKind::operation) && part.text == "&" && part.parts.size() == 1;
      });
    return value.is(ValueKind::index) && value.parts[0].is(ValueKind::call) && value.parts[1].is(ValueKind::integer) &&
           value.parts[1].number > 0;
  }

  /// `err` of `res, err := db.Exec(...)`, and `res.Error`: whether there is an answer, not what it says.
  bool asks_for_fault(const Value& value) const {
    return value.is(ValueKind::index)
               ? is_fault(value)
               : apis_ != nullptr && value.is(ValueKind::member) && has(apis_->faults, value.text);
  }

  /// The answer itself, of a call that gives an error beside it.
  bool is_with_fault(const Value& value) const {
    return apis_ != nullptr && !apis_->faults.empty() && value.parts[0].is(ValueKind::call) &&
           value.parts[1].is(ValueKind::integer) && value.parts[1].number == 0;
  }

  /// What a function makes of the answer: `db.one(text, values, (row) => row.ok)`.
  static bool is_mapped(const Value& call) {
    return std::any_of(call.parts.begin() + 1, call.parts.end(),
                       [](const Value& argument) { return argument.is(ValueKind::function); });
  }

  std::optional<Kind> answer(const Value& value, int depth = 0) const {
    if (depth > max_depth || is_fault(value))
      return std::nullopt;
    if (ours(value)) {
      if (execution_ == nullptr)
        return Kind{ApiResult::value};
      if (execution_->sends == nullptr) // of a receiver that nobody knows: it may well be the value
        return Kind{.result = ApiResult::cursor, .handed_on = true};
      if (is_mapped(value))
        return std::nullopt;
      return Kind{execution_->sends->result};
    }
    switch (value.kind) {
    case ValueKind::call: return of_call(value, depth);
    case ValueKind::member: return of_member(value, depth);
    case ValueKind::index: {
      const auto from = answer(value.parts[0], depth + 1);
      if (!from || is_with_fault(value))
        return from;
      return Kind{from->result == ApiResult::rows ? ApiResult::row : ApiResult::value};
    }
    case ValueKind::name: return of_name(value, depth);
    case ValueKind::operation: // a sub-select: what it selects, or how many rows it counts
      if (value.text == "select" && value.span.contains(lock_.span)) {
        const Value& selected = value.parts[0];
        if (selected.is(ValueKind::call) && selected.parts[0].text == "count")
          return Kind{ApiResult::count};
        return answer(selected, depth + 1);
      }
      return std::nullopt;
    default: return std::nullopt;
    }
  }

  std::optional<Kind> of_call(const Value& call, int depth) const {
    if (apis_ == nullptr || call.parts.empty())
      return std::nullopt;
    const Value& callee = call.parts[0];
    if (call.parts.size() == 2 && callee.is(ValueKind::name))
      for (const ApiFetch& fetch : apis_->fetches)
        if (has(fetch.names, callee.text))
          if (const auto from = answer(call.parts[1], depth + 1))
            return fetched(fetch, *from);
    if (!callee.is(ValueKind::member))
      return std::nullopt;
    auto from = answer(callee.parts[0], depth + 1);
    if (!from && is_cursor(callee.parts[0], call.span))
      from = Kind{ApiResult::cursor};
    if (!from)
      return std::nullopt;
    for (const ApiFetch& fetch : apis_->fetches)
      if (has(fetch.methods, callee.text) &&
          !(fetch.result == ApiResult::count && (has_block(call) || is_mapped(call))))
        return fetched(fetch, *from);
    return Kind{.handed_on = true};
  }

  std::optional<Kind> of_member(const Value& member, int depth) const {
    if (apis_ == nullptr || has(apis_->faults, member.text))
      return std::nullopt;
    const auto from = answer(member.parts[0], depth + 1);
    const bool cursor = !from && is_cursor(member.parts[0], member.span);
    if (!from && !cursor)
      return std::nullopt;
    for (const ApiFetch& fetch : apis_->fetches)
      if (has(fetch.members, member.text))
        return fetched(fetch, from.value_or(Kind{ApiResult::cursor}));
    if (cursor)
      return std::nullopt; // conn.closed
    return Kind{.handed_on = from->result != ApiResult::row};
  }

  /// A name is the answer when the last thing that it is bound to, before it is read, is.
  std::optional<Kind> of_name(const Value& name, int depth) const {
    if (execution_ == nullptr && last_is_ours_ && (name.text == "row_count" || name.text == "ROW_COUNT"))
      return Kind{ApiResult::count};
    if (execution_ == nullptr)
      if (const Event* stored = stored_in(name); stored != nullptr && stored->span == lock_.execution)
        return Kind{ApiResult::value};
    const Binding* last = nullptr;
    for (const Binding& binding : routine_.bindings)
      if (binding.name == name.text && binding.role == BindingRole::assigned && binding.span.begin < name.span.begin &&
          (last == nullptr || last->span < binding.span))
        last = &binding;
    return last == nullptr || last->value.span == name.span ? std::nullopt : answer(last->value, depth + 1);
  }

  /// The last statement before a variable is read that psql stores in it.
  const Event* stored_in(const Value& name) const {
    const Event* last = nullptr;
    for (const Block& block : routine_.flow.blocks)
      for (const Event& event : block.events)
        if (event.kind == EventKind::sql && event.target == name.text && event.span.begin < name.span.begin &&
            (last == nullptr || last->span < event.span))
          last = &event;
    return last;
  }

  // ---- what is done with it

  void read(const Event& event) {
    if (event.kind == EventKind::sql) {
      last_is_ours_ = execution_ == nullptr && event.span == lock_.execution;
      return;
    }
    if (event.kind == EventKind::call) {
      if (answer(event.value))
        handed_on(event);
      else if (!is_test(event.value))
        for (std::size_t i = 1; i < event.value.parts.size(); ++i)
          walk(event.value.parts[i], false);
      return;
    }
    // What binds a name to it is no reading of it; names that nobody can follow are.
    if (event.kind == EventKind::assign && answer(event.value) && event.target.find('.') == std::string::npos) {
      read_ = read_ || answer(event.value)->handed_on || is_read_inside(event.target);
      return;
    }
    walk(event.value, false);
  }

  /// Routines inside this one may read what it binds.
  bool is_read_inside(const std::string& name) const {
    const std::vector<Routine>& routines = project_.file(lock_.routine.file).routines;
    for (std::size_t i = lock_.routine.index + 1; i < routines.size(); ++i)
      if (routines[i].parent == lock_.routine.index && has(routines[i].reads, name))
        return true;
    return false;
  }

  void handed_on(const Event& event) {
    switch (event.use) {
    case ResultUse::iterated:
    case ResultUse::passed:
    case ResultUse::unknown: read_ = read_ || event.use != ResultUse::passed || !passed_to_test(event.span); return;
    case ResultUse::stored:
      read_ = read_ || event.target.empty() || event.target.find('.') != std::string::npos;
      return;
    default: return; // the expression around it is walked
    }
  }

  /// `bool(row)` and `len(rows)`: calls that ask something of it.
  bool is_test(const Value& call) const {
    if (apis_ == nullptr || call.parts.size() != 2 || !call.parts[0].is(ValueKind::name))
      return false;
    return has(apis_->truth_calls, call.parts[0].text) ||
           std::any_of(apis_->fetches.begin(), apis_->fetches.end(),
                       [&](const ApiFetch& fetch) { return has(fetch.names, call.parts[0].text); });
  }

  bool passed_to_test(Span span) const {
    for (const Block& block : routine_.flow.blocks)
      for (const Event& event : block.events)
        if (event.kind == EventKind::call && is_test(event.value) && event.value.parts[1].span == span)
          return true;
    return false;
  }

  void walk(const Value& value, bool tested, int depth = 0) {
    if (depth > max_depth || read_ || asks_for_fault(value))
      return;
    if (const auto kind = answer(value))
      return tested ? test(*kind, value) : consume();
    if (execution_ == nullptr && tested && last_is_ours_ && value.is(ValueKind::name) && value.text == "found" &&
        !lock_.rows.from_rows)
      return found(Misread::found, value.span);
    if (value.is(ValueKind::call) && is_test(value))
      return walk(value.parts[1], true, depth + 1);
    if (value.is(ValueKind::operation))
      return operation(value, tested, depth);
    for (const Value& part : value.parts)
      walk(part, value.is(ValueKind::choice) && tested, depth + 1);
  }

  void operation(const Value& value, bool tested, int depth) {
    const std::string_view op = value.text;
    if (is_presence(op) && value.parts.size() == 1) {
      if (const auto kind = answer(value.parts[0]))
        return found(kind->handed_on ? Misread::none : Misread::presence, value.span);
    }
    if (is_comparison(op) && value.parts.size() == 2)
      for (int side = 0; side < 2; ++side)
        if (const auto kind = answer(value.parts[static_cast<std::size_t>(side)]))
          return compare(*kind, value.parts[static_cast<std::size_t>(1 - side)], value);
    const bool logical = op == "and" || op == "or" || op == "&&" || op == "||";
    for (std::size_t i = 0; i < value.parts.size(); ++i)
      walk(value.parts[i], op == "not" || op == "!" || (logical && (tested || i + 1 < value.parts.size())), depth + 1);
  }

  void test(Kind kind, const Value& value) {
    const bool as_text = execution_ != nullptr && execution_->sends != nullptr && execution_->sends->text_answers;
    if (kind.handed_on)
      return consume();
    switch (kind.result) {
    case ApiResult::value: return as_text ? found(Misread::text, value.span) : consume();
    case ApiResult::row: return found(Misread::row, value.span);
    case ApiResult::rows:
    case ApiResult::values: return found(Misread::rows, value.span);
    case ApiResult::count: return found(Misread::count, value.span);
    default: return found(Misread::handle, value.span);
    }
  }

  void compare(Kind kind, const Value& with, const Value& whole) {
    if (kind.handed_on)
      return consume();
    if (kind.result == ApiResult::value) {
      const bool as_text = execution_ != nullptr && execution_->sends != nullptr && execution_->sends->text_answers;
      if (as_text && with.is(ValueKind::boolean))
        return found(Misread::boolean, whole.span);
      return with.is(ValueKind::null) ? found(Misread::presence, whole.span) : consume();
    }
    if (with.is(ValueKind::null) || with.is(ValueKind::boolean) || with.is(ValueKind::integer))
      return test(kind, whole);
    consume();
  }

  void consume() { read_ = true; }

  void found(Misread::Kind kind, Span span) {
    if (!misread_ && kind != Misread::none)
      misread_ = Misread{.kind = kind, .test = span};
  }

  const LinkedProject& project_;
  const LockCall& lock_;
  const Routine& routine_;
  Scope scope_;
  const Execution* execution_ = nullptr;
  const Apis* apis_ = nullptr;
  std::string object_;
  bool last_is_ours_ = false; // in SQL: what FOUND and ROW_COUNT tell of
  bool read_ = false;         // the answer itself is read, or may be
  std::optional<Misread> misread_;
};

} // namespace

std::optional<Misread> ProjectFacts::misread(const LockCall& lock) const {
  const RowShape& rows = lock.rows;
  if (lock.waits() || lock.wrapped || lock.position != SqlPosition::select_list || rows.in_exists_list)
    return std::nullopt;
  // Where a query picks rows, by the answer or otherwise, their number may tell.
  if (rows.from_rows || rows.sorted_or_filtered_outside || rows.limit_outside || rows.limit || rows.offset)
    return std::nullopt;
  return Reads(*this, lock).find();
}

} // namespace padlint
