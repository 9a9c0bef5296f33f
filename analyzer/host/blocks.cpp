#include "analyzer/host/walker.h"

#include <algorithm>
#include <cctype>

// A block that is written behind a call is no function of its own: it shares the variables of the routine around it,
// and a return in it leaves that routine. So it is walked where it stands. A method that runs it once is to it what a
// scoped block is to its body: it enters, the block runs, and it leaves on every way out; `next` ends the block,
// `break` the call. A method that runs it over and over is a loop. Only a block that is kept for later is a routine.

namespace padlint::host {

namespace {

/// Whether a list of methods has the callee, by its name or by a dotted name.
bool names(const std::vector<std::string>& list, const Value& callee) {
  const std::string whole = dotted(callee);
  const std::string& last = callee.text;
  return std::ranges::any_of(list, [&](const std::string& entry) {
    if (entry.ends_with('*'))
      return last.starts_with(std::string_view(entry).substr(0, entry.size() - 1));
    return entry == last || (!whole.empty() && entry == whole);
  });
}

} // namespace

Value Walker::with_block(Value call, TSNode block, const Use& use) {
  std::uint32_t end = ts_node_start_byte(block);
  while (end > call.span.begin && std::isspace(static_cast<unsigned char>(source[end - 1])) != 0)
    --end;
  call.span.end = end;
  const Value& callee = call.parts[0];
  // Where no routine is, a call without an object is a declaration: it keeps its block.
  const bool declares = callee.is(ValueKind::name) && facts.routines[routine].form == RoutineForm::file;
  if (names(language.blocks.elsewhere, callee) || declares) {
    call.parts.push_back(function_value(block, RoutineForm::anonymous)).label = block_label;
    return happened(std::move(call), use);
  }
  const BlockRules& rules = language.blocks;
  if (names(rules.repeat, callee) || names(rules.map, callee) || names(rules.forever, callee))
    return repeats_block(std::move(call), block, use);
  Value result;
  Actions body = collect([&] {
    bind_block(block, call, BindingRole::scoped);
    result = statement(part(block, Slot::body), use);
  });
  return runs_block(std::move(call), use, std::move(body), result);
}

/// The caller's block is handed on: here it runs.
Value Walker::with_own_block(Value call, const Use& use) {
  const Value block = call.parts.back();
  call.parts.edit().pop_back();
  Actions body = collect([&] { event(EventKind::yield, block.span, make_opaque(block.span), {}); });
  facts.routines[routine].generator = true;
  return runs_block(std::move(call), use, std::move(body), make_opaque(block.span));
}

/// Whether the argument is the block that the routine got itself; it may have no name.
bool Walker::is_own_block(const Value& argument) const {
  return argument.label == block_label && !block_parameter.empty() &&
         (argument.is(ValueKind::opaque) || (argument.is(ValueKind::name) && argument.text == block_parameter));
}

/// `block.call(x)`
bool Walker::runs_own_block(const Value& call) const {
  const Value& callee = call.parts[0];
  const bool by_method = callee.is(ValueKind::member) && names(language.blocks.run, callee);
  const Value& object = by_method ? callee.parts[0] : callee;
  return !block_parameter.empty() && object.is(ValueKind::name) && object.text == block_parameter;
}

Value Walker::runs_block(Value call, const Use& use, Actions body, const Value& result) {
  Action action = make_action(ActionKind::scoped, std::move(body));
  action.block = true;
  action.event = {.kind = EventKind::enter, .span = call.span, .value = bounded(call)};
  if (!result.is(ValueKind::opaque) && call.parts.size() < max_value_parts) {
    call.parts.push_back(result).label = block_label;
  }
  call = happened(std::move(call), use);
  if (!silent)
    actions->push_back(std::move(action));
  return call;
}

/// The parameters of a block are variables of the routine around it.
void Walker::bind_block(TSNode block, const Value& value, BindingRole role) {
  const TSNode list_of_parameters = part(block, Slot::parameters);
  bool first = true;
  for (const TSNode parameter :
       exists(list_of_parameters) ? named_children(list_of_parameters) : std::vector<TSNode>{}) {
    const TSNode own_name = part(parameter, Slot::name);
    const TSNode name = exists(own_name) ? own_name : parameter;
    if (exists(name))
      bind(name, first ? value : make_opaque(span(name)), {}, first ? role : BindingRole::iterated);
    first = false;
  }
}

Value Walker::repeats_block(Value call, TSNode block, const Use& use) {
  const Value callee = call.parts[0];
  const bool forever = names(language.blocks.forever, callee);
  const bool mapped = names(language.blocks.map, callee);
  const Value source_value = callee.is(ValueKind::member) ? callee.parts[0] : make_opaque(callee.span);
  call = happened(std::move(call), use);
  Action action = make_action(ActionKind::loop);
  action.parts.push_back(make_test({}, make_opaque(call.span)));
  if (forever)
    action.parts[0].event.value = {.kind = ValueKind::boolean, .span = call.span, .number = 1};
  const Use of_value{mapped && use.use != ResultUse::dropped ? ResultUse::operand : ResultUse::dropped, {}};
  action.parts.push_back(make_action(ActionKind::sequence, collect([&] {
                                       bind_block(block, source_value, BindingRole::iterated);
                                       statement(part(block, Slot::body), of_value);
                                     })));
  if (!silent)
    actions->push_back(std::move(action));
  return call;
}

} // namespace padlint::host
