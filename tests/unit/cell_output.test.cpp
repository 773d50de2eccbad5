#include <gtest/gtest.h>

#include <map>
#include <sstream>

#include "case_errors.hpp"
#include "cell_engine.hpp"
#include "host/commands/compare.hpp"
#include "host/commands/info.hpp"
#include "host/measure/cell_meters.hpp"
#include "host/measure/probes.hpp"
#include "host/measure/state_measures.hpp"
#include "host/output/frame_writer.hpp"
#include "host/output/series_writer.hpp"
#include "host/output/vtkhdf.hpp"
#include "host/storage/hdf5_reader.hpp"
#include "scratch_folder.hpp"
#include "series_columns.hpp"

namespace scree::test::cell_output_test {

using Columns = std::map<std::string, double>;

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

Columns probed(const Named<ProbeOutput>& probes, CellEngine& engine, const Scene& scene) {
  Probes all({.every = 1, .probes = probes}, scene, {});
  const auto names = all.columns();
  const auto values = all.measure(MeasuredState(engine), scene);
  Columns columns;
  for (std::size_t k = 0; k < names.size(); ++k) { columns[names[k]] = values[k]; }
  return columns;
}

double number(const Columns& columns, const std::string& name) {
  const auto found = columns.find(name);
  EXPECT_NE(found, columns.end()) << name;
  return found == columns.end() ? 0 : found->second;
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

// Two clumps of two spheres. The second clump lies across a face, and only its first member was taken back into the
// cell.
TEST(CellMeters, ClumpsAreOneParticleEach) {
  Scene scene = cell_scene({{0.5, 0.5, 0.5}, {0.7, 0.5, 0.5}, {1.02, 0.5, 0.5}, {0.89, 0.5, 0.5}});
  scene.cell->velocity_gradient = {{{0, 3, 0}, {0, 0, 0}, {0, 0, 0}}};
  scene.clump_shapes.resize(1);
  CellEngine engine(scene);
  engine.clumps = {{.id = 0,
                    .shape = 0,
                    .first = 0,
                    .members = 2,
                    .mass = 5,
                    .inertia = {1, 2, 3},
                    .position = {0.6, 0.5, 0.5},
                    .orientation = {1, 0, 0, 0}},
                   {.id = 1,
                    .shape = 0,
                    .first = 2,
                    .members = 2,
                    .mass = 5,
                    .inertia = {1, 2, 3},
                    .position = {0.955, 0.5, 0.5},
                    .orientation = {1, 0, 0, 0}}};
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
  engine.clumps = {{.id = 0,
                    .shape = 0,
                    .first = 0,
                    .members = 2,
                    .mass = 5,
                    .inertia = {1, 2, 3},
                    .position = {0.955, 0.5, 0.5},
                    .fluctuation = {1, 2, 0},
                    .orientation = {1, 0, 0, 0}}};
  const Columns now = measured(engine, scene);
  EXPECT_NEAR(number(now, "stress_kinetic_xx[Pa]"), -5, 1e-12);
  EXPECT_NEAR(number(now, "stress_kinetic_yy[Pa]"), -20, 1e-11);
  EXPECT_NEAR(kinetic_energy(fluctuating(engine.snapshot(), scene, engine.state), scene), 0.5 * 5 * 5 + 0.5 * 3 * 49,
              1e-10);
}

TEST(CellSeries, HasTheColumnsOfTheCell) {
  const ScratchFolder folder;
  Scene scene = cell_scene({{0.1, 0.2, 0.3}, {0.7, 0.9, 0.4}});
  scene.energies = true;
  CellEngine engine(scene);
  SeriesWriter series(folder.path(), {.every = 1}, scene);
  series.write(engine);
  std::stringstream text(read_text(folder / "series.csv"));
  std::string header, row;
  std::getline(text, header);
  std::getline(text, row);
  EXPECT_NE(
      header.find(",volume[m3],void_ratio,strain_xx,strain_yy,strain_zz,strain_yz,strain_xz,strain_xy,stress_xx[Pa],"),
      std::string::npos);
  EXPECT_TRUE(header.ends_with(",coordination,coordination_mechanical,unbalanced_force,stage,work_cell[J]"));
  EXPECT_EQ(std::count(header.begin(), header.end(), ','), std::count(row.begin(), row.end(), ','));
  EXPECT_TRUE(row.ends_with(",0,42"));
  scene.cell.reset();
  EXPECT_EQ(series_header(scene).find("volume"), std::string::npos);
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

TEST(CellFrames, TellEdgesOriginAndOwnFields) {
  const ScratchFolder folder;
  Scene scene = cell_scene({{1.25, 0.5, -0.5}});
  scene.cell->edges = {{{1, 0, 0}, {0.25, 1, 0}, {0, 0, 1}}};
  scene.cell->origin = {0.5, 0, 0};
  scene.particles.velocity = {{3, 0, 0}};
  CellEngine engine(scene);
  engine.state.velocity_gradient = {{{0, 2, 0}, {0, 0, 0}, {0, 0, 0}}};
  FrameWriter writer(folder.path(),
                     {.every = 1, .fields = {"velocity", "fluctuation_velocity", "image", "unwrapped_position"}},
                     scene);
  writer.write(engine);
  const auto file = folder / "frames/frame_000000.vtkhdf";
  const Hdf5Reader frame(file);
  const auto doubles = [](const Hdf5Reader& from, const std::string& path) {
    const StateArray array = from.read(path);
    std::vector<double> values;
    for (std::size_t k = 0; k < array.rows() * array.columns; ++k) {
      if (array.type == ValueType::float32) {
        values.push_back(reinterpret_cast<const float*>(array.bytes.data())[k]);
      } else {
        values.push_back(reinterpret_cast<const double*>(array.bytes.data())[k]);
      }
    }
    return values;
  };
  EXPECT_EQ(frame.shape("/VTKHDF/FieldData/cell").columns, 3U);
  EXPECT_EQ(doubles(frame, "/VTKHDF/FieldData/cell"), (std::vector<double>{1, 0, 0, 0.25, 1, 0, 0, 0, 1}));
  EXPECT_EQ(doubles(frame, "/VTKHDF/FieldData/cell_origin"), (std::vector<double>{0.5, 0, 0}));
  EXPECT_EQ(doubles(frame, "/VTKHDF/Points"), (std::vector<double>{1.25, 0.5, 0.5}));
  EXPECT_EQ(doubles(frame, "/VTKHDF/PointData/unwrapped_position"), (std::vector<double>{1.25, 0.5, -0.5}));
  EXPECT_EQ(doubles(frame, "/VTKHDF/PointData/velocity"), (std::vector<double>{4, 0, 0}));
  EXPECT_EQ(doubles(frame, "/VTKHDF/PointData/fluctuation_velocity"), (std::vector<double>{3, 0, 0}));
  const StateArray image = frame.read("/VTKHDF/PointData/image");
  std::array<std::int32_t, 3> n{};
  ASSERT_EQ(image.bytes.size(), sizeof n);
  std::memcpy(n.data(), image.bytes.data(), sizeof n);
  EXPECT_EQ(n, (std::array<std::int32_t, 3>{0, 0, -1}));
  // The outline of the cell has eight corners, new ones in each frame.
  engine.advance(1);
  engine.state.edges[1] = {0.5, 1, 0};
  writer.write(engine);
  const auto corners = doubles(Hdf5Reader(folder / "boundaries/cell/frame_000001.vtkhdf"), "/VTKHDF/Points");
  ASSERT_EQ(corners.size(), 24U);
  EXPECT_EQ(std::vector<double>(corners.end() - 3, corners.end()), (std::vector<double>{2, 1, 1}));
  EXPECT_TRUE(std::filesystem::exists(folder / "boundaries/cell.vtkhdf.series"));
  std::ostringstream said;
  EXPECT_EQ(run_info(file, said), 0);
  EXPECT_NE(said.str().find("cell edges   (1, 0, 0), (0.25, 1, 0), (0, 0, 1) m\n"), std::string::npos) << said.str();
  EXPECT_NE(said.str().find("1 x 3  int32\n"), std::string::npos) << said.str();  // images count both ways
}

// The same place in the cell, one cell to either side: images count both ways.
TEST(CellFrames, CompareSaysImagesWithTheirSign) {
  const ScratchFolder folder;
  for (const auto& [name, z] : {std::pair{"below", -0.5}, {"above", 1.5}}) {
    const Scene scene = cell_scene({{0.25, 0.5, z}});
    CellEngine engine(scene);
    FrameWriter(folder / name, {.every = 1, .fields = {"id", "image"}}, scene).write(engine);
  }
  const std::string frame = "frames/frame_000000.vtkhdf";
  std::ostringstream said;
  EXPECT_EQ(run_compare(folder / "below" / frame, folder / "above" / frame, said), 3);
  EXPECT_EQ(said.str(), "step 0, PointData/image, particle 0, component 2: -1 and 1\n");
}

}  // namespace scree::test::cell_output_test
