#include "analyzer/facts/typing.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

// The last resort: a name that database code uses for such objects, together with a method that such an object has. A
// library that the file imports goes before one that the project imports elsewhere.

namespace padlint {
std::optional<Typed> Types::guess(std::string_view name, const Value& value, Scope scope, std::string_view method,
                                  bool is_type) {
  if (method.empty())
    return std::nullopt;
  const ApiType* best = nullptr;
  int best_rank = -1;
  for (const ApiType& type : apis_->types) {
    const bool named = std::any_of(type.receiver_names.begin(), type.receiver_names.end(),
                                   [&](const std::string& pattern) { return glob_name(pattern, name); });
    if ((!named && !(is_type && type.unknown_types && std::isupper(static_cast<unsigned char>(name[0])) != 0)) ||
        !fits(type, method))
      continue;
    const int rank = imported(type, scope.file) ? 2 : imported_anywhere(type) ? 1 : 0;
    if (rank > best_rank) {
      best = &type;
      best_rank = rank;
    }
  }
  if (best == nullptr)
    return std::nullopt;
  Typed typed;
  set_type(typed, best);
  typed.guessed = true;
  typed.from_caller = true;
  typed.confidence = Confidence::likely;
  typed.autocommit = best_rank == 2 && best->autocommit ? Answer::yes : Answer::unknown;
  // Each block that binds the name may lend another connection.
  std::string block;
  if (const Definition found = look_up(project_, scope, dotted(value)); found.kind == Definition::bindings)
    for (const Binding* binding : nearest_first(found, value.span).bound)
      if (binding->role == BindingRole::scoped && block.empty())
        block = identity_of(binding->span);
  typed.identity = block + fmt::format("name:{}:{}:{}", scope.file, scope.routine,
                                       dotted(value).empty() ? std::string(name) : dotted(value));
  if (best->ambient) // whoever has it, it is the thread's
    make_ambient(project_, typed, scope.file);
  typed.steps.push_back(
      {.text = fmt::format("`{}` is taken for a `{}` by its name and the method `{}`", name, best->name, method),
       .span = value.span,
       .confidence = Confidence::likely});
  return typed;
}

bool called_by_tests_alone(const LinkedProject& project, RoutineRef ref) {
  const auto sites = project.callers.find(ref);
  return sites != project.callers.end() && std::ranges::all_of(sites->second, [&](std::size_t index) {
           return project.file(project.calls[index].caller.file).traits.test;
         });
}

void make_ambient(const LinkedProject& project, Typed& typed, FileId file) {
  const Apis& apis = *project.apis(file);
  typed.identity = ambient_identity(*typed.type);
  typed.autocommit = typed.type->autocommit ? Answer::yes : Answer::no;
  for (const ApiSettings& settings : apis.settings)
    if (configures(apis, settings, *typed.type))
      typed.endpoints = profile_endpoints(project, settings, settings.default_profile, file);
}

Definition Types::nearest_first(Definition found, Span use) {
  std::stable_sort(found.bound.begin(), found.bound.end(), [&](const Binding* a, const Binding* b) {
    const bool a_before = a->span.file == use.file && a->span.begin <= use.begin;
    const bool b_before = b->span.file == use.file && b->span.begin <= use.begin;
    return a_before != b_before ? a_before : a_before ? a->span.begin > b->span.begin : a->span.begin < b->span.begin;
  });
  return found;
}

bool Types::fits(const ApiType& type, std::string_view method) const {
  auto in = [&](const auto& entries) {
    return std::any_of(entries.begin(), entries.end(),
                       [&](const auto& entry) { return has(entry.on, type.name) && has(entry.methods, method); });
  };
  return in(apis_->sends) || in(apis_->gives) || in(apis_->blocks) || in(apis_->transactions) || in(apis_->controls) ||
         in(apis_->writes);
}

std::string Types::package_of(std::string_view name) const { return library_of(*apis_, name); }

bool Types::imported(const ApiType& type, FileId file) const {
  for (const Import& import : project_.file(file).imports) {
    const std::string package = package_of(import.module);
    if (package == package_of(type.name))
      return true;
    for (const std::string& alias : type.aliases)
      if (package == package_of(alias))
        return true;
  }
  return false;
}

bool Types::imported_anywhere(const ApiType& type) const {
  const auto [known, fresh] = project_.caches.imported.try_emplace(&type);
  if (fresh)
    known->second = std::any_of(project_.files.begin(), project_.files.end(), [&](const FileFacts& file) {
      return project_.apis(file.file) == apis_ && imported(type, file.file);
    });
  return known->second;
}

} // namespace padlint
