#include <gtest/gtest.h>

#include <cmath>
#include <complex>

#include "impacts.hpp"

// Shear of contacts that turn, in whole runs: bodies with a large spin about the normal, and rotating boundaries.
namespace scree::physics::twist_test {

using Complex = std::complex<double>;  // a tangential vector x + i y; i turns it about +z

constexpr double radius = 0.01, young = 1e7, density = 2500, ratio = 2.0 / 7.0, speed = 0.01;

/// Tangential motion of a linear contact that sticks during its half sine of `contact_time`. s is the surface velocity,
/// v the velocity of the centre, x its displacement, and f the elastic force, which turns at the rate `twist`; the
/// touched surface turns at the rate `surface`. Solved by the classical Runge-Kutta method.
struct Tangential {
  Complex s, v, x, f;
};
Tangential stuck_contact(double mass, double stiffness, double twist, double surface, double contact_time) {
  const Complex i(0, 1);
  const auto rate = [&](const Tangential& y) -> Tangential {
    return {3.5 / mass * y.f, y.f / mass, y.v, i * twist * y.f - stiffness * (y.s - i * surface * y.x)};
  };
  const auto plus = [](const Tangential& y, double h, const Tangential& k) -> Tangential {
    return {y.s + h * k.s, y.v + h * k.v, y.x + h * k.x, y.f + h * k.f};
  };
  Tangential y{speed, speed, 0, 0};
  const double h = contact_time / 1000;
  for (int n = 0; n < 1000; ++n) {
    const Tangential k1 = rate(y), k2 = rate(plus(y, h / 2, k1)), k3 = rate(plus(y, h / 2, k2)),
                     k4 = rate(plus(y, h, k3));
    y = plus(plus(plus(plus(y, h / 6, k1), h / 3, k2), h / 3, k3), h / 6, k4);
  }
  return y;
}

// A17 in an impact: sphere and plane spin about the normal by about a radian during the contact. Reference: numerical
// solution of the linear contact. 0.5 % of the speed for overlaps of 3e-4 r and steps of t_c/1000.
TEST(Twist, A17ImpactOnPlane) {
  const double mass = sphere_mass(radius, density), stiffness = young * radius;
  const double contact_time = pi * std::sqrt(mass / stiffness);
  const struct { double sphere, plane; } spins[] = {{0, 0}, {2000, 0}, {0, 1000}, {-500, 2500}};
  for (const auto& spin : spins) {
    Scene scene = linear_scene({young, ratio, density}, 1e6, contact_time / 1000);
    add_sphere(scene, {0, 0, radius}, radius, {speed, 0, -speed}, {0, 0, spin.sphere});
    add_plane(scene, {0, 0, 0}, {0, 0, 1}, {{Rotation{{0, 0, 1}, {0, 0, 0}, spin.plane}}});
    const Reading after = collide(scene, floor_overlap).particle[0];
    const Tangential expected =
        stuck_contact(mass, ratio * stiffness, 0.5 * (spin.sphere + spin.plane), spin.plane, contact_time);
    EXPECT_NEAR(after.velocity[0], expected.v.real(), 5e-3 * speed) << spin.sphere << ' ' << spin.plane;
    EXPECT_NEAR(after.velocity[1], expected.v.imag(), 5e-3 * speed) << spin.sphere << ' ' << spin.plane;
    EXPECT_NEAR(after.spin[2], spin.sphere, 1e-9 * std::abs(spin.sphere));
  }
}

// A17 in an impact of two spheres. Their line of centres turns with the displacement x, and with it the surface
// velocity of the spin along this line, as if a surface turned at the mean spin.
TEST(Twist, A17ImpactOfSpheres) {
  const double mass = 0.5 * sphere_mass(radius, density), stiffness = young * radius;
  const double contact_time = pi * std::sqrt(mass / stiffness);
  for (const Real3& spin : {Real3{0, 0, 0}, Real3{1500, 1500, 0}, Real3{3000, 0, 0}, Real3{-1000, 1000, 0}}) {
    Scene scene = linear_scene({young, ratio, density}, 1e6, contact_time / 1000);
    add_sphere(scene, {0, 0, -radius}, radius, {-0.5 * speed, 0, 0.5 * speed}, {0, 0, spin[0]});
    add_sphere(scene, {0, 0, radius}, radius, {0.5 * speed, 0, -0.5 * speed}, {0, 0, spin[1]});
    const Impact impact = collide(scene, pair_overlap);
    const Real3 apart = impact.particle[1].velocity - impact.particle[0].velocity;
    const double mean = 0.5 * (spin[0] + spin[1]);
    const Tangential expected = stuck_contact(mass, ratio * stiffness, mean, mean, contact_time);
    EXPECT_NEAR(apart[0], expected.v.real(), 5e-3 * speed) << spin[0] << ' ' << spin[1];
    EXPECT_NEAR(apart[1], expected.v.imag(), 5e-3 * speed) << spin[0] << ' ' << spin[1];
  }
}

/// Height of a sphere in a trough of two rough planes that turns about the vertical through the sphere's centre.
double height_in_trough(double rate, std::uint64_t steps) {
  Scene scene = hertz_scene({1e7, 0.3, 2600}, {0.5, 0.3}, 2e-5);
  scene.gravity = {0, 0, -standard_gravity};
  add_sphere(scene, {0, 0, 0.01 * std::sqrt(2.0)}, 0.01, {}, {0, 0, rate});
  const std::vector<Motion> turning{{Rotation{{0, 0, 1}, {0, 0, 0}, rate}}};
  add_plane(scene, {0, 0, 0}, {1, 0, 1}, turning);
  add_plane(scene, {0, 0, 0}, {-1, 0, 1}, turning);
  const auto engine = start(scene);
  engine->advance(steps);
  const Reading now = read(*engine);
  EXPECT_NEAR(now.spin[2], rate, 1e-6 * rate);
  return now.position[2];
}

// A16 with boundaries: contacts under shear that turn 20 times with sphere and trough hold like contacts at rest. 1e-4
// of the overlap of about 1e-5 m, as directions have an error of second order in the angle of a step (2e-3).
TEST(Twist, A16RotatingTrough) {
  constexpr std::uint64_t steps = 62832;
  EXPECT_NEAR(height_in_trough(100, steps), height_in_trough(0, steps), 1e-9);
}

}  // namespace scree::physics::twist_test
