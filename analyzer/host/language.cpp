#include "analyzer/host/language.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <optional>
#include <toml++/toml.h>

// The one place where names of node kinds and fields are strings: here they become numbers of the grammar, once. A
// language that extends another has the other's data but for what it says itself: it adds node kinds to roles, and of
// the other's only those count that its own grammar has.

namespace padlint {

namespace {

using namespace host;

struct Loader {
  const TSLanguage* grammar;
  HostLanguage language;
  std::string error;      // the first one
  bool inherited = false; // the roles are another language's: what this grammar lacks is left out

  void fail(std::string text) {
    if (error.empty())
      error = std::move(text);
  }

  TSSymbol kind(std::string_view name, bool is_named = true) const {
    return ts_language_symbol_for_name(grammar, name.data(), static_cast<std::uint32_t>(name.size()), is_named);
  }

  template <typename Number, std::size_t count>
  static bool add(std::array<Number, count>& to, Number number) {
    const auto free = std::ranges::find(to, Number{});
    if (number == 0 || free == to.end())
      return false;
    *free = number;
    return true;
  }

  /// A field, else a node kind, else a token; several are alternatives.
  Place place(const std::vector<std::string>& alternatives) {
    Place out;
    for (const std::string& text : alternatives) {
      if (text.starts_with('#'))
        std::from_chars(text.data() + 1, text.data() + text.size(), out.position);
      else if (!add(out.fields,
                    ts_language_field_id_for_name(grammar, text.data(), static_cast<std::uint32_t>(text.size()))) &&
               !add(out.kinds, kind(text)) && !add(out.kinds, kind(text, false)) && !inherited)
        fail(fmt::format("the grammar has neither field nor node kind `{}`", text));
    }
    return out;
  }

  void entry(Role role, const toml::table& table) {
    RoleEntry out{.role = role};
    for (const auto& [key, value] : table) {
      if (key.str() == "node")
        continue;
      if (key.str() == "negated" || key.str() == "tests_after") {
        (key.str() == "negated" ? out.negated : out.tests_after) = value.value_or(false);
        continue;
      }
      const std::optional<Slot> slot = named<Slot>(key.str(), slot_count);
      if (!slot || strings(table[key]).empty())
        fail(fmt::format("`{}` is no slot of `{}`", key.str(), to_text(role)));
      else
        out.places.at(static_cast<std::size_t>(*slot)) = place(strings(table[key]));
    }
    const auto index = static_cast<std::uint8_t>(language.entries.size());
    language.entries.push_back(out);
    for (const std::string& name : strings(table["node"])) {
      if (const TSSymbol symbol = kind(name); symbol != 0 && language.by_symbol[symbol] == 0)
        language.by_symbol[symbol] = index;
      else if (!inherited)
        fail(fmt::format("`{}`: `{}` is no node kind of the grammar, or has two roles", to_text(role), name));
    }
  }

  void roles(const toml::table& table) {
    for (const auto& [key, value] : table) {
      const std::optional<Role> role = named<Role>(key.str(), role_count);
      if (!role)
        fail(fmt::format("`{}` is no role", key.str()));
      else if (const toml::table* one = value.as_table())
        entry(*role, *one);
      else if (const toml::array* several = value.as_array())
        for (const toml::node& element : *several)
          entry(*role, *element.as_table());
    }
  }

  void operators(const toml::table& table) {
    language.operators.resize(ts_language_symbol_count(grammar));
    language.joins = strings(table["join"]);
    language.append = table["append"].value_or("");
    for (std::uint32_t i = 0; i < language.operators.size(); ++i) {
      const auto symbol = static_cast<TSSymbol>(i);
      if (ts_language_symbol_type(grammar, symbol) != TSSymbolTypeAnonymous)
        continue;
      const std::string_view written = ts_language_symbol_name(grammar, symbol);
      Operator& out = language.operators[i];
      out.name = table[written].value_or(written);
      out.kind = out.name == "and"                                                    ? OperatorKind::logical_and
                 : out.name == "or"                                                   ? OperatorKind::logical_or
                 : out.name == "not"                                                  ? OperatorKind::logical_not
                 : std::ranges::find(language.joins, written) != language.joins.end() ? OperatorKind::join
                                                                                      : OperatorKind::plain;
    }
  }

  void text(const toml::table& table) {
    TextRules& out = language.text;
    out.raw_prefix = table["raw_prefix"].value_or("");
    out.raw_literal = table["raw_literal"].value_or("");
    out.template_prefix = table["template_prefix"].value_or("");
    out.doubled = table["doubled"].value_or("");
    out.simple = table["simple"].value_or("");
    out.literal = table["literal"].value_or("");
    out.octal = table["octal"].value_or(0);
    out.named = std::string_view(table["named"].value_or("")).empty() ? '\0' : table["named"].value_or("")[0];
    out.keeps_unknown = table["keeps_unknown"].value_or(false);
    for (const std::string& form : strings(table["hex"]))
      out.hex.emplace_back(form[0], form.ends_with("{}") ? 0 : form[1] - '0');
  }

  void blocks(const toml::table& table) {
    language.blocks = {.repeat = strings(table["repeat"]),
                       .map = strings(table["map"]),
                       .forever = strings(table["forever"]),
                       .run = strings(table["run"]),
                       .elsewhere = strings(table["elsewhere"])};
  }

  /// What `base` says and `own` does not; the roles are kept apart.
  static toml::table merged(toml::table own, const toml::table& base) {
    for (const auto& [key, value] : base) {
      toml::table* inner = own[key.str()].as_table();
      if (inner == nullptr)
        own.insert(key.str(), value);
      else if (value.is_table())
        *inner = merged(*inner, *value.as_table());
    }
    return own;
  }

  /// The languages that this one builds on, the nearest first.
  void bases(toml::table& table, std::vector<toml::table>& base_roles) {
    std::string base = table["extends"].value_or("");
    while (!base.empty() && base_roles.size() < embedded_languages().size()) {
      const EmbeddedLanguage* found = embedded_language(base);
      if (found == nullptr)
        return fail(fmt::format("there is no language `{}` to extend", base));
      toml::table outer = toml::parse(found->language_toml);
      if (const toml::table* outer_roles = outer["roles"].as_table())
        base_roles.push_back(*outer_roles);
      outer.erase("roles");
      base = outer["extends"].value_or("");
      table = merged(std::move(table), outer);
    }
  }

  void top(toml::table table) {
    std::vector<toml::table> base_roles;
    bases(table, base_roles);
    language.grammar = grammar;
    language.files.extensions = strings(table["extensions"]);
    language.files.shebangs = strings(table["shebangs"]);
    language.files.manifests = strings(table["manifests"]);
    language.files.test_paths = strings(table["test_paths"]);
    language.catch_all = strings(table["catch_all"]);
    language.never_returns = strings(table["never_returns"]);
    language.integer_separator = table["integer_separator"].value_or("");
    language.index_method = table["index_method"].value_or("");
    language.static_methods = strings(table["static_methods"]);
    language.mixins = strings(table["mixins"]);
    language.last_value_is_result = table["last_value_is_result"].value_or(false);
    language.integer_suffix = table["integer_suffix"].value_or("");
    language.receiver = table["receiver"].value_or("");
    language.exports = strings(table["exports"]);
    language.import_calls = strings(table["import_calls"]);
    language.cases_fall_through = table["cases_fall_through"].value_or(false);
    language.receiver_is_first_parameter = table["receiver_is_first_parameter"].value_or(false);
    language.module_binds_first_part = table["module_binds_first_part"].value_or(false);
    language.address_of = table["address_of"].value_or("");
    language.dereference = table["dereference"].value_or("");
    language.blank = table["blank"].value_or("");
    language.calls_raise = table["calls_raise"].value_or(true);
    language.misreads_type_arguments_of_tags = table["misreads_type_arguments_of_tags"].value_or(false);
    language.continuations = strings(table["continuations"]);
    language.break_leaves_match = table["break_leaves_match"].value_or(false);
    language.entries.resize(1);
    language.by_symbol.resize(ts_language_symbol_count(grammar));
    const toml::table none;
    const auto section = [&](std::string_view name) -> const toml::table& {
      const toml::table* found = table[name].as_table();
      return found ? *found : none;
    };
    text(section("text"));
    blocks(section("blocks"));
    operators(section("operators"));
    roles(section("roles"));
    inherited = true;
    for (const toml::table& base : base_roles)
      roles(base);
  }

  template <typename Named>
  static std::optional<Named> named(std::string_view name, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i)
      if (to_text(static_cast<Named>(i)) == name)
        return static_cast<Named>(i);
    return std::nullopt;
  }

  /// A string, or an array of strings.
  template <typename View>
  static std::vector<std::string> strings(const View& view) {
    std::vector<std::string> out;
    if (const auto one = view.template value<std::string>())
      out.push_back(*one);
    else if (const toml::array* several = view.as_array())
      for (const toml::node& element : *several)
        out.push_back(element.value_or(std::string()));
    return out;
  }
};

std::vector<HostLanguage> load_all() {
  std::vector<HostLanguage> out;
  for (const EmbeddedLanguage& embedded : embedded_languages())
    if (auto loaded = load_language(embedded))
      out.push_back(std::move(*loaded));
  return out;
}

const std::vector<HostLanguage>& all_languages() {
  static const std::vector<HostLanguage> all = load_all();
  return all;
}

} // namespace

std::expected<HostLanguage, std::string> load_language(const EmbeddedLanguage& embedded) {
  Loader loader{.grammar = embedded.grammar()};
  try {
    loader.top(toml::parse(embedded.language_toml));
  } catch (const toml::parse_error& error) {
    loader.fail(fmt::format("line {}: {}", error.source().begin.line, error.description()));
  }
  if (!loader.error.empty())
    return std::unexpected(fmt::format("grammars/{}/language.toml: {}", embedded.name, loader.error));
  loader.language.files.language = embedded.name;
  return std::move(loader.language);
}

const HostLanguage* host_language(std::string_view name) {
  const auto found = std::ranges::find(
      all_languages(), name, [](const HostLanguage& language) -> std::string_view { return language.files.language; });
  return found == all_languages().end() ? nullptr : &*found;
}

const std::vector<HostFiles>& host_files() {
  static const std::vector<HostFiles> files = [] {
    std::vector<HostFiles> out;
    for (const HostLanguage& language : all_languages())
      out.push_back(language.files);
    return out;
  }();
  return files;
}

} // namespace padlint
