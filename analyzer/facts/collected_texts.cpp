#include "analyzer/facts/composer.h"

#include <algorithm>

// A text that an object collects: what is written to it, in the order of the program, up to where it is read. A piece
// that is written on some paths only stands there like the others.

namespace padlint {
namespace {

bool is_form(const ApiText& text, std::string_view form) { return text.form == form; }

/// The piece that a call writes to the object of this name; for a pattern, its values behind it.
const Value* piece_of(const ApiText& text, const Value& call, const std::string& callee, const std::string& object) {
  const Value& written = call.parts[0];
  if (written.is(ValueKind::member) && has(text.methods, written.text) && dotted(written.parts[0]) == object)
    return argument(call, 0, {});
  if (callee.empty() || !has(text.names, callee))
    return nullptr;
  const Value* to = argument(call, 0, {});
  if (to != nullptr && to->is(ValueKind::operation) && to->text == "&" && to->parts.size() == 1)
    to = &to->parts[0];
  return to != nullptr && dotted(*to) == object ? argument(call, 1, {}) : nullptr;
}

} // namespace

bool Composer::reads_collected(const Value& callee, Scope scope) const {
  for (const ApiText& text : apis_->texts) {
    if (!is_form(text, "collected") || !has(text.methods, callee.text) || !callee.parts[0].is(ValueKind::name))
      continue;
    const Definition found = look_up(project_, scope, callee.parts[0].text);
    if (found.kind == Definition::bindings)
      for (const Binding* binding : found.bound) {
        const Value& type = binding->value.is(ValueKind::call) ? binding->value.parts[0] : binding->type;
        if (has(text.names, external_name(project_, type, {found.scope.file, binding->routine})))
          return true;
      }
  }
  return false;
}

void Composer::collected(const Value& object, Span before, Scope scope, int depth) {
  std::vector<const Value*> calls;
  for_each_call(project_.routine({scope.file, scope.routine}), [&](const Event& event) {
    if (event.span < before && !event.value.parts.empty() && calls.size() < max_value_parts)
      calls.push_back(&event.value);
  });
  std::ranges::sort(calls, {}, [](const Value* call) { return call->span; });
  const std::string name = dotted(object);
  for (const Value* call : calls) {
    const std::string callee = external_name(project_, call->parts[0], scope);
    for (const ApiText& text : apis_->texts) {
      if (!is_form(text, "collect") && !is_form(text, "collect format"))
        continue;
      const Value* piece = piece_of(text, *call, callee, name);
      if (piece == nullptr)
        continue;
      if (is_form(text, "collect format")) {
        Value values{.kind = ValueKind::list, .span = call->span};
        values.parts = {call->parts.begin() + 3, call->parts.end()};
        formatted(*piece, values, scope, depth + 1, '%');
      } else {
        value(*piece, scope, depth + 1);
      }
      break;
    }
  }
}

} // namespace padlint
