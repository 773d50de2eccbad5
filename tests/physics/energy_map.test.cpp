#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "host/scene/adhesion_range.hpp"
#include "impacts.hpp"

// Energy map of grazing impacts: at any angle, speed and spin, no law may return more energy than the impact had.
namespace scree::physics::energy_map_test {

constexpr double radius = 0.01;
const Substance sphere{1e7, 0.3, 2500};

struct LawOnTest {
  LawKind law;
  const char* name;
  double most_gain;  ///< [-] part of the energy before the impact
};

double energy(const Reading& r) {
  const double mass = sphere_mass(radius, sphere.density);
  return 0.5 * mass * (dot(r.velocity, r.velocity) + 0.4 * radius * radius * dot(r.spin, r.spin));
}

/// Largest ratio of the energies after and before the impact of a sphere on a sphere at rest.
double worst_ratio(LawKind law, double damping, double friction) {
  MaterialPair pair{friction, damping};
  pair.surface_energy = 0.01;
  pair.plasticity.ratio = 0.3;
  pair.springs.damping_ratio = pair.springs.shear_damping_ratio = damping;
  double worst = 0;
  for (const double speed : {0.05, 1.0}) {
    for (const double angle : {0.0, 10.0, 25.0, 40.0, 55.0, 70.0, 80.0, 87.0}) {
      for (const double spin : {-2.0, 0.0, 0.7}) {
        const double time = hertz_impact(0.5 * plane_strain_modulus(sphere), 0.5 * radius,
                                         0.5 * sphere_mass(radius, sphere.density), speed)
                                .duration;
        Scene scene = empty_scene(law, sphere, sphere, pair, time / 1000);
        const double a = angle * pi / 180;
        add_sphere(scene, {0, 0, radius}, radius, {speed * std::sin(a), 0, -speed * std::cos(a)},
                   {0, spin * speed / radius, 0});
        add_sphere(scene, {0, 0, -radius}, radius);
        scene.interaction_range = adhesion_range(scene);
        scene.verlet_distance = radius;
        const auto engine = start(scene);
        const double before = energy({{}, scene.particles.velocity[0], scene.particles.angular_velocity[0], {}});
        // Grazing impacts last longer by cos^(-1/5), and those of linear springs have another duration.
        for (int batch = 0; batch < 60; ++batch) {
          engine->advance(100);
          if (engine->counts().contacts == 0) { break; }
        }
        worst = std::max(worst, (energy(read(*engine, 0)) + energy(read(*engine, 1))) / before);
      }
    }
  }
  return worst;
}

class EnergyMap : public ::testing::TestWithParam<LawOnTest> {};

TEST_P(EnergyMap, NoLawGainsEnergy) {
  for (const double friction : {0.3, 1.0, 1e6}) {
    for (const double damping : {0.0, 0.1}) {
      EXPECT_LE(worst_ratio(GetParam().law, damping, friction), 1 + GetParam().most_gain) << friction << ' ' << damping;
    }
  }
}

// Elastic, undamped bodies that cannot slide. The plain law keeps the tangential force when the contact unloads, and so
// gains energy. This is a known defect, and the reason for the rescaled law.
TEST(EnergyMapOfHertzMindlin, GainsWithoutRescaling) {
  const double ratio = worst_ratio(LawKind::hertz_mindlin, 0, 1e6);
  EXPECT_GT(ratio, 1.01);
  EXPECT_LT(ratio, 1.025);  // measured 1.02135
}

// Linear forces do not vanish smoothly at the end of the overlap, so the last step is cut off: an error of (w dt)^2,
// 1e-5 here (measured 3.0e-5). Hertz's force vanishes smoothly (measured 1.2e-10). Attraction jumps in and out, an
// error of pull times speed times step.
constexpr LawOnTest laws[] = {{LawKind::cundall_strack, "cundall_strack", 1e-4},
                              {LawKind::linear_spring_dashpot, "linear_spring_dashpot", 1e-4},
                              {LawKind::hertz_mindlin, "hertz_mindlin", 2.5e-2},
                              {LawKind::hertz_mindlin_rescaled, "hertz_mindlin_rescaled", 1e-8},
                              {LawKind::hertz_mindlin_dmt, "hertz_mindlin_dmt", 1e-4},
                              {LawKind::mindlin_reversal, "mindlin_reversal", 1e-8},
                              {LawKind::eepa, "eepa", 1e-4},
                              {LawKind::luding, "luding", 1e-4},
                              {LawKind::jkr, "jkr", 1e-4}};
INSTANTIATE_TEST_SUITE_P(Laws, EnergyMap, ::testing::ValuesIn(laws),
                         [](const auto& tested) { return std::string(tested.param.name); });

}  // namespace scree::physics::energy_map_test
