#include "analyzer/core/handle.h"

#include <fmt/format.h>

namespace padlint {

std::string to_text(HandleKind kind) {
  switch (kind) {
  case HandleKind::unknown: return "unknown";
  case HandleKind::pool: return "pool";
  case HandleKind::pinned: return "pinned";
  case HandleKind::transaction: return "transaction";
  }
  return "";
}

std::string to_text(OnReturn on_return) {
  switch (on_return) {
  case OnReturn::unknown: return "unknown";
  case OnReturn::keeps: return "keeps";
  case OnReturn::unlocks: return "unlocks";
  case OnReturn::closes: return "closes";
  }
  return "";
}

std::string to_text(const Endpoint& endpoint) {
  const auto known = [](const std::string& part) { return part.empty() ? std::string("?") : part; };
  std::string out = fmt::format("{}:{}/{}", known(endpoint.host), known(endpoint.port), known(endpoint.database));
  if (!endpoint.user.empty())
    out = endpoint.user + "@" + out;
  if (!endpoint.environment.empty())
    out += fmt::format(" [{}]", endpoint.environment);
  if (endpoint.confidence != Confidence::certain)
    out += fmt::format(" {}", to_text(endpoint.confidence));
  return out;
}

std::string to_text(const Handle& handle) {
  std::string out = to_text(handle.kind);
  for (const std::string* part : {&handle.type, &handle.text})
    if (!part->empty())
      out += " " + *part;
  if (handle.from_caller)
    out += " from_caller";
  if (handle.ambient)
    out += " ambient";
  if (handle.autocommit != Answer::unknown)
    out += fmt::format(" autocommit={}", to_text(handle.autocommit));
  if (handle.commit_returns)
    out += " commit_returns";
  if (handle.on_return != OnReturn::unknown)
    out += " on_return=" + to_text(handle.on_return);
  if (handle.pool_size)
    out += fmt::format(" pool_size={}", *handle.pool_size);
  if (handle.pool_size_unresolved)
    out += " pool_size=?";
  for (const Endpoint& endpoint : handle.endpoints)
    out += " to " + to_text(endpoint);
  if (handle.confidence != Confidence::certain)
    out += fmt::format(" {}", to_text(handle.confidence));
  return out;
}

} // namespace padlint
