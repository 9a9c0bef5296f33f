#include "tests/host/sample.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

// Each case is the body of a function, and the graph of it. A call `a()` prints as call(name(a)); here as a().

namespace padlint {
namespace {

std::string short_form(std::string text) {
  constexpr std::string_view head = "call(name(";
  for (std::size_t at = text.find(head); at != std::string::npos; at = text.find(head, at + 1)) {
    const std::size_t name = at + head.size();
    const std::size_t end = text.find(')', name);
    if (text.compare(end, 2, "))") == 0)
      text = text.substr(0, at) + text.substr(name, end - name) + "()" + text.substr(end + 2);
  }
  return text;
}

std::string flow_of(std::string_view body) {
  std::string source = "def routine(x, y, z):\n";
  for (std::string_view rest = below(body); !rest.empty();) {
    const std::size_t end = std::min(rest.find('\n'), rest.size() - 1);
    source += fmt::format("    {}\n", rest.substr(0, rest[end] == '\n' ? end : end + 1));
    rest.remove_prefix(end + 1);
  }
  return short_form(to_text(routine_named(read_sample(source), "routine").flow));
}

struct Case {
  std::string_view body;
  std::string_view graph;
};

void expect(std::initializer_list<Case> cases) {
  for (const Case& entry : cases)
    EXPECT_EQ(flow_of(entry.body), below(entry.graph)) << entry.body;
}

/// The same for a language with braces.
std::string braced_flow_of(std::string_view body) {
  const std::string source = fmt::format("function routine(x) {{ {} }}", body);
  const FileFacts facts = read_host_file(language_of("js"), 0, "sample.js", source);
  return short_form(to_text(routine_named(facts, "routine").flow));
}

TEST(HostFlow, EventsComeInOrderOfEvaluation) {
  expect({
      {"a(b(), c())\nd = e()", R"(
0: b() passed; c() passed; call(name(a), b(), c()) dropped; e() stored(d); d = e() -> error raise, next return
)"},
      {"x = 1", R"(
0: x = 1 -> next return
)"},
      {"'text'\nx", R"(
0: -> next return
)"},
      {"return a().b(c()).d", R"(
0: a() chained; c() passed; call(a().b, c()) chained -> error raise, next return
)"},
      {"self.x = state['k'] = a()", R"(
0: a() stored(state["k"]); state["k"] = a(); self.x = a() -> error raise, next return
)"},
      {"(p,), *q = a(), b()", R"(
0: a() operand; b() operand; p = [a(), b()][0][0]; q = ? -> error raise, next return
)"},
      {"p, q = a(), b()", R"(
0: a() stored(p); b() stored(q); p = a(); q = b() -> error raise, next return
)"},
      {"got = yield a()", R"(
0: a() passed; yield a(); got = ? -> error raise, next return
)"},
      {"x = {'k': a(), **b()}[c()]", R"(
0: a() operand; b() operand; c() operand; x = {k: a(), : *b()}[c()] -> error raise, next return
)"},
  });
}

TEST(HostFlow, BranchesAndConditions) {
  expect({
      {"if a():\n    b()\nelif x:\n    c()\nelse:\n    d()\ne()", R"(
0: a() tested if a() -> error raise, true 1, false 2
1: b() dropped -> error raise, next 5
2: if name(x) -> true 3, false 4
3: c() dropped -> error raise, next 5
4: d() dropped -> error raise, next 5
5: e() dropped -> error raise, next return
)"},
      {"if not (x and not y) or z:\n    a()", R"(
0: if name(x) -> true 1, false 3
1: if name(y) -> true 3, false 2
2: if name(z) -> true 3, false return
3: a() dropped -> error raise, next return
)"},
      {"if not (got := a()):\n    return\nb()", R"(
0: a() stored(got); got = a() if a() -> error raise, true 1, false return
1: b() dropped -> error raise, next return
)"},
      {"if a() is True:\n    b()", R"(
0: a() operand if (a() is true) -> error raise, true 1, false return
1: b() dropped -> error raise, next return
)"},
      {"return a() if x else b()", R"(
0: if name(x) -> true 1, false 2
1: a() returned -> error raise, next return
2: b() returned -> error raise, next return
)"},
      {"return x if y else z", R"(
0: -> next return
)"},
      {"return a() and b()", R"(
0: a() tested if a() -> error raise, true 1, false return
1: b() returned -> error raise, next return
)"},
      {"assert a(), b()", R"(
0: a() tested if a() -> error raise, true return, false 1
1: b() passed -> error raise, next raise
)"},
  });
}

TEST(HostFlow, Loops) {
  expect({
      {"while a():\n    if b():\n        break\n    c()\nelse:\n    d()\ne()", R"(
0: -> next 1
1: a() tested if a() -> error raise, true 2, false 4
2: b() tested if b() -> error raise, true 5, false 3
3: c() dropped -> error raise, next 1
4: d() dropped -> error raise, next 5
5: e() dropped -> error raise, next return
)"},
      {"while True:\n    a()\nb()", R"(
0: -> next 1
1: a() dropped -> error raise, next 1
)"},
      {"while 1:\n    if x:\n        break", R"(
0: -> next 1
1: if name(x) -> true return, false 1
)"},
      {"for p in a():\n    if x:\n        continue\n    b()", R"(
0: a() iterated -> error raise, next 1
1: if ? -> true 2, false return
2: p = ? if name(x) -> true 1, false 3
3: b() dropped -> error raise, next 1
)"},
      {"x = [a(p) for p in b() if c(p)]", R"(
0: b() iterated -> error raise, next 1
1: if ? -> true 2, false 4
2: call(name(c), name(p)) tested if call(name(c), name(p)) -> error raise, true 3, false 1
3: call(name(a), name(p)) operand -> error raise, next 1
4: x = ? -> next return
)"},
      {"x = [p for p in y]", R"(
0: x = ? -> next return
)"},
  });
}

TEST(HostFlow, LeavingEarly) {
  expect({
      {"a()\nreturn\nb()", R"(
0: a() dropped -> error raise, next return
)"},
      {"raise a()", R"(
0: a() passed -> error raise, next raise
)"},
      {"if x:\n    sys.exit(1)\na()", R"(
0: if name(x) -> true 1, false 2
1: call(name(sys).exit, 1) dropped -> error raise, next raise
2: a() dropped -> error raise, next return
)"},
  });
}

TEST(HostFlow, Handlers) {
  expect({
      {"try:\n    a()\nexcept Exception:\n    b()\nc()", R"(
0: a() dropped -> error 1, next 2
1: b() dropped -> error raise, next 2
2: c() dropped -> error raise, next return
)"},
      {"try:\n    a()\nexcept ValueError as e:\n    raise\nexcept (K, L):\n    pass\nelse:\n    b()", R"(
0: a() dropped -> error 2, error return, error raise, next 1
1: b() dropped -> error raise, next return
2: e = ? -> next raise
)"},
      {"try:\n    a()\nexcept (K, Exception):\n    pass", R"(
0: a() dropped -> error return, next return
)"},
      {"try:\n    a()\nexcept:\n    pass", R"(
0: a() dropped -> error return, next return
)"},
      {"try:\n    try:\n        a()\n    except K:\n        b()\nexcept L:\n    c()", R"(
0: a() dropped -> error 1, error 2, error raise, next return
1: b() dropped -> error 2, error raise, next return
2: c() dropped -> error raise, next return
)"},
      {"try:\n    raise K\nexcept L:\n    a()", R"(
0: -> next 1, next raise
1: a() dropped -> error raise, next return
)"},
  });
}

TEST(HostFlow, CleanupIsCopiedOntoEachWayOut) {
  expect({
      {"a()\ntry:\n    b()\nfinally:\n    c()", R"(
0: a() dropped -> error raise, next 1
1: b() dropped -> error 3, next 2
2: c() dropped -> error raise, next return
3: c() dropped -> error raise, next raise
)"},
      {"try:\n    if x:\n        return 1\n    a()\nfinally:\n    c()\nb()", R"(
0: if name(x) -> true 1, false 2
1: c() dropped -> error raise, next return
2: a() dropped -> error 4, next 3
3: c() dropped; b() dropped -> error raise, next return
4: c() dropped -> error raise, next raise
)"},
      {"for p in x:\n    try:\n        if y:\n            break\n        if z:\n            continue\n    finally:\n   "
       "     c()",
       R"(
0: -> next 1
1: if ? -> true 2, false return
2: p = ? -> next 3
3: if name(y) -> true 4, false 5
4: c() dropped -> error raise, next return
5: if name(z) -> true 6, false 7
6: c() dropped -> error raise, next 1
7: c() dropped -> error raise, next 1
)"},
      {"try:\n    try:\n        a()\n    finally:\n        b()\nfinally:\n    c()", R"(
0: a() dropped -> error 3, next 1
1: b() dropped -> error 4, next 2
2: c() dropped -> error raise, next return
3: b() dropped -> error 4, next 4
4: c() dropped -> error raise, next raise
)"},
      {"try:\n    a()\nexcept K:\n    b()\nfinally:\n    c()", R"(
0: a() dropped -> error 1, error 3, next 2
1: b() dropped -> error 3, next 2
2: c() dropped -> error raise, next return
3: c() dropped -> error raise, next raise
)"},
      {"try:\n    return a()\nfinally:\n    return b()", R"(
0: a() returned -> error 2, next 1
1: b() returned -> error raise, next return
2: b() returned -> error raise, next return
)"},
  });
}

TEST(HostFlow, ScopedBlocks) {
  expect({
      {"with a() as p, b():\n    c()\nd()", R"(
0: a() passed; enter a() as p -> error raise, next 1
1: b() passed; enter b() -> error 6, next 2
2: c() dropped -> error 5, next 3
3: leave b() -> error 6, next 4
4: leave a(); d() dropped -> error raise, next return
5: leave b() -> error 6, next 6
6: leave a() -> error raise, next raise
)"},
      {"async with a() as (p, q):\n    return p", R"(
0: a() passed; enter a() -> error raise, next 1
1: leave a() -> error raise, next return
)"},
      {"with x as self.conn:\n    raise K", R"(
0: enter name(x) as self.conn -> error raise, next 1
1: leave name(x) -> error raise, next raise
)"},
  });
}

TEST(HostFlow, Matches) {
  expect({
      {"match a():\n    case True:\n        b()\n    case 1 | 2:\n        c()\n    case K.L if x:\n        d()\n    "
       "case _:\n        e()",
       R"(
0: a() tested if (a() == true) -> error raise, true 1, false 2
1: b() dropped -> error raise, next return
2: if (a() in [1, 2]) -> true 3, false 4
3: c() dropped -> error raise, next return
4: if (a() == name(K).L) -> true 5, false 7
5: if name(x) -> true 6, false 7
6: d() dropped -> error raise, next return
7: e() dropped -> error raise, next return
)"},
      {"match x, y:\n    case [p, K(q)]:\n        a()\n    case r:\n        b()", R"(
0: if ? -> true 1, false 2
1: p = [name(x), name(y)][0]; q = ?; a() dropped -> error raise, next return
2: r = [name(x), name(y)]; b() dropped -> error raise, next return
)"},
  });
}

// Each leaving statement has a copy of the cleanup, and its span at the edge that leaves.
TEST(HostFlow, EdgesThatLeaveSayWhy) {
  const std::string source = "def f(x):\n    with a():\n        if x:\n            return 1\n        raise K\n";
  const FileFacts facts = read_sample(source);
  std::string said;
  for (const Block& block : facts.routines[1].flow.blocks)
    for (const Edge& edge : block.edges)
      if (is_exit(edge.target))
        said += fmt::format("{};", source.substr(edge.span.begin, edge.span.end - edge.span.begin));
  EXPECT_EQ(said, ";;return 1;;raise K;");
}

TEST(HostFlow, LoopsOfThreePartsAndLoopsThatRunOnce) {
  EXPECT_EQ(braced_flow_of("for (let i = a(); b(i); c()) { if (d) continue; e(); }"), below(R"(
0: a() stored(i); i = a() -> error raise, next 1
1: call(name(b), name(i)) tested if call(name(b), name(i)) -> error raise, true 2, false return
2: if name(d) -> true 4, false 3
3: e() dropped -> error raise, next 4
4: c() dropped -> error raise, next 1
)"));
  EXPECT_EQ(braced_flow_of("do { a(); } while (b());"), below(R"(
0: -> next 1
1: a() dropped; b() tested if b() -> error raise, true 1, false return
)"));
  EXPECT_EQ(braced_flow_of("for (;;) { if (a()) break; }"), below(R"(
0: -> next 1
1: a() tested if a() -> error raise, true return, false 1
)"));
}

TEST(HostFlow, ABreakLeavesTheCaseAndNotTheLoop) {
  EXPECT_EQ(braced_flow_of("while (x) { switch (a()) { case 1: case 2: b(); break; default: c(); } d(); }"), below(R"(
0: -> next 1
1: if name(x) -> true 2, false return
2: a() tested if (a() == 1) -> error raise, true 4, false 3
3: if (a() == 2) -> true 4, false 5
4: b() dropped -> error raise, next 6
5: c() dropped -> error raise, next 6
6: d() dropped -> error raise, next 1
)"));
}

TEST(HostFlow, WhatIsManagedEndsWithItsBlock) {
  EXPECT_EQ(braced_flow_of("{ using a = b(); c(); } d();"), below(R"(
0: b() passed; enter b() as a -> error raise, next 1
1: c() dropped -> error 3, next 2
2: leave b(); d() dropped -> error raise, next return
3: leave b() -> error raise, next raise
)"));
}

} // namespace
} // namespace padlint
