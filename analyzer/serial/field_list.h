#pragma once

#include <cstddef>
#include <string_view>
#include <tuple>
#include <utility>

// A struct is described once, by the list of its fields with their names; writing, reading and looking for parts all
// follow that list. The compiler checks that no field is missing.

namespace padlint {

template <class Struct, class Type>
struct Field {
  std::string_view name;
  Type Struct::* member;
};

/// Whether Struct has one field for each of Types, in this order, and then `more` others.
template <class Struct, class... Types>
concept HasFields = requires { Struct{std::declval<Types>()...}; };
template <class Struct, class... Types>
concept HasMoreFields = requires { Struct{std::declval<Types>()..., {}}; };

template <class Struct, class... Types>
struct FieldList {
  std::tuple<Field<Struct, Types>...> list;

  constexpr explicit FieldList(Field<Struct, Types>... fields) : list(fields...) {
    static_assert(HasFields<Struct, Types...> && !HasMoreFields<Struct, Types...>,
                  "fields.h has to name every field of this struct, in the struct's order");
  }

  template <class Visit>
  constexpr void each(Visit visit) const {
    std::apply([&](const auto&... field) { (visit(field), ...); }, list);
  }
};

/// The fields of a struct; every struct that travels has its specialisation in fields.h.
template <class Struct>
inline constexpr auto fields = nullptr;

template <class Struct>
concept Described = requires { fields<Struct>.list; };

} // namespace padlint
