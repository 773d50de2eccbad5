#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "scenes.hpp"

// Motion of one sphere: free flight, and oscillations of a sphere that gravity keeps in contact with a plane.
namespace scree::physics::oscillator_test {

constexpr double radius = 0.01;
constexpr Substance soft{1e5, 0.3, 2500};

double mass() { return sphere_mass(radius, soft.density); }
double own_frequency() { return std::sqrt(soft.young * radius / mass()); }

/// A sphere on a plane, raised by a fraction of its overlap at rest; `step` is in units of 1/omega_0.
Scene oscillator(double step, double raised, double damping = 0) {
  Scene scene = linear_scene(soft, 0, step / own_frequency());
  scene.integration.damping = damping;
  const double overlap = 0.02 * radius;
  scene.gravity = {0, 0, -overlap * own_frequency() * own_frequency()};
  add_sphere(scene, {0, 0, radius - overlap + raised * overlap}, radius);
  scene.verlet_distance = radius;
  add_plane(scene, {0, 0, 0}, {0, 0, 1});
  return scene;
}
constexpr double rest_height = radius - 0.02 * radius;

// C01: x0 + v0 t + g t^2/2. Leapfrog is exact, so only rounding remains; in mixed precision it is the rounding of
// gravity and of the step, 6e-8 each.
TEST(Motion, C01Projectile) {
  for (const Precision precision : {Precision::double_, Precision::mixed}) {
    const double tolerance = precision == Precision::double_ ? 1e-12 : 2e-7 * standard_gravity;
    Scene scene = linear_scene(soft, 0, 1e-3);
    scene.precision = precision;
    scene.gravity = {0, 0.5, -standard_gravity};
    add_sphere(scene, {1, 2, 3}, radius, {1, 2, 3}, {4, 5, 6});
    const auto engine = start(scene);
    engine->advance(1000);
    const Reading now = read(*engine);
    const double t = engine->time();
    EXPECT_NEAR(now.position[0], 1 + t, 1e-12);
    EXPECT_NEAR(now.position[1], 2 + 2 * t + 0.25 * t * t, tolerance);
    EXPECT_NEAR(now.position[2], 3 + 3 * t - 0.5 * standard_gravity * t * t, tolerance);
    EXPECT_NEAR(now.velocity[2], 3 - standard_gravity * (t - 0.5e-3), tolerance);  // in the middle of the last step
    EXPECT_EQ(now.spin, (Real3{4, 5, 6}));
  }
}

// C02, omega_d/omega_0 = (2/x) asin(x/2) with x = omega_0 dt (closed form); 1e-6 as in the catalogue.
TEST(Motion, C02DiscreteOscillator) {
  const struct {
    double step, ratio;
  } cases[] = {{0.1, 1.0004171361}, {0.5, 1.0107210206}, {1, 1.0471975512}, {1.9, 1.3191956816}};
  for (const auto& c : cases) {
    const auto engine = start(oscillator(c.step, 0.5));
    std::vector<double> x{0.5 * 0.02 * radius};
    for (int k = 0; k < 200; ++k) {
      engine->advance(1);
      x.push_back(read(*engine).position[2] - rest_height);
    }
    // A cosine obeys x[k+1] + x[k-1] = 2 cos(omega_d dt) x[k].
    double both = 0, square = 0;
    for (std::size_t k = 1; k + 1 < x.size(); ++k) {
      both += x[k] * (x[k + 1] + x[k - 1]);
      square += x[k] * x[k];
    }
    EXPECT_NEAR(std::acos(0.5 * both / square) / c.step / c.ratio, 1, 1e-6) << c.step;
    EXPECT_NEAR(x[2] - 2 * x[1] + x[0], -c.step * c.step * x[1], 1e-9 * radius) << c.step;
    EXPECT_NEAR(x[1] / x[0], 1 - 0.5 * c.step * c.step, 1e-9) << "the first step starts from a velocity on the step";
  }
}

// C03: stability ends at omega_0 dt = 2 (closed form). The motion is bounded just below, and grows a thousandfold just
// above.
TEST(Motion, C03StabilityBoundary) {
  constexpr double raised = 1e-6;
  const double start_height = raised * 0.02 * radius;
  for (const double step : {1.999, 2.001}) {
    const auto engine = start(oscillator(step, raised));
    double most = 0;
    for (int k = 0; k < 5000 && most < 2e3 * start_height; ++k) {
      engine->advance(1);
      most = std::fmax(most, std::abs(read(*engine).position[2] - rest_height));
    }
    if (step < 2) {
      EXPECT_LT(most, 2 * start_height);
    } else {
      EXPECT_GT(most, 1e3 * start_height);
    }
  }
}

// C05: amplitude ratio sqrt((1-l)/(1+l)) and half period pi/2 ((1-l)^-1/2 + (1+l)^-1/2) / omega_0 (closed form). 1 % as
// in the catalogue, for steps of 0.01/omega_0.
TEST(Motion, C05DampedOscillator) {
  const struct {
    double damping, amplitude_ratio, half_period;
  } cases[] = {{.2, .8164966, 1.0154525}, {.4, .6546537, 1.0680744}, {.7, .4200840, 1.2963534}};
  for (const auto& c : cases) {
    const Scene scene = oscillator(0.01, 0.8, c.damping);
    const auto engine = start(scene);
    std::vector<double> turn_time{0}, turn_height{0.8 * 0.02 * radius};
    Reading before{};
    while (turn_time.size() < 4 && engine->step() < 3000) {
      engine->advance(1);
      const Reading now = read(*engine);
      const double v0 = before.velocity[2], v1 = now.velocity[2];
      if (v0 * v1 < 0) {  // mid-step velocities: the turn lies between the middles of the last two steps
        turn_time.push_back(engine->time() + scene.time_step * (-1.5 + v0 / (v0 - v1)));
        turn_height.push_back(before.position[2] - rest_height);
      }
      before = now;
    }
    ASSERT_EQ(turn_time.size(), 4U);
    for (std::size_t k = 1; k < 4; ++k) {
      EXPECT_NEAR(-turn_height[k] / turn_height[k - 1] / c.amplitude_ratio, 1, 0.01) << c.damping;
      EXPECT_NEAR((turn_time[k] - turn_time[k - 1]) * own_frequency() / pi / c.half_period, 1, 0.01) << c.damping;
    }
  }
}

// C05: damped free fall has a = (1 - lambda) g to rounding, since gravity is damped with the rest; the first kick, from
// rest, has g.
TEST(Motion, C05DampedFreeFall) {
  Scene scene = linear_scene(soft, 0, 1e-3);
  scene.gravity = {0, 0, -standard_gravity};
  scene.integration.damping = 0.4;
  add_sphere(scene, {0, 0, 0}, radius);
  const auto engine = start(scene);
  engine->advance(100);
  EXPECT_NEAR(read(*engine).velocity[2] / (-standard_gravity * (0.5e-3 + 0.6 * 99e-3)), 1, 1e-12);
}

// Order of leapfrog in a nonlinear field (Hertz): differences between solutions with halved steps fall by 4.
TEST(Motion, LeapfrogIsOfSecondOrder) {
  const auto height = [](std::uint64_t steps) {
    Scene scene = hertz_scene({1e7, 0.3, 2500}, {0, 0}, 0.02 / double(steps));
    scene.gravity = {0, 0, -standard_gravity};
    add_sphere(scene, {0, 0, radius - 3e-5}, radius, {0, 0, -2e-3});  // stays in contact all the time
    add_plane(scene, {0, 0, 0}, {0, 0, 1});
    const auto engine = start(scene);
    engine->advance(steps);
    return read(*engine).position[2];
  };
  const double a = height(500), b = height(1000), c = height(2000), d = height(4000);
  EXPECT_NEAR((a - b) / (b - c), 4, 0.1);
  EXPECT_NEAR((b - c) / (c - d), 4, 0.05);
}

}  // namespace scree::physics::oscillator_test
