#pragma once

#include "analyzer/serial/enumerators.h"
#include "analyzer/serial/parts.h"

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>

// The stored form of described structs: an object with the fields that differ from a new struct's. A span is
// [begin, end], an enumerator its name, and a text that is no UTF-8 an object with its bytes.

namespace padlint {

using Json = nlohmann::ordered_json;

/// A text as JSON can hold it; nothing of it is lost.
Json stored_text(std::string_view text);

template <class T>
Json stored(const T& value);

/// The stored forms of all fields, in order.
template <class T>
std::vector<Json> stored_fields(const T& object) {
  std::vector<Json> values;
  fields<T>.each([&](const auto& field) { values.push_back(stored(object.*field.member)); });
  return values;
}

template <class T>
Json stored(const T& value) {
  if constexpr (std::same_as<T, Span>) {
    return Json::array({value.begin, value.end});
  } else if constexpr (std::same_as<T, std::string>) {
    return stored_text(value);
  } else if constexpr (std::is_enum_v<T>) {
    return name_of(value);
  } else if constexpr (is_shared_list<T>) {
    return stored(value.list());
  } else if constexpr (is_vector<T>) {
    Json array = Json::array();
    for (const auto& element : value)
      array.push_back(stored(element));
    return array;
  } else if constexpr (Described<T>) {
    static const std::vector<Json> defaults = stored_fields(T());
    std::vector<Json> values = stored_fields(value);
    Json object = Json::object();
    std::size_t number = 0;
    fields<T>.each([&](const auto& field) {
      if (values[number] != defaults[number])
        object[field.name] = std::move(values[number]);
      ++number;
    });
    return object;
  } else {
    static_assert(std::is_arithmetic_v<T>, "this type has no stored form: describe it in fields.h");
    return value;
  }
}

} // namespace padlint
