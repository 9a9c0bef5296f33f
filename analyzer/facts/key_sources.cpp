#include "analyzer/facts/key_sources.h"

#include "analyzer/facts/sql_hashes.h"

#include <algorithm>

namespace padlint {
namespace {

constexpr int max_depth = 20;
constexpr int max_steps = 1000;
constexpr int max_hops = 3;
constexpr int few_bits = 10; // a choice among so few numbers is meant: it picks a slot

class Finder {
public:
  explicit Finder(const LinkedProject& project) : project_(project) {}

  std::optional<Made> of(const Value& value, const Standpoint& at, int depth) {
    if (depth > max_depth || --steps_ < 0)
      return std::nullopt;
    switch (value.kind) {
    case ValueKind::parameter: return of_placeholder(value, at, depth);
    case ValueKind::name: return of_name(value, at, depth);
    case ValueKind::member: return of_member(value, at, depth);
    case ValueKind::index: {
      auto made = of(value.parts[0], at, depth + 1);
      return made ? sliced(std::move(*made), folded(value.parts[1], at)) : std::nullopt;
    }
    case ValueKind::call: return of_call(value, at, depth);
    case ValueKind::operation: return of_operation(value, at, depth);
    case ValueKind::concat:
    case ValueKind::choice: return worst(value.parts, 0, at, depth);
    default: return std::nullopt;
    }
  }

private:
  const Apis* apis(const Standpoint& at) const { return at.apis(project_); }
  const std::vector<ApiHash>& hashes(const Standpoint& at) const {
    return apis(at) == nullptr ? sql_hashes() : apis(at)->hashes;
  }
  const std::vector<ApiConvert>& converts(const Standpoint& at) const {
    return apis(at) == nullptr ? sql_converts() : apis(at)->converts;
  }

  /// The qualified name of what is called; empty for what is the project's own.
  std::string called(const Value& callee, const Standpoint& at) const {
    if (apis(at) != nullptr)
      return global_name(project_, callee, at.scope);
    constexpr std::string_view schema = "pg_catalog.";
    return callee.text.starts_with(schema) ? callee.text.substr(schema.size()) : callee.text;
  }

  /// A constant, through placeholders and parameters.
  Value folded(const Value& value, const Standpoint& at) const {
    if (value.is(ValueKind::parameter) && at.reading != nullptr)
      if (const auto bound = bound_value(*at.reading, value))
        return fold(project_, bound->first, bound->second);
    Value known = fold(project_, value, at.scope);
    if (known.is(ValueKind::name))
      if (const Definition found = look_up(project_, at.scope, known.text); found.kind == Definition::parameter)
        if (const auto given =
                framed_argument(project_, {found.scope.file, found.scope.routine}, found.parameter_index, at.frame))
          return fold(project_, given->first, given->second.scope);
    return known;
  }

  std::optional<std::int64_t> number(const Value* value, const Standpoint& at) const {
    if (value == nullptr)
      return std::nullopt;
    const Value known = folded(*value, at);
    return known.is(ValueKind::integer) ? std::optional(known.number) : std::nullopt;
  }

  std::optional<Made> worst(const SharedList<Value>& parts, std::size_t from, const Standpoint& at, int depth) {
    std::optional<Made> found;
    for (std::size_t i = from; i < parts.size(); ++i)
      found = worse(std::move(found), of(parts[i], at, depth + 1));
    return found;
  }

  // ---- names

  std::optional<Made> of_placeholder(const Value& value, const Standpoint& at, int depth) {
    if (at.reading != nullptr) {
      const auto bound = bound_value(*at.reading, value);
      return bound ? of(bound->first, {.scope = bound->second}, depth + 1) : std::nullopt;
    }
    if (!value.label.empty() || value.number < 0)
      return std::nullopt;
    return of_parameter({at.scope.file, at.scope.routine}, static_cast<std::uint32_t>(value.number), at, depth);
  }

  std::optional<Made> of_name(const Value& value, const Standpoint& at, int depth) {
    if (at.reading != nullptr)
      return std::nullopt; // a column
    return of_definition(definition_of(project_, value, at.scope), at, depth);
  }

  std::optional<Made> of_definition(const Definition& found, const Standpoint& at, int depth) {
    if (found.kind == Definition::parameter)
      return of_parameter({found.scope.file, found.scope.routine}, found.parameter_index, at, depth);
    if (found.kind != Definition::bindings)
      return std::nullopt;
    std::optional<Made> made;
    for (const Binding* binding : found.bound)
      if (binding->role == BindingRole::assigned)
        made = worse(std::move(made), of_binding(*binding, {found.scope.file, binding->routine}, at, depth));
    return made;
  }

  std::optional<Made> of_binding(const Binding& binding, Scope scope, const Standpoint& at, int depth) {
    if (!under_way_.insert(&binding).second)
      return std::nullopt; // k = k & mask
    const Standpoint there{.scope = scope, .frame = at.frame};
    auto made =
        binding.value.is(ValueKind::opaque) ? of_declared(binding, there, depth) : of(binding.value, there, depth + 1);
    under_way_.erase(&binding);
    if (made && made->source.stability == Stability::per_call && made->unit != ApiUnit::number)
      return std::nullopt; // an id is drawn, and has a name: others may know it
    return made;
  }

  /// `var h maphash.Hash`: an object that is only declared.
  std::optional<Made> of_declared(const Binding& binding, const Standpoint& at, int depth) {
    if (apis(at) == nullptr || binding.type.is(ValueKind::opaque))
      return std::nullopt;
    const std::string name = called(binding.type, at);
    for (const ApiHash& hash : hashes(at))
      if (!name.empty() && has(hash.names, name)) {
        Value made{.kind = ValueKind::call, .span = binding.span};
        made.parts.push_back(binding.type);
        return made_by(hash, made, nullptr, at, depth);
      }
    return std::nullopt;
  }

  std::optional<Made> of_parameter(RoutineRef ref, std::uint32_t index, const Standpoint& at, int depth) {
    if (auto given = framed_argument(project_, ref, index, at.frame))
      return of(given->first, given->second, depth + 1);
    if (hops_ >= max_hops)
      return std::nullopt;
    ++hops_;
    std::optional<Made> made;
    for (const auto& [value, scope] : arguments_for(project_, ref, index))
      made = worse(std::move(made), of(value, {.scope = scope}, depth + 1));
    --hops_;
    if (made && made->source.stability == Stability::per_call)
      return std::nullopt; // the id of something that a caller has just made
    return made;
  }

  std::optional<Made> of_member(const Value& value, const Standpoint& at, int depth) {
    for (const ApiConvert& convert : converts(at))
      if (has(convert.methods, value.text))
        if (auto made = of(value.parts[0], at, depth + 1))
          return converted(std::move(*made), convert, value, at);
    if (const Class* owner = apis(at) == nullptr ? nullptr : own_class(project_, value.parts[0], at.scope)) {
      std::optional<Made> made;
      for (const auto& [scope, binding] : field_bindings(project_, at.scope.file, *owner, value.text))
        if (binding->role == BindingRole::assigned)
          made = worse(std::move(made), of_binding(*binding, scope, at, depth));
      if (made && made->source.stability == Stability::per_call)
        return std::nullopt; // drawn once for the object: its name, which others may know
      return made;
    }
    return of_definition(definition_of(project_, value, at.scope), at, depth);
  }

  // ---- calls

  std::optional<Made> of_call(const Value& call, const Standpoint& at, int depth) {
    const Value& callee = call.parts[0];
    const std::string name = called(callee, at);
    if (!name.empty()) {
      for (const ApiHash& hash : hashes(at))
        if (has(hash.names, name))
          return made_by(hash, call, hash.of.given() ? find(call, hash.of) : argument(call, 0, {}), at, depth);
      for (const ApiConvert& convert : converts(at))
        if (has(convert.names, name) && applies(convert, call, at))
          if (const Value* source = convert.of.given() ? find(call, convert.of) : argument(call, 0, {}))
            if (auto made = of(*source, at, depth + 1))
              return converted(std::move(*made), convert, call, at);
    }
    if (callee.is(ValueKind::member))
      if (auto made = of_method(call, callee, at, depth))
        return made;
    if (const Apis* known = apis(at); known != nullptr && !name.empty())
      for (const ApiText& text : known->texts)
        if (text.form == "argument" && has(text.names, name) && call.parts.size() > 1)
          return of(call.parts[1], at, depth + 1);
    return of_routines(call, at, depth);
  }

  std::optional<Made> of_method(const Value& call, const Value& callee, const Standpoint& at, int depth) {
    for (const ApiConvert& convert : converts(at))
      if (has(convert.methods, callee.text) && applies(convert, call, at))
        if (const Value* source = convert.of.given() ? find(call, convert.of) : &callee.parts[0])
          if (auto made = of(*source, at, depth + 1))
            return converted(std::move(*made), convert, call, at);
    for (const ApiHash& hash : hashes(at))
      if (has(hash.methods, callee.text) && targets_of(project_, callee, at.scope).empty())
        return made_by(hash, call, hash.of.given() ? find(call, hash.of) : &callee.parts[0], at, depth);
    return std::nullopt;
  }

  /// A helper of the project: what it returns, with its parameters as they are given here.
  std::optional<Made> of_routines(const Value& call, const Standpoint& at, int depth) {
    std::vector<RoutineRef> targets;
    if (apis(at) != nullptr) {
      for (const auto& [target, confidence] : targets_of(project_, call.parts[0], at.scope))
        targets.push_back(target);
    } else if (const auto named = project_.routines_by_name.find(called(call.parts[0], at));
               named != project_.routines_by_name.end()) {
      std::copy_if(named->second.begin(), named->second.end(), std::back_inserter(targets),
                   [&](RoutineRef ref) { return project_.routine(ref).form == RoutineForm::sql_function; });
    }
    std::optional<Made> made;
    for (RoutineRef target : targets) {
      const CallFrame frame{target, call, at};
      for (const Value& value : project_.routine(target).returns)
        made = worse(std::move(made), of(value, {.scope = {target.file, target.index}, .frame = &frame}, depth + 1));
    }
    return made;
  }

  bool applies(const ApiConvert& convert, const Value& call, const Standpoint& at) const {
    if (!convert.when.argument.given())
      return true;
    const Value* value = find(call, convert.when.argument);
    return value != nullptr && constant_text(folded(*value, at)) == convert.when.value;
  }

  Made converted(Made made, const ApiConvert& convert, const Value& call, const Standpoint& at) const {
    const auto given = [&](const ApiArgument& a) { return a.given() ? number(find(call, a), at) : std::nullopt; };
    if (const auto count = given(convert.count))
      made = shortened(std::move(made), *count);
    if (const auto end = given(convert.end))
      made = shortened(std::move(made), *end - given(convert.begin).value_or(0));
    if (convert.format.given())
      if (const Value* format = find(call, convert.format))
        if (const auto text = constant_text(folded(*format, at)))
          for (const auto& [letter, bits] : convert.widths)
            if (const std::size_t first = text->find_first_not_of("<>=!@ "); first != std::string::npos)
              if (text->compare(first, letter.size(), letter) == 0)
                made.source.bits = std::min(made.source.bits, bits);
    if (const auto limit = given(convert.limit))
      made = limited(std::move(made), *limit);
    if (const auto width = given(convert.width); width && *width > 0)
      made.source.bits = static_cast<int>(std::min<std::int64_t>(made.source.bits, *width));
    if (convert.bits > 0)
      made.source.bits = std::min(made.source.bits, convert.bits);
    if (convert.unit != ApiUnit::same)
      made.unit = convert.unit;
    if (convert.feeds)
      if (const Value* fed = find(call, {.position = 0}))
        made.source.closed = is_closed(project_, *fed, at);
    return made;
  }

  // ---- hashes

  std::optional<Made> made_by(const ApiHash& hash, const Value& call, const Value* input, const Standpoint& at,
                              int depth) {
    Made made{.unit = hash.unit};
    made.source = {.span = call.span, .maker = to_sql(call.parts[0]), .bits = hash.bits, .seed = hash.seed};
    made.source.stability = hash.unstable == ApiUnstable::process ? Stability::per_process
                            : hash.unstable == ApiUnstable::call  ? Stability::per_call
                            : hash.unstable == ApiUnstable::time  ? Stability::over_time
                                                                  : Stability::stable;
    if (hash.limit.given())
      if (const auto limit = number(find(call, hash.limit), at))
        made = limited(std::move(made), *limit);
    if (input == nullptr) {
      made.source.closed = Answer::unknown; // it is fed later
      return made;
    }
    if (!hash.stable_types.empty()) {
      const std::optional<Confidence> text = is_text(*input, hash, at);
      if (!text)
        return std::nullopt;
      made.source.confidence = *text;
    }
    if (made.source.stability == Stability::stable)
      if (auto inner = of(*input, at, depth + 1); inner && inner->source.stability != Stability::stable) {
        inner->unit = made.unit;
        return inner;
      }
    made.source.closed = is_closed(project_, *input, at);
    return made;
  }

  bool stable_type(const Value& type, const ApiHash& hash, const Standpoint& at) const {
    const std::string name = external_name(project_, type, at.scope);
    return !name.empty() && has(hash.stable_types, name);
  }

  /// Whether a hash with a seed gets something that is no number; nothing when it gets one.
  std::optional<Confidence> is_text(const Value& input, const ApiHash& hash, const Standpoint& at,
                                    int depth = 0) const {
    const Value value = folded(input, at);
    switch (value.kind) {
    case ValueKind::integer:
    case ValueKind::boolean: return std::nullopt;
    case ValueKind::text:
    case ValueKind::concat: return Confidence::certain;
    case ValueKind::list: {
      std::optional<Confidence> found;
      for (const Value& part : value.parts)
        if (const auto text = depth < max_hops ? is_text(part, hash, at, depth + 1) : std::nullopt)
          found = found ? std::max(*found, *text) : *text;
      return found;
    }
    case ValueKind::call:
      if (stable_type(value.parts[0], hash, at))
        return std::nullopt;
      return external_name(project_, value.parts[0], at.scope).empty() ? Confidence::likely : Confidence::certain;
    case ValueKind::name: {
      const Definition found = look_up(project_, at.scope, value.text);
      const Value* type = nullptr;
      if (found.kind == Definition::parameter)
        type = &project_.routine({found.scope.file, found.scope.routine}).parameters[found.parameter_index].type;
      if (type == nullptr || type->is(ValueKind::opaque))
        return Confidence::likely;
      if (stable_type(*type, hash, at))
        return std::nullopt;
      return Confidence::certain;
    }
    default: return Confidence::likely;
    }
  }

  // ---- operators

  std::optional<Made> of_operation(const Value& value, const Standpoint& at, int depth) {
    if (value.parts.empty())
      return std::nullopt;
    if (value.text.starts_with("::")) {
      auto made = of(value.parts[0], at, depth + 1);
      return made ? cast_to(std::move(*made), std::string_view(value.text).substr(2)) : std::nullopt;
    }
    if (value.text == "select")
      return of(value.parts[0], at, depth + 1);
    auto left = of(value.parts[0], at, depth + 1);
    const int cut = apis(at) == nullptr ? 0 : apis(at)->bit_operators;
    if (left && cut > 0 && value.parts.size() == 2 && (value.text == "|" || value.text == ">>>"))
      if (number(&value.parts[1], at) == 0) { // `x | 0` only cuts
        left->source.bits = std::min(left->source.bits, cut);
        left->unit = ApiUnit::number;
        return left;
      }
    if (value.parts.size() == 1)
      return left && (value.text == "-" || value.text == "+" || value.text == "~") ? left : std::nullopt;
    auto right = of(value.parts[1], at, depth + 1);
    if (left && right) {
      const bool together = operated(*left, value.text, nullptr, true) && operated(*right, value.text, nullptr, false);
      return together ? std::optional(combined(*left, *right)) : std::nullopt;
    }
    if (!left && !right)
      return std::nullopt;
    const Value other = folded(value.parts[left ? 1 : 0], at);
    return operated(left ? std::move(*left) : std::move(*right), value.text, &other, left.has_value());
  }

  const LinkedProject& project_;
  std::set<const Binding*> under_way_;
  int steps_ = max_steps;
  int hops_ = 0;
};

/// Whether the environment of the program sets the variable to a number.
bool is_seeded(const LinkedProject& project, const std::string& variable) {
  auto sets = [&](const ConfigFact& config) {
    return config.setting == variable && !config.value.empty() &&
           std::all_of(config.value.begin(), config.value.end(), [](char c) { return c >= '0' && c <= '9'; });
  };
  return !variable.empty() && std::any_of(project.files.begin(), project.files.end(), [&](const FileFacts& file) {
    return std::any_of(file.configs.begin(), file.configs.end(), sets);
  });
}

} // namespace

std::optional<KeySource> source_of(const LinkedProject& project, const Value& part, const Standpoint& at) {
  auto made = Finder(project).of(part, at, 0);
  if (!made)
    return std::nullopt;
  KeySource& source = made->source;
  if (made->unit == ApiUnit::fraction)
    source.bits = 1;
  source.bits = std::min(source.bits, 64);
  if (source.stability == Stability::per_process && is_seeded(project, source.seed))
    source.stability = Stability::stable;
  if (source.stability == Stability::per_call && source.bits <= few_bits)
    return std::nullopt;
  return std::move(source);
}

} // namespace padlint
