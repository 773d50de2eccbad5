#include <gtest/gtest.h>

#include <cmath>

#include "still_spheres.hpp"

// Conduction and heat of losses, against closed forms and independent solutions. Spheres stand still, as a group whose
// components are all fixed, unless a test says otherwise.
namespace scree::physics::heat_test {

using namespace still_spheres;

// The difference of two temperatures falls as exp(-H (1/C1 + 1/C2) t).
TEST(Heat, TwoSpheresApproachEquilibriumAtTheRateOfTheClosedForm) {
  const double r2 = 2e-3, overlap = 2e-5, a = std::sqrt(radius * r2 / (radius + r2) * overlap);
  const double h = series(k1, k2, a), capacity1 = capacity_of(radius, c1), capacity2 = capacity_of(r2, c2);
  const double rate = h * (1 / capacity1 + 1 / capacity2);
  constexpr int steps = 2000;
  Scene scene = still_scene(2 / rate / steps);
  scene.materials[1].density = density;
  add_sphere(scene, {0, 0, 0}, radius);
  add_sphere(scene, {radius + r2 - overlap, 0, 0}, r2, {}, {}, 1);
  scene.particles.temperature = {400, 300};
  heat_up(scene);
  const auto engine = start(scene);
  engine->advance(steps);
  const auto t = temperatures(*engine);
  const double difference = t[0] - t[1];
  // Explicit steps of rate * dt = 1e-3 decay faster by half of that over two time constants: 1e-3 in all.
  EXPECT_NEAR(difference, 100 * std::exp(-2.0), 1.1e-3 * difference);
  EXPECT_NEAR(difference, 100 * std::pow(1 - 2.0 / steps, steps), 1e-9 * difference);
  EXPECT_NEAR(capacity1 * t[0] + capacity2 * t[1], capacity1 * 400 + capacity2 * 300, 1e-12 * capacity2 * 300);
}

/// Spheres in a row between two walls of given temperatures.
struct Rod {
  std::size_t n = 8;
  double overlap = 1e-5, hot = 500, cold = 300;
  double in_rod = series(k1, k1, std::sqrt(0.5 * radius * 1e-5)), at_wall = series(k1, k2, std::sqrt(radius * 1e-5));
  double capacity = capacity_of(radius, c1);

  [[nodiscard]] Scene scene(double time_step) const {
    Scene scene = still_scene(time_step);
    const double spacing = 2 * radius - overlap;
    for (std::size_t i = 0; i < n; ++i) { add_sphere(scene, {0, 0, radius - overlap + double(i) * spacing}, radius); }
    add_plane(scene, {0, 0, 0}, {0, 0, 1});
    add_plane(scene, {0, 0, 2 * radius - 2 * overlap + double(n - 1) * spacing}, {0, 0, -1});
    scene.boundaries[0].temperature = hot;
    scene.boundaries[1].temperature = cold;
    scene.particles.temperature.assign(n, cold);
    heat_up(scene);
    return scene;
  }
  /// Explicit steps of the rod, written down once more.
  [[nodiscard]] std::vector<double> after(int steps, double time_step) const {
    std::vector<double> t(n, cold), flow(n + 1);
    for (int s = 0; s < steps; ++s) {
      flow[0] = at_wall * (hot - t[0]), flow[n] = at_wall * (t[n - 1] - cold);
      for (std::size_t i = 1; i < n; ++i) { flow[i] = in_rod * (t[i - 1] - t[i]); }
      for (std::size_t i = 0; i < n; ++i) { t[i] += time_step / capacity * (flow[i] - flow[i + 1]); }
    }
    return t;
  }
};

TEST(Heat, ARodBetweenTwoWallsHasALinearProfileAndTheFlowOfItsResistances) {
  const Rod rod;
  const double time_step = 0.3 * rod.capacity / (rod.in_rod + rod.at_wall);
  const auto engine = start(rod.scene(time_step));
  engine->advance(3000);
  const double flow = (rod.hot - rod.cold) / (2 / rod.at_wall + double(rod.n - 1) / rod.in_rod);
  const HeatReport heat = engine->heat();
  EXPECT_NEAR(heat.flow[0], flow, 1e-9 * flow);
  EXPECT_NEAR(heat.flow[1], -flow, 1e-9 * flow);
  const auto t = temperatures(*engine);
  for (std::size_t i = 0; i < rod.n; ++i) {
    EXPECT_NEAR(t[i], rod.hot - flow * (1 / rod.at_wall + double(i) / rod.in_rod), 1e-7) << i;
  }
  EXPECT_NEAR(heat.heat - heat.start, heat.supplied[0] + heat.supplied[1], 1e-12 * heat.heat);
}

TEST(Heat, TransientOfARodIsThatOfItsDiscreteSolution) {
  const Rod rod;
  const double time_step = 0.2 * rod.capacity / (rod.in_rod + rod.at_wall);
  const auto engine = start(rod.scene(time_step));
  for (int steps = 20; steps <= 100; steps += 20) {
    engine->advance(20);
    const auto t = temperatures(*engine), expected = rod.after(steps, time_step);
    for (std::size_t i = 0; i < rod.n; ++i) { EXPECT_NEAR(t[i], expected[i], 1e-9) << steps << " steps, " << i; }
  }
}

// Each sphere of a simple cubic packing conducts along one chain on the area of the square of the spacing.
TEST(Heat, SimpleCubicPackingConductsAsItsContacts) {
  constexpr std::size_t layers = 6, wide = 3;
  const double overlap = 2e-5, spacing = 2 * radius - overlap;
  const double h = series(k1, k1, std::sqrt(0.5 * radius * overlap));
  Scene scene = still_scene(0.2 * capacity_of(radius, c1) / (8 * h));
  const double edge = wide * spacing;
  scene.cell = PeriodicCell{{{{edge, 0, 0}, {0, edge, 0}, {0, 0, 1}}}, {0, 0, 0}, {true, true, false}, {}, {}};
  for (std::size_t k = 0; k < layers * wide * wide; ++k) {
    const auto i = double(k % wide), j = double(k / wide % wide), l = double(k / wide / wide);
    add_sphere(scene, {(i + 0.5) * spacing, (j + 0.5) * spacing, radius - overlap + l * spacing}, radius);
  }
  add_plane(scene, {0, 0, 0}, {0, 0, 1});
  add_plane(scene, {0, 0, 2 * radius - 2 * overlap + (layers - 1) * spacing}, {0, 0, -1});
  scene.boundaries[0].temperature = 400, scene.boundaries[1].temperature = 300;
  heat_up(scene, {.temperature = 350});
  const auto engine = start(scene);
  engine->advance(3000);
  const auto t = temperatures(*engine);
  const double gradient = (t.front() - t.back()) / ((layers - 1) * spacing);
  const double conductivity = engine->heat().flow[0] / (edge * edge) / gradient;
  EXPECT_NEAR(conductivity, h / spacing, 1e-9 * h / spacing);
}

// The circle of contact of a material that is softened is that of the true one under the same force.
TEST(Heat, CirclesOfSoftenedMaterialsAreThoseOfTheTrueOnes) {
  const double stiffer = 64, overlap = 1e-5;
  Scene scene = still_scene(1e-6);
  scene.materials[0].thermal->young_modulus = stiffer * scene.materials[0].young_modulus;
  add_sphere(scene, {0, 0, 0}, radius);
  add_sphere(scene, {2 * radius - overlap, 0, 0}, radius);
  scene.particles.temperature = {400, 300};
  heat_up(scene);
  const auto engine = start(scene);
  engine->advance(1);
  const double force = norm(read(*engine).force);
  const double true_modulus = 0.5 * stiffer * 1e8 / (1 - 0.04),
               a = std::cbrt(3 * force * 0.5 * radius / (4 * true_modulus));
  const double flow = series(k1, k1, a) * 100;
  EXPECT_NEAR((400 - temperatures(*engine)[0]) * capacity_of(radius, c1) / 1e-6, flow, 1e-5 * flow);
}

TEST(Heat, AWallWithAFluxHeatsEachParticleThatTouchesItOnce) {
  const double flux = 1e4, time_step = 1e-4;
  for (const bool corner : {false, true}) {
    Scene scene = still_scene(time_step);
    const double at = 0.99 * radius;
    add_sphere(scene, {at, at, at}, radius);
    add_sphere(scene, {5 * radius, 5 * radius, 1.1 * radius}, radius);
    add_plane(scene, {0, 0, 0}, {0, 0, 1});
    if (corner) { scene.boundaries[0].shape = BoxBoundary{{0, 0, 0}, {1, 1, 1}}; }
    scene.boundaries[0].heat_flux = flux;
    heat_up(scene, {.temperature = 300});
    const auto engine = start(scene);
    engine->advance(50);
    const auto t = temperatures(*engine);
    const double heat = 50 * time_step * flux * pi * radius * radius;
    EXPECT_NEAR((t[0] - 300) * capacity_of(radius, c1), heat, 1e-9 * heat);
    EXPECT_EQ(t[1], 300) << "does not touch";
    EXPECT_NEAR(engine->heat().supplied[0], heat, 1e-12 * heat);
  }
}

// Heat that comes with particles counts as inserted, also where there were none before.
TEST(Heat, FirstParticlesOfARunBringTheirHeat) {
  Scene scene = still_scene(1e-4);
  add_plane(scene, {0, 0, 0}, {0, 0, 1});
  scene.inlets = {{.smallest_radius = radius, .median_radius = radius, .largest_radius = radius}};
  scene.verlet_distance = 0.1 * radius;
  heat_up(scene, {.temperature = 300});
  const auto engine = start(scene);
  Scene more = still_scene(1e-4);
  add_sphere(more, {0, 0, 5 * radius}, radius);
  engine->insert(more.particles);
  engine->advance(1);
  const HeatReport heat = engine->heat();
  EXPECT_EQ(heat.start, 0);
  EXPECT_NEAR(heat.inserted, 300 * capacity_of(radius, c1), 1e-12 * heat.heat);
  EXPECT_NEAR(heat.heat, heat.inserted, 1e-12 * heat.heat);
}

/// Spheres that move, with all losses becoming heat.
Scene moving_scene(double time_step) {
  Scene scene = still_scene(time_step);
  scene.groups.clear();
  scene.pairs.assign(4, MaterialPair{0.4, 0.3});
  scene.energies = true;
  return scene;
}

// What two spheres lose in an oblique impact is found in them, half in each.
TEST(Heat, LossesOfAnImpactBecomeHeat) {
  Scene scene = moving_scene(1e-7);
  scene.pairs.assign(4, MaterialPair{0.1, 0.3});
  add_sphere(scene, {0, 0, 0}, radius, {1, 0, 0});
  add_sphere(scene, {1.65 * radius, 1.2 * radius, 0}, radius, {-1, 0, 0}, {0, 0, 800});
  heat_up(scene, {.temperature = 300, .dissipation = 1});
  const auto engine = start(scene);
  engine->advance(10);
  const EnergyLedger before = engine->energies();
  engine->advance(10000);
  const EnergyLedger after = engine->energies();
  const HeatReport heat = engine->heat();
  const double kinetic = before.kinetic_translation + before.kinetic_rotation;
  const double left = after.kinetic_translation + after.kinetic_rotation;
  EXPECT_EQ(engine->counts().contacts, 0u) << "it must be over";
  EXPECT_GT(after.friction, 0.002 * kinetic);
  EXPECT_GT(after.viscous, 0.01 * kinetic);
  EXPECT_NEAR(heat.dissipation, after.friction + after.viscous, 1e-10 * kinetic);
  EXPECT_NEAR(left + (heat.heat - heat.start) + after.parting, kinetic, 1e-4 * kinetic) << "error of the integration";
  const auto t = temperatures(*engine);
  EXPECT_NEAR(t[0] - 300, t[1] - 300, 1e-9) << "each gets half, and meanwhile little flows";
}

// A sphere that slides over a wall loses its energy to friction: all of it becomes heat of the sphere at an adiabatic
// wall; a wall of given temperature takes its share by the effusivities.
TEST(Heat, FrictionAtAWallIsSharedByEffusivity) {
  for (const bool adiabatic : {true, false}) {
    Scene scene = moving_scene(2e-6);
    scene.gravity = {0, 0, -9.81};
    add_sphere(scene, {0, 0, radius}, radius, {0.3, 0, 0});
    add_plane(scene, {0, 0, 0}, {0, 0, 1});
    heat_up(scene, {.temperature = 300, .dissipation = 0.5});
    // no conduction at the wall, so that nothing but friction heats the sphere
    for (ThermalPair& pair : scene.heat->pairs) { pair.per_radius = 1e-30; }
    if (!adiabatic) { scene.boundaries[0].temperature = 300; }
    const auto engine = start(scene);
    engine->advance(15000);
    const EnergyLedger energies = engine->energies();
    const double e1 = std::sqrt(k1 * density * c1), e2 = std::sqrt(k2 * 1.0 * c2);
    const double share = adiabatic ? 1 : e1 / (e1 + e2);
    const double lost = energies.friction + energies.viscous, heat = 0.5 * share * lost;
    // 2/7 of the energy is lost until it rolls
    EXPECT_NEAR(energies.friction, 2.0 / 7 * 0.5 * sphere_mass(radius, density) * 0.09, 1e-2 * energies.friction);
    EXPECT_NEAR(engine->heat().dissipation, heat, 1e-9 * heat);
    EXPECT_NEAR((temperatures(*engine)[0] - 300) * capacity_of(radius, c1), heat, 1e-5 * heat);
  }
}

}  // namespace scree::physics::heat_test
