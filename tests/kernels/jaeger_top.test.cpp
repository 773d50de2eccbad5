#include "kernels/history/jaeger_top.hpp"

#include "jaeger_contact.hpp"

/// The two uppermost segments of a stack in a record give the same bits as the whole stack.
namespace scree::inline SCREE_BACKEND::jaeger_top_test {

constexpr double kappa = 1.2, mu = 0.5;

/// One contact that proceeds like a kernel. It uses the record first; where that is not enough, it merges, descends
/// from segment to segment, or works on the whole stack.
template <class R, bool merges = false>
struct RecordContact {
  JaegerTop<R> top{};
  GrowingJaeger<R> deep{};
  std::uint32_t n = 0, most_released = 0;
  int merged = 0;
  std::array<int, 5> changes{};
  std::array<int, 7> descents{};  ///< counted by the number of released segments

  R to(const JaegerValues<R>& of, double zeta, const Vec2<R>& movement) {
    if (zeta > 0) {
      JaegerTopStep<R> step = jaeger_step_of_top(top, of, zeta, movement);
      if constexpr (merges) {
        const JaegerChange unmerged = step.change;
        step = jaeger_merged_in_record(step, top, of);
        merged += step.change != unmerged ? 1 : 0;
      }
      ++changes[std::size_t(step.change)];
      if (step.change == JaegerChange::goes_on && descends(of, zeta, movement)) { return step.normal; }
      if (step.change != JaegerChange::goes_on && step.change != JaegerChange::by_options) {
        if (step.change == JaegerChange::grows) {
          if (n > 1) { deep.push({top.end2, top.slope2}); }
          ++n;
        } else if (step.change == JaegerChange::one) {
          n = 1;
        }
        top = step.after;
        return step.normal;
      }
    }
    JaegerTopStack<R, GrowingJaeger<R>> stack{top, deep, n};
    const R normal = jaeger_step<R, JaegerOptions{.merges = merges}>(stack, top.force, of, zeta, movement).normal;
    n = stack.n;
    return normal;
  }

  bool descends(const JaegerValues<R>& of, double zeta, const Vec2<R>& movement) {
    JaegerDescent at{.end1 = top.end1,
                     .end2 = top.end2,
                     .end3 = 0,
                     .end4 = 0,
                     .slope1 = convert<double>(top.slope1),
                     .slope2 = convert<double>(top.slope2),
                     .slope3 = {0, 0},
                     .u = double(of.inverse_reach) * convert<double>(movement),
                     .force = top.force};
    for (std::uint32_t released = 1; released <= std::min(deep.size(), most_released); ++released) {
      if (released > 1) { at.shift(); }
      const std::uint32_t below = deep.size() - released;
      at.end3 = deep.at(below).signed_end, at.slope3 = convert<double>(deep.at(below).kept_slope);
      at.end4 = below > 0 ? deep.at(below - 1).signed_end : 0.0;
      const JaegerTopStep<R> step = jaeger_descend<R>(at, of, zeta, false);
      if (step.change == JaegerChange::goes_on) { continue; }
      for (std::uint32_t gone = step.change == JaegerChange::grows ? released - 1 : released; gone > 0; --gone) {
        deep.pop();
      }
      top = step.after;
      n = deep.size() + 2;
      ++descents[released];
      return true;
    }
    return false;
  }
};

template <class R, JaegerOptions options>
void expect_same(const JaegerContact<R, options>& whole, const JaegerTop<R>& top, const GrowingJaeger<R>& deep,
                 std::uint32_t n) {
  ASSERT_EQ(n, whole.stack.size());
  ASSERT_EQ(deep.size(), n > 2 ? n - 2 : 0);
  ASSERT_EQ(top.force.x, whole.over_mu.x);
  ASSERT_EQ(top.force.y, whole.over_mu.y);
  const JaegerSegment<R> none{0, {R(0), R(0)}};
  const auto expect_segment = [](const JaegerSegment<R>& a, const JaegerSegment<R>& b) {
    ASSERT_EQ(a.signed_end, b.signed_end);
    ASSERT_EQ(a.kept_slope.x, b.kept_slope.x);
    ASSERT_EQ(a.kept_slope.y, b.kept_slope.y);
  };
  expect_segment({top.end1, top.slope1}, n > 0 ? whole.stack.top() : none);
  expect_segment({top.end2, top.slope2}, n > 1 ? whole.stack.below_top() : none);
  ASSERT_EQ(std::abs(top.end3), n > 2 ? whole.stack.at(n - 3).end() : 0);  // the sign of end3 is not used
  for (std::uint32_t k = 0; k < deep.size(); ++k) { expect_segment(deep.at(k), whole.stack.at(k)); }
}

template <class R>
class JaegerTopTest : public ::testing::Test {};
using Reals = ::testing::Types<float, double>;
TYPED_TEST_SUITE(JaegerTopTest, Reals);

template <class R>
std::vector<JaegerMove> some_moves(std::uint64_t kind, double friction) {
  return kind < 2 ? random_walk(20000, 51 + kind, kappa, friction, kind == 1)
                  : fine_history(kind == 2 ? 3 : 100, 20000, 51 + kind, kappa, friction, kind == 2 ? 30 : 1.5);
}

TYPED_TEST(JaegerTopTest, SameBitsAsTheWholeStack) {
  using R = TypeParam;
  std::array<int, 7> descents{};
  for (const double friction : {0.05, 0.5, 0.0}) {
    for (std::uint64_t kind = 0; kind < 8; ++kind) {
      JaegerContact<R> whole{jaeger_values<R>(1.3, kappa, friction)};
      RecordContact<R> record{.most_released = kind < 4 ? 0u : 6u};
      for (const JaegerMove& move : some_moves<R>(kind % 4, friction)) {
        const Vec2<R> movement = convert<R>(move.movement);
        const R normal = record.to(whole.of, move.zeta, movement);
        ASSERT_EQ(normal, whole.to(move.zeta, move.movement).normal);
        ASSERT_NO_FATAL_FAILURE(expect_same(whole, record.top, record.deep, record.n));
      }
      for (std::size_t k = 0; k < descents.size(); ++k) { descents[k] += record.descents[k]; }
    }
  }
  EXPECT_GT(descents[1], 1000);
  EXPECT_GT(descents[6], 10);
}

TYPED_TEST(JaegerTopTest, SameBitsWhereSegmentsAreMerged) {
  using R = TypeParam;
  constexpr JaegerOptions merging{.merges = true};
  int merged = 0, further = 0;
  for (const double limit : {0.01, 0.1, 0.5, 0.0}) {
    for (std::uint64_t kind = 0; kind < 4; ++kind) {
      JaegerContact<R, merging> whole{jaeger_values<R>(1.3, kappa, mu)};
      whole.of.merging = R(limit);
      RecordContact<R, true> record{.most_released = 6};
      for (const JaegerMove& move : some_moves<R>(kind, mu)) {
        record.to(whole.of, move.zeta, convert<R>(move.movement));
        whole.to(move.zeta, move.movement);
        ASSERT_NO_FATAL_FAILURE(expect_same(whole, record.top, record.deep, record.n));
      }
      merged += record.merged;
      further += record.changes[std::size_t(JaegerChange::by_options)];
    }
  }
  EXPECT_GT(merged, 1000);
  EXPECT_GT(further, 20);
}

// The record serves as the stack of the general step, with all options.
TYPED_TEST(JaegerTopTest, StackOnARecordWithAllOptions) {
  using R = TypeParam;
  JaegerContact<R, all_jaeger_options> whole{jaeger_values<R>(1.3, kappa, mu)};
  whole.of.merging = R(0.05), whole.of.most = 9;
  JaegerTop<R> top{};
  GrowingJaeger<R> deep;
  std::uint32_t n = 0;
  for (const JaegerMove& move : random_walk(20000, 55, kappa, mu)) {
    JaegerTopStack<R, GrowingJaeger<R>> stack{top, deep, n};
    jaeger_step<R, all_jaeger_options>(stack, top.force, whole.of, move.zeta, convert<R>(move.movement));
    n = stack.n;
    whole.to(move.zeta, move.movement);
    ASSERT_NO_FATAL_FAILURE(expect_same(whole, top, deep, n));
  }
}

}  // namespace scree::inline SCREE_BACKEND::jaeger_top_test
