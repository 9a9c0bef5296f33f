#include "analyzer/facts/composer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

// SQL text is put together from what the project tells: literals keep their places, constants are filled in, and what
// is known at run time only becomes a hole. A builder's expressions are written out as the SQL that they stand for,
// each piece at the place of the expression.

namespace padlint {
namespace {

constexpr std::size_t max_bytes = 1 << 20;

} // namespace

void append_for(SqlText& out, std::string_view piece, Span span) {
  if (piece.empty())
    return;
  out.joints.push_back({.text = static_cast<std::uint32_t>(out.text.size()),
                        .file = span.file,
                        .source = span.begin,
                        .source_end = span.end,
                        .hole = true});
  out.text += piece;
}

void Composer::value(const Value& value, Scope scope, int depth) {
  if (depth > max_compose_depth || out_.text.text.size() > max_bytes)
    return hole(value);
  switch (value.kind) {
  case ValueKind::text: out_.text.append(value.text, value.span.file, value.steps); return;
  case ValueKind::integer: append_for(out_.text, fmt::format("{}", value.number), value.span); return;
  case ValueKind::concat:
    for (const Value& part : value.parts)
      this->value(part, scope, depth + 1);
    return;
  case ValueKind::name:
  case ValueKind::member: return name(value, scope, depth);
  case ValueKind::operation:
    if (value.text == "bind")
      return bound(value.parts[0], scope, depth);
    if (value.text == "+" && value.parts.size() == 2) {
      if (const Value sum = fold(project_, value, scope); sum.is(ValueKind::integer))
        return this->value(sum, scope, depth + 1);
      const auto number = [&](const Value& part) { return fold(project_, part, scope).is(ValueKind::integer); };
      if (std::ranges::any_of(value.parts, number) &&
          std::ranges::none_of(value.parts, [&](const Value& part) { return is_text(part, scope); }))
        return hole(value);
      this->value(value.parts[0], scope, depth + 1);
      this->value(value.parts[1], scope, depth + 1);
      return;
    }
    if (value.text == "%" && value.parts.size() == 2 && !is_remainder(value, scope))
      return formatted(value.parts[0], value.parts[1], scope, depth, '%');
    return hole(value);
  case ValueKind::call: return call(value, scope, depth);
  case ValueKind::index: // of a table of texts
    if (const auto entry = entry_of(project_, value, scope))
      return this->value(entry->first, entry->second, depth + 1);
    return hole(value);
  case ValueKind::choice:
    // Alternatives are the caller's: here the first that is a text decides.
    for (const Value& part : value.parts)
      if (part.is(ValueKind::text) || part.is(ValueKind::concat)) {
        out_.confidence = Confidence::possible;
        return this->value(part, scope, depth + 1);
      }
    return hole(value);
  default: return hole(value);
  }
}

/// A value in a tagged template: a piece of SQL stays one, anything else is a parameter.
void Composer::bound(const Value& value, Scope scope, int depth) {
  const Value* piece = &value;
  Scope where = scope;
  if (value.is(ValueKind::name))
    if (const Definition found = look_up(project_, scope, value.text);
        found.kind == Definition::bindings && found.bound.size() == 1) {
      piece = &found.bound[0]->value;
      where = {found.scope.file, found.bound[0]->routine};
    }
  if (piece->is(ValueKind::call) && apis_ != nullptr && is_text_call(*piece, where) &&
      !piece->parts[0].is(ValueKind::member))
    return this->value(*piece, where, depth + 1);
  if (piece->is(ValueKind::call) && piece->parts[0].is(ValueKind::member) &&
      text_form(external_name(project_, piece->parts[0], where)) != nullptr)
    return this->value(*piece, where, depth + 1);
  hole(value);
}

void Composer::hole(const Value& value) { out_.text.append_hole(value); }

void Composer::name(const Value& value, Scope scope, int depth) {
  const Definition found = definition_of(project_, value, scope);
  if (found.kind == Definition::parameter)
    for (const Bound& bound : bound_)
      if (bound.routine == found.target && bound.parameter == found.parameter_index) {
        const Bound known = bound;
        return this->value(known.value, known.scope, depth + 1);
      }
  if (found.kind == Definition::bindings && found.bound.size() == 1 && found.bound[0]->role == BindingRole::assigned)
    return text_or_constant(found.bound[0]->value, value, {found.scope.file, found.bound[0]->routine}, depth);
  if (found.kind == Definition::none && value.is(ValueKind::member))
    if (const Class* owner = own_class(project_, value.parts[0], scope)) {
      auto fields = field_bindings(project_, scope.file, *owner, value.text);
      if (only_filled_once(fields) && fields[0].second->role == BindingRole::assigned)
        return text_or_constant(fields[0].second->value, value, fields[0].first, depth);
    }
  const Value folded = fold(project_, value, scope);
  if (auto text = constant_text(folded))
    return append_for(out_.text, *text, value.span);
  hole(value);
}

void Composer::text_or_constant(const Value& bound, const Value& use, Scope scope, int depth) {
  if (bound.is(ValueKind::name) && bound.text == use.text)
    return hole(use);
  if (bound.is(ValueKind::opaque) || bound.is(ValueKind::list) || bound.is(ValueKind::map) ||
      (bound.is(ValueKind::index) && !entry_of(project_, bound, scope)))
    return hole(use);
  const Value folded = fold(project_, bound, scope);
  if (folded.is(ValueKind::integer))
    return append_for(out_.text, fmt::format("{}", folded.number), use.span);
  if (bound.is(ValueKind::call) && !is_text_call(bound, scope))
    return hole(use);
  value(bound, scope, depth + 1);
}

/// Also of what is called with what a call of it gave: sql.type(row)`SELECT ...`.
std::string Composer::name_of_callee(const Value& call, Scope scope) const {
  const Value& callee = call.parts[0];
  return external_name(project_, callee.is(ValueKind::call) ? callee.parts[0] : callee, scope);
}

bool Composer::is_text_call(const Value& call, Scope scope) const {
  const Value& callee = call.parts[0];
  const std::string name = name_of_callee(call, scope);
  for (const ApiText& text : apis_->texts)
    if ((!name.empty() && has_glob(text.names, name)) ||
        (callee.is(ValueKind::member) && text.form == "clause" && has(text.methods, callee.text)))
      return true;
  return callee.is(ValueKind::member) &&
         (callee.text == "format" || callee.text == "join" || reads_collected(callee, scope));
}

void Composer::call(const Value& call, Scope scope, int depth) {
  const Value& callee = call.parts[0];
  if (apis_ == nullptr)
    return hole(call);
  const std::string name = name_of_callee(call, scope);
  for (const ApiText& text : apis_->texts) {
    if (name.empty() || !has_glob(text.names, name))
      continue;
    if (text.form == "same" && call.parts.size() > 1 && call.parts[1].is(ValueKind::list) &&
        !call.parts[1].parts.empty()) { // a text and what its placeholders stand for
      for (std::size_t i = 1; i < call.parts[1].parts.size(); ++i)
        out_.binds.emplace_back(call.parts[1].parts[i], scope);
      return value(call.parts[1].parts[0], scope, depth + 1);
    }
    if (text.form == "same" && call.parts.size() > 1)
      return value(call.parts[1], scope, depth + 1);
    if (text.form == "format" && call.parts.size() > 1) { // a pattern and the values of its marks
      Value values{.kind = ValueKind::list, .span = call.span};
      values.parts = {call.parts.begin() + 2, call.parts.end()};
      return formatted(call.parts[1], values, scope, depth, '%');
    }
    if (text.form == "join" && call.parts.size() > 2 && call.parts[1].is(ValueKind::list))
      return joined(call.parts[2], call.parts[1], scope, depth);
    if (text.form == "select")
      return query(call, call, nullptr, scope, depth);
  }
  if (callee.is(ValueKind::member)) {
    if (callee.text == "format" && is_text(callee.parts[0], scope))
      return formatted(callee.parts[0], call, scope, depth, '{');
    if (callee.text == "join" && call.parts.size() > 1 && callee.parts[0].is(ValueKind::list))
      return joined(call.parts[1], callee.parts[0], scope, depth);
    if (callee.text == "join" && call.parts.size() > 1 && call.parts[1].is(ValueKind::list))
      return joined(callee.parts[0], call.parts[1], scope, depth);
    if (reads_collected(callee, scope))
      return collected(callee.parts[0], call.span, scope, depth);
    if (is_text_call(call, scope))
      return chain(call, scope, depth);
  }
  // A helper of the project that gives the text.
  for (const auto& [target, confidence] : targets_of(project_, callee, scope))
    if (!project_.routine(target).returns.empty()) {
      out_.confidence = weaker(out_.confidence, confidence);
      return helper(target, call, scope, depth);
    }
  hole(call);
}

bool Composer::is_text(const Value& value, Scope scope) {
  if (value.is(ValueKind::text) || value.is(ValueKind::concat))
    return true;
  if (value.is(ValueKind::call))
    return is_text_call(value, scope);
  const Value folded = fold(project_, value, scope);
  return folded.is(ValueKind::text) || folded.is(ValueKind::concat);
}

/// `%` with a number on its right, and no text on its left.
bool Composer::is_remainder(const Value& value, Scope scope) {
  const Value& left = value.parts[0];
  return fold(project_, value.parts[1], scope).is(ValueKind::integer) && !is_text(left, scope) &&
         definition_of(project_, left, scope).kind != Definition::parameter;
}

void Composer::joined(const Value& separator, const Value& list, Scope scope, int depth) {
  bool first = true;
  for (const Value& part : list.parts) {
    if (!first)
      value(separator, scope, depth + 1);
    first = false;
    value(part, scope, depth + 1);
  }
}

void Composer::formatted(const Value& pattern, const Value& values, Scope scope, int depth, char style) {
  ComposedText outer = std::move(out_);
  out_ = {};
  out_.scope = outer.scope;
  value(pattern, scope, depth + 1);
  const ComposedText inner = std::move(out_);
  out_ = std::move(outer);
  const std::string& text = inner.text.text;
  std::size_t next = 0;
  std::size_t copied = 0;
  auto copy_to = [&](std::size_t end) {
    copy(inner.text, copied, end);
    copied = end;
  };
  for (std::size_t i = 0; i + 1 < text.size(); ++i) {
    if (text[i] != style)
      continue;
    if (text[i + 1] == style) {
      copy_to(i);
      copied = ++i;
      continue;
    }
    std::size_t end = i + 1;
    std::string key;
    if (style == '{') {
      end = text.find('}', i);
      if (end == std::string::npos)
        break;
      key = text.substr(i + 1, end - i - 1);
      key.resize(std::min(key.find_first_of(":!"), key.size()));
      ++end;
    } else {
      if (text[end] == '(') {
        const std::size_t close = text.find(')', end);
        if (close == std::string::npos)
          break;
        key = text.substr(end + 1, close - end - 1);
        end = close + 1;
      }
      while (end < text.size() && std::isalpha(static_cast<unsigned char>(text[end])) == 0 && end < i + 8)
        ++end;
      ++end;
    }
    const Value* part = mark(values, key, next, style == '{');
    copy_to(i);
    copied = std::min(end, text.size());
    if (part != nullptr)
      value_in_place(*part, scope, depth);
    else
      hole(make_opaque(pattern.span));
    i = copied - 1;
  }
  copy_to(text.size());
}

const Value* Composer::mark(const Value& values, const std::string& key, std::size_t& next, bool call) {
  const bool numbered = !key.empty() &&
                        std::all_of(key.begin(), key.end(), [](char c) { return c >= '0' && c <= '9'; }) &&
                        key.size() < 4;
  if (!key.empty() && !numbered) {
    for (const Value& part : values.parts)
      if (part.label == key)
        return &part;
    return nullptr;
  }
  const std::size_t at = numbered ? static_cast<std::size_t>(std::stoi(key)) : next++;
  if (call)
    return argument(values, static_cast<int>(at), {});
  if (values.is(ValueKind::list))
    return at < values.parts.size() ? &values.parts[at] : nullptr;
  return at == 0 ? &values : nullptr;
}

void Composer::value_in_place(const Value& part, Scope scope, int depth) {
  const Value folded = fold(project_, part, scope);
  if (part.is(ValueKind::name) && !bound_.empty())
    if (const Definition found = look_up(project_, scope, part.text); found.kind == Definition::parameter)
      for (const Bound& bound : bound_)
        if (bound.routine == found.target && bound.parameter == found.parameter_index &&
            bound.value.is(ValueKind::text))
          return append_for(out_.text, bound.value.text, part.span);
  if (auto text = constant_text(folded))
    append_for(out_.text, *text, part.span);
  else if (part.is(ValueKind::call) && apis_ != nullptr && is_text_call(part, scope))
    value(part, scope, depth + 1);
  else
    hole(part);
}

void Composer::copy(const SqlText& from, std::size_t begin, std::size_t end) {
  for (std::size_t i = 0; i < from.joints.size() && begin < end; ++i) {
    const SqlJoint& joint = from.joints[i];
    const std::size_t stop = i + 1 < from.joints.size() ? from.joints[i + 1].text : from.text.size();
    if (stop <= begin || joint.text >= end)
      continue;
    const std::size_t low = std::max<std::size_t>(begin, joint.text);
    const std::size_t high = std::min(end, stop);
    SqlJoint copied = joint;
    copied.text = static_cast<std::uint32_t>(out_.text.text.size());
    if (!joint.hole)
      copied.source += static_cast<std::uint32_t>(low - joint.text);
    out_.text.joints.push_back(copied);
    std::string piece = from.text.substr(low, high - low);
    for (std::size_t h = 0; h < from.holes.size(); ++h)
      if (piece == hole_name(h)) {
        piece = hole_name(out_.text.holes.size());
        out_.text.holes.push_back(from.holes[h]);
        break;
      }
    out_.text.text += piece;
  }
}

/// What a routine returns for this call; of several returns the plainest, the others adapt it to other servers.
void Composer::helper(RoutineRef target, const Value& call, Scope scope, int depth) {
  const Routine& routine = project_.routine(target);
  const Value* plain = nullptr;
  for (const Value& value : routine.returns)
    if (plain == nullptr ||
        (!plain->is(ValueKind::name) && !plain->is(ValueKind::text) && !plain->is(ValueKind::concat)))
      plain = &value;
  const std::size_t before = bound_.size();
  const int shift = routine.owner.empty() ? 0 : 1; // the object comes first
  for (std::uint32_t i = 0; i < routine.parameters.size(); ++i)
    if (static_cast<int>(i) >= shift)
      if (const Value* value = argument(call, static_cast<int>(i) - shift, routine.parameters[i].name))
        bind(target, i, *value, scope);
  value(*plain, {target.file, target.index}, depth + 1);
  bound_.resize(before);
}

} // namespace padlint
