#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "host/case/laws.hpp"
#include "scenes.hpp"

// Springs and dashpots along a contact that slides: the spring keeps no more than Coulomb's limit of its own force, so
// that no contact gains energy.
namespace scree::physics::sliding_dashpots_test {

constexpr double radius = 0.01, density = 2500, approach = 0.5;

struct Sliding {
  double friction, speed, damping_ratio;
};

/// A sphere that hits the floor without losses along the normal; along the floor it has a dashpot.
Scene oblique(LawKind law, const Sliding& s) {
  MaterialPair pair;
  pair.friction = s.friction;
  pair.damping_ratio = 0;
  pair.damping_ratio_shear = s.damping_ratio;
  pair.springs.from_moduli = false;
  pair.springs.stiffness = 1e5, pair.springs.shear_stiffness = 2e4;
  pair.springs.shear_damping_ratio = s.damping_ratio;
  pair.surface_energy = 1e-12;
  pair.plasticity.ratio = 0;
  const Substance soft{1e7, 0.25, density};
  Scene scene = empty_scene(law, soft, soft, pair, 1e-6);
  scene.interaction_range = 1.01;
  scene.energies = true;
  add_sphere(scene, {0, 0, radius}, radius, {s.speed, 0, -approach});
  add_plane(scene, {0, 0, 0}, {0, 0, 1});
  return scene;
}

/// The largest energy after an impact over that before it, and the least loss by friction over the energy before.
struct Extremes {
  double kinetic = 0, friction = 0;
};
Extremes extremes(LawKind law, double most_friction) {
  Extremes result;
  for (const double speed : {0.05, 0.1, 0.2, 0.5, 1.0}) {
    for (const double damping : {0.02, 0.1, 0.5, 2.0}) {
      const Scene scene = oblique(law, {most_friction, speed, damping});
      const auto engine = start(scene);
      const double before = 0.5 * sphere_mass(radius, density) * (speed * speed + approach * approach);
      engine->advance(12000);
      const EnergyLedger after = engine->energies();
      EXPECT_EQ(engine->counts().boundary_contacts, 0u);
      EXPECT_LT(std::abs(after.error), 2e-3 * before) << law_name(law) << ' ' << speed << ' ' << damping;
      result.kinetic = std::max(result.kinetic, (after.kinetic_translation + after.kinetic_rotation) / before);
      result.friction = std::min(result.friction, after.friction / before);
    }
  }
  return result;
}

// No impact may end with more energy than it began with. Linear springs lose exactly what slip and dashpots take; 1e-4
// for the step. Laws with Hertz's stiffness that do not shorten the spring as the contact shrinks gain up to 2 % even
// without dashpots, as is known of all of them.
TEST(SlidingDashpots, NoImpactGainsEnergy) {
  for (const double friction : {0.3, 1.0}) {
    EXPECT_LE(extremes(LawKind::linear_spring_dashpot, friction).kinetic, 1 + 1e-4) << friction;
    EXPECT_LE(extremes(LawKind::luding, friction).kinetic, 1 + 1e-4) << friction;
    for (const LawKind law :
         {LawKind::hertz_mindlin_rescaled, LawKind::mindlin_reversal, LawKind::eepa, LawKind::jkr}) {
      EXPECT_LE(extremes(law, friction).kinetic, 1 + 1e-3) << law_name(law) << ' ' << friction;
    }
    EXPECT_LE(extremes(LawKind::hertz_mindlin, friction).kinetic, 1.02) << friction;
  }
}

// Slip takes energy, and gives none back.
TEST(SlidingDashpots, FrictionOnlyLoses) {
  for (const LawKind law : {LawKind::linear_spring_dashpot, LawKind::hertz_mindlin, LawKind::hertz_mindlin_rescaled}) {
    EXPECT_GE(extremes(law, 0.3).friction, -1e-9) << law_name(law);
  }
}

// The motion of such an impact in one dimension, computed here by itself: two equations of motion, a spring that is cut
// at the limit, and a total force that is cut at the limit. 1e-6 for the rounding of both over some 2000 steps.
TEST(SlidingDashpots, ImpactAgainstItsOwnEquations) {
  for (const Sliding& s : {Sliding{0.3, 0.2, 0.5}, Sliding{1.0, 0.5, 0.1}, Sliding{0.3, 1.0, 2.0}}) {
    const Scene scene = oblique(LawKind::linear_spring_dashpot, s);
    const auto engine = start(scene);
    engine->advance(3000);
    const double m = sphere_mass(radius, density), dt = scene.time_step,
                 dashpot = 2 * s.damping_ratio * std::sqrt(2.0 / 7 * 2e4 * m);
    double height = radius, vx = s.speed, vz = -approach, spin = 0, spring = 0;
    for (int step = 0; step < 3000; ++step) {
      const double overlap = radius - height;
      double force = 0, normal = 0;
      if (overlap > 0) {
        const double at_middle = overlap + 0.5 * dt * vz;  // the arm there is that of the motion
        const double slip = vx - (radius - 0.5 * at_middle) * spin;
        normal = 1e5 * overlap;
        spring -= 2e4 * dt * slip;
        const double trial = spring - dashpot * slip, limit = s.friction * normal;
        force = std::clamp(trial, -limit, limit);
        spring = std::clamp(spring, -limit, limit);
      } else {
        spring = 0;
      }
      const double arm = radius - 0.5 * std::max(overlap, 0.0);
      const double kick = step == 0 ? 0.5 * dt : dt;
      vx += kick * force / m;
      vz += kick * normal / m;
      spin -= kick * force * arm / (0.4 * m * radius * radius);
      height += dt * vz;
    }
    const Reading end = read(*engine);
    EXPECT_NEAR(end.velocity[0], vx, 1e-6 * s.speed);
    EXPECT_NEAR(end.velocity[2], vz, 1e-6 * approach);
    EXPECT_NEAR(end.spin[1] * radius, spin * radius, 1e-6 * s.speed);
  }
}

// A dashpot without a spring stops a slider, and does not send it back.
TEST(SlidingDashpots, ASliderWithoutASpringComesToRest) {
  MaterialPair pair{0.3, 0};
  pair.springs.from_moduli = false;
  pair.springs.stiffness = 1e4, pair.springs.damping_ratio = 0.5, pair.springs.shear_dashpot = 0.1;
  const Substance soft{1e7, 0.25, density};
  Scene scene = empty_scene(LawKind::linear_spring_dashpot, soft, soft, pair, 1e-5);
  scene.gravity = {0, 0, -standard_gravity};
  scene.groups.resize(1);
  scene.groups[0].fixed = fixed_rotation;
  scene.energies = true;
  add_sphere(scene, {0, 0, radius}, radius, {0.3, 0, 0});
  add_plane(scene, {0, 0, 0}, {0, 0, 1});
  const auto engine = start(scene);
  double least = 1;
  for (int k = 0; k < 100; ++k) {
    engine->advance(1000);
    least = std::min(least, read(*engine).velocity[0]);
  }
  EXPECT_GE(least, -1e-12);
  EXPECT_LT(std::abs(read(*engine).velocity[0]), 1e-3);
  const double kinetic = 0.5 * sphere_mass(radius, density) * 0.3 * 0.3;
  EXPECT_LT(std::abs(engine->energies().elastic), kinetic);
  EXPECT_LT(std::abs(engine->energies().error), 2e-3 * kinetic);
}

}  // namespace scree::physics::sliding_dashpots_test
