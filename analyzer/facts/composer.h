#pragma once

#include "analyzer/facts/linked_project.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace padlint {

constexpr int max_compose_depth = 12;

/// Puts one text together. The parts stand in composer.cpp (literals, names, formats) and query_builder.cpp (builders).
class Composer {
public:
  Composer(const LinkedProject& project, Scope scope) : project_(project), apis_(project.apis(scope.file)) {
    out_.scope = scope;
  }
  /// What a parameter of a routine stands for while one particular call is looked at.
  void bind(RoutineRef routine, std::uint32_t parameter, Value value, Scope scope) {
    bound_.push_back({routine, parameter, std::move(value), scope});
  }

  ComposedText take() { return std::move(out_); }
  void value(const Value& value, Scope scope, int depth);
  /// The query that `call` begins and the methods chained to it, up to `whole`, go on.
  void query(const Value& call, const Value& whole, const ApiSends* sends, Scope scope, int depth);

private:
  struct Clause {
    std::string word;
    std::vector<const Value*> items;
  };
  struct Query {
    std::vector<const Value*> select;
    std::vector<Clause> clauses;
    bool distinct = false;
    bool raw = false; // texts among the items are SQL
  };
  void hole(const Value& value);
  void bound(const Value& value, Scope scope, int depth);
  static void add_item(Query& query, const Value& item);
  void name(const Value& value, Scope scope, int depth);
  /// A bound text keeps its own place; a bound number stands where it is used.
  void text_or_constant(const Value& bound, const Value& use, Scope scope, int depth);
  std::string name_of_callee(const Value& call, Scope scope) const;
  bool is_text_call(const Value& call, Scope scope) const;
  void call(const Value& call, Scope scope, int depth);
  /// `text.String()`, where `text` is an object that collects a text piece by piece.
  bool reads_collected(const Value& callee, Scope scope) const;
  void collected(const Value& object, Span before, Scope scope, int depth);
  bool is_text(const Value& value, Scope scope);
  bool is_remainder(const Value& value, Scope scope);
  void joined(const Value& separator, const Value& list, Scope scope, int depth);
  /// `"...%s..." % values` and `"...{}...".format(values)`: the values take the places of the marks.
  void formatted(const Value& pattern, const Value& values, Scope scope, int depth, char style);
  static const Value* mark(const Value& values, const std::string& key, std::size_t& next, bool call);
  void value_in_place(const Value& part, Scope scope, int depth);
  /// Copies a stretch of another text with its places.
  void copy(const SqlText& from, std::size_t begin, std::size_t end);
  // ---- builders
  /// Methods chained to a text or query: clauses, bound values, or nothing that matters.
  void chain(const Value& call, Scope scope, int depth);
  std::string clause_of(std::string_view method) const;
  const ApiText* text_form(std::string_view name) const;
  bool names_rows(const Value& item, Scope scope, int depth = 0) const;
  void write(const Query& query, Scope scope, Span span, int depth);
  void list(const std::vector<const Value*>& items, Scope scope, int depth, std::string_view between = ", ");
  void raw(const Value& item, bool condition, Scope scope, int depth);
  void expression(const Value& value, Scope scope, int depth);
  void function(const Value& name, const std::vector<Value>& given, Span whole, Scope scope, int depth);
  void named_function(const Value& call, Scope scope, int depth);
  struct Bound {
    RoutineRef routine;
    std::uint32_t parameter;
    Value value;
    Scope scope;
  };
  void helper(RoutineRef target, const Value& call, Scope scope, int depth);

  Span builder_;                    // of the call that begins a query
  const ApiSends* begun_ = nullptr; // what that call sends
  std::vector<Bound> bound_;
  const LinkedProject& project_;
  const Apis* apis_;
  ComposedText out_;
};

/// Appends a piece that stands for `span` as a whole: an operator, a number folded from elsewhere.
void append_for(SqlText& out, std::string_view piece, Span span);

} // namespace padlint
