#pragma once

#include "analyzer/facts/linked_project.h"
#include "analyzer/facts/solver.h"

#include <algorithm>
#include <string_view>

// The states of the transaction dataflow: what the session was found in, and how many blocks the routine is inside of.

namespace padlint::transaction {

enum Base : unsigned { autocommit, implicit, explicit_begin, from_caller };

constexpr Mask bit(Base base, unsigned depth) { return Mask{1} << (static_cast<unsigned>(base) * 4 + depth); }

template <class Map>
Mask mapped(Mask mask, Map map) {
  Mask out = 0;
  for (unsigned base = autocommit; base <= from_caller; ++base)
    for (unsigned depth = 0; depth < 4; ++depth)
      if ((mask & bit(static_cast<Base>(base), depth)) != 0)
        out |= map(static_cast<Base>(base), depth);
  return out;
}

inline Mask after(const Effect& effect, Mask mask, std::string_view identity, Base rest) {
  const bool about = effect.identity == "*" || concerns(effect.identity, identity);
  if (!about)
    return mask;
  switch (effect.kind) {
  case Effect::begin:
    return mapped(mask, [&](Base base, unsigned depth) {
      return effect.scoped ? bit(base, std::min(depth + 1, 3U)) : bit(explicit_begin, depth);
    });
  case Effect::suspend: return mapped(mask, [](Base, unsigned) { return bit(autocommit, 0); });
  case Effect::resume: return mapped(mask, [&](Base, unsigned depth) { return bit(rest, depth); });
  case Effect::commit:
    if (effect.scoped)
      return mapped(mask, [](Base base, unsigned depth) { return bit(base, depth == 0 ? 0 : depth - 1); });
    [[fallthrough]];
  case Effect::rollback:
    return mapped(mask,
                  [&](Base base, unsigned depth) { return bit(base == from_caller ? from_caller : rest, depth); });
  default: return mask;
  }
}

} // namespace padlint::transaction
