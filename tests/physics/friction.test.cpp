#include <gtest/gtest.h>

#include <cmath>

#include "scenes.hpp"

// Sliding and rolling on planes with cundall_strack contacts. Spheres start with their overlap at rest.
namespace scree::physics::friction_test {

constexpr double radius = 0.05;
constexpr Substance stiff{1e8, 0.3, 2600};
constexpr double time_step = 2e-5;  // about 0.04 of the contact period

double rest_overlap(double normal_gravity) {
  return sphere_mass(radius, stiff.density) * normal_gravity / (stiff.young * radius);
}

Scene level_ground(double friction, const Real3& velocity, const Real3& spin) {
  Scene scene = linear_scene(stiff, friction, time_step);
  scene.gravity = {0, 0, -standard_gravity};
  add_sphere(scene, {0, 0, radius - rest_overlap(standard_gravity)}, radius, velocity, spin);
  add_plane(scene, {0, 0, 0}, {0, 0, 1});
  return scene;
}

struct EndOfSlip {
  double time = 0, velocity = 0, position = 0;
};

/// Runs until the friction along x has reached its limit and then falls below it.
EndOfSlip end_of_slip(const Scene& scene, double friction) {
  const auto engine = start(scene);
  const double limit = friction * sphere_mass(radius, stiff.density) * standard_gravity;
  bool slid = false;
  while (engine->time() < 1) {
    engine->advance(1);
    const Reading now = read(*engine);
    const bool at_limit = std::abs(now.force[0]) > 0.999 * limit;
    if (slid && !at_limit) { return {engine->time(), now.velocity[0], now.position[0]}; }
    slid = slid || at_limit;
  }
  return {};
}

void expect_end_of_slip(const EndOfSlip& end, double time, double velocity, double position, double tolerance) {
  EXPECT_NEAR(end.time / time, 1, tolerance);
  EXPECT_NEAR(end.velocity / velocity, 1, tolerance);
  EXPECT_NEAR(end.position / position, 1, tolerance);
}

// A20: sliding ends at t = 2 s/(7 mu g) (closed form). 0.5 % for the flexibility of the contact, as in the catalogue.
TEST(Friction, A20SlidingToRolling) {
  const Scene scene = level_ground(0.3, {1, 0, 0}, {});
  expect_end_of_slip(end_of_slip(scene, 0.3), 0.0970826659, 5.0 / 7.0, 0.0832137136, 5e-3);
}
TEST(Friction, A20Backspin) {
  const Scene scene = level_ground(0.25, {1, 0, 0}, {0, -40, 0});
  expect_end_of_slip(end_of_slip(scene, 0.25), 0.3494975972, 0.142857143, 0.1997129127, 5e-3);
}
// A20 in mixed precision. Positions are double, so the tolerance also covers the rounding of 5000 float steps (at most
// 5000 * 6e-8 = 3e-4): 0.7 % in all.
TEST(Friction, A20SlidingToRollingMixedPrecision) {
  Scene scene = level_ground(0.3, {1, 0, 0}, {});
  scene.precision = Precision::mixed;
  expect_end_of_slip(end_of_slip(scene, 0.3), 0.0970826659, 5.0 / 7.0, 0.0832137136, 7e-3);
}

/// Mean accelerations down an incline of the velocity and of the surface speed r w, over the second half of `time`.
struct Accelerations {
  double velocity, surface_speed;
};
Accelerations on_incline(double degrees, double friction, double time) {
  const double angle = degrees * pi / 180;
  const Real3 normal{std::sin(angle), 0, std::cos(angle)}, down{std::cos(angle), 0, -std::sin(angle)};
  Scene scene = linear_scene(stiff, friction, time_step);
  scene.gravity = {0, 0, -standard_gravity};
  add_sphere(scene, (radius - rest_overlap(standard_gravity * std::cos(angle))) * normal, radius);
  add_plane(scene, {0, 0, 0}, normal);
  const auto engine = start(scene);
  const auto half = static_cast<std::uint64_t>(0.5 * time / time_step);
  engine->advance(half);
  const Reading middle = read(*engine);
  engine->advance(half);
  const Reading end = read(*engine);
  const double elapsed = double(half) * time_step;
  return {dot(end.velocity - middle.velocity, down) / elapsed, radius * (end.spin[1] - middle.spin[1]) / elapsed};
}

// A21, closed forms; 0.3 % as in the catalogue (the shear spring oscillates about its mean).
TEST(Friction, A21InclineRolling) {
  const Accelerations a = on_incline(20, 0.3, 0.5);
  EXPECT_NEAR(a.velocity / 2.396584004, 1, 3e-3);
  EXPECT_NEAR(a.surface_speed / a.velocity, 1, 3e-3);
  // Friction per mass is gravity along the slope less the acceleration.
  EXPECT_NEAR((standard_gravity * std::sin(20 * pi / 180) - a.velocity) / 0.958634, 1,
              7.5e-3);  // 0.3 % of the velocity
}
// A21 on steep slopes (closed forms): a = g (sin - mu cos) and r dw/dt = 5/2 mu g cos.
TEST(Friction, A21InclineSliding) {
  const Accelerations steep = on_incline(50, 0.3, 0.5);
  EXPECT_NEAR(steep.velocity / 5.623172052, 1, 3e-3);
  EXPECT_NEAR(steep.surface_speed / 4.729309838, 1, 3e-3);
  const Accelerations smooth = on_incline(35, 0.12, 0.5);
  EXPECT_NEAR(smooth.velocity / 4.662479054, 1, 3e-3);
  EXPECT_NEAR(smooth.surface_speed / 2.410764466, 1, 3e-3);
}
// A21: the sphere rolls without slip up to tan(angle) = 3.5 mu, and slips on steeper slopes.
TEST(Friction, A21BoundaryOfRolling) {
  constexpr double friction = 0.2;
  const double limit = std::atan(3.5 * friction) * 180 / pi;
  const Accelerations below = on_incline(limit - 1, friction, 0.5), above = on_incline(limit + 1, friction, 0.5);
  EXPECT_NEAR(below.surface_speed / below.velocity, 1, 3e-3);
  EXPECT_LT(above.surface_speed / above.velocity, 0.97);
}

}  // namespace scree::physics::friction_test
