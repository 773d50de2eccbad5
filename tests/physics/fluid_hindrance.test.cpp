#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "clump_shapes.hpp"

// Neighbours that hinder a grain in a fluid: the porosity around it, and the drag after Di Felice.
namespace scree::physics::fluid_hindrance_test {

SceneFluid hindering(double density, double viscosity, double width) {
  SceneFluid fluid{.density = density, .viscosity = viscosity, .flow = {{0, 0, 0, 0}}};
  fluid.hindrance = Hindrance::di_felice;
  fluid.hindrance_width = width;
  return fluid;
}

/// [N] The drag on a sphere at a velocity relative to the fluid between the spheres, from the drag coefficient.
double di_felice_drag(double radius, double porosity, const SceneFluid& fluid, double slip) {
  const double reynolds = porosity * 2 * fluid.density * radius * slip / fluid.viscosity;
  const double coefficient = reynolds > 1000 ? 0.44 : 24 / reynolds * (1 + 0.15 * std::pow(reynolds, 0.687));
  const double chi = 3.7 - 0.65 * std::exp(-0.5 * std::pow(1.5 - std::log10(reynolds), 2));
  return 0.5 * coefficient * fluid.density * pi * radius * radius * slip * slip * std::pow(porosity, 1 - chi);
}

/// A periodic cell with 8 x 8 x 8 spheres on a cubic lattice. The points at which the solid fraction is known are two
/// distances apart, so each has the volume of eight spheres.
struct Suspension {
  double radius, pitch, density;
  std::uint64_t group = 0;

  [[nodiscard]] double porosity() const { return 1 - 4.0 / 3 * pi * std::pow(radius / pitch, 3); }
  [[nodiscard]] Scene scene(const SceneFluid& fluid, double time_step, double shift = 0) const {
    Scene scene = linear_scene({1e5, 0.3, density}, 0, time_step);
    scene.groups.resize(2);
    scene.groups[1].fixed = fixed_translation | fixed_rotation;
    PeriodicCell cell;
    cell.edges = {{{8 * pitch, 0, 0}, {0, 8 * pitch, 0}, {0, 0, 8 * pitch}}};
    scene.cell = cell;
    scene.fluid = fluid;
    for (int k = 0; k < 512; ++k) {
      add_sphere(scene, {(k % 8 + shift) * pitch, (k / 8 % 8 + 0.3) * pitch, (k / 64 + 0.3) * pitch}, radius);
      scene.particles.group.push_back(static_cast<std::uint16_t>(group));
    }
    return scene;
  }
};

// A uniform suspension sinks at the velocity at which the drag after Di Felice balances the weight less the buoyancy,
// found by bisection: Reynolds numbers of 1e-3 to 1000 and porosities of 0.6 to 0.97. To 1e-9, as that of a single
// sphere: the fractions have 40 bits. The lattice may lie anywhere.
TEST(FluidHindrance, AUniformSuspensionSinks) {
  struct Grains {
    double radius, viscosity, pitch;
  };
  for (const Grains& grains :
       {Grains{5e-5, 0.01, 2.4 * 5e-5}, Grains{5e-4, 1e-3, 2.2 * 5e-4}, Grains{5e-3, 1e-3, 5 * 5e-3}}) {
    const Suspension all{grains.radius, grains.pitch, 2650};
    const SceneFluid fluid = hindering(1000, grains.viscosity, 2 * grains.pitch);
    const double weight = sphere_mass(grains.radius, 1650) * standard_gravity;
    double low = 0, high = 10;
    while (high - low > 1e-14 * high) {
      const double middle = 0.5 * (low + high);
      (di_felice_drag(grains.radius, all.porosity(), fluid, middle) < weight ? low : high) = middle;
    }
    const double response = low / standard_gravity;
    Scene scene = all.scene(fluid, std::fmin(response, 0.2 * grains.radius / low), 0.77);
    scene.gravity = {0, 0, -standard_gravity};
    const auto engine = start(scene);
    engine->advance(static_cast<std::uint64_t>(60 * response / scene.time_step) + 60);
    EXPECT_NEAR(read(*engine).velocity[2], -low, 1e-9 * low) << grains.radius;
    EXPECT_NEAR(engine->fluid_force()[2] / (512 * sphere_mass(grains.radius, 2650) * standard_gravity), 1, 1e-9);
  }
}

// Richardson & Zaki 1954: in creeping flow a suspension that sinks in a vessel, through which no volume flows, has the
// velocity v0 porosity^4.65. Relative to the fluid between the spheres, which flows upwards there, that is
// v0 porosity^3.65. The drag after Di Felice gives the power 3.7: within 2 % down to a porosity of 0.7.
TEST(FluidHindrance, RichardsonAndZakiInCreepingFlow) {
  constexpr double radius = 2e-5, viscosity = 0.01, density = 2650;
  const double alone = 2.0 / 9 * 1650 * standard_gravity * radius * radius / viscosity;
  for (const double pitch : {2.4 * radius, 3 * radius, 6 * radius}) {
    const Suspension all{radius, pitch, density};
    Scene scene = all.scene(hindering(1000, viscosity, 2 * pitch), 1e-5);
    scene.fluid->drag = DragLaw::stokes;
    scene.gravity = {0, 0, -standard_gravity};
    const auto engine = start(scene);
    engine->advance(100);
    const double slip = -read(*engine).velocity[2], porosity = all.porosity();
    EXPECT_GT(porosity, 0.69);
    EXPECT_NEAR(slip * porosity / (alone * std::pow(porosity, 4.65)), 1, 0.02) << porosity;
    EXPECT_NEAR(slip / (alone * std::pow(porosity, 3.7)), 1, 1e-4) << porosity;
  }
}

// The flow through a bed of fixed spheres: the force on all of them over the volume is the loss of pressure over the
// length. It is that of Di Felice's drag, to 1e-9, and 0.55 to 0.85 of that of Ergun (1952) at a porosity of 0.48, a
// known difference of the two correlations. The fluid between the spheres flows faster than that through all of the
// area by the porosity.
TEST(FluidHindrance, LossOfPressureOfAPackedBed) {
  constexpr double radius = 5e-4;
  const Suspension bed{radius, 2.001 * radius, 2650, 1};
  const double e = bed.porosity(), volume = std::pow(8 * bed.pitch, 3), d = 2 * radius;
  EXPECT_NEAR(e, 0.477, 0.001);
  for (const double through : {1e-5, 1e-3, 0.1, 2.0}) {
    SceneFluid water = hindering(1000, 1e-3, 2 * bed.pitch);
    water.flow = {{0, 0, through / e, 0}};
    const auto engine = start(bed.scene(water, 1e-6));
    const double loss = engine->fluid_force()[1] / volume;
    const double expected = 512 * di_felice_drag(radius, e, water, through / e) / volume;
    EXPECT_NEAR(loss / expected, 1, 1e-9) << through;
    const double ergun = 150 * water.viscosity * through * std::pow(1 - e, 2) / (e * e * e * d * d) +
                         1.75 * water.density * through * through * (1 - e) / (e * e * e * d);
    EXPECT_GT(loss / ergun, 0.55) << through;
    EXPECT_LT(loss / ergun, 0.85) << through;
  }
}

// Clumps count with their volume at their centre: a cell of dumbbells that do not overlap has the same force as a cell
// of spheres of twice the volume. To 1e-9.
TEST(FluidHindrance, ClumpsCountWithTheirVolume) {
  constexpr double member = 1e-3, pitch = 8e-3;
  const double radius = member * std::cbrt(2.0);
  SceneFluid fluid = hindering(1000, 1e-3, 2 * pitch);
  fluid.flow = {{0, 0.1, 0, 0}};
  const Scene spheres = Suspension{radius, pitch, 2650}.scene(fluid, 1e-5);
  Scene clumps = spheres;
  clumps.particles = {};
  clumps.clump_shapes = {dumbbell(member, member)};
  for (const Real3& place : spheres.particles.position) { add_clump(clumps, 0, place); }
  const auto one = start(spheres), other = start(clumps);
  EXPECT_GT(one->fluid_force()[0], 0);
  EXPECT_NEAR(other->fluid_force()[0] / one->fluid_force()[0], 1, 1e-9);
}

// A cloud that is moved by whole distances of the points feels the same force, to the last bit: all places are
// multiples of 2^-20 m, and the points are 2^-5 m apart. A cloud alone is slowed more than its spheres would be.
TEST(FluidHindrance, MovedByWholeDistances) {
  const auto force = [](double shift, Hindrance hindrance) {
    Scene scene = linear_scene({1e5, 0.3, 2650}, 0, 1e-5);
    scene.groups.emplace_back();
    scene.fluid = hindering(1000, 1e-3, 0x1p-5);
    scene.fluid->hindrance = hindrance;
    scene.fluid->flow = {{0, 0.1, -0.3, 0.2}};
    Numbers random(7);
    for (int k = 0; k < 200; ++k) {
      Real3 place{};
      for (double& x : place) { x = std::floor(random.between(-0.06, 0.06) * 0x1p20) * 0x1p-20 + shift; }
      add_sphere(scene, place, 2e-3);
    }
    return start(scene)->fluid_force();
  };
  const Real3 here = force(0, Hindrance::di_felice);
  EXPECT_EQ(force(3 * 0x1p-5, Hindrance::di_felice), here);
  EXPECT_EQ(force(-1000 * 0x1p-5, Hindrance::di_felice), here);
  EXPECT_GT(here[0], 1.005 * force(0, Hindrance::none)[0]);
}

}  // namespace scree::physics::fluid_hindrance_test
