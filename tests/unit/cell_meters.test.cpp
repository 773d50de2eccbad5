#include <gtest/gtest.h>

#include "cell_engine.hpp"
#include "host/measure/cell_meters.hpp"
#include "host/measure/state_measures.hpp"
#include "host/output/series_writer.hpp"
#include "scratch_folder.hpp"
#include "series_columns.hpp"

namespace scree::test::cell_meters_test {

Columns measured(CellEngine& engine, const Scene& scene) {
  const MeasuredState state(engine);
  const std::vector<InletReport> no_inlets;
  const SeriesReadouts now(engine, state, scene, 0, no_inlets);
  Columns columns;
  for (const SeriesColumn& column : series_columns(scene)) {
    columns[column.heading()] = std::visit([](auto value) { return static_cast<double>(value); }, column.value(now));
  }
  return columns;
}

// C17 (closed form): 1000 N of compression over a branch of 0.199 m in 1 m3.
TEST(CellMeters, StressOfOneContact) {
  const Scene scene = cell_scene({{0.95, 0.5, 0.5}, {0.149, 0.5, 0.5}});
  CellEngine engine(scene);
  engine.contacts = {contact(0, 1, {0.199, 0, 0}, {1000, 0, 30}, {0.95, 0.5, 0.5})};
  const Columns now = measured(engine, scene);
  EXPECT_NEAR(number(now, "stress_xx[Pa]"), -199, 1e-12);
  EXPECT_NEAR(number(now, "stress_xz[Pa]"), -0.5 * 30 * 0.199, 1e-12);  // the symmetric part
  EXPECT_EQ(number(now, "stress_yy[Pa]"), 0);
  EXPECT_EQ(number(now, "stress_kinetic_xx[Pa]"), 0);
  EXPECT_EQ(number(now, "fabric_xx"), 1);
  EXPECT_EQ(number(now, "coordination"), 1);
  EXPECT_TRUE(std::isnan(number(now, "coordination_mechanical")));  // both spheres have one contact only
}

// C17, a simple cubic packing (closed forms): fabric 1/3, six contacts, sigma = -F / d^2, void ratio 6/pi - 1.
TEST(CellMeters, CubicPacking) {
  CellEngine engine = cubic_packing();
  engine.state.strain = {1, 2, 3, 4, 5, 6};
  engine.state.stage = 3;
  engine.force.assign(125, {0, 0.5, 0});
  Scene scene = cell_scene(std::vector<Real3>(125));
  const Columns now = measured(engine, scene);
  for (const char* axis : {"xx", "yy", "zz"}) {
    EXPECT_NEAR(number(now, std::string("stress_") + axis + "[Pa]"), -2 / 0.04, 1e-12 * 50);
    EXPECT_NEAR(number(now, std::string("fabric_") + axis), 1.0 / 3, 1e-15);
  }
  for (const char* axis : {"yz", "xz", "xy"}) { EXPECT_EQ(number(now, std::string("stress_") + axis + "[Pa]"), 0); }
  EXPECT_EQ(number(now, "coordination"), 6);
  EXPECT_EQ(number(now, "coordination_mechanical"), 6);
  EXPECT_NEAR(number(now, "void_ratio"), 6 / pi - 1, 1e-12);
  EXPECT_NEAR(number(now, "unbalanced_force"), 0.25, 1e-15);
  EXPECT_EQ(number(now, "strain_yz"), 4);
  EXPECT_EQ(number(now, "strain_xy"), 6);
  EXPECT_EQ(number(now, "stage"), 3);
  engine.present_gravity = {0, -0.5 / mass_of_one, 0};  // the weight is 0.5 N
  EXPECT_NEAR(number(measured(engine, scene), "unbalanced_force"), 0, 1e-15);
}

/// Columns of the series are measured with the gravity that the engine has by then.
TEST(CellMeters, TheWeightIsThatOfThePresentGravity) {
  CellEngine engine = cubic_packing();
  engine.force.assign(125, {0, 0.5, 0});
  const Scene scene = cell_scene(std::vector<Real3>(125));
  const ScratchFolder folder;
  SeriesWriter series(folder.path(), {.every = 1}, scene);
  series.write(engine);
  engine.present_gravity = {0, -0.5 / mass_of_one, 0};
  engine.advance(1);
  series.write(engine);
  series.close();
  const auto unbalanced = columns_of(folder / "series.csv").at("unbalanced_force");
  EXPECT_NEAR(unbalanced.at(0), 0.25, 1e-15);
  EXPECT_NEAR(unbalanced.at(1), 0, 1e-15);
}

TEST(CellMeters, AnEmptyCellHasNoVoidRatio) {
  const Scene scene = cell_scene({});
  CellEngine engine(scene);
  const Columns now = measured(engine, scene);
  EXPECT_EQ(number(now, "volume[m3]"), 1);
  for (const char* name : {"void_ratio", "coordination", "coordination_mechanical", "fabric_xx", "unbalanced_force"}) {
    EXPECT_TRUE(std::isnan(number(now, name))) << name << " is " << number(now, name);
  }
}

TEST(CellMeters, LooseParticlesDoNotCount) {
  const Scene scene = cell_scene(std::vector<Real3>(6));
  CellEngine engine(scene);
  // Spheres 0, 1, 2 form a triangle, 3 touches 2 only, 4 and 5 are free.
  for (const auto& [a, b] : {std::pair{0U, 1U}, {1U, 2U}, {0U, 2U}, {2U, 3U}}) {
    engine.contacts.push_back(contact(a, b, {0.2, 0, 0}, {1, 0, 0}, {}));
  }
  engine.contacts.push_back(contact(0, 1, {0.2, 0, 0}, {1, 0, 0}, {}));
  engine.contacts.back().with_boundary = true;  // contacts with boundaries do not count
  const Columns now = measured(engine, scene);
  EXPECT_NEAR(number(now, "coordination"), 8.0 / 6, 1e-15);
  EXPECT_NEAR(number(now, "coordination_mechanical"), 7.0 / 3, 1e-15);
}

// Kinetic stress and kinetic energy count the fluctuations only, not the mean flow.
TEST(CellMeters, KineticPartIsThatOfFluctuations) {
  Scene scene = cell_scene({{0.1, 0.2, 0.3}, {0.7, 0.9, 0.4}});
  scene.cell->velocity_gradient = {{{-1, 3, 0}, {0.5, 2, 0}, {0, -4, 1}}};
  scene.particles.velocity = {{2, -1, 0}, {-2, 1, 0}};
  scene.particles.angular_velocity = {{0, 0, 5}, {0, 0, 0}};
  CellEngine engine(scene);
  const Columns now = measured(engine, scene);
  EXPECT_NEAR(number(now, "stress_kinetic_xx[Pa]"), -8 * mass_of_one, 1e-12);
  EXPECT_NEAR(number(now, "stress_kinetic_yy[Pa]"), -2 * mass_of_one, 1e-12);
  EXPECT_NEAR(number(now, "stress_kinetic_xy[Pa]"), 4 * mass_of_one, 1e-12);
  EXPECT_EQ(number(now, "stress_xx[Pa]"), number(now, "stress_kinetic_xx[Pa]"));
  const Snapshot moved = engine.snapshot();
  EXPECT_GT(std::fabs(moved.velocity[1][1] - 1), 1);  // the velocities do contain the mean flow
  const double energy = 5 * mass_of_one + 0.5 * 0.4 * mass_of_one * 0.01 * 25;
  EXPECT_NEAR(kinetic_energy(fluctuating(moved, scene, engine.state), scene), energy, 1e-12 * energy);
}

/// A clump of 5 kg, to which the spheres 2 id and 2 id + 1 belong. `fluctuation` [m/s] is its velocity without the
/// flow.
SnapshotClump clump_of_two(std::uint32_t id, const Real3& position, const Real3& fluctuation = {}) {
  return {.id = id,
          .shape = 0,
          .first = 2 * id,
          .members = 2,
          .mass = 5,
          .inertia = {1, 2, 3},
          .position = position,
          .fluctuation = fluctuation,
          .orientation = {1, 0, 0, 0}};
}

// Two clumps of two spheres. The second clump lies across a face, and only its first member was taken back into the
// cell.
TEST(CellMeters, ClumpsAreOneParticleEach) {
  Scene scene = cell_scene({{0.5, 0.5, 0.5}, {0.7, 0.5, 0.5}, {1.02, 0.5, 0.5}, {0.89, 0.5, 0.5}});
  scene.cell->velocity_gradient = {{{0, 3, 0}, {0, 0, 0}, {0, 0, 0}}};
  scene.clump_shapes.resize(1);
  CellEngine engine(scene);
  engine.clumps = {clump_of_two(0, {0.6, 0.5, 0.5}), clump_of_two(1, {0.955, 0.5, 0.5})};
  engine.force = {{3, 0, 0}, {-3, 0, 0}, {0, 0, 0}, {0, 4, 0}};
  engine.contacts = {contact(1, 3, {0.19, 0, 0}, {10, 2, 0}, {0.7, 0.5, 0.5}),
                     contact(0, 3, {0.39, 0, 0}, {0, 8, 0}, {0.5, 0.5, 0.5})};
  const Columns now = measured(engine, scene);
  // The stress uses the vector between the centres of mass, 0.355 m long, not the branch between the spheres.
  EXPECT_NEAR(number(now, "stress_xx[Pa]"), -10 * 0.355, 1e-12);
  EXPECT_NEAR(number(now, "stress_xy[Pa]"), -0.5 * 10 * 0.355, 1e-12);
  EXPECT_EQ(number(now, "coordination"), 2);
  EXPECT_NEAR(number(now, "void_ratio"), 1 / (2 * 5 / 2000.0) - 1, 1e-9);
  EXPECT_NEAR(number(now, "unbalanced_force"), 2 / (0.5 * (std::hypot(10.0, 2.0) + 8)), 1e-12);
}

// The velocity of a rotating clump is that of its centre, at whatever images its members are.
TEST(CellMeters, VelocityOfAClumpIsThatOfItsCentre) {
  Scene scene = cell_scene({{1.02, 0.5, 0.5}, {0.89, 0.5, 0.5}});
  scene.cell->velocity_gradient = {{{0, 3, 0}, {0, 0, 0}, {0, 0, 0}}};
  scene.clump_shapes.resize(1);
  const Real3 spin{0, 0, 7};
  scene.particles.angular_velocity = {spin, spin};
  scene.particles.velocity = {{1, 2 + 7 * 0.065, 0}, {1, 2 - 7 * 0.065, 0}};
  CellEngine engine(scene);
  engine.clumps = {clump_of_two(0, {0.955, 0.5, 0.5}, {1, 2, 0})};
  const Columns now = measured(engine, scene);
  EXPECT_NEAR(number(now, "stress_kinetic_xx[Pa]"), -5, 1e-12);
  EXPECT_NEAR(number(now, "stress_kinetic_yy[Pa]"), -20, 1e-11);
  EXPECT_NEAR(kinetic_energy(fluctuating(engine.snapshot(), scene, engine.state), scene), 0.5 * 5 * 5 + 0.5 * 3 * 49,
              1e-10);
}

}  // namespace scree::test::cell_meters_test
