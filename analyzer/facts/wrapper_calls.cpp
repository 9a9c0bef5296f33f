#include "analyzer/facts/wrapper_calls.h"

#include "analyzer/facts/composer.h"
#include "analyzer/facts/typing.h"

#include <fmt/format.h>

#include <algorithm>

namespace padlint {
namespace {

/// The parts of `a.b::c`.
std::vector<std::string_view> parts_of(std::string_view name) {
  constexpr std::string_view separators = ".:#";
  std::vector<std::string_view> parts;
  while (!name.empty()) {
    const std::size_t end = std::min(name.find_first_of(separators), name.size());
    if (end > 0)
      parts.push_back(name.substr(0, end));
    name.remove_prefix(std::min(end + 1, name.size()));
  }
  return parts;
}

bool ends_in(std::string_view name, std::string_view tail) {
  const auto whole = parts_of(name);
  const auto wanted = parts_of(tail);
  return !wanted.empty() && wanted.size() <= whole.size() && std::equal(wanted.rbegin(), wanted.rend(), whole.rbegin());
}

bool names(std::span<const std::string> wanted, std::string_view name) {
  return !name.empty() && std::ranges::any_of(wanted, [&](const std::string& each) { return ends_in(name, each); });
}

/// Every name by which the callee may be known: as written, where it comes from, and the class that has the method.
std::vector<std::string> names_of(const LinkedProject& project, const Value& callee, Scope scope) {
  std::vector<std::string> found = {dotted(callee), external_name(project, callee, scope)};
  if (callee.is(ValueKind::member))
    found.push_back(callee.text);
  for (const auto& [target, confidence] : targets_of(project, callee, scope)) {
    const Routine& routine = project.routine(target);
    std::string module = project.file(target.file).path;
    module = module.substr(0, module.rfind('.'));
    std::ranges::replace(module, '/', '.');
    found.push_back(routine.owner.empty() ? fmt::format("{}.{}", module, routine.name)
                                          : fmt::format("{}.{}", routine.owner, routine.name));
  }
  return found;
}

} // namespace

bool may_call(std::span<const Wrapper> wrappers, const Value& callee) {
  const auto last = [&](const std::vector<std::string>& list) {
    return std::ranges::any_of(list, [&](const std::string& each) {
      const auto parts = parts_of(each);
      return !parts.empty() && parts.back() == callee.text;
    });
  };
  return std::ranges::any_of(wrappers, [&](const Wrapper& each) { return last(each.calls) || last(each.releases); });
}

WrapperCall wrapper_of(const LinkedProject& project, const Value& callee, Scope scope) {
  if (!may_call(project.notes.wrappers, callee))
    return {};
  const std::vector<std::string> known = names_of(project, callee, scope);
  for (const Wrapper& wrapper : project.notes.wrappers)
    for (const std::string& name : known) {
      if (names(wrapper.calls, name))
        return {.wrapper = &wrapper};
      if (names(wrapper.releases, name))
        return {.wrapper = &wrapper, .release = true};
    }
  return {};
}

ComposedText wrapped_sql(const LinkedProject& project, const WrapperCall& wrapped, const Value& written, Scope scope) {
  const Value call = spread_out(project, written, scope);
  const Wrapper& wrapper = *wrapped.wrapper;
  ComposedText out{.text = {}, .binds = {}, .scope = scope};
  append_for(out.text,
             fmt::format("SELECT pg_{}advisory_{}{}{}(", wrapper.tries && !wrapped.release ? "try_" : "",
                         wrapper.level == Level::transaction && !wrapped.release ? "xact_" : "",
                         wrapped.release ? "unlock" : "lock", wrapper.shared ? "_shared" : ""),
             call.span);
  for (std::size_t i = 0; i < wrapper.key.size(); ++i) {
    if (i > 0)
      append_for(out.text, ", ", call.span);
    const Value* key = find_argument(call, wrapper.key[i]);
    out.text.append_hole(key == nullptr ? make_opaque(call.span) : *key);
  }
  append_for(out.text, ")", call.span);
  return out;
}

ApiSends sends_of(const Wrapper& wrapper, bool own_session) {
  return {.sql = wrapper.sql,
          .binds_rest = true,
          .result = ApiResult::value,
          .session = own_session ? wrapper.calls.front() : std::string(),
          .autocommit = !wrapper.transaction};
}

} // namespace padlint
