#include "analyzer/facts/linked_project.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

// SQL text is put together from what the project tells: literals keep their places, constants are filled in, and what is
// known at run time only becomes a hole. A builder's expressions are written out as the SQL that they stand for, each
// piece at the place of the expression.

namespace padlint {
namespace {

constexpr int max_depth = 12;
constexpr std::size_t max_texts = 4;
constexpr std::size_t max_bytes = 1 << 20;

bool has(const std::vector<std::string>& list, std::string_view word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

/// A piece that stands for `span` as a whole: an operator, a number folded from elsewhere.
void append_for(SqlText& out, std::string_view piece, Span span) {
  if (piece.empty())
    return;
  out.joints.push_back({.text = static_cast<std::uint32_t>(out.text.size()), .file = span.file, .source = span.begin, .source_end = span.end, .hole = true});
  out.text += piece;
}

/// A name that stands in the source byte for byte.
void append_name(SqlText& out, std::string_view name, FileId file, std::uint32_t at) {
  const OffsetStep steps[] = {{0, at}};
  out.append(name, file, steps);
}

class Composer {
public:
  Composer(const LinkedProject& project, Scope scope) : project_(project), apis_(project.apis(scope.file)) { out_.scope = scope; }

  ComposedText take() { return std::move(out_); }

  void value(const Value& value, Scope scope, int depth) {
    if (depth > max_depth || out_.text.text.size() > max_bytes)
      return hole(value);
    switch (value.kind) {
    case ValueKind::text:
      out_.text.append(value.text, value.span.file, value.steps);
      return;
    case ValueKind::integer:
      append_for(out_.text, fmt::format("{}", value.number), value.span);
      return;
    case ValueKind::concat:
      for (const Value& part : value.parts)
        this->value(part, scope, depth + 1);
      return;
    case ValueKind::name:
    case ValueKind::member:
      return name(value, scope, depth);
    case ValueKind::operation:
      if (value.text == "+" && value.parts.size() == 2) {
        this->value(value.parts[0], scope, depth + 1);
        this->value(value.parts[1], scope, depth + 1);
        return;
      }
      if (value.text == "%" && value.parts.size() == 2)
        return formatted(value.parts[0], value.parts[1], scope, depth, '%');
      return hole(value);
    case ValueKind::call:
      return call(value, scope, depth);
    case ValueKind::choice:
      // Alternatives are the caller's: here the first that is a text decides.
      for (const Value& part : value.parts)
        if (part.is(ValueKind::text) || part.is(ValueKind::concat))
          return this->value(part, scope, depth + 1);
      return hole(value);
    default:
      return hole(value);
    }
  }

  void query(const Value& call, Scope scope, int depth) {
    Query query;
    for (std::size_t i = 1; i < call.parts.size(); ++i)
      if (call.parts[i].label.empty())
        add_item(query, call.parts[i]);
    write(query, scope, call.span, depth);
  }

private:
  struct Clause {
    std::string word;
    std::vector<const Value*> items;
  };
  struct Query {
    std::vector<const Value*> select;
    std::vector<Clause> clauses;
    bool distinct = false;
  };

  void hole(const Value& value) { out_.text.append_hole(value); }

  static void add_item(Query& query, const Value& item) {
    if (item.is(ValueKind::list))
      for (const Value& part : item.parts)
        query.select.push_back(&part);
    else
      query.select.push_back(&item);
  }

  void name(const Value& value, Scope scope, int depth) {
    const Definition found = definition_of(project_, value, scope);
    if (found.kind == Definition::bindings && found.bound.size() == 1 && found.bound[0]->role == BindingRole::assigned)
      return text_or_constant(found.bound[0]->value, value, {found.scope.file, found.bound[0]->routine}, depth);
    if (found.kind == Definition::none && value.is(ValueKind::member))
      if (const Class* owner = own_class(project_, value.parts[0], scope)) {
        auto fields = field_bindings(project_, scope.file, *owner, value.text);
        if (fields.size() == 1 && fields[0].second->role == BindingRole::assigned)
          return text_or_constant(fields[0].second->value, value, fields[0].first, depth);
      }
    const Value folded = fold(project_, value, scope);
    if (auto text = constant_text(folded))
      return append_for(out_.text, *text, value.span);
    hole(value);
  }

  /// A bound text keeps its own place; a bound number stands where it is used.
  void text_or_constant(const Value& bound, const Value& use, Scope scope, int depth) {
    if (bound.is(ValueKind::name) && bound.text == use.text)
      return hole(use);
    if (bound.is(ValueKind::opaque) || bound.is(ValueKind::list) || bound.is(ValueKind::map) || bound.is(ValueKind::index))
      return hole(use);
    const Value folded = fold(project_, bound, scope);
    if (folded.is(ValueKind::integer))
      return append_for(out_.text, fmt::format("{}", folded.number), use.span);
    if (bound.is(ValueKind::call) && !is_text_call(bound, scope))
      return hole(use);
    value(bound, scope, depth + 1);
  }

  bool is_text_call(const Value& call, Scope scope) const {
    const Value& callee = call.parts[0];
    const std::string name = external_name(project_, callee, scope);
    for (const ApiText& text : apis_->texts)
      if ((!name.empty() && has(text.names, name)) || (callee.is(ValueKind::member) && text.form == "clause" && has(text.methods, callee.text)))
        return true;
    return callee.is(ValueKind::member) && (callee.text == "format" || callee.text == "join");
  }

  void call(const Value& call, Scope scope, int depth) {
    const Value& callee = call.parts[0];
    if (apis_ == nullptr)
      return hole(call);
    const std::string name = external_name(project_, callee, scope);
    for (const ApiText& text : apis_->texts) {
      if (name.empty() || !has(text.names, name))
        continue;
      if (text.form == "same" && call.parts.size() > 1)
        return value(call.parts[1], scope, depth + 1);
      if (text.form == "select")
        return query(call, scope, depth);
    }
    if (callee.is(ValueKind::member)) {
      if (callee.text == "format" && is_text(callee.parts[0], scope))
        return formatted(callee.parts[0], call, scope, depth, '{');
      if (callee.text == "join" && call.parts.size() > 1 && call.parts[1].is(ValueKind::list))
        return joined(callee.parts[0], call.parts[1], scope, depth);
      if (is_text_call(call, scope))
        return chain(call, scope, depth);
    }
    // A helper of the project that gives the text.
    for (const auto& [target, confidence] : targets_of(project_, callee, scope)) {
      const Routine& routine = project_.routine(target);
      if (routine.returns.size() == 1) {
        out_.confidence = weaker(out_.confidence, confidence);
        return value(routine.returns[0], {target.file, target.index}, depth + 1);
      }
    }
    hole(call);
  }

  bool is_text(const Value& value, Scope scope) {
    if (value.is(ValueKind::text) || value.is(ValueKind::concat))
      return true;
    if (value.is(ValueKind::call))
      return is_text_call(value, scope);
    const Value folded = fold(project_, value, scope);
    return folded.is(ValueKind::text) || folded.is(ValueKind::concat);
  }

  void joined(const Value& separator, const Value& list, Scope scope, int depth) {
    bool first = true;
    for (const Value& part : list.parts) {
      if (!first)
        value(separator, scope, depth + 1);
      first = false;
      value(part, scope, depth + 1);
    }
  }

  /// `"...%s..." % values` and `"...{}...".format(values)`: the values take the places of the marks.
  void formatted(const Value& pattern, const Value& values, Scope scope, int depth, char style) {
    ComposedText outer = std::move(out_);
    out_ = {};
    out_.scope = outer.scope;
    value(pattern, scope, depth + 1);
    const ComposedText inner = std::move(out_);
    out_ = std::move(outer);
    const std::string& text = inner.text.text;
    std::size_t next = 0;
    std::size_t copied = 0;
    auto copy_to = [&](std::size_t end) {
      copy(inner.text, copied, end);
      copied = end;
    };
    for (std::size_t i = 0; i + 1 < text.size(); ++i) {
      if (text[i] != style)
        continue;
      if (text[i + 1] == style) {
        copy_to(i);
        copied = ++i;
        continue;
      }
      std::size_t end = i + 1;
      std::string key;
      if (style == '{') {
        end = text.find('}', i);
        if (end == std::string::npos)
          break;
        key = text.substr(i + 1, end - i - 1);
        key.resize(std::min(key.find_first_of(":!"), key.size()));
        ++end;
      } else {
        if (text[end] == '(') {
          const std::size_t close = text.find(')', end);
          if (close == std::string::npos)
            break;
          key = text.substr(end + 1, close - end - 1);
          end = close + 1;
        }
        while (end < text.size() && std::isalpha(static_cast<unsigned char>(text[end])) == 0 && end < i + 8)
          ++end;
        ++end;
      }
      const Value* part = mark(values, key, next, style == '{');
      copy_to(i);
      copied = std::min(end, text.size());
      if (part != nullptr)
        value_in_place(*part, scope, depth);
      else
        hole(make_opaque(pattern.span));
      i = copied - 1;
    }
    copy_to(text.size());
  }

  static const Value* mark(const Value& values, const std::string& key, std::size_t& next, bool call) {
    const bool numbered = !key.empty() && std::all_of(key.begin(), key.end(), [](char c) { return c >= '0' && c <= '9'; }) && key.size() < 4;
    if (!key.empty() && !numbered) {
      for (const Value& part : values.parts)
        if (part.label == key)
          return &part;
      return nullptr;
    }
    const std::size_t at = numbered ? static_cast<std::size_t>(std::stoi(key)) : next++;
    if (call)
      return argument(values, static_cast<int>(at), {});
    if (values.is(ValueKind::list))
      return at < values.parts.size() ? &values.parts[at] : nullptr;
    return at == 0 ? &values : nullptr;
  }

  void value_in_place(const Value& part, Scope scope, int depth) {
    const Value folded = fold(project_, part, scope);
    if (auto text = constant_text(folded))
      append_for(out_.text, *text, part.span);
    else if (part.is(ValueKind::call) && apis_ != nullptr && is_text_call(part, scope))
      value(part, scope, depth + 1);
    else
      hole(part);
  }

  /// Copies a stretch of another text with its places.
  void copy(const SqlText& from, std::size_t begin, std::size_t end) {
    for (std::size_t i = 0; i < from.joints.size() && begin < end; ++i) {
      const SqlJoint& joint = from.joints[i];
      const std::size_t stop = i + 1 < from.joints.size() ? from.joints[i + 1].text : from.text.size();
      if (stop <= begin || joint.text >= end)
        continue;
      const std::size_t low = std::max<std::size_t>(begin, joint.text);
      const std::size_t high = std::min(end, stop);
      SqlJoint copied = joint;
      copied.text = static_cast<std::uint32_t>(out_.text.text.size());
      if (!joint.hole)
        copied.source += static_cast<std::uint32_t>(low - joint.text);
      out_.text.joints.push_back(copied);
      std::string piece = from.text.substr(low, high - low);
      for (std::size_t h = 0; h < from.holes.size(); ++h)
        if (piece == hole_name(h)) {
          piece = hole_name(out_.text.holes.size());
          out_.text.holes.push_back(from.holes[h]);
          break;
        }
      out_.text.text += piece;
    }
  }

  // ---- builders

  /// Methods chained to a text or query: clauses, bound values, or nothing that matters.
  void chain(const Value& call, Scope scope, int depth) {
    std::vector<const Value*> calls;
    const Value* base = &call;
    Scope base_scope = scope;
    while (base->is(ValueKind::call) && base->parts[0].is(ValueKind::member) && is_clause(base->parts[0].text)) {
      calls.push_back(base);
      base = &base->parts[0].parts[0];
    }
    if (base->is(ValueKind::name) || base->is(ValueKind::member)) {
      const Definition found = definition_of(project_, *base, scope);
      if (found.kind == Definition::bindings && found.bound.size() == 1 && found.bound[0]->role == BindingRole::assigned && found.bound[0]->value.is(ValueKind::call)) {
        base = &found.bound[0]->value;
        base_scope = {found.scope.file, found.bound[0]->routine};
      }
    }
    std::reverse(calls.begin(), calls.end());
    const ApiText* form = base->is(ValueKind::call) ? text_form(external_name(project_, base->parts[0], base_scope)) : nullptr;
    Query query;
    const bool builds = form != nullptr && form->form == "select";
    for (std::size_t i = 1; builds && i < base->parts.size(); ++i)
      add_item(query, base->parts[i]);
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

  bool is_clause(std::string_view method) const {
    return std::any_of(apis_->texts.begin(), apis_->texts.end(), [&](const ApiText& text) { return text.form == "clause" && has(text.methods, method); });
  }
  std::string clause_of(std::string_view method) const {
    for (const ApiText& text : apis_->texts)
      if (text.form == "clause" && has(text.methods, method))
        return text.clause;
    return {};
  }
  const ApiText* text_form(std::string_view name) const {
    for (const ApiText& text : apis_->texts)
      if (!name.empty() && has(text.names, name))
        return &text;
    return nullptr;
  }

  void write(const Query& query, Scope scope, Span span, int depth) {
    append_for(out_.text, query.distinct ? "SELECT DISTINCT " : "SELECT ", span);
    list(query.select, scope, depth);
    bool rows = false;
    for (const std::string_view word : {"from", "where", "order by", "limit", "offset"}) {
      std::vector<const Value*> items; // of all calls that add to the clause
      for (const Clause& clause : query.clauses)
        if (clause.word == word)
          items.insert(items.end(), clause.items.begin(), clause.items.end());
      if (items.empty())
        continue;
      if (word == "where" && !rows)
        append_for(out_.text, " FROM padlint_rows", span); // a condition speaks of rows
      rows = rows || word == "from" || word == "where";
      append_for(out_.text, fmt::format(" {} ", word), span);
      list(items, scope, depth, word == "where" ? " AND " : ", ");
    }
  }

  void list(const std::vector<const Value*>& items, Scope scope, int depth, std::string_view between = ", ") {
    bool first = true;
    for (const Value* item : items) {
      if (!first)
        append_for(out_.text, between, item->span);
      first = false;
      expression(*item, scope, depth + 1);
    }
  }

  void expression(const Value& value, Scope scope, int depth) {
    if (depth > max_depth)
      return hole(value);
    if (value.is(ValueKind::call)) {
      const Value& callee = value.parts[0];
      if (callee.is(ValueKind::member)) {
        const ApiText* form = text_form(external_name(project_, callee.parts[0], scope));
        if (form != nullptr && form->form == "function") {
          append_name(out_.text, callee.text, callee.span.file, callee.span.end - static_cast<std::uint32_t>(callee.text.size()));
          append_for(out_.text, "(", {value.span.file, callee.span.end, callee.span.end + 1});
          std::vector<const Value*> arguments;
          for (std::size_t i = 1; i < value.parts.size(); ++i)
            arguments.push_back(&value.parts[i]);
          list(arguments, scope, depth);
          append_for(out_.text, ")", {value.span.file, value.span.end - 1, value.span.end});
          return;
        }
        if (is_clause(callee.text)) // .label("got")
          return expression(callee.parts[0], scope, depth + 1);
      }
      const ApiText* form = text_form(external_name(project_, callee, scope));
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
      if (found.kind == Definition::bindings && found.bound.size() == 1 && found.bound[0]->role == BindingRole::assigned &&
          found.bound[0]->value.is(ValueKind::call))
        return expression(found.bound[0]->value, {found.scope.file, found.bound[0]->routine}, depth + 1);
    }
    hole(value);
  }

  const LinkedProject& project_;
  const Apis* apis_;
  ComposedText out_;
};

/// The different values that an expression may have, each of which may be a text.
std::vector<std::pair<Value, Scope>> alternatives(const LinkedProject& project, const Value& value, Scope scope, int depth) {
  if (depth > max_depth)
    return {};
  if (value.is(ValueKind::choice)) {
    std::vector<std::pair<Value, Scope>> all;
    for (const Value& part : value.parts) {
      auto some = alternatives(project, part, scope, depth + 1);
      all.insert(all.end(), some.begin(), some.end());
    }
    return all;
  }
  if (value.is(ValueKind::name) || value.is(ValueKind::member)) {
    const Definition found = definition_of(project, value, scope);
    if (found.kind == Definition::bindings && found.bound.size() > 1 && found.bound.size() <= max_texts) {
      std::vector<std::pair<Value, Scope>> all;
      for (const Binding* binding : found.bound)
        if (binding->role == BindingRole::assigned && !(binding->value.is(ValueKind::name) && binding->value.text == value.text))
          all.emplace_back(binding->value, Scope{found.scope.file, binding->routine});
      return all;
    }
    if (found.kind == Definition::bindings && found.bound.size() == 1 && found.bound[0]->role == BindingRole::assigned &&
        found.bound[0]->value.is(ValueKind::choice))
      return alternatives(project, found.bound[0]->value, {found.scope.file, found.bound[0]->routine}, depth + 1);
    if (found.kind == Definition::parameter && depth < 4) {
      std::vector<std::pair<Value, Scope>> all;
      for (const auto& [passed, passed_scope] : arguments_for(project, found.target, found.parameter_index)) {
        auto some = alternatives(project, passed, passed_scope, depth + 1);
        all.insert(all.end(), some.begin(), some.end());
      }
      if (!all.empty())
        return all;
    }
  }
  return {{value, scope}};
}

} // namespace

std::vector<ComposedText> compose(const LinkedProject& project, const Value& value, Scope scope, int depth) {
  std::vector<ComposedText> texts;
  const auto all = alternatives(project, value, scope, 0);
  for (const auto& [alternative, where] : all) {
    if (texts.size() == max_texts)
      break;
    Composer composer(project, where);
    composer.value(alternative, where, depth);
    texts.push_back(composer.take());
  }
  return texts;
}

std::vector<ComposedText> compose_query(const LinkedProject& project, const Value& call, Scope scope) {
  if (project.apis(scope.file) == nullptr)
    return {};
  Composer composer(project, scope);
  composer.query(call, scope, 0);
  std::vector<ComposedText> texts;
  texts.push_back(composer.take());
  return texts;
}

} // namespace padlint
