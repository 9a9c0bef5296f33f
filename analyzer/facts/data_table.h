#pragma once

#include "analyzer/facts/apis.h"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

// How the tables under grammars/ are read: a key that nobody takes is a fault, with its place.

namespace padlint {

/// A fault is thrown as text, `line:column: what`, and caught by whoever loads the tables: they are compiled in, so it
/// is a fault of the build.
[[noreturn]] inline void data_fault(const toml::node& node, std::string_view text) {
  throw std::runtime_error(fmt::format("{}:{}: {}", node.source().begin.line, node.source().begin.column, text));
}

/// A table whose keys are taken one by one; what is left at the end is unknown.
class DataTable {
public:
  explicit DataTable(const toml::table& table) : table_(table) {}

  std::string text(std::string_view key) { return take(key) ? value<std::string>(key) : std::string(); }
  bool flag(std::string_view key, bool otherwise = false) { return take(key) ? value<bool>(key) : otherwise; }
  int number(std::string_view key, int otherwise) {
    return take(key) ? static_cast<int>(value<std::int64_t>(key)) : otherwise;
  }

  std::vector<std::string> list(std::string_view key) {
    std::vector<std::string> out;
    if (!take(key))
      return out;
    const toml::array* array = table_[key].as_array();
    if (array == nullptr)
      data_fault(*table_.get(key), "a list of strings is wanted");
    for (const toml::node& item : *array)
      out.push_back(item.value_exact<std::string>().value());
    return out;
  }

  ApiArgument argument(std::string_view key) {
    ApiArgument out;
    if (!take(key))
      return out;
    DataTable inner(*table_[key].as_table());
    out = inner.argument_here();
    inner.done();
    return out;
  }

  /// One argument, or a list of the places where it may stand.
  std::vector<ApiArgument> arguments(std::string_view key) {
    if (table_[key].is_array())
      return tables<ApiArgument>(key, [](DataTable& inner) { return inner.argument_here(); });
    const ApiArgument only = argument(key);
    return only.given() ? std::vector{only} : std::vector<ApiArgument>();
  }

  ApiSwitch switch_of(std::string_view key) {
    ApiSwitch out;
    if (!take(key))
      return out;
    DataTable inner(*table_[key].as_table());
    out = inner.switch_here();
    inner.done();
    return out;
  }

  std::vector<ApiSwitch> switches(std::string_view key) {
    return tables<ApiSwitch>(key, [](DataTable& inner) { return inner.switch_here(); });
  }

  /// Reads each table of a list inside.
  template <class T, class Read>
  std::vector<T> tables(std::string_view key, Read read) {
    std::vector<T> out;
    if (!take(key))
      return out;
    for (const toml::node& item : *table_[key].as_array()) {
      DataTable inner(*item.as_table());
      out.push_back(read(inner));
      inner.done();
    }
    return out;
  }

  /// Reads a table inside.
  template <class Read>
  void table(std::string_view key, Read read) {
    if (!take(key))
      return;
    DataTable inner(*table_[key].as_table());
    read(inner);
    inner.done();
  }

  std::vector<std::pair<std::string, std::string>> pairs(std::string_view key) {
    std::vector<std::pair<std::string, std::string>> out;
    if (!take(key))
      return out;
    for (const auto& [name, node] : *table_[key].as_table())
      out.emplace_back(std::string(name.str()), node.value_exact<std::string>().value());
    return out;
  }

  std::vector<std::pair<std::string, int>> numbers(std::string_view key) {
    std::vector<std::pair<std::string, int>> out;
    if (!take(key))
      return out;
    for (const auto& [name, node] : *table_[key].as_table())
      out.emplace_back(std::string(name.str()), static_cast<int>(node.value_exact<std::int64_t>().value()));
    return out;
  }

  template <class Enum>
  Enum choice(std::string_view key, const std::map<std::string_view, Enum>& words, Enum otherwise) {
    if (!take(key))
      return otherwise;
    auto word = words.find(value<std::string>(key));
    if (word == words.end())
      data_fault(*table_.get(key), "unknown word");
    return word->second;
  }

  void done() {
    for (const auto& [name, node] : table_)
      if (std::find(taken_.begin(), taken_.end(), name.str()) == taken_.end())
        data_fault(node, fmt::format("unknown key {}", name.str()));
  }

private:
  bool take(std::string_view key) {
    taken_.emplace_back(key);
    return table_.contains(key);
  }
  template <class T>
  T value(std::string_view key) {
    if (auto found = table_[key].value_exact<T>())
      return *found;
    data_fault(*table_.get(key), "wrong type");
  }
  ApiArgument argument_here() {
    return {.position = number("position", -1), .keywords = list("keywords"), .inside = text("inside")};
  }
  ApiSwitch switch_here() {
    ApiSwitch out{.argument = argument_here()};
    out.value = text("value");
    out.mentions = text("mentions");
    return out;
  }

  const toml::table& table_;
  std::vector<std::string> taken_;
};

/// Reads each table of the list `key`.
template <class T, class Read>
void read_all(const toml::table& root, std::string_view key, std::vector<T>& out, Read read) {
  const toml::array* array = root[key].as_array();
  if (array == nullptr)
    return;
  for (const toml::node& item : *array) {
    DataTable table(*item.as_table());
    out.push_back(read(table));
    table.done();
  }
}

} // namespace padlint
