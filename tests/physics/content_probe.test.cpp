#include <gtest/gtest.h>

#include <cmath>

#include "host/scene/heat.hpp"
#include "probe_readings.hpp"
#include "scenes.hpp"

// The probe of type content against sums by hand, and against what stresses and heat say of the same particles.
namespace scree::physics::content_probe_test {

/// Spheres that touch nothing, two of them in the box [0, 1]^3.
Scene three_in_flight() {
  Scene scene = hertz_scene({1e7, 0.3, 2500}, {0, 0}, 1e-6);
  scene.precision = Precision::double_;
  add_sphere(scene, {0.25, 0.5, 0.5}, 0.1, {1, 0, 0});
  add_sphere(scene, {0.75, 0.5, 0.5}, 0.2, {-1, 0, 2});
  add_sphere(scene, {5, 5, 5}, 0.1, {9, 9, 9});
  return scene;
}
constexpr BoxRegion unit_box{{0, 0, 0}, {1, 1, 1}};

TEST(ContentProbe, TwoOfThreeSpheres) {
  const Scene scene = three_in_flight();
  const auto engine = start(scene);
  const double small = 2500 * 4.0 / 3 * M_PI * 1e-3, large = 8 * small;
  auto seen = read_probe({ContentProbe{unit_box}}, *engine, scene);
  EXPECT_EQ(seen.size(), 9U) << "neither heat nor liquid";
  EXPECT_EQ(seen["particles"], 2);
  EXPECT_NEAR(seen["mass[kg]"], small + large, 1e-12 * large);
  EXPECT_NEAR(seen["position_x[m]"], (0.25 + 8 * 0.75) / 9, 1e-14);
  EXPECT_NEAR(seen["velocity_x[m/s]"], (1 - 8.0) / 9, 1e-14);
  EXPECT_NEAR(seen["velocity_z[m/s]"], 16.0 / 9, 1e-14);
  // Two masses: sum of m v'^2 = m1 m2 / (m1 + m2) (v1 - v2)^2, with (v1 - v2)^2 = 4 + 4.
  EXPECT_NEAR(seen["granular_temperature[m2/s2]"], 8.0 / 9 / 9 * 8 / 3, 1e-14);
  EXPECT_EQ(read_probe({ContentProbe{}}, *engine, scene)["particles"], 3);
}

TEST(ContentProbe, IsUnknownInAnEmptyRegion) {
  const Scene scene = three_in_flight();
  const auto engine = start(scene);
  auto seen = read_probe({ContentProbe{BoxRegion{{2, 2, 2}, {3, 3, 3}}}}, *engine, scene);
  EXPECT_EQ(seen["particles"], 0);
  EXPECT_EQ(seen["mass[kg]"], 0);
  EXPECT_TRUE(std::isnan(seen["position_y[m]"]));
  EXPECT_TRUE(std::isnan(seen["granular_temperature[m2/s2]"]));
}

/// [Pa] Minus the trace of the kinetic stress in the unit box, which has the volume 1.
double kinetic_pressures(Engine& engine, const Scene& scene) {
  auto stress = read_probe({StressProbe{unit_box}}, engine, scene);
  return -(stress["kinetic_xx[Pa]"] + stress["kinetic_yy[Pa]"] + stress["kinetic_zz[Pa]"]);
}

TEST(ContentProbe, GranularTemperatureAndKineticStressAgree) {
  for (const bool in_cell : {false, true}) {
    Scene scene = three_in_flight();
    if (in_cell) {
      scene.particles.position[2] = {0.5, 0.75, 0.25};
      scene.cell.emplace();
      scene.cell->edges = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
      scene.cell->velocity_gradient[0][1] = 3;
    }
    const auto engine = start(scene);
    engine->advance(1);
    auto seen = read_probe({ContentProbe{unit_box}}, *engine, scene);
    const double expected = 3 * seen["mass[kg]"] * seen["granular_temperature[m2/s2]"];
    EXPECT_GT(expected, 0);
    EXPECT_NEAR(kinetic_pressures(*engine, scene), expected, 1e-13 * expected) << in_cell;
  }
}

// A particle that its group holds moves as a wall does: it has a share in content and mean velocity, but none in the
// fluctuations. Two equal spheres with velocities v and -v have the mean 0 and the flux 2 m v^2.
TEST(ContentProbe, HeldParticlesDoNotFluctuate) {
  for (const bool in_cell : {false, true}) {
    Scene scene = three_in_flight();
    scene.particles.radius[1] = 0.1;
    scene.particles.velocity[1] = {-1, 0, 0};
    scene.particles.position[2] = {0.5, 0.75, 0.25};
    scene.groups.resize(2);
    scene.groups[1].fixed = fixed_translation;
    scene.particles.group = {0, 0, 1};
    if (in_cell) {
      scene.cell.emplace();
      scene.cell->edges = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    }
    const auto engine = start(scene);
    engine->advance(1);
    const double mass = 2500 * 4.0 / 3 * M_PI * 1e-3;
    auto stress = read_probe({StressProbe{unit_box}}, *engine, scene);
    EXPECT_NEAR(stress["kinetic_xx[Pa]"], -2 * mass, 1e-13 * mass) << in_cell;
    EXPECT_EQ(stress["kinetic_yy[Pa]"], 0) << in_cell;
    auto content = read_probe({ContentProbe{unit_box}}, *engine, scene);
    EXPECT_EQ(content["particles"], 3) << in_cell;
    EXPECT_NEAR(content["velocity_y[m/s]"], 3, 1e-13) << in_cell;
    EXPECT_NEAR(content["granular_temperature[m2/s2]"], 1.0 / 3, 1e-13) << in_cell;
  }
}

// Both means are weighted by the heat capacities of the spheres.
TEST(ContentProbe, MeanTemperatureIsTheOneOfTheHeatReport) {
  Scene scene = three_in_flight();
  scene.materials[0].thermal = Thermal{2, 800, {}, {}};
  scene.particles.temperature = {300, 400, 1000};
  Case input;
  input.heat.emplace();
  resolve_heat(input, scene);
  const auto engine = start(scene);
  EXPECT_NEAR(read_probe({ContentProbe{}}, *engine, scene)["temperature[K]"], engine->heat().mean_temperature, 1e-10);
  EXPECT_NEAR(read_probe({ContentProbe{unit_box}}, *engine, scene)["temperature[K]"], (300 + 8 * 400) / 9.0, 1e-10);
}

}  // namespace scree::physics::content_probe_test
