#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "cell_scenes.hpp"
#include "host/output/contact_frame.hpp"
#include "scenes.hpp"

// What files of contacts say, against Newton's law and statics.
namespace scree::physics::contact_frames_test {

/// Spheres above a floor between four walls, in layers.
Scene box_of_spheres(double friction, double damping_ratio, Precision precision) {
  Scene scene = hertz_scene({1e7, 0.25, 2500}, {friction, damping_ratio}, 2e-5);
  scene.precision = precision;
  scene.gravity = {0, 0, -standard_gravity};
  const double half = 0.022;
  add_plane(scene, {0, 0, 0}, {0, 0, 1});
  add_plane(scene, {-half, 0, 0}, {1, 0, 0});
  add_plane(scene, {half, 0, 0}, {-1, 0, 0});
  add_plane(scene, {0, -half, 0}, {0, 1, 0});
  add_plane(scene, {0, half, 0}, {0, -1, 0});
  Numbers numbers(11);
  for (int k = 0; k < 80; ++k) {
    const double radius = numbers.between(0.0038, 0.005);
    const double x = 0.0105 * (k % 4 - 1.5), y = 0.0105 * (k / 4 % 4 - 1.5), z = 0.006 + 0.0105 * (k / 16);
    add_sphere(scene, {x + numbers.between(-2e-4, 2e-4), y, z}, radius);
  }
  return scene;
}

Real3 force_of(const ContactTable& frame, std::size_t c) {
  return frame.normal_force[c] * frame.normal[c] + frame.shear_force[c];
}

/// Sums the forces of a frame on each particle.
std::vector<Real3> forces(const ContactTable& frame, std::size_t particles) {
  std::vector<Real3> sum(particles);
  for (std::size_t c = 0; c < frame.size(); ++c) {
    const Real3 f = force_of(frame, c);
    sum[frame.second[c]] = sum[frame.second[c]] + f;
    if (frame.with_boundary[c] == 0) { sum[frame.first[c]] = sum[frame.first[c]] - f; }
  }
  return sum;
}

// m (v_after - v_before) / dt is the sum of the contact forces and the weight. Velocities are of order 1 m/s, and one
// step changes them by 1e-3 of that; so in double precision the quotient is good to 1e-12.
TEST(ContactFrames, ForcesAreThoseThatMoveTheParticles) {
  const Scene scene = box_of_spheres(0.5, 0.2, Precision::double_);
  const auto engine = start(scene);
  engine->advance(4000);
  double largest = 0, worst = 0;
  for (int look = 0; look < 5; ++look) {
    const Snapshot before = engine->snapshot();
    engine->advance(1);
    const Snapshot after = engine->snapshot({.force = true});
    const ContactTable frame = collect_contacts(*engine);
    ASSERT_GT(frame.size(), 50u);
    EXPECT_EQ(frame.step, engine->step());
    const auto sum = forces(frame, scene.particles.size());
    for (std::size_t i = 0; i < sum.size(); ++i) {
      const double mass = sphere_mass(scene.particles.radius[i], 2500);
      const Real3 gained = (mass / scene.time_step) * (after.velocity[i] - before.velocity[i]) - mass * scene.gravity;
      worst = std::fmax(worst, norm(gained - sum[i]));
      worst = std::fmax(worst, norm(after.force[i] - sum[i]));
      largest = std::fmax(largest, norm(sum[i]));
    }
    engine->advance(500);
  }
  EXPECT_GT(largest, 1e-3);
  EXPECT_LT(worst, 1e-9 * largest);
}

// A bed at rest without friction stands on its floor alone, and presses on it with its weight. What is left of its
// motion after a second is far below the tolerance: 1e-6 of the weight.
TEST(ContactFrames, ABedAtRestPressesOnTheFloorWithItsWeight) {
  for (const Precision precision : {Precision::double_, Precision::mixed}) {
    Scene scene = box_of_spheres(0, 0.3, precision);
    scene.integration.damping = 0.3;
    const auto engine = start(scene);
    engine->advance(60000);
    const ContactTable frame = collect_contacts(*engine);
    double weight = 0, on_floor = 0;
    for (const double r : scene.particles.radius) { weight += sphere_mass(r, 2500) * standard_gravity; }
    Real3 on_walls{};
    for (std::size_t c = 0; c < frame.size(); ++c) {
      if (frame.with_boundary[c] == 0) { continue; }
      if (frame.first[c] == 0) { on_floor += frame.normal_force[c]; }
      on_walls = on_walls - force_of(frame, c);
    }
    EXPECT_NEAR(on_floor, weight, 1e-6 * weight);
    EXPECT_NEAR(on_walls[0], 0, 1e-6 * weight) << "walls on both sides are pressed alike";
    EXPECT_NEAR(on_walls[1], 0, 1e-6 * weight);
  }
}

// Geometry: lines from centre to centre, the overlap of spheres, points in the middle of the overlap.
TEST(ContactFrames, PlacesFitToTheSpheres) {
  const Scene scene = box_of_spheres(0.5, 0.2, Precision::double_);
  const auto engine = start(scene);
  engine->advance(4999);
  const Snapshot before = engine->snapshot();  // where the forces of the next step act
  engine->advance(1);
  const ContactTable frame = collect_contacts(*engine);
  const auto& radius = scene.particles.radius;
  std::size_t at_boundaries = 0;
  for (std::size_t c = 0; c < frame.size(); ++c) {
    const Real3 a = frame.ends[2 * c], b = frame.ends[2 * c + 1], second = before.position[frame.second[c]];
    EXPECT_LT(norm(b - second), 1e-14);  // positions before the step are computed back
    if (frame.with_boundary[c] != 0) {
      ++at_boundaries;
      EXPECT_EQ(a, frame.point[c]);
      const double gap =
          dot(second - std::get<PlaneBoundary>(scene.boundaries[frame.first[c]].shape).point, frame.normal[c]);
      EXPECT_NEAR(frame.overlap[c], radius[frame.second[c]] - gap, 1e-14);
      EXPECT_NEAR(norm(b - a), radius[frame.second[c]] - 0.5 * frame.overlap[c], 1e-14);
    } else {
      EXPECT_LT(frame.first[c], frame.second[c]);
      EXPECT_LT(norm(a - before.position[frame.first[c]]), 1e-14);
      EXPECT_NEAR(frame.overlap[c], radius[frame.first[c]] + radius[frame.second[c]] - norm(b - a), 1e-14);
      EXPECT_NEAR(norm(frame.point[c] - a), radius[frame.first[c]] - 0.5 * frame.overlap[c], 1e-14);
    }
    EXPECT_GT(frame.overlap[c], 0);
    EXPECT_NEAR(dot(frame.shear_force[c], frame.normal[c]), 0, 1e-12 * (1e-3 + norm(frame.shear_force[c])));
    if (c > 0) {
      const auto key = [&](std::size_t k) {
        return std::tuple(frame.with_boundary[k], frame.with_boundary[k] != 0 ? frame.second[k] : frame.first[k],
                          frame.second[k]);
      };
      EXPECT_LE(key(c - 1), key(c));
    }
  }
  EXPECT_GT(at_boundaries, 20u);
  EXPECT_EQ(std::count(frame.bonded.begin(), frame.bonded.end(), 1), 0);
}

// The law of Cundall and Strack has no dashpot: its shear spring is the whole shear force.
TEST(ContactFrames, TheSpringIsWhatTheContactRemembers) {
  Scene scene = linear_scene({1e7, 0.3, 2600}, 0.4, 1e-5);
  scene.gravity = {2, 0, -standard_gravity};
  for (int k = 0; k < 6; ++k) {
    add_sphere(scene, {0.019 * (k % 3), 0.002 * k, 0.0099 + 0.017 * (k / 3)}, 0.01, {0.1, 0.02 * k, 0});
  }
  add_plane(scene, {0, 0, 0}, {0, 0, 1});
  const auto engine = start(scene);
  engine->advance(30);  // a collision takes about 100
  const ContactTable frame = collect_contacts(*engine);
  double largest = 0;
  ASSERT_GT(frame.size(), 5u);
  for (std::size_t c = 0; c < frame.size(); ++c) {
    // The engine adds normal and shear force, and the frame takes them apart again: rounding of the normal force.
    EXPECT_LT(norm(frame.spring[c] - frame.shear_force[c]), 1e-14 * (norm(frame.spring[c]) + frame.normal_force[c]));
    largest = std::fmax(largest, norm(frame.spring[c]));
  }
  EXPECT_GT(largest, 1e-3);
}

// Across a face of a periodic cell the line leads to the image that is touched.
TEST(ContactFrames, LinesLeadToImages) {
  Scene scene = linear_scene({1e7, 0.3, 2600}, 0.4, 1e-6);
  scene.cell = box_cell({0.1, 0.1, 0.1});
  add_sphere(scene, {0.001, 0.05, 0.05}, 0.01);
  add_sphere(scene, {0.0825, 0.05, 0.05}, 0.01);
  const auto engine = start(scene);
  engine->advance(1);
  const ContactTable frame = collect_contacts(*engine);
  ASSERT_EQ(frame.size(), 1u);
  EXPECT_NEAR(frame.ends[0][0], 0.001, 1e-12);
  EXPECT_NEAR(frame.ends[1][0], -0.0175, 1e-12);
  EXPECT_NEAR(frame.overlap[0], 0.0015, 1e-12);
  EXPECT_EQ(std::abs(frame.cell_offset[0][0]), 1);
}

TEST(ContactFrames, BeforeTheFirstStepNothingTouches) {
  const Scene scene = box_of_spheres(0.5, 0.2, Precision::mixed);
  EXPECT_EQ(collect_contacts(*start(scene)).size(), 0u);
}

}  // namespace scree::physics::contact_frames_test
