#include <gtest/gtest.h>

#include <cmath>

#include "driven_contact.hpp"
#include "kernels/laws/mindlin_reversal.hpp"
#include "scenes.hpp"

// Mindlin & Deresiewicz (1953) at constant normal force, in units of mu N and of delta_max = 3 mu N / (2 k_s).
namespace scree::physics::mindlin_reversal_test {

using Law = MindlinReversal<double>;

constexpr double young = 2e9, shear = 3e9, friction = 0.4, radius = 2e-3, overlap = 1e-6;
const double contact_radius = std::sqrt(radius * overlap);
const double limit = friction * 4.0 / 3.0 * young * contact_radius * overlap;
const double longest = 1.5 * limit / (shear * contact_radius);

/// Curves of first loading, and of a branch after a reversal.
double first(double x) { return 1 - std::pow(1 - x, 1.5); }

DrivenContact<Law> pressed() {
  DrivenContact<Law> contact({young, shear, 0, 0, friction}, radius);
  contact.move_to(overlap);
  return contact;
}

/// The force against the movement, after a movement by x in equal steps.
double drag(DrivenContact<Law>& contact, double x, int steps) {
  double force = 0;
  for (int k = 0; k < steps; ++k) { force = -contact.move_to(overlap, x / steps * longest).tangential.x / limit; }
  return force;
}

// The step is integrated exactly, so its length does not matter; the tolerance is rounding.
TEST(MindlinReversal, FirstLoading) {
  for (const int steps : {1, 7, 1000}) {
    for (const double x : {0.01, 0.3, 0.9, 0.999}) {
      DrivenContact<Law> contact = pressed();
      EXPECT_NEAR(drag(contact, x, steps), first(x), 1e-11) << x << " in " << steps;
    }
    DrivenContact<Law> contact = pressed();
    EXPECT_NEAR(drag(contact, 1.5, steps), 1, 1e-12) << "slides";
  }
}

// Closed form: after a reversal the force follows the curve of first loading at twice its size.
TEST(MindlinReversal, UnloadingAndReloadingClose) {
  constexpr double x = 0.7;
  for (const int steps : {7, 700}) {
    DrivenContact<Law> contact = pressed();
    drag(contact, x, steps);
    EXPECT_NEAR(drag(contact, -0.5, 50), first(x) - 2 * first(0.25), 1e-11);
    EXPECT_NEAR(drag(contact, -0.9, 90), -first(x), 1e-11) << "as far on the other side";
    EXPECT_NEAR(drag(contact, -0.1, 10), -first(x + 0.1), 1e-11) << "first loading again";
    EXPECT_NEAR(drag(contact, x + 0.1, 80), 2 * first((x + 0.1) / 2) - first(x + 0.1), 1e-11);
    EXPECT_NEAR(drag(contact, x + 0.1, 80), first(x + 0.1), 1e-11);
  }
}

/// A contact that was moved by `out` and then by `back` the other way.
DrivenContact<Law> moved_back(double out, double back, double& left) {
  DrivenContact<Law> contact = pressed();
  drag(contact, out, 1);
  left = drag(contact, -back, 1);
  return contact;
}

// A force of exactly 0 on the way back: the branch goes on as it does where rounding leaves a trace of the force.
TEST(MindlinReversal, ForceOfNothingKeepsTheReversal) {
  bool found = false;
  for (int load = 0; load < 100 && !found; ++load) {
    const double out = 0.6 + 1e-3 * load;
    double low = 0, high = out, left = 0;
    for (int k = 0; k < 60; ++k) {
      static_cast<void>(moved_back(out, 0.5 * (low + high), left));
      (left > 0 ? low : high) = 0.5 * (low + high);
    }
    // Neighbours of the root change the force by about a last place, so that some root is exact.
    for (int k = -4; k <= 4 && !found; ++k) {
      DrivenContact<Law> zero = moved_back(out, low + k * 0x1p-54, left);
      found = left == 0;
      if (!found) { continue; }
      DrivenContact<Law> trace = moved_back(out, low + 1e-13, left);
      ASSERT_NE(left, 0);
      const double expected = drag(trace, -0.3, 3);
      EXPECT_LT(expected, -0.3);
      EXPECT_NEAR(drag(zero, -0.3, 3), expected, 1e-12);
    }
  }
  EXPECT_TRUE(found);
}

// After a small loop, the force returns to the curve of first loading. The step that closes the loop uses the stiffness
// of the loop, an error of second order in the step.
TEST(MindlinReversal, AnInnerLoopIsForgotten) {
  DrivenContact<Law> contact = pressed();
  drag(contact, 0.6, 60);
  drag(contact, -0.3, 30);
  EXPECT_NEAR(drag(contact, 0.3, 30), first(0.6), 1e-11);
  EXPECT_NEAR(drag(contact, 0.3, 300), first(0.9), 1e-3);
}

// Energy of a loop between +x and -x: 4 (2 x - x t - 4/5 (1 - (1 - x)^(5/2))) (closed form). The trapezoidal rule with
// 4000 steps is right to 1e-5.
TEST(MindlinReversal, EnergyOfALoop) {
  for (const double x : {0.2, 0.5, 0.9}) {
    DrivenContact<Law> contact = pressed();
    double force = drag(contact, x, 100), work = 0;
    constexpr int steps = 2000;
    for (const double sign : {-1.0, 1.0}) {
      for (int k = 0; k < steps; ++k) {
        const double next = drag(contact, sign * 2 * x / steps, 1);
        work += sign * 0.5 * (force + next) * 2 * x / steps;
        force = next;
      }
    }
    const double exact = 4 * (2 * x - x * first(x) - 0.8 * (1 - std::pow(1 - x, 2.5)));
    EXPECT_NEAR(work / exact, 1, 1e-4) << x;
  }
}

// The history turns with the contact: the same path in a rotating frame gives the same force.
TEST(MindlinReversal, TurnsWithTheContact) {
  DrivenContact<Law> fixed = pressed(), turning = pressed();
  const double c = std::cos(0.1), s = std::sin(0.1);
  double along = 1, across = 0;
  Numbers random(5);
  for (int k = 0; k < 300; ++k) {
    const double x = random.between(-0.05, 0.05) * longest, y = random.between(-0.05, 0.05) * longest;
    const Vec3d a = fixed.move_to(overlap, x, y).tangential;
    turning.turn(c, s);
    const double next = c * along - s * across;
    across = s * along + c * across;
    along = next;
    const Vec3d b = turning.move_to(overlap, along * x - across * y, across * x + along * y).tangential;
    EXPECT_NEAR(along * b.x + across * b.y, a.x, 1e-9 * limit) << k;
    EXPECT_NEAR(along * b.y - across * b.x, a.y, 1e-9 * limit) << k;
    EXPECT_LE(norm(a), limit * (1 + 1e-12));
  }
}

// A limit of the law: overlap and movement grow together, so that the force is q mu N without slip. The exact contact
// does not slip anywhere, since each new ring has more pressure than its traction needs. The law knows no rings. Its
// ratio p = f / (mu N) stays where it is if p = q (1 - p)^(1/3). The law takes k_s at the end of each of n steps, where
// the contact radius is larger: an error of 3 / (4 n).
TEST(MindlinReversal, SlipsWhileTheNormalForceGrows) {
  constexpr int n = 1000;
  for (const double q : {0.1, 0.25, 0.5, 0.75}) {
    DrivenContact<Law> contact({young, shear, 0, 0, friction}, radius);
    double force = 0, p = q;
    for (int k = 1; k <= n; ++k) {
      const double moved = q * friction * 2 * young / shear * overlap / n;
      force = -contact.move_to(k * overlap / n, moved).tangential.x;
    }
    for (int k = 0; k < 100; ++k) { p = 0.5 * (p + q * std::cbrt(1 - p)); }
    EXPECT_NEAR(force / (p * limit), 1, 1.0 / n) << q;
  }
}

// With unlimited friction the contact never slips and has Mindlin's stiffness.
TEST(MindlinReversal, WithoutSlipItIsMindlin) {
  DrivenContact<Law> contact({young, shear, 0, 0, 1e9}, radius);
  contact.move_to(overlap);
  EXPECT_NEAR(-contact.move_to(overlap, 1e-7).tangential.x / (shear * contact_radius * 1e-7), 1, 1e-8);
}

// Coulomb's law: the force of a contact that slides in full comes to lie against the slip, however far the slip turns.
// The part of the force across the slip falls by the factor exp(-k_s / limit * way) at least; after 100 overlaps
// nothing is left of it.
TEST(MindlinReversal, FullSlipTurnsTheForce) {
  for (const double degrees : {10.0, 45.0, 80.0, 89.0, 91.0, 135.0}) {
    DrivenContact<Law> contact = pressed();
    drag(contact, 3, 30);
    const double x = std::cos(degrees * pi / 180), y = std::sin(degrees * pi / 180), way = 100 * overlap / 1000;
    LawResponse<double> response{};
    for (int k = 0; k < 1000; ++k) { response = contact.move_to(overlap, way * x, way * y); }
    EXPECT_NEAR(-(response.tangential.x * x + response.tangential.y * y) / limit, 1, 1e-9) << degrees;
    EXPECT_NEAR((response.tangential.y * x - response.tangential.x * y) / limit, 0, 1e-5) << degrees;
  }
}

}  // namespace scree::physics::mindlin_reversal_test
