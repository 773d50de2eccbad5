#include "kernels/history/jaeger_top.hpp"

#include "jaeger_contact.hpp"

/// The upper end of a stack in one record, against the whole stack: the same bits.
namespace scree::inline SCREE_BACKEND {
namespace {

constexpr double kappa = 1.2, mu = 0.5;

template <class R>
struct RecordContact {
  JaegerTop<R> top{};
  GrowingJaeger<R> deep{};
  std::uint32_t n = 0;
  std::array<int, 4> changes{};

  /// As a kernel does it: the record first, the stack where that is not enough.
  R to(const JaegerValues<R>& of, double zeta, const Vec2<R>& movement) {
    if (zeta > 0) {
      const JaegerTopStep<R> step = jaeger_step_of_top(top, of, zeta, movement);
      ++changes[std::size_t(step.change)];
      if (step.change != JaegerChange::goes_on) {
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
    const R normal = jaeger_step<R>(stack, top.force, of, zeta, movement).normal;
    n = stack.n;
    return normal;
  }
};

template <class R, JaegerOptions options>
void expect_same(const JaegerContact<R, options>& whole, const JaegerTop<R>& top, const GrowingJaeger<R>& deep, std::uint32_t n) {
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
  ASSERT_EQ(top.end3, n > 2 ? whole.stack.at(n - 3).signed_end : 0);
  for (std::uint32_t k = 0; k < deep.size(); ++k) { expect_segment(deep.at(k), whole.stack.at(k)); }
}

template <class R>
class JaegerTopTest : public ::testing::Test {};
using Reals = ::testing::Types<float, double>;
TYPED_TEST_SUITE(JaegerTopTest, Reals);

TYPED_TEST(JaegerTopTest, SameBitsAsTheWholeStack) {
  using R = TypeParam;
  for (const double friction : {0.05, 0.5, 0.0}) {
    for (std::uint64_t kind = 0; kind < 4; ++kind) {
      JaegerContact<R> whole{jaeger_values<R>(1.3, kappa, friction)};
      RecordContact<R> record;
      const auto moves = kind < 2 ? random_walk(20000, 51 + kind, kappa, friction, kind == 1)
                                  : fine_history(kind == 2 ? 3 : 100, 20000, 51 + kind, kappa, friction, kind == 2 ? 30 : 1.5);
      for (const JaegerMove& move : moves) {
        const Vec2<R> movement = convert<R>(move.movement);
        const R normal = record.to(whole.of, move.zeta, movement);
        ASSERT_EQ(normal, whole.to(move.zeta, move.movement).normal);
        ASSERT_NO_FATAL_FAILURE(expect_same(whole, record.top, record.deep, record.n));
      }
      std::printf("same %d, grows %d, one %d, goes on %d\n", record.changes[0], record.changes[1], record.changes[2], record.changes[3]);
    }
  }
}

// The record under all options, through the general step alone.
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

}  // namespace
}  // namespace scree::inline SCREE_BACKEND
