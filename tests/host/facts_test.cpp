#include "tests/host/sample.h"

#include <gtest/gtest.h>

namespace padlint {
namespace {

/// The printed facts without flow and reads.
std::string declared(std::string_view source) {
  FileFacts facts = read_sample(below(source));
  for (Routine& routine : facts.routines) {
    routine.flow = {};
    routine.reads.clear();
  }
  const std::string text = to_text(facts);
  return text.substr(text.find('\n') + 1);
}

TEST(HostFacts, Imports) {
  EXPECT_EQ(declared(R"(
import sys
import os.path
import a.b as c, d
from . import e
from ..f.g import (h as i, j)
from k import *
from __future__ import annotations

def l():
    from m import n
)"),
            R"(import sys as sys
import os.path as os
import a.b as c
import d as d
import .:e as e
import ..f.g:h as i
import ..f.g:j as j
import k:* as *
import m:n as n
file
function l()
)");
}

TEST(HostFacts, RoutinesAndTheirParameters) {
  EXPECT_EQ(declared(R"(
@contextmanager
@app.task(bind=True)
async def f(a, b: asyncpg.Pool, c=1, *args, d: "asyncpg.Pool" = None, **kw) -> "list[Pool]":
    def g(): pass
    yield a

class K(Base, mixins.Timed, metaclass=Meta):
    @property
    def h(self): return lambda e=2: self.f
)"),
            R"(class K of name(Base), name(mixins).Timed
file
function f(a, b: name(asyncpg).Pool, c = 1, *args, d: name(asyncpg).Pool = null, **kw) -> name(list)[name(Pool)] generator
  @name(contextmanager)
  @call(name(app).task, bind=true)
function g()
function K.h(self)
  @name(property)
  returns function#4
anonymous(e = 2)
  returns name(self).f
)");
}

TEST(HostFacts, Bindings) {
  EXPECT_EQ(declared(R"(
A, (B, C) = 1, (2, 3)
D = E = f()
def g(x):
    global H
    H = x
    i: int = 1
    j: "K"
    with open(x) as m, n() as (o, p):
        pass
    for q, (r, s) in x:
        pass
    try:
        pass
    except (L, M) as e:
        pass
    t = "a"
    t += "b"
    u -= 1
    if (v := x): pass
    conn.autocommit = True
    cache["k"] = x
    cache[x] = 1
    first, *rest, last = x
)"),
            R"(file
  A = 1
  B = 2
  C = 3
  E = call(name(f))
  D = call(name(f))
  H = name(x)
function g(x)
  i: name(int) = 1
  j: name(K) = ?
  m =with call(name(open), name(x))
  o =with call(name(n))[0]
  p =with call(name(n))[1]
  q =in name(x)[0]
  r =in name(x)[1][0]
  s =in name(x)[1][1]
  e =caught [name(L), name(M)]
  t = "a"
  t = concat(name(t), "b")
  u = (name(u) - 1)
  v = name(x)
  conn.autocommit = true
  cache["k"] = name(x)
  first = name(x)[0]
  rest = ?
  last = name(x)[-1]
)");
}

TEST(HostFacts, FieldsBelongToTheObjectOfTheMethod) {
  const std::string_view source = R"(
class K:
    conn: asyncpg.Connection
    KEY = 7
    def __init__(this, a, b):
        this.a, this.b = a, b
        this.c: "Pool" = a
        b.d = 1
        def inner(): this.e = 2
    def open(self):
        with self.a.connect() as self.f: pass
        def other(self): self.g = 3
    class Inner:
        def set(self): self.h = 4
)";
  EXPECT_EQ(declared(source), R"(class K
  conn: name(asyncpg).Connection = ?
  KEY = 7
  self.a = name(a)
  self.b = name(b)
  self.c: name(Pool) = name(a)
  self.e = 2
  self.f =with call(name(self).a.connect)
class Inner
  self.h = 4
file
function K.__init__(this, a, b)
  b.d = 1
function inner()
function K.open(self)
function other(self)
  self.g = 3
function Inner.set(self)
)");
  const FileFacts facts = read_sample(below(source));
  EXPECT_EQ(facts.routines[facts.classes[0].fields[0].routine].name, "__init__");
  EXPECT_EQ(facts.routines[facts.classes[0].fields[3].routine].name, "inner");
  EXPECT_EQ(facts.routines[routine_named(facts, "inner").parent].name, "__init__");
}

TEST(HostFacts, Types) {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {"Optional[a.Pool]", "name(Optional)[name(a).Pool]"},
      {"a.Pool | None", "(name(a).Pool | null)"},
      {"'a.Pool | None'", "(name(a).Pool | null)"},
      {"Annotated[Pool, Depends(get)]", "name(Annotated)[[name(Pool), call(name(Depends), name(get))]]"},
      {"\"Optional['Pool']\"", "name(Optional)[name(Pool)]"},
      {"dict[str, 'Pool']", "name(dict)[[name(str), name(Pool)]]"},
      {"'no type'", "?"},
      {"''", "?"},
  };
  for (const auto& [written, printed] : cases) {
    const FileFacts facts = read_sample("def f(x: " + std::string(written) + "): pass\n");
    EXPECT_EQ(to_text(facts.routines[1].parameters[0].type), printed) << written;
    EXPECT_TRUE(facts.routines[0].flow.blocks[0].events.empty()) << written;
  }
}

TEST(HostFacts, NamesReadIncludeThoseOfInnerRoutines) {
  const FileFacts facts =
      read_sample("def f(a):\n    b = a.c\n    d.e = 1\n    def g(): return h\n    return lambda: i[j]\n");
  const std::vector<std::string> inner = {"h"};
  const std::vector<std::string> outer = {"a", "d", "h", "i", "j"};
  EXPECT_EQ(routine_named(facts, "g").reads, inner);
  EXPECT_EQ(routine_named(facts, "f").reads, outer);
}

TEST(HostFacts, Suppressions) {
  EXPECT_EQ(declared(R"(
a()  # padlint: ignore[session-lock, hashtext-key] held by the leader only
# padlint: ignore  anything goes
x = "# padlint: ignore[none]"
# padlint:ignore[leaked-session-lock]
# padlint: disable
# padlint: ignore[open
)"),
            R"(file
  x = "# padlint: ignore[none]"
suppression [session-lock, hashtext-key] held by the leader only
suppression [] anything goes
suppression [leaked-session-lock]
warning: sample.py: `padlint:` is followed by nothing that padlint knows [suppression-unread]
warning: sample.py: `padlint:` is followed by nothing that padlint knows [suppression-unread]
)");
}

// What an error touches is missing; what stands around it is there.
TEST(HostFacts, SyntaxErrorsCostWhatTheyTouch) {
  const FileFacts facts = read_sample("a = 1\ndef f(:\n    pass\nb = 2\nc = (\n");
  ASSERT_EQ(facts.notices.size(), 1U);
  EXPECT_EQ(facts.notices[0].id, "syntax-error");
  EXPECT_FALSE(facts.notices[0].span.empty());
  EXPECT_NE(to_text(facts).find("  a = 1\n"), std::string::npos);
}

} // namespace
} // namespace padlint
