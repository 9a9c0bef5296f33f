#include "analyzer/facts/session_start.h"
#include "analyzer/facts/marks.h"

#include <algorithm>

namespace padlint {

Answer transaction_per_request(const LinkedProject& project, FileId file) {
  Answer answer = Answer::unknown;
  for (const ApiSettings& settings : project.apis(file)->settings)
    answer = transaction_per_request(project, settings);
  return answer;
}

namespace {

/// `before_save :number`: nobody but the library calls the routine, inside of its transaction.
bool only_handed_into_transactions(const LinkedProject& project, RoutineRef ref) {
  const auto sites = project.callers.find(ref);
  return sites != project.callers.end() && std::ranges::all_of(sites->second, [&](std::size_t index) {
           return project.calls[index].transaction == "open";
         });
}

} // namespace

std::optional<TransactionFlow::Session> session_start(const LinkedProject& project, RoutineRef ref,
                                                      const Handle& handle) {
  using enum TransactionFlow::Base;
  const RoutineForm form = project.routine(ref).form;
  if (form == RoutineForm::sql_function || form == RoutineForm::sql_procedure || form == RoutineForm::sql_do)
    return {{explicit_begin, explicit_begin}}; // a statement runs it, and a COMMIT in it begins the next one
  const TransactionFlow::Base rest = handle.autocommit == Answer::yes  ? autocommit
                                     : handle.autocommit == Answer::no ? implicit
                                                                       : from_caller;
  if (handle.kind == HandleKind::transaction)
    return {{explicit_begin, autocommit}};
  if (begins_transaction_on(project, ref, handle.identity))
    return {{explicit_begin, rest}};
  if (handle.kind == HandleKind::pool) {
    if (!handle.from_caller)
      return {{autocommit, autocommit}};
    // What looks like a pool may be the runner's transaction, or the caller's.
    const TransactionFlow::Base lent = handle.autocommit == Answer::unknown ? from_caller : autocommit;
    const std::string mark = mark_of(project, ref);
    return {{mark == "open" ? explicit_begin : mark == "none" ? autocommit : lent, autocommit}};
  }
  if (guarded(project, ref))
    return std::nullopt;
  if (!handle.from_caller || handle.autocommit == Answer::no)
    return {{rest, rest}};
  if (begins_transaction(project, ref))
    return {{explicit_begin, rest}};
  if (wrapped_by_own(project, ref))
    return std::nullopt;
  const std::string mark = mark_of(project, ref);
  if (mark == "open")
    return {{explicit_begin, rest}};
  const bool lent = std::ranges::any_of(project.routine(ref).parameters,
                                        [&](const Parameter& parameter) { return parameter.name == handle.text; });
  if (mark == "none" && (handle.ambient || lent))
    return {{autocommit, rest}};
  if (mark == "request" && handle.ambient)
    return {{transaction_per_request(project, ref.file) == Answer::yes ? explicit_begin
                                                                       : autocommit, // unless told otherwise
             rest}};
  if (mark == "unknown")
    return std::nullopt;
  if (handle.ambient && only_handed_into_transactions(project, ref))
    return {{explicit_begin, rest}};
  return {{from_caller, rest}};
}

} // namespace padlint
