#pragma once

#include "analyzer/serial/json_writer.h"

#include <limits>

namespace padlint {

/// The contrary of stored_text; false when the JSON is none of its results.
bool read_stored_text(const Json& json, std::string& text);

/// Reads what `stored` wrote. The first thing that does not fit ends it, and is told.
class JsonReader {
public:
  /// Where the reading ended, empty when all is well: `files/3/routines/0: unknown field "x"`.
  [[nodiscard]] std::string fault() const { return what_.empty() || where_.empty() ? what_ : where_ + ": " + what_; }

  template <class T>
  bool read(const Json& json, T& value) {
    if constexpr (std::same_as<T, Span>) {
      return json.is_array() && json.size() == 2 && read(json[0], value.begin) && read(json[1], value.end)
                 ? true
                 : failed("no span");
    } else if constexpr (std::same_as<T, std::string>) {
      return read_stored_text(json, value) ? true : failed("no text");
    } else if constexpr (std::is_enum_v<T>) {
      const auto found =
          json.is_string() ? enumerator_of<T>(json.template get_ref<const std::string&>()) : std::nullopt;
      value = found.value_or(value);
      return found ? true : failed("not one of the words that are known here");
    } else if constexpr (is_shared_list<T>) {
      return read_elements(json, value.edit());
    } else if constexpr (is_vector<T>) {
      return read_elements(json, value);
    } else if constexpr (Described<T>) {
      return read_fields(json, value);
    } else if constexpr (std::same_as<T, bool>) {
      value = json == true;
      return json.is_boolean() ? true : failed("neither true nor false");
    } else {
      return read_number(json, value);
    }
  }

private:
  template <class T>
  bool read_number(const Json& json, T& value) {
    static_assert(std::is_integral_v<T>);
    const bool is_unsigned = json.is_number_unsigned();
    if (!json.is_number_integer() ||
        (is_unsigned ? std::cmp_greater(json.get<std::uint64_t>(), std::numeric_limits<T>::max())
                     : !std::in_range<T>(json.get<std::int64_t>())))
      return failed("no number of the right size");
    value = is_unsigned ? static_cast<T>(json.get<std::uint64_t>()) : static_cast<T>(json.get<std::int64_t>());
    return true;
  }

  template <class T>
  bool read_elements(const Json& json, std::vector<T>& list) {
    if (!json.is_array())
      return failed("no list");
    // Values nest; deeper ones than any reader makes would only be there to exhaust the stack.
    if (depth_ > most_depth)
      return failed("nested too deeply");
    ++depth_;
    for (std::size_t i = 0; i < json.size(); ++i)
      if (!read(json[i], list.emplace_back()))
        return inside(std::to_string(i));
    --depth_;
    return true;
  }

  template <class T>
  bool read_fields(const Json& json, T& object) {
    if (!json.is_object())
      return failed("no object");
    std::size_t known = 0;
    bool good = true;
    fields<T>.each([&](const auto& field) {
      const auto found = good ? json.find(field.name) : json.end();
      if (found == json.end())
        return;
      ++known;
      good = read(*found, object.*field.member) ? true : inside(field.name);
    });
    return good && known != json.size() ? failed("a field that is not known here") : good;
  }

  bool failed(std::string_view what) {
    what_ = what;
    return false;
  }
  bool inside(std::string_view where) {
    where_ = std::string(where).append(where_.empty() ? "" : "/").append(where_);
    return false;
  }

  static constexpr int most_depth = 4 * max_value_depth;
  int depth_ = 0;
  std::string what_, where_;
};

} // namespace padlint
