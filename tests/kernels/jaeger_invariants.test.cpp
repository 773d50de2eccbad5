#include "jaeger_contact.hpp"

/// The invariants of a Jaeger contact (I1 to I17 of the specification), along random histories through all branches.
namespace scree::inline SCREE_BACKEND::jaeger_invariants_test {

constexpr double kappa = 1.2, mu = 0.5;

template <class R>
class JaegerInvariants : public ::testing::Test {
 protected:
  static constexpr bool single = sizeof(R) == 4;
  static JaegerContact<R> contact(double hertz = 1.3, double friction = mu) {
    return {jaeger_values<R>(hertz, kappa, friction)};
  }
  static double limit(const JaegerContact<R>& c) { return double(c.of.friction) * c.normal(); }
};
using Reals = ::testing::Types<float, double>;
TYPED_TEST_SUITE(JaegerInvariants, Reals);

/// Checks I1 to I6 after a step.
template <class R>
void expect_sound(const JaegerContact<R>& c, const JaegerStep<R>& step, double largest_normal) {
  const bool single = sizeof(R) == 4;
  const double within = single ? 3e-7 : 1e-15;
  const double friction = double(c.of.friction), limit = friction * c.normal();
  ASSERT_EQ(c.stack.size() > 0, c.zeta > 0);
  ASSERT_EQ(step.normal, static_cast<R>(c.of.normal_force(c.zeta)));
  double before = 0;
  for (const auto& segment : c.stack.segments) {
    ASSERT_GT(segment.end(), before);
    before = segment.end();
    const double length = norm(segment.slope());
    ASSERT_LE(length, 1 + (segment.slips() ? 1e-13 : within));
    if (segment.slips()) { ASSERT_GE(length, 1 - 1e-13); }
  }
  ASSERT_EQ(before, c.zeta);
  ASSERT_NEAR(norm(c.over_mu - jaeger_force(c.stack, c.of)), 0, 2e-14 * largest_normal);
  ASSERT_LE(norm(c.force), limit * (1 + within) + 1e-14 * friction * largest_normal);
  if (step.event == JaegerEvent::full) {
    ASSERT_EQ(c.stack.size(), 1u);
    ASSERT_NEAR(norm(c.force), limit, within * limit);
  }
}

TYPED_TEST(JaegerInvariants, StackAndForceStaySoundI1ToI6) {
  std::array<int, 7> count{};
  for (const double friction : {0.05, 0.5, 1.2}) {
    auto c = this->contact(1.3, friction);
    double largest = 0;
    for (const JaegerMove& move : random_walk(40000, 7 + std::uint64_t(10 * friction), kappa, friction)) {
      const std::uint32_t size = c.stack.size();
      const auto step = c.to(move.zeta, move.movement);
      largest = std::max(largest, c.normal());
      ASSERT_NO_FATAL_FAILURE(expect_sound(c, step, largest));
      ASSERT_LE(c.stack.size(), size + 1);
      ++count[std::size_t(step.event)];
    }
  }
  for (const int n : count) { EXPECT_GT(n, 100); }  // all branches were taken
}

// The force does not depend on the direction of the tangential axes.
TYPED_TEST(JaegerInvariants, TurnedAxesI7) {
  auto plain = this->contact(), turned = this->contact();
  const double c = std::cos(1.1), s = std::sin(1.1);
  double largest = 0;
  for (const JaegerMove& move : random_walk(3000, 11, kappa, mu)) {
    plain.to(move.zeta, move.movement);
    turned.to(move.zeta, {c * move.movement.x - s * move.movement.y, s * move.movement.x + c * move.movement.y});
    largest = std::max(largest, plain.normal());
    const Vec2<double> back{c * turned.force.x + s * turned.force.y, c * turned.force.y - s * turned.force.x};
    ASSERT_NEAR(norm(back - plain.force), 0, (this->single ? 1e-5 : 1e-13) * mu * largest);
  }
}

TYPED_TEST(JaegerInvariants, MirrorI8) {
  auto plain = this->contact(), mirrored = this->contact();
  for (const JaegerMove& move : random_walk(3000, 12, kappa, mu)) {
    plain.to(move.zeta, move.movement);
    mirrored.to(move.zeta, -1.0 * move.movement);
    ASSERT_EQ(mirrored.force.x, -plain.force.x);
    ASSERT_EQ(mirrored.force.y, -plain.force.y);
  }
}

// Lengths times 4 with A / 8, and mu with movements times 2, change no bit of the scaled force, since all factors are
// powers of two. A length of 1e-9 m works as well.
TYPED_TEST(JaegerInvariants, ScaledLengthsAndFrictionI9) {
  auto plain = this->contact(), longer = this->contact(1.3 / 8), rougher = this->contact(1.3, 2 * mu);
  auto tiny = this->contact(1.3 * 0x1p45);
  for (const JaegerMove& move : random_walk(3000, 13, kappa, mu)) {
    plain.to(move.zeta, move.movement);
    longer.to(4 * move.zeta, 4.0 * move.movement);
    rougher.to(move.zeta, 2.0 * move.movement);
    tiny.to(0x1p-30 * move.zeta, 0x1p-30 * move.movement);
    ASSERT_EQ(norm(longer.force - plain.force), 0);
    ASSERT_EQ(norm(rougher.force - 2.0 * plain.force), 0);
    ASSERT_EQ(norm(tiny.force - plain.force), 0);
  }
}

// The division of a straight step into smaller ones does not change the force, unless the whole contact slides in a
// changing direction.
TYPED_TEST(JaegerInvariants, DividedStepsI10) {
  for (const bool collinear : {false, true}) {
    auto whole = this->contact();
    double largest = 0;
    int compared = 0;
    for (const JaegerMove& move : random_walk(1500, 14, kappa, mu, collinear, false)) {
      for (const int n : {2, 7}) {
        auto divided = whole;
        auto once = whole;
        const auto step = once.to(move.zeta, move.movement);
        divided.along(move.zeta, move.movement, n);
        largest = std::max(largest, once.normal());
        if (step.event == JaegerEvent::full && !collinear) { continue; }
        ASSERT_NEAR(norm(divided.force - once.force), 0, (this->single ? 1e-5 : 2e-13) * mu * largest);
        ++compared;
      }
      whole.to(move.zeta, move.movement);
    }
    EXPECT_GT(compared, 1500);
  }
}

// An elastic push and its reverse restore the force.
TYPED_TEST(JaegerInvariants, RetraceI11) {
  auto c = this->contact();
  int retraced = 0;
  for (const JaegerMove& move : random_walk(3000, 15, kappa, mu, false, false)) {
    auto there = c;
    const auto step = there.to(move.zeta, move.movement);
    if (step.event == JaegerEvent::elastic && c.zeta > 0) {
      const double limit = this->limit(there);
      there.to(c.zeta, -1.0 * move.movement);
      ASSERT_NEAR(norm(there.force - c.force), 0, (this->single ? 1e-6 : 1e-14) * limit);
      ASSERT_EQ(there.zeta, c.zeta);
      ++retraced;
    }
    c.to(move.zeta, move.movement);
  }
  EXPECT_GT(retraced, 100);
}

// A small loop in one direction leaves no trace after the load has passed it.
TYPED_TEST(JaegerInvariants, ForgottenLoopsI12) {
  Chance chance(16);
  for (int k = 0; k < 500; ++k) {
    auto straight = this->contact();
    straight.to(1, {0, 0});
    straight.to(1, {chance(0.05, 0.2), 0});
    auto looped = straight;
    const double back = chance(0.001, 0.05), on = chance(0.01, 0.1);
    looped.to(1, {-back, 0}), looped.to(1, {back + on, 0});
    straight.to(1, {on, 0});
    ASSERT_EQ(looped.stack.size(), straight.stack.size());
    ASSERT_NEAR(looped.force.x, straight.force.x, (this->single ? 1e-6 : 1e-14) * mu * looped.normal());
  }
}

// The end of a contact clears its history, so that the next contact has the same bits as a new one. A null step changes
// nothing.
TYPED_TEST(JaegerInvariants, SeparationAndNullStepsI13I14) {
  auto c = this->contact();
  for (const JaegerMove& move : random_walk(2000, 17, kappa, mu)) {
    c.to(move.zeta, move.movement);
    const auto kept = c;
    EXPECT_EQ(int(c.to(move.zeta, {0, 0}).event), int(move.zeta > 0 ? JaegerEvent::none : JaegerEvent::separated));
    ASSERT_EQ(c.stack.size(), kept.stack.size());
    ASSERT_EQ(norm(c.force - kept.force), 0);
  }
  for (const double apart : {0.0, -0.1, std::nan("")}) {
    c.to(0.5, {0.1, 0.05});
    const auto gone = c.to(apart, {0.1, 0.1});
    EXPECT_EQ(c.stack.size(), 0u);
    EXPECT_EQ(norm(c.force), 0);
    EXPECT_EQ(gone.normal, 0);
    auto fresh = this->contact();
    fresh.to(0.3, {0.1, 0.2}), c.to(0.3, {0.1, 0.2});
    ASSERT_EQ(norm(c.force - fresh.force), 0);
  }
}

// The force does not jump, neither where branches meet nor elsewhere: |dT| <= dN/dzeta mu x with x = |d_xi| / (kappa
// mu) + |d_zeta|, as long as fibres only follow. A step that turns many slip zones into one may turn them by up to
// sqrt(x / zeta).
TYPED_TEST(JaegerInvariants, ContinuityI16) {
  auto c = this->contact();
  Chance chance(18);
  for (const JaegerMove& move : random_walk(3000, 19, kappa, mu, false, false)) {
    c.to(move.zeta, move.movement);
    const double stiffness = 1.5 * 1.3 * std::sqrt(c.zeta * 1.01);
    const double angle = chance(0, 6.28), size = c.zeta * std::ldexp(chance(0.5, 1), -int(chance(7, 30)));
    const Vec2<double> along{std::cos(angle), std::sin(angle)};
    Vec2<double> last{};
    for (const double factor : {0.0, 1 - 1e-9, 1.0, 1 + 1e-9, 3.0}) {
      for (const double sign : {1.0, -1.0}) {
        auto moved = c;
        moved.to(c.zeta + sign * size, (factor * kappa * mu * size) * along);
        const double noise = (this->single ? 3e-7 : 1e-14) * this->limit(c);
        const double x = size * (1 + factor);
        ASSERT_LE(norm(moved.force - c.force), stiffness * mu * (4 * x + std::sqrt(c.zeta * x)) + noise);
        if (sign > 0) {
          if (factor == 1 || factor == 1 + 1e-9) {
            ASSERT_LE(norm(moved.force - last), 1e-7 * stiffness * mu * size + noise);
          }
          last = moved.force;
        }
      }
    }
  }
}

// A contact so rough that nothing slips while it is pressed, and one without friction. The rough one has the sum of dN
// d_xi / (kappa d_zeta).
TYPED_TEST(JaegerInvariants, VeryRoughAndFrictionlessI17) {
  auto rough = this->contact(1.3, 1e6), smooth = this->contact(1.3, 0);
  double expected = 0;
  Chance chance(20);
  for (int k = 0; k < 100; ++k) {
    const double step = chance(0.001, 0.01), moved = chance(-1, 1), before = rough.normal();
    EXPECT_EQ(int(rough.to(rough.zeta + step, {moved, 0}).event), int(JaegerEvent::elastic));
    expected += (rough.normal() - before) * moved / (kappa * step);
  }
  EXPECT_NEAR(rough.force.x, expected, (this->single ? 1e-4 : 1e-12) * std::abs(expected) + (this->single ? 1e-3 : 0));
  for (const JaegerMove& move : random_walk(3000, 21, kappa, mu)) {
    smooth.to(move.zeta, move.movement);
    ASSERT_EQ(norm(smooth.force), 0);
    ASSERT_LE(smooth.stack.size(), 3000u);
  }
}

// Steps far below the resolution of float add up: the algorithm takes half overlaps in double, so a slow reversal is
// not lost (specification, end of section 16).
TEST(JaegerSmallSteps, AMillionthOfThePrecisionOfFloat) {
  JaegerContact<float> slow{jaeger_values<float>(1, kappa, mu)}, fast{slow.of};
  const double reach = kappa * mu;
  for (auto* c : {&slow, &fast}) { c->to(1, {0, 0}), c->to(1, {0.5 * reach, 0}); }
  fast.to(1, {-2e-3 * reach, 0});
  slow.along(1, {-2e-3 * reach, 0}, 20000);  // 1e-7 each
  const double change = fast.force.x - 0.5 * (1 - std::pow(0.5, 1.5));
  EXPECT_LT(change, -1e-3);
  EXPECT_NEAR(slow.force.x, fast.force.x, 1e-6 * mu);
}

// A load grows in a million equal steps, in directions that float cannot represent. The rounding errors must not add
// up.
TEST(JaegerSmallSteps, AMillionStepsOfPartialSlip) {
  for (const double angle : {0.3, 1.1, 2.0}) {
    const Vec2<double> along{std::cos(angle), std::sin(angle)};
    JaegerContact<float> slow{jaeger_values<float>(1, kappa, mu)};
    JaegerContact<double> once{jaeger_values<double>(1, kappa, mu)};
    slow.to(1, {0, 0}), once.to(1, {0, 0});
    constexpr int n = 1000000;
    for (int k = 0; k < n; ++k) { slow.to(1, (0.8 * kappa * mu / n) * along); }
    once.to(1, (0.8 * kappa * mu) * along);
    EXPECT_NEAR(norm(slow.force - once.force), 0, 3e-7 * mu);
  }
}

// The normal force has nearly the precision of double, also where roots are those of floats: an error e of the root,
// below 9e-8, leaves e^2/2 = 4e-15 after a step of Newton's method, and the correction itself is a float, 2e-7 of e.
TEST(JaegerSmallSteps, NormalForcesOfFloatRoots) {
  const auto of = jaeger_values<float>(1.3, kappa, mu);
  Chance chance(22);
  for (int k = 0; k < 100000; ++k) {
    const double zeta = std::ldexp(chance(0.5, 1), -int(chance(0, 60)));
    const double exact = double(of.hertz) * zeta * std::sqrt(zeta);
    ASSERT_NEAR(of.normal_force(zeta) / exact, 1, 3e-14) << zeta;
  }
  EXPECT_EQ(of.normal_force(0), 0);
}

// Normal and shear load grow together in steps of a hundredth of the last place of a float: each segment is so thin.
// The slopes are floats, an error of 6e-8 of the force, and the factor of the movement is one, too.
TEST(JaegerSmallSteps, ThinSegments) {
  JaegerContact<float> slow{jaeger_values<float>(1, kappa, mu)};
  JaegerContact<double> once{jaeger_values<double>(1, kappa, mu)};
  constexpr int n = 20000;
  constexpr double grown = n * 6e-10, moved = 0.3 * kappa * mu * grown;
  slow.to(0.7, {0, 0}), once.to(0.7, {0, 0});
  slow.along(0.7 + grown, {moved, 0}, n);
  once.to(0.7 + grown, {moved, 0});
  EXPECT_NEAR(slow.force.x / once.force.x, 1, 3e-7);
}

}  // namespace scree::inline SCREE_BACKEND::jaeger_invariants_test
