#include "analyzer/facts/marks.h"

#include <algorithm>
#include <cctype>

// A transaction that lives in the surroundings (a context of the thread, of the chain of asynchronous calls): what
// looks like a pool may be the connection of that transaction. No text shows it but the name of the wrapper.

namespace padlint {

bool Wrapped::operator()(RoutineRef routine) {
  const auto [entry, fresh] = known_.try_emplace(routine, false);
  if (!fresh)
    return entry->second; // known, or under way further out
  bool wrapped = marked(routine);
  if (const auto sites = project_.callers.find(routine); sites != project_.callers.end())
    for (const std::size_t index : sites->second) {
      const CallSite& site = project_.calls[index];
      wrapped = wrapped || handed_to_wrapper(site) || (*this)(site.caller);
    }
  if (const Routine& inner = project_.routine(routine); !wrapped && inner.form == RoutineForm::anonymous)
    wrapped = (*this)({routine.file, inner.parent});
  known_[routine] = wrapped;
  return wrapped;
}

bool Wrapped::marked(RoutineRef ref) const {
  const Apis* apis = project_.apis(ref.file);
  const std::vector<Value>& annotations = project_.routine(ref).annotations;
  return apis != nullptr && std::any_of(annotations.begin(), annotations.end(), [&](const Value& annotation) {
           const std::string name = dotted(annotation.is(ValueKind::call) ? annotation.parts[0] : annotation);
           return has_glob(apis->transaction_wrappers, name);
         });
}

bool Wrapped::handed_to_wrapper(const CallSite& site) {
  const Apis* apis = project_.apis(site.caller.file);
  if (site.block != nullptr && site.block->transaction && !site.block->ambient_with.empty())
    return calls(site.block->ambient_with);
  if (apis == nullptr || site.block != nullptr || !site.handed_to.is(ValueKind::call) ||
      !project_.routine(site.callee).parameters.empty())
    return false;
  const Value& callee = site.handed_to.parts[0];
  return has_glob(apis->transaction_wrappers, callee.text);
}

/// `Sequelize.useCLS(namespace)`
bool Wrapped::calls(const std::string& method) {
  const auto [entry, fresh] = called_.try_emplace(method, false);
  if (fresh)
    for (const FileFacts& file : project_.files)
      for (const Routine& routine : file.routines)
        for_each_call(routine, [&](const Event& event) {
          const Value* callee = event.value.parts.empty() ? nullptr : &event.value.parts[0];
          entry->second =
              entry->second || (callee != nullptr && callee->is(ValueKind::member) && callee->text == method);
        });
  return entry->second;
}

} // namespace padlint
