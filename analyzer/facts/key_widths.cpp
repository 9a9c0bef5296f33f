#include "analyzer/facts/key_sources.h"

#include <algorithm>
#include <bit>
#include <charconv>

// Bits are counted as what could differ: a mask leaves its ones, a remainder as many as its divisor has values, a slice
// of a digest as many as its characters or bytes hold.

namespace padlint {
namespace {

/// Bits of so many elements; 0 where a part of it is no run of bits.
int bits_of(ApiUnit unit, std::int64_t elements) {
  const int count = static_cast<int>(std::min<std::int64_t>(elements, 1024));
  switch (unit) {
  case ApiUnit::hex: return count * 4;
  case ApiUnit::bytes: return count * 8;
  case ApiUnit::decimal: return count * 10 / 3;
  default: return 0;
  }
}

std::optional<std::int64_t> constant(const Value* value) {
  return value != nullptr && value->is(ValueKind::integer) ? std::optional(value->number) : std::nullopt;
}

/// Bits that so many values need.
int bits_for(std::uint64_t values) { return values <= 1 ? 0 : static_cast<int>(std::bit_width(values - 1)); }

Made at_most(Made made, int bits) {
  made.source.bits = std::min(made.source.bits, bits);
  return made;
}

bool one_of(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

} // namespace

Made shortened(Made made, std::int64_t elements) {
  const int bits = elements > 0 ? bits_of(made.unit, elements) : 0;
  return bits > 0 ? at_most(std::move(made), bits) : made;
}

Made limited(Made made, std::int64_t limit) {
  made.unit = ApiUnit::number;
  return limit > 0 ? at_most(std::move(made), bits_for(static_cast<std::uint64_t>(limit))) : made;
}

std::optional<Made> sliced(Made made, const Value& key) {
  if (key.is(ValueKind::list) && key.parts.size() == 2) { // begin and count
    const auto count = constant(&key.parts[1]);
    return count ? shortened(std::move(made), *count) : made;
  }
  if (key.is(ValueKind::operation) && key.parts.size() == 2) { // begin and end
    const auto begin = constant(&key.parts[0]);
    const auto end = constant(&key.parts[1]);
    if (begin && *begin < 0 && key.parts[1].is(ValueKind::null))
      return shortened(std::move(made), -*begin);
    if (end && *end > 0 && (key.parts[0].is(ValueKind::null) || (begin && *begin >= 0)))
      return shortened(std::move(made), *end - begin.value_or(0) + (key.text == ".." ? 1 : 0));
    return made;
  }
  // One element: of bytes a byte, of what was unpacked the number.
  return key.is(ValueKind::integer) ? shortened(std::move(made), 1) : made;
}

std::optional<Made> operated(Made made, std::string_view op, const Value* other, bool left) {
  const auto number = constant(other);
  if (op == "%" && left)
    return number ? limited(std::move(made), *number) : made;
  if (op == "&" && number && *number >= 0) {
    made.unit = ApiUnit::number;
    return at_most(std::move(made), std::popcount(static_cast<std::uint64_t>(*number)));
  }
  if (one_of(op, {"/", "//", ">>", ">>>"}) && left) {
    if (made.source.stability == Stability::over_time)
      return std::nullopt; // an hour, a day: all who come in it mean the same
    if (!number || *number <= 0)
      return made;
    const std::int64_t shift = op.starts_with('>')
                                   ? *number
                                   : static_cast<std::int64_t>(std::bit_width(static_cast<std::uint64_t>(*number))) - 1;
    if (shift < made.source.bits)
      made.source.bits -= static_cast<int>(shift);
    return made;
  }
  if (one_of(op, {"<<", "*"}) && made.unit != ApiUnit::fraction) {
    made.shifted = left || op == "*";
    return made;
  }
  if (op == "*" && number)
    return limited(std::move(made), *number);
  if (one_of(op, {"+", "-", "|", "^", "#", "~", "||", "<<", "*", "&", "%"})) {
    // Beside what is no hash: a namespace in the other half of the number.
    const bool beside = other != nullptr && other->is(ValueKind::operation) && one_of(other->text, {"<<", "*"});
    const bool high = number && (static_cast<std::uint64_t>(*number) >> 32U) != 0 && one_of(op, {"+", "|"});
    made.source.packed = made.source.packed || made.shifted || beside || high;
    return made;
  }
  if (one_of(op, {"or", "??"}))
    return made;
  return std::nullopt;
}

std::optional<Made> cast_to(Made made, std::string_view type) {
  if (one_of(type, {"int", "int4", "integer", "oid"}))
    made = at_most(std::move(made), 32);
  else if (one_of(type, {"smallint", "int2"}))
    made = at_most(std::move(made), 16);
  else if (type.starts_with("bit(")) {
    int bits = 0;
    const auto [end, error] = std::from_chars(type.data() + 4, type.data() + type.size(), bits);
    if (error != std::errc() || bits <= 0)
      return made;
    made = at_most(std::move(made), bits);
  } else if (one_of(type, {"text", "varchar", "char"})) {
    if (made.unit == ApiUnit::number)
      made.unit = ApiUnit::decimal;
    return made;
  } else if (made.source.stability == Stability::over_time && !one_of(type, {"bigint", "int8", "numeric"})) {
    return std::nullopt; // a day, an hour
  } else {
    return made;
  }
  made.unit = ApiUnit::number;
  return made;
}

std::optional<Made> worse(std::optional<Made> left, std::optional<Made> right) {
  if (!left || !right)
    return left ? left : right;
  const bool unstable_left = left->source.stability != Stability::stable;
  const bool unstable_right = right->source.stability != Stability::stable;
  if (unstable_left != unstable_right)
    return unstable_left ? left : right;
  return right->source.bits < left->source.bits ? right : left;
}

Made combined(const Made& left, const Made& right) {
  Made out = *worse(left, right);
  out.source.bits = left.shifted || right.shifted ? left.source.bits + right.source.bits
                                                  : std::max(left.source.bits, right.source.bits);
  out.source.packed = false;
  return out;
}

} // namespace padlint
