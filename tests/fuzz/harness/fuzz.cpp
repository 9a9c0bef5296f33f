#include "tests/fuzz/harness/fuzz.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace padlint::fuzz {
namespace {

void check_span(const Span& span, std::string_view text) {
  require(span.begin <= span.end && span.end <= text.size(), "a span leaves the file");
}

void check_value(const Value& value, std::string_view text) {
  check_span(value.span, text);
  require(std::ranges::is_sorted(value.steps), "the steps of a text are not sorted");
  for (const OffsetStep& step : value.steps)
    require(step.text <= value.text.size() && step.source <= text.size(), "a step leaves its text");
  for (const Value& part : value.parts)
    check_value(part, text);
}

void check_bindings(const std::vector<Binding>& bindings, std::string_view text) {
  for (const Binding& binding : bindings) {
    check_span(binding.span, text);
    check_value(binding.value, text);
    check_value(binding.type, text);
  }
}

void check_flow(const Flow& flow, const std::vector<Statement>& statements, std::string_view text) {
  for (const Block& block : flow.blocks) {
    check_value(block.condition, text);
    for (const Event& event : block.events) {
      check_span(event.span, text);
      check_value(event.value, text);
      require(event.kind != EventKind::sql || event.number < statements.size(), "an event names no statement");
    }
    for (const Edge& edge : block.edges)
      require(is_exit(edge.target) || edge.target < flow.blocks.size(), "an edge leads to no block");
  }
}

} // namespace

void require(bool holds, std::string_view what) {
  if (holds)
    return;
  std::fprintf(stderr, "%.*s\n", static_cast<int>(what.size()), what.data());
  std::abort();
}

void check_routine(const Routine& routine, const std::vector<Statement>& statements, std::string_view text) {
  check_span(routine.span, text);
  check_span(routine.name_span, text);
  for (const Parameter& parameter : routine.parameters) {
    check_span(parameter.span, text);
    check_value(parameter.type, text);
    check_value(parameter.initial, text);
  }
  for (const Value& annotation : routine.annotations)
    check_value(annotation, text);
  check_value(routine.result_type, text);
  check_bindings(routine.bindings, text);
  require(std::ranges::is_sorted(routine.reads), "the names that are read are not sorted");
  for (const Value& value : routine.returns)
    check_value(value, text);
  check_flow(routine.flow, statements, text);
}

void check_facts(const FileFacts& facts, std::string_view text) {
  for (const Import& import : facts.imports)
    check_span(import.span, text);
  for (const Routine& routine : facts.routines) {
    require(routine.parent < facts.routines.size(), "a routine without a parent");
    check_routine(routine, facts.statements, text);
  }
  for (const Class& type : facts.classes) {
    check_span(type.span, text);
    require(type.routine < facts.routines.size(), "a class without a routine");
    for (const Value& base : type.bases)
      check_value(base, text);
    check_bindings(type.bindings, text);
    check_bindings(type.fields, text);
  }
  for (const Statement& statement : facts.statements) {
    check_span(statement.span, text);
    for (const SqlCall& call : statement.calls) {
      check_span(call.span, text);
      check_span(call.name_span, text);
      check_span(call.rows.limit_span, text);
      for (const Value& argument : call.arguments)
        check_value(argument, text);
    }
  }
  for (const ConfigFact& config : facts.configs)
    check_span(config.span, text);
  for (const Suppression& suppression : facts.suppressions)
    check_span(suppression.span, text);
  for (const Notice& notice : facts.notices)
    check_span(notice.span, text);
  require(!to_text(facts).empty(), "facts without a printed form");
}

} // namespace padlint::fuzz
