#include "jaeger_contact.hpp"

/// Tractions over the contact circle, energies and dissipation of the Jaeger contact.
namespace scree::inline SCREE_BACKEND::jaeger_energies_test {

constexpr double hertz = 2.0, kappa = 1.2, mu = 0.5, mean_radius = 0.7;

JaegerContact<double> contact() { return {jaeger_values<double>(hertz, kappa, mu)}; }

// I7 of section 13: the tractions, integrated over the circle, give the forces, and no traction passes Coulomb's limit.
TEST(JaegerTraction, IntegratesToTheForces) {
  auto c = contact();
  int checked = 0;
  for (const JaegerMove& move : random_walk(400, 31, kappa, mu)) {
    c.to(move.zeta, move.movement);
    if (c.stack.size() < 2 || ++checked % 10 != 0) { continue; }
    const double square = mean_radius * c.zeta;  // square of the contact radius
    double normal = 0;
    Vec2<double> force{0, 0};
    constexpr int n = 20000;
    for (int k = 0; k < n; ++k) {
      const double r = std::sqrt(square * (k + 0.5) / n), ring = 3.14159265358979 * square / n;
      const double pressure = jaeger_pressure(hertz, mean_radius, c.zeta, r);
      const Vec2<double> traction = jaeger_traction<double>(c.stack, hertz, mean_radius, r);
      ASSERT_LE(norm(traction), pressure * (1 + 1e-12));
      normal += ring * pressure;
      force += (ring * mu) * traction;
    }
    // Error of the midpoint rule for a square root: (3/2) 0.21 n^(-3/2), about 1e-7 for each profile.
    EXPECT_NEAR(normal, c.normal(), 1e-6 * c.normal());
    EXPECT_NEAR(norm(force - c.force), 0, 3e-6 * mu * c.normal());
  }
  EXPECT_GT(checked, 200);
  EXPECT_EQ(jaeger_pressure(hertz, mean_radius, 0.5, 0.6), 0);  // outside the circle: 0.36 > 0.35
}

// Near the rim the contact slips with the traction mu p; inside the traction is less (Cattaneo 1938).
TEST(JaegerTraction, SlipsFromTheRim) {
  auto c = contact();
  c.to(1, {0, 0});
  c.to(1, {0.4 * kappa * mu, 0});
  ASSERT_EQ(c.stack.size(), 2u);
  const double stick = std::sqrt(mean_radius * c.stack.at(0).end());
  EXPECT_NEAR(stick * stick, 0.6 * mean_radius, 1e-14);
  for (const double r : {1.001 * stick, 1.1 * stick}) {
    EXPECT_NEAR(jaeger_traction<double>(c.stack, hertz, mean_radius, r).x, jaeger_pressure(hertz, mean_radius, 1, r),
                1e-14);
  }
  const double inside = 0.9 * stick;
  EXPECT_NEAR(jaeger_traction<double>(c.stack, hertz, mean_radius, inside).x,
              (jaeger_pressure(hertz, mean_radius, 1, inside) - jaeger_pressure(hertz, mean_radius, 0.6, inside)),
              1e-14);
}

/// Work of the tangential force over the displacement 2 xi, by the trapezoidal rule.
double work_along(JaegerContact<double>& c, double zeta, const Vec2<double>& movement, int n) {
  double work = 0;
  const double start = c.zeta;
  for (int k = 1; k <= n; ++k) {
    const Vec2<double> before = c.force;
    c.to(start + (zeta - start) * k / n, (1.0 / n) * movement);
    work += dot(before + c.force, (1.0 / n) * movement);
  }
  return work;
}

// Closed form for loops at constant normal force (Mindlin 1953, in half displacements). A loop dissipates its area,
// twice 4 T0 x0 - 8 (integral of the first curve up to x0) with partial slip; where the whole contact slides, 4 mu N
// times the slid path more.
TEST(JaegerEnergies, ClosedLoopsLoseTheirArea) {
  const double zeta = 0.9, normal = hertz * std::pow(zeta, 1.5), reach = kappa * mu * zeta;
  for (const double amplitude : {0.2, 0.5, 0.9, 1.0, 1.6}) {
    auto c = contact();
    const double x0 = amplitude * reach, held = std::min(amplitude, 1.0);
    c.to(zeta, {0, 0});
    c.to(zeta, {x0, 0});
    const double stored = jaeger_energies(c.stack, c.of).tangential;
    double lost = work_along(c, zeta, {-2 * x0, 0}, 4000);
    lost += work_along(c, zeta, {2 * x0, 0}, 4000);
    const double end = held * reach, force = mu * normal * (1 - std::pow(1 - held, 1.5));
    const double integral = mu * normal * (end - 0.4 * reach * (1 - std::pow(1 - held, 2.5)));
    const double slid = 8 * mu * normal * (x0 - end);
    const double area = 2 * (8 * integral - 4 * force * end) + slid;
    // Trapezoidal rule; the curvature of the curves is infinite where the whole contact begins to slide.
    EXPECT_NEAR(lost, std::abs(area), 2e-6 * std::abs(area)) << amplitude;
    EXPECT_NEAR(jaeger_energies(c.stack, c.of).tangential, stored, 2e-12 * stored);
  }
}

// Energy stored by first loading without any slip, in closed form with the displacement u = (d_xi / d_zeta)(zeta - s).
TEST(JaegerEnergies, StoredWithoutSlip) {
  auto c = contact();
  const double b = 0.3, zeta = 0.8;
  c.to(zeta, {kappa * b * zeta, 0});
  // 1/kappa times the integral of (3/4) A s^(-1/2) kappa^2 b^2 (zeta - s)^2 over s is (3/4) A kappa b^2 zeta^(5/2)
  // 16/15.
  EXPECT_NEAR(jaeger_energies(c.stack, c.of).tangential, 0.8 * hertz * kappa * b * b * std::pow(zeta, 2.5), 1e-15);
  EXPECT_NEAR(jaeger_energies(c.stack, c.of).normal, 0.8 * hertz * std::pow(zeta, 2.5), 1e-15);
  // Two half steps store the same energy.
  auto divided = contact();
  divided.along(zeta, {kappa * b * zeta, 0}, 2);
  EXPECT_NEAR(jaeger_energies(divided.stack, c.of).tangential, jaeger_energies(c.stack, c.of).tangential, 1e-15);
}

// I15: no step gains energy. The exact sliding direction makes it possible to divide a step.
TEST(JaegerEnergies, DissipationIsNeverNegativeI15) {
  JaegerContact<double, all_jaeger_options> c{jaeger_values<double>(hertz, kappa, mu)};
  double total = 0;
  for (const JaegerMove& move : random_walk(1500, 33, kappa, mu, false, false)) {
    const double before = jaeger_energies(c.stack, c.of).tangential;
    double work = 0;
    constexpr int n = 400;
    const double start = c.zeta;
    for (int k = 1; k <= n; ++k) {
      const Vec2<double> force = c.force;
      c.to(k < n ? start + (move.zeta - start) * k / n : move.zeta, (1.0 / n) * move.movement);
      work += dot(force + c.force, (1.0 / n) * move.movement);
    }
    const double lost = work - (jaeger_energies(c.stack, c.of).tangential - before);
    const double scale = mu * std::max(c.normal(), hertz * std::pow(start, 1.5)) * norm(move.movement);
    ASSERT_GE(lost, -1e-4 * scale);  // error of the trapezoidal rule with 400 steps
    total += lost;
  }
  EXPECT_GT(total, 0);
}

// In partial slip, a circle at constant normal force loses no energy in this model, because the force follows the
// displacement.
TEST(JaegerEnergies, CirclesInPartialSlipLoseNothing) {
  auto c = contact();
  const double zeta = 1, radius = 0.6 * kappa * mu * zeta;
  c.to(zeta, {0, 0});
  c.to(zeta, {radius, 0});
  const double force = c.force.x, stored = jaeger_energies(c.stack, c.of).tangential;
  constexpr int n = 3000;
  double work = 0;
  for (int k = 1; k <= n; ++k) {
    const double from = 2 * 3.14159265358979 * (k - 1) / n, to = 2 * 3.14159265358979 * k / n;
    const Vec2<double> moved{radius * (std::cos(to) - std::cos(from)), radius * (std::sin(to) - std::sin(from))};
    const Vec2<double> before = c.force;
    c.to(zeta, moved);
    work += dot(before + c.force, moved);
    ASSERT_NEAR(norm(c.force), force, 2e-5 * force);  // the chord of a step lies within the circle by this much
  }
  EXPECT_NEAR(work, 0, 1e-4 * force * radius);
  EXPECT_NEAR(jaeger_energies(c.stack, c.of).tangential, stored, 1e-4 * stored);
}

}  // namespace scree::inline SCREE_BACKEND::jaeger_energies_test
