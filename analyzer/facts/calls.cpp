#include "analyzer/facts/linked_project.h"

#include <algorithm>

// Which routine of the project a call runs, and with it who calls whom.

namespace padlint {
namespace {

/// Whether a call gives every parameter that has no default; the object itself is the first.
bool gives_enough(const Routine& routine, const Value& call) {
  const auto needed = std::count_if(routine.parameters.begin(), routine.parameters.end(),
                                    [](const Parameter& parameter) { return parameter.initial.span.empty(); });
  return static_cast<std::ptrdiff_t>(call.parts.size()) >= needed;
}

class Collector {
public:
  explicit Collector(const LinkedProject& project) : project_(project) {}

  std::vector<CallSite> take() { return std::move(calls_); }
  /// How many routines are handed over to a library that runs them with a database object.
  [[nodiscard]] std::size_t blocks() const { return blocks_; }

  void file(const FileFacts& facts) {
    apis_ = apis_of(facts.language);
    if (apis_ == nullptr)
      return;
    for (std::uint32_t i = 0; i < facts.routines.size(); ++i) {
      scope_ = {facts.file, i};
      for_each_call(facts.routines[i], [&](const Event& event) { call(event.value); });
    }
  }

private:
  void call(const Value& value) {
    if (value.parts.empty())
      return;
    for (const auto& [target, confidence] : targets_of(project_, value.parts[0], scope_))
      if (confidence == Confidence::certain || gives_enough(project_.routine(target), value))
        add({.caller = {scope_.file, scope_.routine},
             .callee = target,
             .span = value.span,
             .call = value,
             .transaction = {},
             .confidence = confidence});
    for (std::size_t i = 1; i < value.parts.size(); ++i)
      handed_over(value, value.parts[i]);
  }

  /// A routine that is an argument runs when, and how often, the one that gets it likes.
  void handed_over(const Value& call, const Value& argument) {
    RoutineRef target;
    if (argument.is(ValueKind::function))
      target = {scope_.file, static_cast<std::uint32_t>(argument.number)};
    else if (const Definition found = definition_of(project_, argument, scope_); found.kind == Definition::routine)
      target = found.target;
    else if (const Class* owner =
                 argument.is(ValueKind::member) ? own_class(project_, argument.parts[0], scope_) : nullptr) {
      auto method = method_of(project_, scope_.file, *owner, argument.text);
      if (!method)
        return;
      target = *method;
    } else if (const auto named = named_method(call, argument))
      target = *named;
    else
      return;
    const std::string name = external_name(project_, call.parts[0], scope_);
    const ApiBlock* block = block_of(call, name);
    std::string transaction = block != nullptr && block->transaction ? "open" : "unknown";
    for (const ApiMark& mark : apis_->marks)
      if (!name.empty() && has_glob(mark.passed_to, name))
        transaction = mark.transaction == "open" && set_to_false(project_, call, call.span, mark.atomic_field)
                          ? "none"
                          : mark.transaction;
    add({.caller = {scope_.file, scope_.routine},
         .callee = target,
         .span = call.span,
         .call = make_opaque(call.span),
         .transaction = transaction,
         .handed_to = call,
         .block = block});
    blocks_ += block != nullptr ? 1 : 0;
  }

  const ApiBlock* block_of(const Value& call, const std::string& name) {
    const Value& callee = call.parts[0];
    for (const ApiBlock& block : apis_->blocks)
      if (!name.empty() && has(block.names, name))
        return &block;
    if (!callee.is(ValueKind::member) ||
        std::none_of(apis_->blocks.begin(), apis_->blocks.end(),
                     [&](const ApiBlock& block) { return has(block.methods, callee.text); }))
      return nullptr;
    const std::optional<Typed> receiver = type_of(project_, callee.parts[0], scope_, callee.text);
    if (receiver && receiver->type != nullptr)
      for (const ApiBlock& block : apis_->blocks)
        if (has(block.on, receiver->type->name) && has(block.methods, callee.text))
          return &block;
    return nullptr;
  }

  /// `before_save :take_lock`, in the body of the class that has the method.
  std::optional<RoutineRef> named_method(const Value& call, const Value& argument) const {
    const Class* owner = argument.is(ValueKind::text) ? class_around(project_, call.span) : nullptr;
    const std::string name = owner == nullptr ? "" : external_name(project_, call.parts[0], scope_);
    if (name.empty() ||
        std::ranges::none_of(apis_->marks, [&](const ApiMark& mark) { return has_glob(mark.passed_to, name); }))
      return std::nullopt;
    return method_of(project_, scope_.file, *owner, argument.text);
  }

  void add(CallSite site) { calls_.push_back(std::move(site)); }

  const LinkedProject& project_;
  std::vector<CallSite> calls_;
  std::size_t blocks_ = 0;
  const Apis* apis_ = nullptr;
  Scope scope_;
};

} // namespace

std::vector<std::pair<RoutineRef, Confidence>> targets_of(const LinkedProject& project, const Value& callee,
                                                          Scope scope, int depth) {
  const Apis* apis = project.apis(scope.file);
  if (apis == nullptr)
    return {};
  if (callee.is(ValueKind::function))
    return {{{scope.file, static_cast<std::uint32_t>(callee.number)}, Confidence::certain}};
  const Definition found = definition_of(project, callee, scope);
  if (found.kind == Definition::routine)
    return {{found.target, Confidence::certain}};
  const bool makes = callee.is(ValueKind::member) && has(apis->instantiators, callee.text);
  if (makes && found.kind != Definition::routine)
    if (const Definition made = definition_of(project, callee.parts[0], scope); made.kind == Definition::type)
      if (auto constructor = method_of(project, made.scope.file, *made.type_definition, apis->constructor))
        return {{*constructor, Confidence::certain}};
  if (found.kind == Definition::type) {
    if (auto constructor = method_of(project, found.scope.file, *found.type_definition, apis->constructor))
      return {{*constructor, Confidence::certain}};
    return {};
  }
  if (!callee.is(ValueKind::member) || found.kind == Definition::external || found.kind == Definition::module)
    return {};
  if (const Class* owner = own_class(project, callee.parts[0], scope)) {
    if (auto method = method_of(project, scope.file, *owner, callee.text))
      return {{*method, Confidence::certain}};
    return {};
  }
  const auto named = project.routines_by_name.find(callee.text);
  if (named == project.routines_by_name.end())
    return {};
  if (auto object = type_of(project, callee.parts[0], scope, {}, depth + 1); object && object->instance_of != nullptr) {
    if (auto method = method_of(project, object->instance_file, *object->instance_of, callee.text))
      return {{*method, Confidence::certain}};
    return {};
  }
  if (library_method(*apis, callee.text))
    return {};
  // The only method of that name in the project.
  std::vector<RoutineRef> methods;
  for (RoutineRef ref : named->second)
    if (!project.routine(ref).owner.empty() && project.apis(ref.file) == apis && project.reaches(scope.file, ref.file))
      methods.push_back(ref);
  if (methods.size() == 1)
    return {{methods[0], Confidence::likely}};
  return {};
}

void collect_calls(LinkedProject& project) {
  // Twice: who is called through a parameter is known only when it is known what callers pass. And once more for each
  // block inside a block, whose receiver is what the outer one gives.
  constexpr int most_passes = 5;
  std::size_t blocks = 0;
  for (int pass = 0; pass < most_passes; ++pass) {
    Collector collector(project);
    for (const FileFacts& file : project.files)
      collector.file(file);
    project.calls = collector.take();
    project.caches.types.clear(); // with other callers, parameters have other types
    project.callers.clear();
    for (std::size_t i = 0; i < project.calls.size(); ++i)
      project.callers[project.calls[i].callee].push_back(i);
    if (pass > 0 && collector.blocks() == blocks)
      break;
    blocks = collector.blocks();
  }
}

} // namespace padlint
