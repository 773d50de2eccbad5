#include "jaeger_contact.hpp"

/// Merged histories, capped histories, and the exact direction of sliding, against the exact algorithm.
namespace scree::inline SCREE_BACKEND::jaeger_variants_test {

constexpr double kappa = 1.2, mu = 0.5;

template <class R>
using Any = JaegerContact<R, all_jaeger_options>;

template <class R>
Any<R> with(double merging, std::uint32_t most) {
  Any<R> c{jaeger_values<R>(1.3, kappa, mu)};
  c.of.merging = R(merging), c.of.most = most;
  return c;
}

template <class R>
class JaegerVariants : public ::testing::Test {};
using Reals = ::testing::Types<float, double>;
TYPED_TEST_SUITE(JaegerVariants, Reals);

constexpr JaegerOptions limits_only{.merges = true, .caps = true};

// Options that are compiled in but off change no bit.
TYPED_TEST(JaegerVariants, OffIsLossless) {
  JaegerContact<TypeParam> exact{jaeger_values<TypeParam>(1.3, kappa, mu)};
  JaegerContact<TypeParam, limits_only> off{exact.of};
  for (const JaegerMove& move : random_walk(20000, 41, kappa, mu)) {
    exact.to(move.zeta, move.movement), off.to(move.zeta, move.movement);
    ASSERT_EQ(exact.force.x, off.force.x);
    ASSERT_EQ(exact.force.y, off.force.y);
    ASSERT_EQ(exact.stack.size(), off.stack.size());
  }
}

struct Errors {
  double rms = 0, largest = 0, length = 0, exact_length = 0;
};

/// Errors |T - T_exact| / (mu N) along fine histories.
template <class R>
Errors errors_of(double merging, std::uint32_t most) {
  Errors e;
  int n = 0;
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    JaegerContact<double> exact{jaeger_values<double>(1.3, kappa, mu)};
    auto c = with<R>(merging, most);
    for (const JaegerMove& move : fine_history(200, 4000, seed, kappa, mu, 1.5)) {
      exact.to(move.zeta, move.movement), c.to(move.zeta, move.movement);
      const double error = norm(c.force - exact.force) / (mu * exact.normal());
      if (exact.stack.size() == 1) { continue; }  // the whole contact slides in both, so the forces agree
      e.rms += error * error, e.largest = std::max(e.largest, error), ++n;
      e.length += c.stack.size(), e.exact_length += exact.stack.size();
      if (most > 0) { EXPECT_LE(c.stack.size(), most); }
      EXPECT_LE(norm(c.force), mu * c.normal() * (1 + (sizeof(R) == 4 ? 1e-6 : 1e-12)));
      EXPECT_NEAR(norm(c.over_mu - jaeger_force(c.stack, c.of)), 0, 1e-12);
    }
  }
  e.rms = std::sqrt(e.rms / n), e.length /= n, e.exact_length /= n;
  std::printf("alpha %.2f mu, at most %u: rms %.1e, largest %.1e, length %.1f of %.1f\n", merging, most, e.rms,
              e.largest, e.length, e.exact_length);
  return e;
}

// The bounds are the errors measured with this code, and half as much again. In histories of a packing (specification,
// section 16) the rms error is 1.2e-5 for alpha = 0.1 mu, and 4.8e-4 for 16 segments.
TYPED_TEST(JaegerVariants, ErrorsOfLimits) {
  const Errors merged = errors_of<TypeParam>(0.1, 0), capped = errors_of<TypeParam>(0, 16),
               more = errors_of<TypeParam>(0, 32);
  EXPECT_GT(merged.exact_length, 30);
  EXPECT_LT(merged.rms, 2e-6);
  EXPECT_LT(merged.length, 0.98 * merged.exact_length);
  EXPECT_LT(capped.rms, 2e-4);
  EXPECT_LT(more.rms, 7e-5);
}

// b and N are float, half overlaps and the force double, over 4000 small steps each.
TEST(JaegerMixed, ErrorAgainstDouble) { EXPECT_LT(errors_of<float>(0, 0).rms, 1.5e-6); }

// Merging does not change the force, and never merges a slip zone.
TEST(JaegerMerging, KeepsTheForce) {
  auto c = with<double>(0.1, 0);
  JaegerContact<double> exact{c.of};
  for (int k = 1; k <= 50; ++k) {
    const Vec2<double> b{0.2 + 0.0009 * k, 0.1};
    for (auto* force : {&c.force, &exact.force}) {
      if (force == &c.force) {
        c.to(0.01 * k, kappa * 0.01 * b);
      } else {
        exact.to(0.01 * k, kappa * 0.01 * b);
      }
    }
    ASSERT_NEAR(norm(c.force - exact.force), 0, 1e-15);
  }
  EXPECT_EQ(c.stack.size(), 1u);
  EXPECT_EQ(exact.stack.size(), 50u);
  c.to(0.5, {0.05, 0.2});  // makes a slip zone
  ASSERT_TRUE(c.stack.top().slips());
  const auto size = c.stack.size();
  const Vec2<double> b = (0.99 * mu) * c.stack.top().slope();  // nearly the slope of the slip zone below
  c.to(0.51, kappa * 0.01 * b);
  EXPECT_EQ(c.stack.size(), size + 1);
}

// With the exact direction, the division of a straight step does not change the force, also where the whole contact
// slides and turns. With the radial return it does.
TEST(JaegerSliding, ExactDirectionDoesNotDependOnSteps) {
  double worst = 0, worst_radial = 0;
  int slid = 0;
  Any<double> c = with<double>(0, 0);
  for (const JaegerMove& move : random_walk(3000, 43, kappa, mu, false, false)) {
    auto once = c, divided = c;
    const auto step = once.to(move.zeta, move.movement);
    divided.along(move.zeta, move.movement, 13);
    JaegerContact<double> radial{c.of, c.stack, c.over_mu, c.zeta}, radial_divided = radial;
    radial.to(move.zeta, move.movement), radial_divided.along(move.zeta, move.movement, 13);
    const double limit = mu * once.normal();
    worst = std::max(worst, norm(once.force - divided.force) / limit);
    worst_radial = std::max(worst_radial, norm(radial.force - radial_divided.force) / limit);
    slid += step.event == JaegerEvent::full;
    c = once;
  }
  std::printf("divided steps: %.1e with the exact direction, %.1e with the radial return, %d slides\n", worst,
              worst_radial, slid);
  EXPECT_GT(slid, 200);
  EXPECT_LT(worst, 1e-9);
  EXPECT_GT(worst_radial, 0.01);
}

// The expected force is the limit of many small steps of the radial return, whose error is of first order.
TEST(JaegerSliding, ExactDirectionIsTheLimitOfSmallSteps) {
  Any<double> c = with<double>(0, 0);
  c.to(1, {0, 0}), c.to(1, {3, 0});
  for (const double zeta : {0.4, 1.0, 2.0}) {
    auto once = c;
    once.to(zeta, {0.5, 1.1});
    double last = 0;
    for (const int n : {1000, 2000}) {
      JaegerContact<double> radial{c.of, c.stack, c.over_mu, c.zeta};
      radial.along(zeta, {0.5, 1.1}, n);
      const double error = norm(radial.force - once.force) / (mu * once.normal());
      EXPECT_LT(error, 2e-3);
      if (last > 0) { EXPECT_NEAR(last / error, 2, 0.1); }
      last = error;
    }
  }
}

// A contact that slides from its start follows the movement. A contact that slides back against its force stays on the
// line of the force.
TEST(JaegerSliding, SpecialDirections) {
  Any<double> c = with<double>(0, 0);
  c.to(0.1, {0.3, 0.4});
  EXPECT_NEAR(c.force.x / c.force.y, 0.75, 1e-14);
  EXPECT_NEAR(norm(c.force), mu * c.normal(), 1e-15);
  c.to(0.1, {-3, -4});
  EXPECT_NEAR(c.force.x / c.force.y, 0.75, 1e-12);
  EXPECT_LT(c.force.x, 0);
  c.to(0.01, {0.003, 0.004});  // the limit falls faster than the movement unloads
  EXPECT_NEAR(c.force.x / c.force.y, 0.75, 1e-12);
}

}  // namespace scree::inline SCREE_BACKEND::jaeger_variants_test
