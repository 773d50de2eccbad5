#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "case_errors.hpp"
#include "host/geometry/real3.hpp"
#include "host/measure/state_measures.hpp"
#include "host/packing/membrane_nodes.hpp"
#include "resume_command.hpp"
#include "series_columns.hpp"
#include "simulated_case.hpp"

/// Membranes in cases: the lattice of their nodes, stages, columns of the series, resumed runs and wrong cases.
namespace scree::test::membranes_test {

/// Grains in a sleeve between a floor and a lid. The rings at the ends keep their radius.
std::string specimen(const std::string& stages = "[]") {
  return R"({ "time": { "duration": 0.01, "step": 5e-6 }, "gravity": [0, 0, -9.81], "precision": "double",
  "materials": {
    "grain": { "density": 2500, "young_modulus": 1e7, "poisson_ratio": 0.25, "friction": 0.4, "restitution": 0.3 },
    "latex": { "density": 1000, "young_modulus": 3e5, "poisson_ratio": 0.2, "friction": 0.2, "restitution": 0.3 } },
  "contacts": [
    { "between": ["latex", "latex"], "law": "bonded", "bond": { "tensile_strength": 2.9e5, "cohesion": 1e9 } },
    { "between": ["*", "*"], "law": "hertz_mindlin" } ],
  "boundaries": {
    "floor": { "type": "plane", "point": [0, 0, 0], "normal": [0, 0, 1], "material": "grain" },
    "lid": { "type": "plane", "point": [0, 0, 0.02], "normal": [0, 0, -1], "material": "grain" } },
  "particles": [
    { "material": "grain", "radius": 0.0018, "fill": { "cylinder": { "from": [0, 0, 0], "to": [0, 0, 0.02],
      "radius": 0.008 }, "count": 60 } },
    { "material": "latex", "radius": 0.0013, "group": "sheet",
      "membrane": { "name": "sleeve", "from": [0, 0, 0], "to": [0, 0, 0.02], "radius": 0.0082,
                    "pressure": [[0, 0], [0.002, 2e3]], "ends": "rings" } } ],
  "groups": { "sheet": { "damping": 0.3 }, "rings": { "fixed": ["x", "y"] } },
  "output": { "series": { "every": 0.001, "energies": true }, "checkpoints": { "every": 0.002 } },
  "stages": )" +
         stages + " }";
}
const char* const two_stages = R"([ { "name": "fill", "until": { "duration": 0.004 } },
  { "name": "press", "membranes": { "sleeve": { "pressure": [[0, 2e3], [0.001, 6e3]] } } } ])";

// Each node has the neighbours that the lattice names, they have it, and all of them touch. In the middle rings there
// are six of them. The nodes lie between the ends, and touch the room inside.
TEST(MembraneCases, NeighboursTouch) {
  const Membrane membrane{.name = "m", .from = {0.01, 0, 0.02}, .to = {0.05, 0.03, 0.02}, .radius = 0.0137};
  constexpr double radius = 1.1e-3;
  const auto [lattice, spheres] = packing::membrane_nodes(membrane, radius);
  ASSERT_EQ(spheres.position.size(), lattice.nodes());
  const Real3 axis = geometry::unit(geometry::subtract(membrane.to, membrane.from));
  double widest = 0, nearest = 1;
  for (std::uint32_t node = 0; node < lattice.nodes(); ++node) {
    const Real3 place = geometry::subtract(spheres.position[node], membrane.from);
    const double along = geometry::dot(place, axis);
    EXPECT_NEAR(geometry::length(geometry::along(place, -along, axis)), membrane.radius + radius, 1e-15);
    EXPECT_GE(along, radius - 1e-15);
    EXPECT_LE(along, 0.05 - radius + 1e-15);
    std::size_t count = 0;
    for (std::uint32_t k = 0; k < MembraneLattice::most_neighbours; ++k) {
      const std::uint32_t other = lattice.neighbour(node, k);
      if (other == MembraneLattice::none) { continue; }
      ++count;
      EXPECT_EQ(lattice.neighbour(other, (k + 3) % 6), node) << "they are neighbours of each other";
      const double distance = geometry::length(geometry::subtract(spheres.position[other], spheres.position[node]));
      widest = std::max(widest, distance / (2 * radius));
      nearest = std::min(nearest, distance / (2 * radius));
    }
    const std::uint32_t ring = node / lattice.around;
    EXPECT_EQ(count, ring == 0 || ring + 1 == lattice.rings ? 4u : 6u);
  }
  EXPECT_LE(widest, 1 + 1e-12);
  EXPECT_GT(nearest, 1 - 1.0 / std::min(lattice.around, lattice.rings));
}

// The triangles of a node run against the clock, as seen from outside.
TEST(MembraneCases, NeighboursRunAgainstTheClock) {
  const Membrane membrane{.name = "m", .from = {0, 0, 0}, .to = {0, 0, 0.04}, .radius = 0.0137};
  const auto [lattice, spheres] = packing::membrane_nodes(membrane, 1e-3);
  for (std::uint32_t node = 0; node < lattice.nodes(); ++node) {
    const Real3& a = spheres.position[node];
    for (std::uint32_t k = 0; k < 6; ++k) {
      const std::uint32_t b = lattice.neighbour(node, k), c = lattice.neighbour(node, (k + 1) % 6);
      if (b == MembraneLattice::none || c == MembraneLattice::none) { continue; }
      const Real3 area =
          geometry::cross(geometry::subtract(spheres.position[b], a), geometry::subtract(spheres.position[c], a));
      EXPECT_GT(geometry::dot(area, {a[0], a[1], 0}), 0) << node << " " << k;
    }
  }
}

TEST(MembraneCases, TheSceneHasTheNodes) {
  const SimulatedCase run(specimen());
  ASSERT_EQ(run.scene.membranes.size(), 1u);
  const SceneMembrane& membrane = run.scene.membranes[0];
  EXPECT_EQ(membrane.first, 60u);
  EXPECT_EQ(membrane.entry, 1u);
  EXPECT_EQ(membrane.lattice.nodes() + 60u, run.scene.particles.size());
  const std::uint32_t around = membrane.lattice.around;
  for (std::uint32_t k = 0; k < membrane.lattice.nodes(); ++k) {
    const bool at_end = k < around || k >= membrane.lattice.nodes() - around;
    EXPECT_EQ(run.scene.particles.group[60 + k], at_end ? 2u : 1u);
  }
  std::string notes;
  for (const std::string& note : run.report.notes) { notes += note + "\n"; }
  EXPECT_IN("particles.1.membrane \"sleeve\": ", notes);
  // All neighbours are bonded from the first step on: 3 bonds per node, without those beyond the ends.
  run.engine->advance(1);
  EXPECT_EQ(run.engine->counts().bonds, 3u * membrane.lattice.nodes() - 2u * around);
}

// A case without groups gets one for its nodes.
TEST(MembraneCases, NeedNoGroups) {
  SimulatedCase run(specimen(), {"groups={}", R"(particles.1={ "material": "latex", "radius": 0.0013,
      "membrane": { "name": "sleeve", "from": [0, 0, 0], "to": [0, 0, 0.02], "radius": 0.0082, "pressure": 1e3 } })"});
  run.simulation.begin();
  run.simulation.advance(100);
  EXPECT_EQ(run.scene.groups.size(), 1u);
  EXPECT_EQ(run.engine->counts().broken_bonds, 0u);
}

// Times of a table count from the start of the run, in stages from that of the stage.
TEST(MembraneCases, StagesChangeThePressure) {
  SimulatedCase run(specimen(two_stages));
  run.simulation.begin();
  const auto pressure_at = [&](std::uint64_t step) {
    run.simulation.advance(step);
    return run.engine->membrane_pressure(0);
  };
  EXPECT_EQ(pressure_at(0), 0);
  EXPECT_NEAR(pressure_at(200), 1e3, 1e-9);
  EXPECT_EQ(pressure_at(700), 2e3);
  EXPECT_NEAR(pressure_at(900), 4e3, 1e-9);
  EXPECT_EQ(pressure_at(1400), 6e3);
}

// The nodes do not count for the unbalanced force: it would never fall, since contacts balance the pressure on them.
TEST(MembraneCases, NodesDoNotCountAsUnbalanced) {
  const SimulatedCase run(specimen());
  run.engine->advance(1000);
  MeasuredState state(*run.engine);
  const double before = unbalanced_force(state, run.scene);
  for (std::size_t i = 0; i < state.spheres.id.size(); ++i) {
    if (run.scene.membranes[0].has_node(state.spheres.id[i])) { state.spheres.force[i] = {1e9, 0, 0}; }
  }
  EXPECT_GT(before, 0);
  EXPECT_EQ(unbalanced_force(state, run.scene), before);
}

/// Whatever the step at which a run stops, it goes on to the same bits, also in its series.
class ResumedMembranes : public testing::Test, protected RunsCase {};

TEST_F(ResumedMembranes, GoOnToTheSameBits) {
  write_text(folder_ / "drop.json", specimen(two_stages));
  for (const char* precision : {"precision=mixed", "precision=double"}) {
    arguments_.settings = {precision};
    const std::string expected = whole();
    expect_as_whole_when_interrupted(expected, {1, 799, 800, 801, 900, 1200});
  }
}

TEST_F(ResumedMembranes, TheSeriesHasPressureAndVolume) {
  write_text(folder_ / "drop.json", specimen(two_stages));
  static_cast<void>(whole());
  const auto columns = columns_of(folder_ / "whole/series.csv");
  const std::vector<double>& pressure = columns.at("pressure_sleeve[Pa]");
  const std::vector<double>& volume = columns.at("volume_sleeve[m3]");
  ASSERT_EQ(pressure.size(), 11u);
  EXPECT_EQ(pressure.front(), 0);
  EXPECT_EQ(pressure.back(), 6e3);
  // The cylinder through the centres of the nodes, between the rings at the ends.
  const double cylinder = 3.14159265358979 * 0.0095 * 0.0095 * (0.02 - 2 * 0.0013);
  EXPECT_NEAR(volume.front() / cylinder, 1, 0.01);
  EXPECT_LT(volume.back(), 0.98 * volume.front());
}

void expect_problem(const std::vector<std::string>& settings, const std::string& path, const std::string& text) {
  const auto build = [&] {
    SceneReport report;
    static_cast<void>(build_scene(parse_case(specimen(two_stages), ".", settings), report));
  };
  expect_first_problem(build, path, text);
}

TEST(MembraneCases, WhatCannotBeIsSaid) {
  const std::string path = "particles.1.membrane";
  expect_problem({"particles.1.membrane.radius=0.003"}, path + ".radius", "a membrane needs at least 12");
  expect_problem({"particles.1.membrane.to=[0, 0, 0.004]"}, path + ".to", "at least 8 rings");
  expect_problem({"particles.1.membrane.to=[0, 0, 0]"}, path + ".to", "must differ from \"from\"");
  expect_problem({"particles.1.membrane.ends=\"ring\""}, path + ".ends", "did you mean \"rings\"");
  expect_problem({"particles.1.radius=1e-12"}, path, "particles");
  expect_problem({"particles.1.radius={\"uniform\": [0.001, 0.0013]}"}, "particles.1.radius", "must be one number");
  expect_problem({R"(contacts.0={ "between": ["latex", "latex"], "law": "hertz_mindlin" })"}, path,
                 "needs a law that bonds its nodes");
  expect_problem({"stages.1.membranes={\"sleve\": {\"pressure\": 1}}"}, "stages.1.membranes.sleve",
                 "did you mean \"sleeve\"");
  expect_problem({"stages.1.membranes.sleeve={}"}, "stages.1.membranes.sleeve.pressure", "is missing");
  expect_problem({R"(particles.0={ "material": "latex", "radius": 0.0013, "membrane": { "name": "sleeve",
      "from": [0.1, 0, 0], "to": [0.1, 0, 0.02], "radius": 0.0082, "pressure": 1 } })"},
                 "particles.0.membrane.name", "is the name of another membrane");
  expect_problem(
      {R"(domain={ "periodic": { "size": [0.1, 0.1, 0.1], "origin": [-0.05, -0.05, -0.05] } })", "boundaries={}"}, path,
      "is not possible in a periodic cell");
}

// Grains of a checkpoint get a sleeve: its nodes follow them in the order of ids, and are bonded among themselves.
TEST_F(ResumedMembranes, StandAroundGrainsOfAStart) {
  std::string alone = specimen(), around = specimen();
  const std::size_t sheet = alone.find("{ \"material\": \"latex\", \"radius\"");
  alone.erase(alone.rfind(',', sheet), alone.find("} }", sheet) + 3 - alone.rfind(',', sheet));
  write_text(folder_ / "drop.json", alone);
  static_cast<void>(whole());
  const std::size_t grains = around.find("{ \"material\": \"grain\", \"radius\"");
  around.erase(grains, around.find("{ \"material\": \"latex\", \"radius\"") - grains);
  around.insert(around.find("\"particles\""), "\"start\": \"whole\", ");
  write_text(folder_ / "next.json", around);
  SceneReport report;
  const Scene scene = build_scene(read_case(folder_ / "next.json"), report);
  ASSERT_EQ(scene.membranes.size(), 1u);
  const SceneMembrane& membrane = scene.membranes[0];
  EXPECT_EQ(membrane.first, 60u);
  EXPECT_EQ(scene.particles.size(), 60u + membrane.lattice.nodes());
  for (std::size_t i = 0; i < scene.particles.size(); ++i) {
    EXPECT_EQ(scene.particles.radius[i] == 0.0013, membrane.has_node(static_cast<std::uint32_t>(i))) << i;
  }
  const auto engine = make_engine(scene, {BackendChoice::host, 1});
  engine->advance(10);
  EXPECT_EQ(engine->counts().bonds, 3u * membrane.lattice.nodes() - 2u * membrane.lattice.around);
}

}  // namespace scree::test::membranes_test
