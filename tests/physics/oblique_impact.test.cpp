#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "impacts.hpp"

// Angles are in degrees from the normal; speeds without a prime are before the impact. The catalogue counts a spin as
// positive if the lowest point of the sphere then moves along the tangential velocity (+x); this is -y here.
namespace scree::physics::oblique_impact_test {

double degrees(double angle) { return angle * pi / 180; }

// --- A09, A10: sphere on a rigid plane -----------------------------------------------------------------------------

struct AngleCase {
  double angle, velocity_ratio, spin;
};

void expect_chung_ooi_4(const Substance& substance, const std::vector<AngleCase>& cases) {
  constexpr double radius = 0.0025, speed = 3.9, friction = 0.092, restitution = 0.98;
  for (const AngleCase& c : cases) {
    const double tangential = speed * std::sin(degrees(c.angle)), normal = speed * std::cos(degrees(c.angle));
    const Impact impact =
        collide(floor_impact(substance, radius, {friction, 0.005895}, normal, tangential, 0, 2000), floor_overlap);
    const Reading& after = impact.particle[0];
    EXPECT_NEAR(after.velocity[0] / tangential, c.velocity_ratio, 3e-3) << c.angle;
    const bool slides = c.angle >= 45;
    EXPECT_NEAR(-after.spin[1] / c.spin, 1, slides ? 3e-3 : 1e-2) << c.angle;
    if (slides) {  // the tangential impulse is friction times the normal impulse
      const double limit = friction * (1 + restitution);
      EXPECT_NEAR(after.velocity[0] / tangential, 1 - limit / std::tan(degrees(c.angle)), 3e-3) << c.angle;
      EXPECT_NEAR(after.spin[1] / (2.5 * limit * normal / radius), 1, 3e-3) << c.angle;
    }
  }
}

// A09 = Chung & Ooi (2011) test 4, independent solution of the contact ODE with steps of 2e-12 s, in which Coulomb's
// limit holds for the spring and for its sum with the dashpot; tolerances of the catalogue.
TEST(ObliqueImpact, A09AluminiumOxide) {
  expect_chung_ooi_4({3.8e11, 0.23, 4000}, {{5, 0.88584, -38.74},
                                            {10, 0.71568, -192.27},
                                            {20, 0.61133, -517.73},
                                            {30, 0.68499, -613.54},
                                            {45, 0.81784, -501.85},
                                            {60, 0.89483, -354.94},
                                            {80, 0.96788, -123.32}});
}
TEST(ObliqueImpact, A09AluminiumAlloy) {
  expect_chung_ooi_4({7e10, 0.33, 2700},
                     {{5, 0.83790, -54.95}, {10, 0.69225, -207.92}, {20, 0.60140, -530.51}, {30, 0.68497, -613.13}});
}

struct SpeedCase {
  double tangential, surface_speed, velocity;
};

// A10 = Chung & Ooi (2011) test 5, independent solution of the contact ODE; 1 % plus 0.01 as in the catalogue.
void expect_chung_ooi_5(const Substance& substance, const std::vector<SpeedCase>& cases) {
  constexpr double radius = 1e-5, normal = 5, friction = 0.3;
  for (const SpeedCase& c : cases) {
    const Impact impact =
        collide(floor_impact(substance, radius, {friction, 0}, normal, c.tangential, 0, 2000), floor_overlap);
    const Reading& after = impact.particle[0];
    EXPECT_NEAR(-radius * after.spin[1] / (friction * normal), c.surface_speed, 0.01 * std::abs(c.surface_speed) + 0.01)
        << c.tangential;
    EXPECT_NEAR(after.velocity[0], c.velocity, 0.01 * c.velocity + 0.01) << c.tangential;
  }
}

TEST(ObliqueImpact, A10Steel) {
  expect_chung_ooi_5({2.08e11, 0.3, 7850}, {{1, -0.16895, 0.89818},
                                            {3, -1.56622, 2.05739},
                                            {5, -3.29044, 3.01986},
                                            {7.5, -4.73901, 4.64882},
                                            {10, -4.98677, 7.00000},
                                            {15, -4.98677, 12.00000}});
}
TEST(ObliqueImpact, A10Polyethylene) {
  expect_chung_ooi_5({1e9, 0.4, 1400}, {{1, -0.28380, 0.82695},
                                        {3, -1.72966, 1.94910},
                                        {5, -3.44618, 2.90701},
                                        {7.5, -4.79532, 4.59054},
                                        {10, -4.94562, 7},
                                        {15, -4.94562, 12}});
}

// --- A11, A12, A13: spinning spheres -------------------------------------------------------------------------------

struct SpinCase {
  double spin, spin_after, velocity_after;
  bool slides;  ///< during the whole contact: Coulomb alone gives the result, and the tolerance is tighter
};

constexpr double spin_friction = 0.4, spin_damping = 0.233025;  // e = 0.5

void expect_spin(const SpinCase& c, double spin, double velocity) {
  const double tolerance = c.slides ? 1e-3 : 1e-2;
  EXPECT_NEAR(spin / c.spin_after, 1, tolerance) << c.spin;
  EXPECT_NEAR(velocity / c.velocity_after, 1, tolerance) << c.spin;
}

void expect_chung_ooi_6(const Substance& substance, const std::vector<SpinCase>& cases) {
  for (const SpinCase& c : cases) {
    const Impact impact =
        collide(floor_impact(substance, 0.1, {spin_friction, spin_damping}, 0.2, 0, -c.spin, 2000), floor_overlap);
    expect_spin(c, -impact.particle[0].spin[1], impact.particle[0].velocity[0]);
  }
}

// A11 = Chung & Ooi (2011) test 6, contact ODE. At 21 rad/s, too, Coulomb limits the total shear with its viscous part.
TEST(ObliqueImpact, A11AluminiumSpinOnPlane) {
  expect_chung_ooi_6({7e10, 0.33, 2700}, {{0.5, 0.14665, -0.014136, false},
                                          {2, 0.38024, -0.064799, false},
                                          {5, 2.0004, -0.12, true},
                                          {7, 4.0004, -0.12, true},
                                          {14, 11.0004, -0.12, true},
                                          {21, 18.0004, -0.12, true}});
}
TEST(ObliqueImpact, A11CopperSpinOnPlane) {
  expect_chung_ooi_6({1.2e11, 0.35, 8900}, {{0.5, 0.14502, -0.014201, false},
                                            {2, 0.37118, -0.065164, false},
                                            {5, 2.0, -0.12, true},
                                            {7, 4.0, -0.12, true},
                                            {14, 11.0, -0.12, true},
                                            {21, 18.0, -0.12, true}});
}

// A12 = Chung & Ooi (2011) test 7: two equal spheres with equal spins. Momentum and angular momentum to 1e-12 of their
// values at the start.
TEST(ObliqueImpact, A12EqualSpinningSpheres) {
  constexpr double radius = 0.1, speed = 0.2;
  const Substance aluminium{7e10, 0.33, 2700};
  const double mass = sphere_mass(radius, aluminium.density), inertia = 0.4 * mass * radius * radius;
  for (const SpinCase& c :
       {SpinCase{2, 0.38024, 0.064808, false}, SpinCase{9, 6.00086, 0.12, true}, SpinCase{22, 19.00086, 0.12, true}}) {
    const HertzImpact undamped =
        hertz_impact(0.5 * plane_strain_modulus(aluminium), 0.5 * radius, 0.5 * mass, 2 * speed);
    Scene scene = hertz_scene(aluminium, {spin_friction, spin_damping}, undamped.duration / 2000);
    add_sphere(scene, {-radius, 0, 0}, radius, {speed, 0, 0}, {0, 0, c.spin});
    add_sphere(scene, {radius, 0, 0}, radius, {-speed, 0, 0}, {0, 0, c.spin});
    const Impact impact = collide(scene, pair_overlap);
    const Reading &a = impact.particle[0], &b = impact.particle[1];
    expect_spin(c, a.spin[2], -a.velocity[1]);
    expect_spin(c, b.spin[2], b.velocity[1]);
    EXPECT_NEAR(mass * (a.velocity[1] + b.velocity[1]), 0, 1e-12 * mass * speed);
    const double angular_momentum = mass * (cross(a.position, a.velocity)[2] + cross(b.position, b.velocity)[2]) +
                                    inertia * (a.spin[2] + b.spin[2]);
    EXPECT_NEAR(angular_momentum / (2 * inertia * c.spin), 1, 1e-12);
  }
}

// A13 = Chung & Ooi (2011) test 8: a spinning sphere hits one five times larger and a thousand times denser.
void expect_chung_ooi_8(const Substance& substance, const std::vector<SpinCase>& cases) {
  constexpr double small = 0.1, large = 0.5, speed = 0.2;
  for (const SpinCase& c : cases) {
    const HertzImpact undamped = hertz_impact(0.5 * plane_strain_modulus(substance), small * large / (small + large),
                                              sphere_mass(small, substance.density), speed);
    Scene scene = hertz_scene(substance, {spin_friction, spin_damping}, undamped.duration / 2000);
    Material dense = scene.materials[0];
    dense.density *= 1000;
    scene.materials[1] = dense;
    add_sphere(scene, {0, 0, 0}, small, {speed, 0, 0}, {0, 0, c.spin});
    add_sphere(scene, {small + large, 0, 0}, large, {}, {}, 1);
    const Impact impact = collide(scene, pair_overlap);
    expect_spin(c, impact.particle[0].spin[2], impact.particle[0].velocity[1]);
  }
}

TEST(ObliqueImpact, A13AluminiumUnequalSpheres) {
  expect_chung_ooi_8({7e10, 0.33, 2700}, {{0.5, 0.14665, -0.014136, false},
                                          {2, 0.38025, -0.064802, false},
                                          {5, 2.0006, -0.12, true},
                                          {15, 12.0006, -0.12, true}});
}
TEST(ObliqueImpact, A13NylonUnequalSpheres) {
  expect_chung_ooi_8({2.5e9, 0.4, 1000}, {{0.5, 0.14017, -0.014398, false},
                                          {2, 0.34646, -0.066173, false},
                                          {5, 2.0015, -0.12, true},
                                          {15, 12.0015, -0.12, true}});
}

// --- A14, A15: linear springs --------------------------------------------------------------------------------------

struct LinearRebound {
  double velocity, surface_speed;  ///< [-] v_t' and R w' over v_t
};

LinearRebound linear_rebound(double stiffness_ratio, double friction, double normal, double tangential) {
  constexpr double radius = 0.01, young = 1e7, density = 2500;
  const double contact_time = pi * std::sqrt(sphere_mass(radius, density) / (young * radius));
  Scene scene = linear_scene({young, stiffness_ratio, density}, friction, contact_time / 500);
  add_sphere(scene, {0, 0, radius}, radius, {tangential, 0, -normal});
  add_plane(scene, {0, 0, 0}, {0, 0, 1});
  const Reading after = collide(scene, floor_overlap).particle[0];
  return {after.velocity[0] / tangential, -radius * after.spin[1] / tangential};
}

// A14, s'/s = cos(pi sqrt(3.5 xi)) (closed form); abs. 2e-3 for a step of t_c/500 and an overlap of 3e-4 r.
TEST(ObliqueImpact, A14Superball) {
  const LinearRebound full = linear_rebound(2.0 / 7.0, 1e6, 0.01, 0.01);
  EXPECT_NEAR(full.velocity, 0.428571, 2e-3);
  EXPECT_NEAR(full.surface_speed, -1.428571, 2e-3);
  EXPECT_NEAR(full.velocity + full.surface_speed, -1, 2e-3);
  const LinearRebound softer = linear_rebound(0.2, 1e6, 0.01, 0.01);
  EXPECT_NEAR(softer.velocity + softer.surface_speed, -0.871204, 2e-3);
  EXPECT_NEAR(softer.velocity, 0.465370, 2e-3);
}

// A15, contact ODE with stick and slip; abs. 3e-3 as in the catalogue.
TEST(ObliqueImpact, A15LinearWithSlip) {
  const struct {
    double angle, velocity, surface_speed;
  } cases[] = {{10, 0.42919, -1.42683},
               {45, 0.42889, -1.42758},
               {50, 0.49654, -1.25849},
               {60, 0.65359, -0.86592},
               {75, 0.83923, -0.40187}};
  for (const auto& c : cases) {
    const LinearRebound rebound = linear_rebound(0.3, 0.3, 0.01, 0.01 * std::tan(degrees(c.angle)));
    EXPECT_NEAR(rebound.velocity, c.velocity, 3e-3) << c.angle;
    EXPECT_NEAR(rebound.surface_speed, c.surface_speed, 3e-3) << c.angle;
  }
}

}  // namespace scree::physics::oblique_impact_test
