#include "analyzer/facts/typing.h"

namespace padlint {

HandleKind handle_kind(const Typed& typed) {
  if (typed.transaction)
    return HandleKind::transaction;
  switch (typed.kind) {
  case ApiKind::pool:
  case ApiKind::factory: return HandleKind::pool;
  case ApiKind::other: return HandleKind::unknown;
  default: return HandleKind::pinned;
  }
}

Handle handle_of(const Typed& typed, std::string text) {
  if (text.empty())
    text = typed.type->name;
  return {.kind = handle_kind(typed),
          .text = std::move(text),
          .type = typed.type->name,
          .identity = typed.identity,
          .pool = typed.pool,
          .from_caller = typed.from_caller,
          .ambient = typed.ambient(),
          .fresh = typed.fresh,
          .autocommit = typed.autocommit,
          .commit_returns = typed.kind == ApiKind::session,
          .on_return = typed.on_return,
          .pool_size = typed.single ? std::optional<int>(1) : typed.pool_size,
          .pool_size_unresolved = typed.pool_size_unresolved,
          .endpoints = typed.endpoints,
          .confidence = typed.confidence,
          .steps = typed.steps};
}

} // namespace padlint
