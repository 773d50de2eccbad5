#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "../physics/scenes.hpp"
#include "kernels/motion/step_limit.hpp"

// The functions that find the critical step of a body, without an engine.
namespace scree::inline SCREE_BACKEND::step_limit_test {

/// The sum of values[k] u_k u_k^T. The six orthonormal vectors u_k are the axes after a Householder reflection.
Sym6 with_eigenvalues(const double (&values)[6], physics::Numbers& random) {
  double h[6], square = 0;
  for (double& x : h) { x = random.between(-1, 1), square += x * x; }
  Sym6 m;
  for (int k = 0; k < 6; ++k) {
    for (int i = 0; i < 6; ++i) {
      for (int j = 0; j <= i; ++j) {
        const double a = (i == k ? 1 : 0) - 2 * h[i] * h[k] / square, b = (j == k ? 1 : 0) - 2 * h[j] * h[k] / square;
        m.entry[Sym6::place(i, j)] += values[k] * a * b;
      }
    }
  }
  return m;
}

// The estimate is never too small, except for rounding. It is 1.4 % too large if all eigenvalues are equal (6^(1/128)),
// and exact if the largest stands apart.
TEST(StepLimit, LargestEigenvalueIsFoundFromAbove) {
  physics::Numbers random(3);
  for (int k = 0; k < 300; ++k) {
    double values[6];
    for (double& v : values) { v = 1e7 * std::pow(random.next(), k % 4); }
    const double largest = *std::max_element(values, values + 6),
                 found = largest_eigenvalue(with_eigenvalues(values, random));
    EXPECT_GT(found, largest * (1 - 1e-12));
    EXPECT_LT(found, largest * 1.0141);
  }
  const double apart[6] = {3, 2.5, 2, 1, 0, 0};
  EXPECT_NEAR(largest_eigenvalue(with_eigenvalues(apart, random)), 3, 1e-4);
  EXPECT_EQ(largest_eigenvalue(Sym6{}), 0);
}

ContactStiffness<double> some_contact(physics::Numbers& random) {
  ContactStiffness<double> k{};
  k.normal = 1e4 * random.next(), k.shear = 1e4 * random.next(), k.rolling = 1e-1 * random.next(),
  k.twisting = 1e-1 * random.next();
  k.normal_dashpot = random.next(), k.shear_dashpot = random.next(), k.rolling_dashpot = 1e-5 * random.next();
  k.twisting_dashpot = 1e-5 * random.next();
  return k;
}

Vec3d some_direction(physics::Numbers& random) {
  const Vec3d v{random.between(-1, 1), random.between(-1, 1), random.between(-1, 1)};
  return (1 / norm(v)) * v;
}

TEST(StepLimit, SpheresAreBodiesWithArmsAlongTheNormals) {
  physics::Numbers random(5);
  BodyStiffness general;
  SphereStiffness sphere;
  for (int k = 0; k < 7; ++k) {
    const auto contact = some_contact(random);
    const Vec3d n = some_direction(random);
    const double weight = random.between(1, 3), length = random.between(1e-3, 4e-3);
    general.add(contact, weight, n, length * n);
    sphere.add(contact, weight, n, length * n);
  }
  const BodyStiffness same = sphere.whole();
  for (int i = 0; i < 6; ++i) {
    for (int j = 0; j <= i; ++j) {
      const auto size = [&](const Sym6& m) { return std::sqrt(m.at(i, i) * m.at(j, j)); };
      EXPECT_NEAR(same.stiffness.at(i, j), general.stiffness.at(i, j), 1e-12 * size(general.stiffness));
      EXPECT_NEAR(same.dashpot.at(i, j), general.dashpot.at(i, j), 1e-12 * size(general.dashpot));
    }
  }
}

// The cheap bound of the step is never longer than the accurate one. The accurate step brings the largest eigenvalue to
// 4 from below, within 3 %.
TEST(StepLimit, StepsKeepTheLargestEigenvalueBelowFour) {
  physics::Numbers random(9);
  for (int k = 0; k < 200; ++k) {
    double springs[6], dashpots[6];
    for (int c = 0; c < 6; ++c) { springs[c] = 1e8 * random.next(), dashpots[c] = (k % 3) * 1e4 * random.next(); }
    const Sym6 stiffness = with_eigenvalues(springs, random), dashpot = with_eigenvalues(dashpots, random);
    const double step = stable_step(stiffness, dashpot);
    const MoreEigenvalue bounds = eigenvalue_bounds(stiffness, dashpot);
    EXPECT_LE(stable_step(bounds.stiffness, bounds.dashpot), step * (1 + 1e-12));
    const double largest = largest_eigenvalue(combined(step * step, stiffness, 2 * step, dashpot));
    EXPECT_LT(largest, 4 * 1.0142);
    EXPECT_GT(largest, 4 * 0.97);
  }
}

// A body is passed over if its step is surely longer than the least one so far. So it must be longer, also by the
// estimate, whether springs or dashpots dominate; and most bodies with a step that is 1.4 times as long are found.
TEST(StepLimit, BodiesThatAreSurelyStableHaveLongerSteps) {
  physics::Numbers random(11);
  int found = 0, n = 0;
  for (int k = 0; k < 3000; ++k) {
    double springs[6], dashpots[6];
    const double damping = std::pow(10.0, k % 9 - 2);
    for (int c = 0; c < 6; ++c) {
      springs[c] = 1e8 * std::pow(random.next(), k % 4), dashpots[c] = damping * 1e2 * std::pow(random.next(), k % 3);
    }
    const Sym6 stiffness = with_eigenvalues(springs, random), dashpot = with_eigenvalues(dashpots, random);
    const double step = stable_step(stiffness, dashpot);
    EXPECT_FALSE(is_surely_longer(stiffness, dashpot, step)) << k;
    EXPECT_FALSE(is_surely_longer(stiffness, dashpot, step * 1.0001)) << k;
    found += is_surely_longer(stiffness, dashpot, step / 1.4) ? 1 : 0;
    ++n;
  }
  EXPECT_GT(found, 0.95 * n);
  const double none[6] = {0, 0, 0, 0, 0, 0};
  EXPECT_FALSE(is_surely_longer(with_eigenvalues(none, random), with_eigenvalues(none, random), 1e300))
      << "before any step is known";
}

}  // namespace scree::inline SCREE_BACKEND::step_limit_test
