#include "analyzer/facts/composer.h"

// The texts that an expression may stand for: each branch of a choice, each argument of the known callers.

namespace padlint {
namespace {

constexpr int max_depth = 12;
constexpr std::size_t max_texts = 8;

/// A text that grows: `query = "a"`, then `query += "b"`, as far as it has come where it is used.
std::optional<Value> grown_text(const Definition& found, const Value& use) {
  if (found.kind != Definition::bindings || found.bound.size() < 2 || found.bound.size() > max_value_parts)
    return std::nullopt;
  Value text{.kind = ValueKind::concat, .span = found.bound[0]->value.span};
  for (const Binding* binding : found.bound) {
    const Value& value = binding->value;
    if (binding->role != BindingRole::assigned ||
        (binding->span.file == use.span.file && binding->span.begin > use.span.begin))
      continue;
    const bool grows = (value.is(ValueKind::operation) ? value.text == "+" : value.is(ValueKind::concat)) &&
                       !value.parts.empty() && value.parts[0].is(ValueKind::name) &&
                       value.parts[0].text == binding->name;
    if (grows)
      text.parts.edit().insert(text.parts.edit().end(), value.parts.begin() + 1, value.parts.end());
    else if (text.parts.empty())
      text.parts.push_back(value);
    else
      return std::nullopt;
  }
  return text.parts.size() > 1 ? std::optional(text) : std::nullopt;
}

/// A text with a choice in it, once for each branch: f"SELECT {function}(1)".
std::vector<Value> branches_of(const LinkedProject& project, const Value& value, Scope scope, int depth = 0) {
  if (!value.is(ValueKind::concat) || depth > max_depth)
    return {};
  for (std::size_t i = 0; i < value.parts.size(); ++i) {
    Value part = value.parts[i];
    if (part.is(ValueKind::name)) {
      const Definition found = look_up(project, scope, part.text);
      if (found.kind == Definition::bindings && found.bound.size() == 1 &&
          found.bound[0]->role == BindingRole::assigned)
        part = Value(found.bound[0]->value);
    }
    const std::vector<Value> branches =
        part.is(ValueKind::choice) ? part.parts.list() : branches_of(project, part, scope, depth + 1);
    if (branches.empty())
      continue;
    std::vector<Value> all;
    for (const Value& branch : branches) {
      Value text = value;
      if (branch.is(ValueKind::null)) // adds nothing
        text.parts.edit().erase(text.parts.edit().begin() + static_cast<std::ptrdiff_t>(i));
      else
        text.parts.edit()[i] = branch;
      all.push_back(std::move(text));
    }
    return all;
  }
  return {};
}

struct Alternative {
  Value value;
  Scope scope;
  bool chosen = false; // by a branch of the code, not by who calls it
};

/// The different values that an expression may have, each of which may be a text.
std::vector<Alternative> alternatives(const LinkedProject& project, const Value& value, Scope scope, int depth) {
  if (depth > max_depth)
    return {};
  const std::vector<Value> branches =
      value.is(ValueKind::choice) ? value.parts.list() : branches_of(project, value, scope);
  if (!branches.empty()) {
    std::vector<Alternative> all;
    for (const Value& branch : branches)
      for (Alternative& one : alternatives(project, branch, scope, depth + 1)) {
        one.chosen = one.chosen || branches.size() > 1;
        all.push_back(std::move(one));
      }
    return all;
  }
  if (value.is(ValueKind::name) || value.is(ValueKind::member)) {
    const Definition found = definition_of(project, value, scope);
    if (auto grown = grown_text(found, value))
      return {{.value = *grown, .scope = found.scope}};
    if (found.kind == Definition::bindings && found.bound.size() > 1 && found.bound.size() <= max_texts) {
      std::vector<Alternative> all;
      for (const Binding* binding : found.bound)
        if (binding->role == BindingRole::assigned &&
            !(binding->value.is(ValueKind::name) && binding->value.text == value.text))
          all.push_back({.value = binding->value, .scope = {found.scope.file, binding->routine}});
      return all;
    }
    if (found.kind == Definition::bindings && found.bound.size() == 1 &&
        found.bound[0]->role == BindingRole::assigned && found.bound[0]->value.is(ValueKind::choice))
      return alternatives(project, found.bound[0]->value, {found.scope.file, found.bound[0]->routine}, depth + 1);
    if (found.kind == Definition::parameter && depth < 4) {
      std::vector<Alternative> all;
      for (const auto& [passed, passed_scope] : arguments_for(project, found.target, found.parameter_index)) {
        auto some = alternatives(project, passed, passed_scope, depth + 1);
        all.insert(all.end(), some.begin(), some.end());
      }
      if (!all.empty())
        return all;
    }
  }
  return {{.value = value, .scope = scope}};
}

} // namespace

std::vector<ComposedText> compose(const LinkedProject& project, const Value& value, Scope scope, int depth) {
  std::vector<ComposedText> texts;
  auto add = [&](const Alternative& alternative, auto bind) {
    if (texts.size() == max_texts)
      return;
    Composer composer(project, alternative.scope);
    bind(composer);
    composer.value(alternative.value, alternative.scope, depth);
    texts.push_back(composer.take());
    texts.back().chosen = alternative.chosen;
  };
  for (const Alternative& one : alternatives(project, value, scope, 0)) {
    const auto& [alternative, where, chosen] = one;
    // A helper that adapts the text of a parameter, or a pattern that takes one in: once for each text that callers
    // pass.
    const std::size_t before = texts.size();
    for (std::size_t i = 1; alternative.is(ValueKind::call) && i < alternative.parts.size() && texts.size() == before;
         ++i)
      if (const Value& text = alternative.parts[i]; text.is(ValueKind::name))
        if (const Definition found = look_up(project, where, text.text); found.kind == Definition::parameter)
          for (const auto& [given, given_scope, picked] : alternatives(project, text, where, 0)) {
            const bool known = i == 1 ? !(given.is(ValueKind::name) && given.text == text.text && given_scope == where)
                                      : given.is(ValueKind::text);
            if (known)
              add({.value = alternative, .scope = where, .chosen = chosen || picked},
                  [&](Composer& composer) { composer.bind(found.target, found.parameter_index, given, given_scope); });
          }
    if (texts.size() > before)
      continue;
    add(one, [](Composer&) {});
  }
  return texts;
}

std::vector<ComposedText> compose_query(const LinkedProject& project, const Value& call, const Value& whole,
                                        const ApiSends& sends, Scope scope) {
  if (project.apis(scope.file) == nullptr)
    return {};
  Composer composer(project, scope);
  composer.query(call, whole, &sends, scope, 0);
  std::vector<ComposedText> texts;
  texts.push_back(composer.take());
  return texts;
}

} // namespace padlint
