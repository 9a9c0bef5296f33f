#include "analyzer/core/flow.h"

#include <gtest/gtest.h>

namespace padlint {
namespace {

Value call(std::string name) { return make_call(make_name(std::move(name), {}), {}, {}); }

TEST(Flow, PrintsOneLineABlock) {
  const Flow flow{
      .blocks = {
          {.events = {{.kind = EventKind::call, .value = call("f"), .use = ResultUse::dropped},
                      {.kind = EventKind::call, .value = call("g"), .use = ResultUse::stored, .target = "x"},
                      {.kind = EventKind::assign, .value = call("g"), .target = "x"}},
           .condition = make_name("x", {}),
           .edges = {{EdgeKind::when_true, 1, {}}, {EdgeKind::when_false, 2, {}}, {EdgeKind::error, exit_error, {}}}},
          {.events = {{.kind = EventKind::enter, .value = call("open"), .target = "c"},
                      {.kind = EventKind::yield},
                      {.kind = EventKind::leave, .value = call("open")}},
           .edges = {{EdgeKind::next, exit_return, {}}}},
          {.events = {{.kind = EventKind::begin},
                      {.kind = EventKind::sql, .number = 4, .use = ResultUse::tested},
                      {.kind = EventKind::commit}},
           .edges = {{EdgeKind::next, 0, {}}, {EdgeKind::cancel, exit_cancel, {}}}},
      }};
  EXPECT_EQ(to_text(flow), "0: call(name(f)) dropped; call(name(g)) stored(x); x = call(name(g)) if name(x) -> true 1, "
                           "false 2, error raise\n"
                           "1: enter call(name(open)) as c; yield; leave call(name(open)) -> next return\n"
                           "2: begin; sql 4 tested; commit -> next 0, cancel cancel\n");
}

TEST(Flow, ARoutineWithoutBodyPrintsNothing) { EXPECT_EQ(to_text(Flow{}), ""); }

TEST(ResultUse, Prints) {
  EXPECT_EQ(to_text(ResultUse::chained), "chained");
  EXPECT_EQ(to_text(ResultUse::iterated), "iterated");
}

} // namespace
} // namespace padlint
