#include "analyzer/facts/composer.h"

#include <fmt/format.h>

#include <algorithm>

// The expressions of a query builder, written out as the SQL that they stand for.

namespace padlint {
namespace {

/// A name that stands in the source byte for byte.
void append_name(SqlText& out, std::string_view name, FileId file, std::uint32_t at) {
  const OffsetStep steps[] = {{0, at}};
  out.append(name, file, steps);
}

bool names_lock(const Value& value) {
  return (value.is(ValueKind::text) && value.text.find("advisory") != std::string::npos) ||
         std::ranges::any_of(value.parts, names_lock);
}

} // namespace

bool adds_a_clause(const Apis& apis, std::string_view method) {
  return std::any_of(apis.texts.begin(), apis.texts.end(),
                     [&](const ApiText& text) { return text.form == "clause" && has(text.methods, method); });
}

const ApiSends* sends_clause(const Apis& apis, std::string_view method) {
  const auto found = std::ranges::find_if(
      apis.sends, [&](const ApiSends& sends) { return !sends.clause.empty() && has(sends.methods, method); });
  return found == apis.sends.end() ? nullptr : &*found;
}

bool mentions_lock(const LinkedProject& project, const Value& call, Scope scope) {
  return std::any_of(call.parts.begin() + 1, call.parts.end(), [&](const Value& argument) {
    const bool constant = argument.is(ValueKind::name) || argument.is(ValueKind::member);
    return names_lock(constant ? fold(project, argument, scope) : argument);
  });
}

void Composer::query(const Value& call, const Value& whole, const ApiSends* sends, Scope scope, int depth) {
  builder_ = call.span;
  begun_ = sends;
  chain(whole, scope, depth);
}

void Composer::add_item(Query& query, const Value& item) {
  if (item.is(ValueKind::list))
    for (const Value& part : item.parts)
      query.select.push_back(&part);
  else
    query.select.push_back(&item);
}

void Composer::chain(const Value& call, Scope scope, int depth) {
  std::vector<const Value*> calls;
  const Value* base = &call;
  Scope base_scope = scope;
  while (base->span != builder_ && base->is(ValueKind::call) && base->parts[0].is(ValueKind::member) &&
         adds_a_clause(*apis_, base->parts[0].text)) {
    calls.push_back(base);
    base = &base->parts[0].parts[0];
  }
  if (base->is(ValueKind::name) || base->is(ValueKind::member)) {
    const Definition found = definition_of(project_, *base, scope);
    if (found.kind == Definition::bindings && found.bound.size() == 1 &&
        found.bound[0]->role == BindingRole::assigned && found.bound[0]->value.is(ValueKind::call)) {
      base = &found.bound[0]->value;
      base_scope = {found.scope.file, found.bound[0]->routine};
    }
  }
  std::reverse(calls.begin(), calls.end());
  const ApiText* form =
      base->is(ValueKind::call) ? text_form(external_name(project_, base->parts[0], base_scope)) : nullptr;
  Query query;
  const bool begins = base->span == builder_;
  const bool builds = (form != nullptr && form->form == "select") || begins;
  query.raw = begins && begun_ != nullptr && !begun_->clause.empty();
  for (std::size_t i = 1; builds && !query.raw && i < base->parts.size(); ++i)
    if (base->parts[i].label.empty() || base->parts[i].label == "&") // a block that gives the query
      add_item(query, base->parts[i]);
  if (query.raw) {
    Clause& first = query.clauses.emplace_back(Clause{.word = begun_->clause, .items = {}});
    for (std::size_t i = 1; i < base->parts.size(); ++i)
      if (base->parts[i].label != "&" && (i == 1 || !begun_->binds_rest))
        first.items.push_back(&base->parts[i]);
  }
  for (const Value* step : calls) {
    const std::string clause = clause_of(step->parts[0].text);
    if (clause == "binds") {
      for (std::size_t i = 1; i < step->parts.size(); ++i)
        out_.binds.emplace_back(step->parts[i], scope);
    } else if (clause == "distinct") {
      query.distinct = true;
    } else if (!clause.empty()) {
      Clause& added = query.clauses.emplace_back(Clause{.word = clause, .items = {}});
      for (std::size_t i = 1; i < step->parts.size(); ++i)
        added.items.push_back(&step->parts[i]);
    }
  }
  if (builds)
    write(query, base_scope, base->span, depth);
  else
    value(*base, base_scope, depth + 1);
}

std::string Composer::clause_of(std::string_view method) const {
  for (const ApiText& text : apis_->texts)
    if (text.form == "clause" && has(text.methods, method))
      return text.clause;
  return {};
}

const ApiText* Composer::text_form(std::string_view name) const {
  for (const ApiText& text : apis_->texts)
    if (!name.empty() && has_glob(text.names, name))
      return &text;
  return nullptr;
}

/// A class, or a field of one: the builder reads the rows of its table.
bool Composer::names_rows(const Value& item, Scope scope, int depth) const {
  if (depth > max_compose_depth)
    return false;
  if (item.is(ValueKind::call))
    return std::any_of(item.parts.begin() + 1, item.parts.end(),
                       [&](const Value& argument) { return names_rows(argument, scope, depth + 1); });
  const Value& owner = item.is(ValueKind::member) ? item.parts[0] : item;
  return owner.is(ValueKind::name) && definition_of(project_, owner, scope).kind == Definition::type;
}

/// A text of SQL among the arguments of a query's method, or something by its name: `where("n > 1")`, `order(:id)`,
/// `where(state: "new")`.
void Composer::raw(const Value& item, bool condition, Scope scope, int depth) {
  if (item.is(ValueKind::list) && !item.parts.empty()) // a text and its values
    return raw(item.parts[0], condition, scope, depth + 1);
  append_for(out_.text, condition ? "(" : "", item.span);
  if (item.is(ValueKind::map) || item.is(ValueKind::spread)) {
    hole(item);
  } else if (!item.label.empty()) {
    append_for(out_.text, condition ? item.label + " = " : item.label, item.span);
    if (condition)
      hole(item);
  } else if (item.is(ValueKind::call)) {
    expression(item, scope, depth + 1);
  } else {
    value(item, scope, depth + 1);
  }
  append_for(out_.text, condition ? ")" : "", item.span);
}

void Composer::write(const Query& query, Scope scope, Span span, int depth) {
  append_for(out_.text, query.distinct ? "SELECT DISTINCT " : "SELECT ", span);
  list(query.select, scope, depth);
  const auto items_of = [&](std::string_view word) { // of all calls that add to the clause
    std::vector<const Value*> items;
    for (const Clause& clause : query.clauses)
      if (clause.word == word)
        items.insert(items.end(), clause.items.begin(), clause.items.end());
    return items;
  };
  const auto each = [&](std::string_view word, std::string_view between) {
    const std::vector<const Value*> items = items_of(word);
    if (!query.raw)
      return list(items, scope, depth, between);
    for (std::size_t i = 0; i < items.size(); ++i) {
      append_for(out_.text, i == 0 ? "" : between, items[i]->span);
      raw(*items[i], word == "where", scope, depth);
    }
  };
  if (query.raw)
    each("select", ", ");
  bool rows = std::ranges::any_of(query.select, [&](const Value* item) { return names_rows(*item, scope); });
  rows = rows || query.raw;
  const bool written = std::ranges::any_of(query.clauses, [](const Clause& clause) { return clause.word == "from"; });
  if (rows && !written)
    append_for(out_.text, " FROM padlint_rows", span);
  for (const std::string_view word : {"from", "where", "order by", "limit", "offset"}) {
    if (items_of(word).empty())
      continue;
    if (word == "where" && !rows)
      append_for(out_.text, " FROM padlint_rows", span); // a condition speaks of rows
    rows = rows || word == "from" || word == "where";
    append_for(out_.text, fmt::format(" {} ", word), span);
    each(word, word == "where" ? " AND " : ", ");
  }
}

/// A function of SQL whose name stands at the end of `name`.
void Composer::function(const Value& name, const std::vector<Value>& given, Span whole, Scope scope, int depth) {
  append_name(out_.text, name.text, name.span.file, name.span.end - static_cast<std::uint32_t>(name.text.size()));
  append_for(out_.text, "(", {whole.file, name.span.end, name.span.end + 1});
  std::vector<const Value*> arguments;
  for (const Value& value : given)
    arguments.push_back(&value);
  list(arguments, scope, depth);
  append_for(out_.text, ")", {whole.file, whole.end - 1, whole.end});
}

/// `function(:name, argument)`, or the arguments as a list.
void Composer::named_function(const Value& call, Scope scope, int depth) {
  Value name = fold(project_, call.parts[1], scope);
  if (!name.is(ValueKind::text))
    return hole(call);
  if (!name.steps.empty()) // where the name itself stands
    name.span = {name.span.file, name.steps[0].source,
                 name.steps[0].source + static_cast<std::uint32_t>(name.text.size())};
  std::vector<Value> given{call.parts.begin() + 2, call.parts.end()};
  if (given.size() == 1 && given[0].is(ValueKind::list))
    given = std::vector<Value>(given[0].parts.list());
  function(name, given, call.span, scope, depth);
}

void Composer::list(const std::vector<const Value*>& items, Scope scope, int depth, std::string_view between) {
  bool first = true;
  for (const Value* item : items) {
    if (!first)
      append_for(out_.text, between, item->span);
    first = false;
    expression(*item, scope, depth + 1);
  }
}

void Composer::expression(const Value& value, Scope scope, int depth) {
  if (depth > max_compose_depth)
    return hole(value);
  if (value.is(ValueKind::call)) {
    const Value& callee = value.parts[0];
    if (callee.is(ValueKind::member)) {
      const ApiText* form = text_form(external_name(project_, callee.parts[0], scope));
      if (form != nullptr && form->form == "function")
        return function(callee, {value.parts.begin() + 1, value.parts.end()}, value.span, scope, depth);
      if (adds_a_clause(*apis_, callee.text)) // .label("got")
        return expression(callee.parts[0], scope, depth + 1);
    }
    const ApiText* form = text_form(external_name(project_, callee, scope));
    if (form != nullptr && form->form == "named function" && value.parts.size() > 1)
      return named_function(value, scope, depth);
    if (value.label == "&" && callee.is(ValueKind::name)) // in a block that is a query, calls are functions
      return function(callee, {value.parts.begin() + 1, value.parts.end()}, value.span, scope, depth);
    if (form != nullptr && form->form == "argument" && value.parts.size() > 1)
      return expression(value.parts[1], scope, depth + 1);
    if (form != nullptr && form->form == "same" && value.parts.size() > 1)
      return this->value(value.parts[1], scope, depth + 1);
  }
  const Value folded = fold(project_, value, scope);
  if (folded.is(ValueKind::integer))
    return append_for(out_.text, fmt::format("{}", folded.number), value.span);
  if (folded.is(ValueKind::text)) {
    std::string quoted = "'";
    for (char c : folded.text)
      quoted += c == '\'' ? std::string("''") : std::string(1, c);
    return append_for(out_.text, quoted + "'", value.span);
  }
  // A name that is bound to an expression of the builder.
  if (value.is(ValueKind::name)) {
    const Definition found = look_up(project_, scope, value.text);
    if (found.kind == Definition::bindings && found.bound.size() == 1 &&
        found.bound[0]->role == BindingRole::assigned && found.bound[0]->value.is(ValueKind::call))
      return expression(found.bound[0]->value, {found.scope.file, found.bound[0]->routine}, depth + 1);
  }
  hole(value);
}

} // namespace padlint
