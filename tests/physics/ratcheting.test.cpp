#include <gtest/gtest.h>

#include <algorithm>

#include "host/commands/contact.hpp"
#include "scenes.hpp"
#include "scree/contact_test.hpp"

namespace scree::physics::ratcheting_test {

constexpr double radius = 0.01, push = 1e-5, angle = 1e-3, shear_stiffness = 3e4;  // K_N = E r = 1e5 N/m

Scene scene_of(bool no_ratcheting) {
  Scene scene = linear_scene({1e7, 0.3, 2500}, 0.5, 1e-5);
  scene.no_ratcheting = no_ratcheting;
  return scene;
}

/// Shear force that remains after body 2 was pushed, rolled about z, released and rolled back.
double left_by_a_cycle(bool no_ratcheting, bool wall) {
  const ContactSetting setting{{0, 0}, {radius, radius}, wall};
  std::vector<ContactPlace> path{{0, {2e-5, 0, 0}, {}}};
  const auto lead = [&](double overlap, double turn) {
    const ContactPlace from = path.back();
    for (int k = 1; k <= 100; ++k) {
      const double part = k / 100.0;
      path.push_back({from.time + 1e-3 * k,
                      {from.approach[0] + part * (overlap - from.approach[0]), 0, 0},
                      {Real3{}, {0, 0, from.rotation[1][2] + part * (turn - from.rotation[1][2])}}});
    }
  };
  lead(2e-5 + push, 0);
  lead(2e-5 + push, angle);
  lead(2e-5, angle);
  lead(2e-5, 0);
  const auto test = make_contact_test(scene_of(no_ratcheting), setting);
  double left = 0, most = 0;
  for (const ContactMove& move : contact_moves(path, setting)) {
    left = norm(test->step(move).shear);
    most = std::max(most, left);
  }
  EXPECT_NEAR(most / (shear_stiffness * radius * angle), 1, 0.01);
  return left;
}

// A18: with the velocity of the contact point, in the middle of the overlap, a cycle leaves K_T times the angle times
// half of the push (closed form). 1e-10: the lever arms of every step are exact, so only the sum is rounded.
TEST(Ratcheting, A18ContactPointInTheMiddle) {
  EXPECT_NEAR(left_by_a_cycle(false, false) / (shear_stiffness * angle * push / 2), 1, 1e-10);
}

// A18: with no_ratcheting nothing remains (1e-12 N, catalogue). At a wall the contact point stays the same.
TEST(Ratcheting, A18NoRatcheting) {
  EXPECT_LT(left_by_a_cycle(true, false), 1e-12);
  EXPECT_EQ(left_by_a_cycle(true, true), left_by_a_cycle(false, true));
}

/// Tangential force after one step of two fixed spheres, the second of which moves along y and spins about z.
double force_of_a_step(bool no_ratcheting, double velocity, double spin) {
  Scene scene = scene_of(no_ratcheting);
  add_sphere(scene, {0, 0, 0}, radius);
  add_sphere(scene, {2.9 * radius, 0, 0}, 2 * radius, {0, velocity, 0}, {0, 0, spin});
  scene.particles.group = {1, 1};
  scene.groups.resize(2);
  scene.groups[1].fixed = fixed_translation | fixed_rotation;
  const auto engine = start(scene);
  engine->advance(1);
  return read(*engine, 1).force[1];
}

// A18 in a run: the increments are -K_T dt (alpha v - r w) with alpha = (r1 + r2) / l, instead of -K_T dt (v - (r -
// u/2) w) (closed forms, to rounding). Serial springs: K_T = 0.3 * 2 E r1 r2 / (r1 + r2). n is along x, so the spin w
// moves the surface by -w.
TEST(Ratcheting, A18IncrementsInARun) {
  constexpr double stiffness = 0.3 * 2e7 * radius * 2 / 3, dt = 1e-5, l = 2.9 * radius, u = 0.1 * radius;
  EXPECT_NEAR(force_of_a_step(false, 0.1, 0) / (-stiffness * dt * 0.1), 1, 1e-9);
  EXPECT_NEAR(force_of_a_step(true, 0.1, 0) / (-stiffness * dt * 0.1 * 3 * radius / l), 1, 1e-9);
  EXPECT_NEAR(force_of_a_step(false, 0, 2) / (stiffness * dt * 2 * (2 * radius - u / 2)), 1, 1e-9);
  EXPECT_NEAR(force_of_a_step(true, 0, 2) / (stiffness * dt * 2 * 2 * radius), 1, 1e-9);
}

// no_ratcheting does not change the motion along the normal: two fixed spheres that approach feel K_N u - c_N v_n with
// and without it (closed form, to rounding; otherwise the dashpot would be 3 % too large here).
TEST(Ratcheting, NormalDashpotIsNotStretched) {
  constexpr double stiffness = 2e7 * radius * 2 / 3, dashpot = 40, speed = 0.5;
  for (const bool no_ratcheting : {false, true}) {
    MaterialPair pair;
    pair.springs.dashpot = dashpot;
    const Substance any{1e7, 0.3, 2500};
    Scene scene = empty_scene(LawKind::linear_spring_dashpot, any, any, pair, 1e-5);
    scene.no_ratcheting = no_ratcheting;
    add_sphere(scene, {0, 0, 0}, radius);
    add_sphere(scene, {2.9 * radius, 0, 0}, 2 * radius, {-speed, 0, 0});
    scene.particles.group = {1, 1};
    scene.groups.resize(2);
    scene.groups[1].fixed = fixed_translation | fixed_rotation;
    const auto engine = start(scene);
    engine->advance(1);
    EXPECT_NEAR(read(*engine, 1).force[0] / (stiffness * 0.1 * radius + dashpot * speed), 1, 1e-12) << no_ratcheting;
  }
}

}  // namespace scree::physics::ratcheting_test
