#include <gtest/gtest.h>

#include <cmath>

#include "clump_shapes.hpp"

// The energy ledger of clumps under viscous damping, of which a group holds some components.
namespace scree::physics::clump_damping_test {

constexpr double radius = 0.01, density = 2500, rate = 5;

/// A dumbbell that turns about z, its long axis along x, and flies along x.
Scene dumbbell_in(const SceneGroup& group) {
  Scene scene = hertz_scene({1e7, 0.3, density}, {}, 1e-4);
  scene.clump_shapes = {dumbbell(radius, radius)};
  scene.integration.viscous_damping = rate;
  scene.groups = {group};
  scene.energies = true;
  add_clump(scene, 0, {0, 0, 0}, {0.1, 0, 0}, {0, 0, 20});
  return scene;
}

struct Held {
  std::uint32_t fixed;
  bool turns, flies;  ///< whether damping takes energy of the rotation, and of the flight
};

// A fixed component loses nothing, a free one falls as exp(-c t), and the ledger closes. 1e-3 for the step in the
// closed form; the ledger takes the means of the energy before and after a step, an error of (c dt)^2 / 12 = 2e-8.
TEST(ClumpDamping, OnlyFreeComponentsLose) {
  for (const Held& held : {Held{0, true, true}, Held{fixed_rotation, false, true}, Held{fixed_translation, true, false},
                           Held{1u << 5, false, true}, Held{1u << 3, true, true},
                           Held{fixed_rotation | fixed_translation, false, false}}) {
    SceneGroup group;
    group.fixed = held.fixed;
    const auto engine = start(dumbbell_in(group));
    engine->advance(1);
    const EnergyLedger first = engine->energies();
    engine->advance(2000);
    const EnergyLedger last = engine->energies();
    const double left = std::exp(-2 * rate * 0.2);
    const double lost =
        (1 - left) * ((held.turns ? first.kinetic_rotation : 0) + (held.flies ? first.kinetic_translation : 0));
    const double all = first.kinetic_rotation + first.kinetic_translation;
    EXPECT_NEAR(last.damping - first.damping, lost, 1e-3 * all) << held.fixed;
    EXPECT_LT(std::abs(last.error), (held.turns || held.flies ? 4e-8 : 1e-12) * all) << held.fixed;
  }
}

// A group that turns as one body loses nothing either.
TEST(ClumpDamping, AGroupThatTurnsLosesNothing) {
  SceneGroup group;
  group.fixed = fixed_rotation | fixed_translation;
  group.rotation = Rotation{{0, 0, 1}, {0, 0, 0}, 10.0};
  Scene scene = dumbbell_in(group);
  scene.particles.clumps[0].velocity = {0, 0, 0};
  scene.particles.clumps[0].angular_velocity = {0, 0, 10};
  const auto engine = start(scene);
  engine->advance(2000);
  const EnergyLedger e = engine->energies();
  EXPECT_EQ(e.damping, 0);
  EXPECT_LT(std::abs(e.error), 1e-9 * e.kinetic_rotation);
}

// A clump without symmetry that turns freely under viscous damping: with half the step the error of its orientation
// falls by four, with each integrator. An error of first order would give two.
TEST(ClumpDamping, TurningIsOfSecondOrder) {
  for (const RotationScheme scheme : {RotationScheme::spiral, RotationScheme::omelyan, RotationScheme::fincham}) {
    const auto turned = [&](double step) {
      SceneGroup group;
      Scene scene = hertz_scene({1e7, 0.3, density}, {}, step);
      ClumpShape shape = dumbbell(radius, radius);
      shape.inertia = {shape.inertia[0], 1.4 * shape.inertia[0], 1.9 * shape.inertia[0]};
      scene.clump_shapes = {shape};
      scene.integration.viscous_damping = 20;
      scene.integration.rotation = scheme;
      scene.groups = {group};
      add_clump(scene, 0, {0, 0, 0}, {}, {30, 40, 20});
      const auto engine = start(scene);
      engine->advance(static_cast<std::uint64_t>(0.1 / step + 0.5));
      return engine->snapshot().clumps.at(0).orientation;
    };
    const auto apart = [](const std::array<double, 4>& a, const std::array<double, 4>& b) {
      double sum = 0;
      for (std::size_t k = 0; k < 4; ++k) { sum += (a[k] - b[k]) * (a[k] - b[k]); }
      return std::sqrt(sum);
    };
    const auto one = turned(4e-4), two = turned(2e-4), four = turned(1e-4);
    EXPECT_NEAR(apart(one, two) / apart(two, four), 4, 0.3) << int(scheme);
  }
}

}  // namespace scree::physics::clump_damping_test
