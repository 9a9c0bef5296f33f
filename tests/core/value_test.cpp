#include "analyzer/core/value.h"

#include <gtest/gtest.h>

namespace padlint {
namespace {

Value name(std::string text) { return make_name(std::move(text), {}); }
Value number(std::int64_t value) { return make_integer(value, {}); }
Value text(std::string value) { return make_text(std::move(value), {}, {{0, 0}}); }
Value operation(std::string op, std::vector<Value> operands) {
  return make_operation(std::move(op), std::move(operands), {});
}
Value call(Value callee, std::vector<Value> arguments) {
  return make_call(std::move(callee), std::move(arguments), {});
}
Value of(ValueKind kind, std::vector<Value> parts = {}) { return {.kind = kind, .parts = std::move(parts)}; }
Value labelled(std::string label, Value value) {
  value.label = std::move(label);
  return value;
}

struct Printed {
  Value value;
  std::string_view exact; // to_text
  std::string_view sql;   // to_sql
};

TEST(Value, Prints) {
  const Printed cases[] = {
      {make_opaque({}), "?", "?"},
      {of(ValueKind::null), "null", "null"},
      {{.kind = ValueKind::boolean, .number = 1}, "true", "true"},
      {number(-7), "-7", "-7"},
      {text("it's"), R"("it's")", "'it''s'"},
      {text("a\"b\n\x01"), R"("a\"b\n\x01")", "'a\"b\n\x01'"},
      {of(ValueKind::concat, {text("job:"), name("id")}), R"(concat("job:", name(id)))", "'job:' || id"},
      {of(ValueKind::list, {number(1), number(2)}), "[1, 2]", "(1, 2)"},
      {of(ValueKind::map, {labelled("k", number(1))}), "{k: 1}", "{k: 1}"},
      {make_member(name("user"), "id", {}), "name(user).id", "user.id"},
      {make_index(name("row"), number(0), {}), "name(row)[0]", "row[0]"},
      {call(make_member(name("pool"), "fetchval", {}), {text("SELECT 1"), number(7)}),
       R"(call(name(pool).fetchval, "SELECT 1", 7))", "pool.fetchval('SELECT 1', 7)"},
      {call(name("f"), {labelled("key", number(7))}), "call(name(f), key=7)", "f(7)"},
      {operation("|", {operation("<<", {name("a"), number(32)}), name("b")}), "((name(a) << 32) | name(b))",
       "(a << 32) | b"},
      {operation("-", {name("a")}), "(- name(a))", "-a"},
      {operation("not", {name("a")}), "(not name(a))", "not a"},
      {operation("::bigint", {operation("+", {name("a"), number(1)})}), "(name(a) + 1)::bigint", "(a + 1)::bigint"},
      {of(ValueKind::choice, {number(1), number(2)}), "choice(1, 2)", "1 or 2"},
      {{.kind = ValueKind::function, .number = 3}, "function#3", "function#3"},
      {{.kind = ValueKind::parameter, .number = 0}, "$1", "$1"},
      {{.kind = ValueKind::parameter, .label = "id"}, ":id", ":id"},
      {{.kind = ValueKind::parameter, .text = "hole", .number = 0}, "$hole1", "$hole1"},
      {of(ValueKind::spread, {name("args")}), "*name(args)", "*name(args)"},
  };
  for (const Printed& c : cases) {
    EXPECT_EQ(to_text(c.value), c.exact);
    EXPECT_EQ(to_sql(c.value), c.sql);
  }
}

TEST(Value, IsConstantWhenAllOfItIs) {
  EXPECT_TRUE(number(1).constant());
  EXPECT_TRUE(of(ValueKind::null).constant());
  EXPECT_TRUE(operation("<<", {number(1), number(3)}).constant());
  EXPECT_TRUE(of(ValueKind::concat, {text("a"), text("b")}).constant());
  EXPECT_FALSE(of(ValueKind::concat, {text("a"), name("b")}).constant());
  EXPECT_FALSE(of(ValueKind::choice, {number(1), number(2)}).constant()); // one of two is not one
  EXPECT_FALSE(call(name("f"), {}).constant());
}

TEST(Value, ArgumentIsFoundByKeywordThenByPosition) {
  const Value both = call(name("f"), {labelled("sql", text("a")), text("b"), text("c")});
  EXPECT_EQ(to_text(*argument(both, 0, "sql")), R"(sql="a")");
  EXPECT_EQ(to_text(*argument(both, 1, "")), R"("c")");
  EXPECT_EQ(argument(both, 2, ""), nullptr);
  EXPECT_EQ(argument(both, -1, "none"), nullptr);

  const Value spread = call(name("f"), {number(1), of(ValueKind::spread, {name("args")}), number(2)});
  EXPECT_EQ(to_text(*argument(spread, 0, "")), "1");
  EXPECT_EQ(argument(spread, 1, ""), nullptr); // *args may be of any length

  const Value placeholder = call(name("f"), {{.kind = ValueKind::parameter, .label = "id"}});
  EXPECT_EQ(to_text(*argument(placeholder, 0, "")), ":id");
  EXPECT_EQ(argument(placeholder, -1, "id"), nullptr); // a placeholder's name is no keyword
}

TEST(Value, DottedNames) {
  EXPECT_EQ(dotted(make_member(make_member(name("a"), "b", {}), "c", {})), "a.b.c");
  EXPECT_EQ(dotted(make_member(call(name("a"), {}), "b", {})), "");
  EXPECT_EQ(dotted(number(1)), "");
}

TEST(Value, DepthAndLengthAreBounded) {
  Value deep = name("x");
  for (int i = 0; i < 10'000; ++i)
    deep = operation("+", {std::move(deep), number(1)});
  EXPECT_LT(to_text(deep).size(), 400U);
  EXPECT_EQ(call(name("f"), std::vector<Value>(1000)).parts.size(), max_value_parts);
}

} // namespace
} // namespace padlint
