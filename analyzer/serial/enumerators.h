#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>

// The names of an enumeration's values, as the compiler knows them: nothing lists them, so nothing can be forgotten.

namespace padlint {

constexpr std::size_t most_enumerators = 64;

/// `call` for EventKind::call; empty for a number that is no enumerator.
template <auto value>
constexpr std::string_view enumerator_name() {
  const std::string_view pretty = __PRETTY_FUNCTION__; // "... value = padlint::EventKind::call; ..." or "...]"
  std::string_view name = pretty.substr(pretty.find("value = ") + 8);
  name = name.substr(0, name.find_first_of(";]"));
  return name.starts_with('(') ? std::string_view() : name.substr(name.rfind(':') + 1);
}

/// The names of the enumerators by value; they count from 0 without a gap.
template <class E>
  requires std::is_enum_v<E>
inline constexpr auto enumerator_names = []<std::size_t... i>(std::index_sequence<i...>) {
  return std::array<std::string_view, sizeof...(i)>{enumerator_name<static_cast<E>(i)>()...};
}(std::make_index_sequence<most_enumerators>());

template <class E>
constexpr std::string_view name_of(E value) {
  return enumerator_names<E>.at(static_cast<std::size_t>(value));
}

template <class E>
constexpr std::optional<E> enumerator_of(std::string_view name) {
  for (std::size_t i = 0; i < enumerator_names<E>.size() && !name.empty(); ++i)
    if (enumerator_names<E>[i] == name)
      return static_cast<E>(i);
  return std::nullopt;
}

} // namespace padlint
