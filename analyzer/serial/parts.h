#pragma once

#include "analyzer/serial/fields.h"

#include <concepts>
#include <type_traits>
#include <vector>

namespace padlint {

template <class T>
inline constexpr bool is_vector = false;
template <class T>
inline constexpr bool is_vector<std::vector<T>> = true;

/// Calls `visit` with every Part inside `whole`, itself included, outer ones first.
template <class Part, class Whole, class Visit>
void each_part_of(Whole& whole, const Visit& visit) {
  using Type = std::remove_const_t<Whole>;
  if constexpr (std::same_as<Type, Part>)
    visit(whole);
  if constexpr (is_vector<Type>)
    for (auto& element : whole)
      each_part_of<Part>(element, visit);
  else if constexpr (Described<Type>)
    fields<Type>.each([&](const auto& field) { each_part_of<Part>(whole.*field.member, visit); });
}

} // namespace padlint
