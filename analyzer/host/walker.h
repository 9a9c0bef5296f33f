#pragma once

#include "analyzer/core/file_facts.h"
#include "analyzer/host/actions.h"
#include "analyzer/host/language.h"
#include "analyzer/host/text.h"
#include "analyzer/host/tree.h"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// One walk over the syntax tree makes everything: an expression gives its Value and, on the way, adds the events that
// happen when it is evaluated; a statement adds actions; a definition adds routines, classes, bindings. What kind of
// node plays which part is the language's data, and nothing here knows a node kind.

namespace padlint::host {

/// Nodes nested deeper than this are not walked into: what they do is missing, and a Notice says so.
constexpr int max_walk_depth = 500;

/// What becomes of an expression's value, for the event of a call.
struct Use {
  ResultUse use = ResultUse::operand;
  std::string target;
};

struct Walker {
  const HostLanguage& language;
  std::string_view source;
  FileFacts& facts;
  ChildStack& stack;

  // The routine that the walk is in.
  Actions* actions = nullptr;           // where what happens next goes
  std::uint32_t routine = 0;            // index in facts.routines
  std::vector<std::string_view> reads;  // names read so far in it, those of the routines around it first
  std::vector<std::string_view> outers; // names that it hands to the file
  int class_body = -1;                  // index in facts.classes while directly in a class, else -1
  int class_around = -1;                // the class whose method a function would be here, else -1
  std::vector<Value> annotations;       // of the definition that comes next
  std::string receiver;                 // the name of the object whose method it is, or is nested in
  int receiver_class = -1;              // index in facts.classes, -1 for none
  std::string block_parameter;          // the name of its caller's block, empty for none

  std::set<std::pair<std::uint32_t, std::string_view>> variables; // bound so far, by routine
  std::map<std::uint32_t, TSNode> marked_texts;                   // by the place of the mark

  int depth = 0;
  bool too_deep = false;
  bool silent = false;                           // what is looked at does not happen here: no events, no reads
  bool in_type = false;                          // strings are types in quotes
  std::vector<Value>* inlined_returns = nullptr; // of the function, called where it stands, that return leaves
  std::string label;                             // of the statement that comes next
  std::int64_t counter = 0;                      // number of the declaration in its series

  // values.cpp: expressions
  Value expression(TSNode node, const Use& use = {});
  Value local(TSNode node, const Use& use);
  [[nodiscard]] bool is_variable(std::string_view name) const;
  Value own_field(TSNode node);
  Value silently(TSNode node);
  Value path(TSNode node);
  Value member(TSNode node);
  Value list(TSNode node, const Use& use);
  Value yielded(TSNode node);
  Value construct(TSNode node);
  Value elements(TSNode node, Value value, bool names_are_keys);
  Value cast(TSNode node);
  Value slice(TSNode node);
  Value index(TSNode node, const Use& use);
  Value fallback(TSNode node, const Use& use);
  Value map(TSNode node);
  Value entry_of(TSNode node);
  Value conditional(TSNode node, const Use& use);
  Value comprehension(TSNode node);
  void clauses(const std::vector<TSNode>& clauses, std::size_t at, const std::vector<TSNode>& bodies);
  void evaluate_children(TSNode node);

  // operations.cpp: operators, texts and conditions
  Value operation(TSNode node, const Use& use);
  Value unary(const Operator& op, TSNode operand, Span span);
  Value chain(const Children& children, Span span);
  Value logical(const std::vector<TSNode>& operands, const Operator& op, const Use& use, Span span);
  const Operator& operator_of(const Children& children) const;
  std::vector<TSNode> operands(TSNode node, OperatorKind kind);
  Value text(TSNode node, bool tagged = false);
  Value text_between(const Children& parts, TextForm form, std::uint32_t begin, std::uint32_t end, Span whole,
                     bool tagged = false);
  Value marked_text(TSNode node);
  Value symbol(TSNode node);
  Value joined_texts(TSNode node);
  Action condition(TSNode node);

  // calls.cpp
  Value call(TSNode node, const Use& use);
  Value called(TSNode node);
  Value callee(const Children& parts, const RoleEntry& entry);
  Value happened(Value call, const Use& use);
  std::vector<Value> arguments(TSNode node);
  std::vector<TSNode> handed_on(TSNode node);

  // blocks.cpp: calls with a block
  Value with_block(Value call, TSNode block, const Use& use);
  Value with_own_block(Value call, const Use& use);
  [[nodiscard]] bool is_own_block(const Value& argument) const;
  [[nodiscard]] bool runs_own_block(const Value& call) const;
  Value runs_block(Value call, const Use& use, Actions body, const Value& result);
  void bind_block(TSNode block, const Value& value, BindingRole role);
  Value repeats_block(Value call, TSNode block, const Use& use);

  // bindings.cpp: names and what they are bound to
  Value assign(TSNode node);
  Value named_function(TSNode target, TSNode value);
  Value assign_value(TSNode node, TSNode value);
  Value augment(TSNode node);
  Value assigned_value(const std::vector<TSNode>& targets, TSNode value);
  void bind(TSNode target, const Value& value, const Value& type, BindingRole role);
  void bind_place(TSNode target, const Value& value, const Value& type, BindingRole role);
  void bind_name(TSNode target, const Value& value, const Value& type, BindingRole role);
  void bind_export(std::string_view place, const Value& value, Span where);
  void unpack(const std::vector<TSNode>& elements, const Value& value, BindingRole role);
  void unpack_map(TSNode target, const Value& value, BindingRole role);
  void add_binding(std::vector<Binding>& to, std::string name, const Value& value, const Value& type, BindingRole role,
                   Span span);
  Use stored_in(TSNode target);
  void bind_all(const std::vector<TSNode>& targets, const Value& value, const Value& type, BindingRole role);
  void filled(TSNode arguments, const Value& call);
  void series(TSNode node);
  Value place(TSNode target);
  Value type(TSNode node);
  Value quoted_type(TSNode node);

  // statements.cpp
  Value statement(TSNode node, const Use& use = {ResultUse::dropped, {}});
  Value statements(const std::vector<TSNode>& nodes, const Use& use, Span whole, std::size_t at = 0);
  void managed(const std::vector<TSNode>& bindings, std::size_t at, const std::vector<TSNode>& nodes, std::size_t next);
  Value branch(TSNode node, const Use& use);
  void arms(Actions& parts, std::vector<Value>& values, TSNode node, const Use& use);
  Action tested(const Children& parts, const RoleEntry& entry);
  void loop(TSNode node);
  void round_and_round(TSNode head, TSNode body, TSNode otherwise);
  void repeat(TSNode node);
  void each(TSNode clause, TSNode body, TSNode otherwise);
  void labelled(TSNode node);
  void deferred(TSNode node);
  void spawn(TSNode node);
  Value attempt(TSNode node, const Use& use);
  Action handler(TSNode node, std::vector<Value>& values, const Use& use);
  void scoped(const std::vector<TSNode>& items, std::size_t at, TSNode body);
  void leave_return(TSNode node);
  void leave_part(ActionKind kind, TSNode node);
  void leave_throw(TSNode node);
  void assertion(TSNode node);

  // match.cpp
  Value match(TSNode node, const Use& use);
  Action match_case(TSNode node, const Value& subject, TSNode name, Actions& body, std::vector<Value>& results,
                    const Use& use);
  void choose(TSNode node);
  bool has_condition(TSNode one);
  Action one_of(TSNode values, const Value& subject);
  Value fits(TSNode pattern, const Value& subject);

  // definitions.cpp
  /// `name` is what it is bound to, when it has none of its own.
  std::uint32_t routine_of(TSNode node, RoutineForm form, std::string name = {});
  Value function_value(TSNode node, RoutineForm form, std::string name = {});
  void finish_routine(std::uint32_t number, Actions body, std::size_t reads_before);
  /// `patterns` are those that bind parts of a parameter, with its name.
  void parameters(TSNode node, std::uint32_t number, std::vector<Parameter>& out,
                  std::vector<std::pair<TSNode, std::string>>& patterns);
  Value class_definition(TSNode node);
  Value inlined(TSNode lambda, const std::vector<Value>& arguments);
  std::optional<Value> continued(TSNode node, const Use& use);
  Value continuation(TSNode function, const std::vector<Value>& arguments, const Use& use, Span where);
  std::uint32_t anonymous(TSNode around);
  void results(TSNode node);
  static Value named_type(const Value& type);
  void field(TSNode node);
  int part_of(const Value& type, std::string_view name);
  void decorated(TSNode node);
  void annotate(TSNode node);
  void type_alias(TSNode node);

  // modules.cpp
  void imports(TSNode node);
  void import_clause(TSNode node, const std::string& module);
  void exports(TSNode node);
  std::optional<Import> imported_by(TSNode value);
  bool import_into(TSNode target, TSNode value);
  std::string module_of(TSNode node);
  void module_import(TSNode node);

  // Small things
  // Of a node that is not there: empty.
  [[nodiscard]] Span span(TSNode node) const {
    return exists(node) ? Span{facts.file, ts_node_start_byte(node), ts_node_end_byte(node)} : Span{facts.file, 0, 0};
  }
  [[nodiscard]] std::string_view text_of(TSNode node) const {
    const Span where = span(node);
    return source.substr(where.begin, where.end - where.begin);
  }
  [[nodiscard]] Children children(TSNode node) { return {stack, language, node}; }
  TSNode part(TSNode node, Slot slot) {
    const Place& place = language.entry(node).at(slot);
    return place.nowhere() ? no_node : children(node).at(place);
  }
  std::vector<TSNode> named_children(TSNode node) { return children(node).all_named(); }
  /// What a transparent node means.
  TSNode wrapped_by(TSNode node) {
    const Children parts = children(node);
    const TSNode inner = parts.at(language.entry(node).at(Slot::value));
    if (!exists(inner) && language.last_value_is_result && parts.all_named().size() > 1)
      return no_node; // statements, of which the last one has the value
    return exists(inner) ? inner : parts.named_at(0);
  }
  /// The node itself without what only wraps it.
  TSNode unwrapped(TSNode node);
  /// The name whose place an expression gives, for others to write to.
  TSNode addressed(TSNode node);
  [[nodiscard]] bool is_list(TSNode node) const {
    return language.role(node) == Role::list || language.role(node) == Role::several;
  }
  /// Whether the table says where this part of the node stands.
  [[nodiscard]] bool has_slot(TSNode node, Slot slot) const {
    const Place& place = language.entry(node).at(slot);
    return place.fields[0] != 0 || place.kinds[0] != 0 || place.position >= 0;
  }
  void event(EventKind kind, Span span, const Value& value, const Use& use);
  /// What `body` adds, apart from the actions before it.
  template <typename Body>
  Actions collect(const Body& body) {
    Actions collected;
    Actions* const around = std::exchange(actions, &collected);
    body();
    actions = around;
    return collected;
  }
};

/// One level further down the tree, unless that is too deep.
struct Deeper {
  Walker& walker;
  bool allowed;
  explicit Deeper(Walker& at) : walker(at), allowed(++at.depth <= max_walk_depth) {
    walker.too_deep = walker.too_deep || !allowed;
  }
  ~Deeper() { --walker.depth; }
  Deeper(const Deeper&) = delete;
  Deeper& operator=(const Deeper&) = delete;
};

/// The label of a call's argument that is a block, or the value that a block gives.
constexpr std::string_view block_label = "&";

/// One of several values; opaque when they are too many.
Value make_choice(std::vector<Value> values, Span span);

/// Text put together of parts; parts that are put together themselves are taken in.
Value make_concat(std::vector<Value> parts, Span span);

/// A condition that is the value itself.
Action make_test(Actions computed, const Value& value);

/// Nothing happens when it is tested.
bool happens_nothing(const Action& condition);

} // namespace padlint::host
