#include <gtest/gtest.h>

#include <cmath>

#include "case_errors.hpp"
#include "cell_engine.hpp"
#include "host/measure/probes.hpp"

namespace scree::test::cell_probes_test {

Columns probed(const Named<ProbeOutput>& probes, const MeasuredState& state, const Scene& scene) {
  Probes all({.every = 1, .probes = probes}, scene, {});
  const auto names = all.columns();
  const auto values = all.measure(state, scene);
  Columns columns;
  for (std::size_t k = 0; k < names.size(); ++k) { columns[names[k]] = values[k]; }
  return columns;
}
/// The state of a cell without boundaries; every fake engine counts two contacts with some.
MeasuredState without_boundaries(CellEngine& engine) {
  MeasuredState state(engine);
  state.boundaries_known = true;
  return state;
}
Columns probed(const Named<ProbeOutput>& probes, CellEngine& engine, const Scene& scene) {
  return probed(probes, without_boundaries(engine), scene);
}

TEST(CellProbes, TheCellAndItsImagesAreMeasured) {
  CellEngine engine = cubic_packing();
  engine.state.volume = 2;  // the present volume counts, not the one of the start
  const Scene scene = cell_scene(std::vector<Real3>(125));
  // 2 x 2 x 2 spheres about a corner of the cell. Each stress is -F / d^2 over the share of volume of the contacts in
  // the region.
  const Region corner = BoxRegion{{0.7, 0.7, 0.7}, {1.1, 1.1, 1.1}}, all = CellRegion{};
  const Columns now = probed({{"a", {StressProbe{all}}},
                              {"b", {StressProbe{corner}}},
                              {"c", {PorosityProbe{corner}}},
                              {"d", {FabricProbe{corner}}},
                              {"e", {CoordinationProbe{corner}}},
                              {"f", {PorosityProbe{all}}}},
                             engine, scene);
  EXPECT_NEAR(number(now, "a_contact_xx[Pa]"), -0.5 * 2 / 0.04, 1e-12 * 50);
  EXPECT_NEAR(number(now, "b_contact_xx[Pa]"), -2 / 0.04, 1e-12 * 50);
  EXPECT_NEAR(number(now, "b_contact_zz[Pa]"), -2 / 0.04, 1e-12 * 50);
  EXPECT_EQ(number(now, "c_particles"), 8);
  EXPECT_NEAR(number(now, "c_solid_fraction"), pi / 6, 1e-12);
  EXPECT_NEAR(number(now, "d_fabric_xx"), 1.0 / 3, 0.01);
  EXPECT_EQ(number(now, "e_mean"), 6);
  EXPECT_EQ(number(now, "f_particles"), 125);
  EXPECT_NEAR(number(now, "f_porosity"), 1 - 0.5 * pi / 6, 1e-12);
}

// Before the first step of a case with a start the engine gives no contacts, although contacts go on.
TEST(CellProbes, ContactsThatAreNotKnownYetAreNotCountedAsNone) {
  CellEngine engine = cubic_packing();
  const Scene scene = cell_scene(std::vector<Real3>(125));
  const Named<ProbeOutput> probes{{"c", {CoordinationProbe{}}}, {"f", {FabricProbe{}}}};
  MeasuredState state = without_boundaries(engine);
  state.contacts.clear();
  EXPECT_EQ(number(probed(probes, state, scene), "c_mean"), 0);  // a state without contacts
  EXPECT_EQ(number(probed(probes, state, scene), "c_rattlers"), 125);
  EXPECT_EQ(number(probed(probes, state, scene), "f_contacts"), 0);
  for (bool MeasuredState::*known : {&MeasuredState::contacts_known, &MeasuredState::boundaries_known}) {
    MeasuredState start = state;
    start.*known = false;
    const Columns now = probed(probes, start, scene);
    for (const char* name : {"c_mean", "c_mechanical", "c_rattlers", "f_contacts", "f_fabric_xx"}) {
      EXPECT_TRUE(std::isnan(number(now, name))) << name << " is " << number(now, name);
    }
  }
}

// Probes that take a volume mean the whole cell where they have no region.
TEST(CellProbes, WithoutARegionTheWholeCellIsMeasured) {
  CellEngine engine = cubic_packing();
  const Scene scene = cell_scene(std::vector<Real3>(125));
  const Region all = CellRegion{};
  const Columns now = probed({{"a", {StressProbe{all}}},
                              {"b", {StressProbe{}}},
                              {"c", {FabricProbe{all}}},
                              {"d", {FabricProbe{}}},
                              {"e", {PorosityProbe{}}},
                              {"f", {InertialProbe{}}}},
                             engine, scene);
  for (const char* xx : {"xx", "yy", "zz", "xy"}) {
    EXPECT_EQ(number(now, std::string("a_contact_") + xx + "[Pa]"),
              number(now, std::string("b_contact_") + xx + "[Pa]"));
    EXPECT_EQ(number(now, std::string("c_fabric_") + xx), number(now, std::string("d_fabric_") + xx));
  }
  EXPECT_EQ(number(now, "d_contacts"), 375);
  EXPECT_EQ(number(now, "e_particles"), 125);
  EXPECT_NEAR(
      number(now, "f_pressure[Pa]"),
      -(number(now, "a_contact_xx[Pa]") + number(now, "a_contact_yy[Pa]") + number(now, "a_contact_zz[Pa]")) / 3, 1e-9);
  Scene slab = scene;
  slab.cell->periodic[2] = false;
  SeriesOutput output;
  output.probes = {{"s", {StressProbe{}}}};
  for (const Scene& wrong : {slab, Scene{}}) {
    EXPECT_IN("output.series.probes.s.region: is missing; only a case whose cell repeats along x, y and z",
              error_of([&] { (void)Probes(output, wrong, {}); }));
  }
}

/// A cubic packing with 50, 100 and 150 Pa along x, y and z.
CellEngine unequal_packing() {
  CellEngine engine = cubic_packing();
  for (TouchingContact& contact : engine.contacts) {
    for (std::size_t k = 0; k < 3; ++k) { contact.force[k] *= static_cast<double>(k + 1); }
  }
  return engine;
}

// Sums of 375 contacts are exact to 375 x 1.1e-16: 2e-11 of 150 Pa, and 1e-11 deg of the angle.
TEST(CellProbes, TriaxialQuantitiesAreThoseOfTheStress) {
  CellEngine engine = unequal_packing();
  engine.state.strain = {-0.01, -0.02, -0.04, 4, 5, 6};
  const Scene scene = cell_scene(std::vector<Real3>(125));
  const Region corner = BoxRegion{{0.7, 0.7, 0.7}, {1.1, 1.1, 1.1}};
  const Columns now = probed(
      {{"z", {TriaxialProbe{}}}, {"x", {TriaxialProbe{CellRegion{}, "x"}}}, {"box", {TriaxialProbe{corner, "y"}}}},
      engine, scene);
  for (const char* name : {"z", "x", "box"}) {
    EXPECT_NEAR(number(now, std::string(name) + "_p[Pa]"), 100, 1e-10);
    EXPECT_NEAR(number(now, std::string(name) + "_friction_angle[deg]"), 30, 1e-10);  // asin((150 - 50) / (150 + 50))
  }
  EXPECT_NEAR(number(now, "z_q[Pa]"), 150 - 75, 1e-10);
  EXPECT_NEAR(number(now, "x_q[Pa]"), 50 - 125, 1e-10);
  EXPECT_NEAR(number(now, "box_q[Pa]"), 100 - 100, 1e-10);
  for (const char* name : {"z", "x"}) {
    EXPECT_NEAR(number(now, std::string(name) + "_void_ratio"), 6 / pi - 1, 1e-12);
    EXPECT_NEAR(number(now, std::string(name) + "_volumetric_strain"), -0.07, 1e-16);
  }
  EXPECT_EQ(now.count("box_void_ratio") + now.count("box_volumetric_strain"), 0U);
}

// Shear forces of half the normal ones: of [[50, 25], [25, 50]] Pa the principal stresses are 75 and 25 Pa, and 50 Pa
// along z lies between them.
TEST(CellProbes, TheMobilisedFrictionIsThatOfPrincipalStresses) {
  CellEngine engine = cubic_packing();
  for (TouchingContact& contact : engine.contacts) {
    const Real3 normal = contact.force;
    contact.force = {normal[0] + 0.5 * normal[1], normal[1] + 0.5 * normal[0], normal[2]};
  }
  const Scene scene = cell_scene(std::vector<Real3>(125));
  const Columns now = probed({{"a", {TriaxialProbe{}}}}, engine, scene);
  EXPECT_NEAR(number(now, "a_q[Pa]"), 0, 1e-10);
  EXPECT_NEAR(number(now, "a_friction_angle[deg]"), 30, 1e-10);
  for (TouchingContact& contact : engine.contacts) { contact.force[2] = -contact.force[2]; }
  EXPECT_TRUE(std::isnan(number(probed({{"a", {TriaxialProbe{}}}}, engine, scene), "a_friction_angle[deg]")));
}

// Particles move with the mean flow alone, and so do their images.
TEST(CellProbes, ShearRateAcrossAFaceIsThatOfTheCell) {
  CellEngine engine = cubic_packing();
  engine.state.velocity_gradient = {{{0, 3, 0}, {0, 0, 0}, {0, 0, 0}}};
  const Scene scene = cell_scene(std::vector<Real3>(125));
  const Region across = BoxRegion{{0.5, 0.7, 0.1}, {0.9, 1.3, 0.5}}, all = CellRegion{};
  const Columns now = probed(
      {{"a", {InertialProbe{across}}}, {"b", {InertialProbe{all}}}, {"c", {StressProbe{across}}}}, engine, scene);
  EXPECT_NEAR(number(now, "a_shear_rate[1/s]"), 3, 1e-12);
  EXPECT_NEAR(number(now, "b_shear_rate[1/s]"), 3, 1e-12);
  EXPECT_NEAR(number(now, "c_kinetic_xx[Pa]"), 0, 1e-20);
}

TEST(CellProbes, TrackAndFlowGoOnAcrossFaces) {
  Scene scene = cell_scene({{0.2, 0.5, 0.5}});
  scene.particles.velocity = {{1024, 0, 0}};  // one cell per step
  CellEngine engine(scene);
  engine.state.velocity_gradient = {{{2, 0, 0}, {0, 0, 0}, {0, 0, 0}}};
  const Named<ProbeOutput> output{{"track", {TrackProbe{{0}}}},
                                  {"flow", {FlowProbe{{{0.5, 0, 0}, {1, 0, 0}}}}},
                                  {"back", {FlowProbe{{{0.5, 0, 0}, {-1, 0, 0}}}}}};
  Probes probes({.every = 1, .probes = output}, scene, {});
  static_cast<void>(probes.measure(MeasuredState(engine), scene));
  engine.advance(3);
  const auto values = probes.measure(MeasuredState(engine), scene);
  EXPECT_NEAR(values[0], 3.2, 1e-12);
  EXPECT_NEAR(values[3], 1024 + 2 * 3.2, 1e-9);  // as fast as the mean flow at its unwrapped place
  EXPECT_EQ(values[9], 3);
  EXPECT_NEAR(values[10], 3 * mass_of_one, 1e-12);
  EXPECT_EQ(values[11], -3);
}

}  // namespace scree::test::cell_probes_test
