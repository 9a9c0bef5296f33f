#pragma once

#include "analyzer/serial/fields.h"

#include <concepts>
#include <utility>
#include <vector>

namespace padlint {

template <class T>
inline constexpr bool is_vector = false;
template <class T>
inline constexpr bool is_vector<std::vector<T>> = true;
template <class T>
inline constexpr bool is_shared_list = false;
template <class T>
inline constexpr bool is_shared_list<SharedList<T>> = true;

/// Calls `visit` with every Part inside `whole`, itself included, outer ones first.
template <class Part, class Whole, class Visit>
void each_part_of(const Whole& whole, const Visit& visit) {
  if constexpr (std::same_as<Whole, Part>)
    visit(whole);
  if constexpr (is_vector<Whole> || is_shared_list<Whole>)
    for (const auto& element : whole)
      each_part_of<Part>(element, visit);
  else if constexpr (Described<Whole>)
    fields<Whole>.each([&](const auto& field) { each_part_of<Part>(whole.*field.member, visit); });
}

/// Whether there is a Part inside `whole`, itself included, that is `wanted`.
template <class Part, class Whole, class Wanted>
bool any_part_of(const Whole& whole, const Wanted& wanted) {
  bool found = false;
  if constexpr (std::same_as<Whole, Part>)
    found = wanted(whole);
  if constexpr (is_vector<Whole> || is_shared_list<Whole>)
    for (const auto& element : whole)
      found = found || any_part_of<Part>(element, wanted);
  else if constexpr (Described<Whole>)
    fields<Whole>.each([&](const auto& field) { found = found || any_part_of<Part>(whole.*field.member, wanted); });
  return found;
}

/// Changes every Part inside `whole` that is `wrong`. Lists without such parts stay shared.
template <class Part, class Whole, class Wrong, class Change>
void mend_parts_of(Whole& whole, const Wrong& wrong, const Change& change) {
  if constexpr (std::same_as<Whole, Part>)
    if (wrong(std::as_const(whole)))
      change(whole);
  if constexpr (is_vector<Whole>) {
    for (auto& element : whole)
      mend_parts_of<Part>(element, wrong, change);
  } else if constexpr (is_shared_list<Whole>) {
    if (any_part_of<Part>(whole, wrong))
      mend_parts_of<Part>(whole.edit(), wrong, change);
  } else if constexpr (Described<Whole>) {
    fields<Whole>.each([&](const auto& field) { mend_parts_of<Part>(whole.*field.member, wrong, change); });
  }
}

} // namespace padlint
