#include "analyzer/facts/typing.h"

namespace padlint {

Handle handle_of(const Typed& typed, std::string text) {
  if (text.empty())
    text = typed.type->name;
  return {.kind = typed.transaction                                               ? HandleKind::transaction
                  : typed.kind == ApiKind::pool || typed.kind == ApiKind::factory ? HandleKind::pool
                  : typed.kind == ApiKind::other                                  ? HandleKind::unknown
                                                                                  : HandleKind::pinned,
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
