#include "host/measure/probes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "cell_scenes.hpp"
#include "scree/errors.hpp"

/// Measures of the series, compared with closed forms.
namespace scree::physics::probes_test {

constexpr Substance soft{1e7, 0.25, 2500};

SeriesOutput with(const std::string& name, ProbeKind kind) {
  SeriesOutput output;
  output.every = 1;
  output.probes.emplace_back(name, ProbeOutput{std::move(kind)});
  return output;
}

std::map<std::string, double> measured(Probes& probes, Engine& engine, const Scene& scene) {
  const auto names = probes.columns();
  const auto values = probes.measure(MeasuredState(engine, probes.needs()), scene);
  EXPECT_EQ(names.size(), values.size());
  std::map<std::string, double> result;
  for (std::size_t i = 0; i < values.size(); ++i) { result[names.at(i)] = values[i]; }
  return result;
}

std::map<std::string, double> measured_once(ProbeKind kind, Engine& engine, const Scene& scene) {
  Probes probes(with("p", std::move(kind)), scene, {});
  return measured(probes, engine, scene);
}

const Region unit_box = BoxRegion{{-0.5, -0.5, -0.5}, {0.5, 0.5, 0.5}};

TEST(Probes, StressAndFabricOfOnePairC17) {
  // Overlap 1 mm, K_N = E r = 1e6 N/m: 1000 N over a branch of 0.199 m in 1 m3.
  Scene scene = linear_scene(soft, 0, 1e-7);
  add_sphere(scene, {-0.0995, 0, 0}, 0.1);
  add_sphere(scene, {0.0995, 0, 0}, 0.1);
  auto engine = start(scene);
  engine->advance(1);
  auto stress = measured_once(StressProbe{unit_box}, *engine, scene);
  EXPECT_NEAR(stress["p_contact_xx[Pa]"], -199, 1e-9);  // the overlap is a difference of lengths known to 1e-16
  double rest = 0;
  for (const auto& [name, value] : stress) { rest += name == "p_contact_xx[Pa]" ? 0 : std::abs(value); }
  EXPECT_LT(rest, 1e-6);  // kinetic: half a step with 1000 N
  auto fabric = measured_once(FabricProbe{unit_box}, *engine, scene);
  EXPECT_EQ(fabric["p_contacts"], 1);
  EXPECT_NEAR(fabric["p_fabric_xx"], 1, 1e-12);
  EXPECT_EQ(fabric["p_fabric_yy"], 0);
  auto soil = measured_once(TriaxialProbe{unit_box, "x"}, *engine, scene);
  EXPECT_EQ(soil.size(), 3U);
  EXPECT_NEAR(soil["p_p[Pa]"], 199.0 / 3, 1e-6);
  EXPECT_NEAR(soil["p_q[Pa]"], 199, 1e-6);
  EXPECT_NEAR(soil["p_friction_angle[deg]"], 90, 1e-9);  // nothing holds it across
  EXPECT_THROW(Probes(with("p", TriaxialProbe{}), scene, {}), CaseError) << "there is no cell";
}

/// Simple cubic lattice of n^3 spheres of radius 0.01 that overlap by 1e-6 radii. It does not move, since all spheres
/// are fixed.
Scene lattice(int n, const Real3& shear = {}) {
  Scene scene = linear_scene(soft, 0, 1e-9);
  const double spacing = 0.02 * (1 - 5e-7);
  for (int i = 0; i < n * n * n; ++i) {
    const int row = i / n, layer = i / (n * n);
    const Real3 x{spacing * (i % n), spacing * (row % n), spacing * layer};
    add_sphere(scene, x, 0.01, {shear[0] * x[1], shear[1] * x[2], shear[2] * x[0]});
  }
  return scene;
}

TEST(Probes, LatticeHasSixContactsAndAThirdOfUnityC17) {
  const Scene scene = lattice(7);
  auto engine = start(scene);
  engine->advance(1);
  const Region inner = BoxRegion{{0.03, 0.03, 0.03}, {0.09, 0.09, 0.09}};  // the 27 spheres in the middle
  auto contacts = measured_once(CoordinationProbe{inner}, *engine, scene);
  EXPECT_EQ(contacts["p_mean"], 6);
  EXPECT_EQ(contacts["p_mechanical"], 6);
  EXPECT_EQ(contacts["p_rattlers"], 0);
  auto all = measured_once(CoordinationProbe{}, *engine, scene);
  EXPECT_NEAR(all["p_mean"], 2.0 * 3 * 7 * 7 * 6 / 343, 1e-12);
  auto fabric = measured_once(FabricProbe{BoxRegion{{-1, -1, -1}, {1, 1, 1}}}, *engine, scene);
  for (const char* axis : {"xx", "yy", "zz"}) { EXPECT_NEAR(fabric[std::string("p_fabric_") + axis], 1.0 / 3, 1e-12); }
  auto porosity = measured_once(PorosityProbe{inner}, *engine, scene);
  EXPECT_EQ(porosity["p_particles"], 27);
  EXPECT_NEAR(porosity["p_solid_fraction"], pi / 6, 1e-12);  // 27 cells of (0.02 m)3
  EXPECT_NEAR(porosity["p_porosity"], 1 - pi / 6, 1e-12);
  // In a cell of the lattice a force K_N u acts on each face of (0.02 m)^2, so sigma = -K_N u / d.
  auto stress = measured_once(StressProbe{inner}, *engine, scene);
  const double expected = -1e5 * (0.02 * 5e-7) * 0.02 * (1 - 5e-7) / (8e-6);
  for (const char* axis : {"xx", "yy", "zz"}) {
    // The tolerance is the relative error of the overlap.
    EXPECT_NEAR(stress[std::string("p_contact_") + axis + "[Pa]"], expected, 1e-6 * std::abs(expected));
  }
}

TEST(Probes, RattlersAreLeftOut) {
  Scene scene = linear_scene(soft, 0, 1e-9);
  for (const Real3& x : {Real3{0, 0, 0}, Real3{0.0199, 0, 0}, Real3{0.0398, 0, 0}, Real3{0.3, 0, 0}}) {
    add_sphere(scene, x, 0.01);
  }
  auto engine = start(scene);
  engine->advance(1);
  auto contacts = measured_once(CoordinationProbe{}, *engine, scene);
  EXPECT_EQ(contacts["p_mean"], 1);        // 4 ends of contacts over 4 particles
  EXPECT_EQ(contacts["p_mechanical"], 2);  // (2 N_c - N_1) / (N - N_0 - N_1) = (4 - 2) / (4 - 1 - 2)
  EXPECT_EQ(contacts["p_rattlers"], 3);
}

TEST(Probes, InertialNumberOfSimpleShear) {
  // v_x = rate y gives D:D = rate^2 / 2, from which the probe finds the rate. The pressure is that of the lattice
  // above.
  const double rate = 3;
  const Scene scene = lattice(7, {rate, 0, 0});
  auto engine = start(scene);
  engine->advance(1);
  const Region inner = BoxRegion{{0.03, 0.03, 0.03}, {0.09, 0.09, 0.09}};
  auto inertial = measured_once(InertialProbe{inner}, *engine, scene);
  const double pressure = 1e5 * (0.02 * 5e-7) * 0.02 * (1 - 5e-7) / (8e-6);
  EXPECT_NEAR(inertial["p_shear_rate[1/s]"], rate, 1e-6 * rate);
  EXPECT_NEAR(inertial["p_pressure[Pa]"], pressure, 1e-5 * pressure);
  EXPECT_NEAR(inertial["p_inertial_number"], rate * 0.02 * std::sqrt(2500 / pressure),
              1e-5 * rate * 0.02 * std::sqrt(2500 / pressure));
  auto stress = measured_once(StressProbe{inner}, *engine, scene);
  // Masses at y = -d, 0, d from the mean, 27 in all: sum m v v = 18 m (rate d)^2.
  const double kinetic = -18 * sphere_mass(0.01, 2500) * std::pow(rate * 0.02, 2) / std::pow(0.06, 3);
  EXPECT_NEAR(stress["p_kinetic_xx[Pa]"], kinetic, 1e-5 * std::abs(kinetic));
}

TEST(Probes, FlowIsSignedAndKnowsTheRemoved) {
  Scene scene = linear_scene(soft, 0, 1e-3);
  scene.outlet_names = {"out"};
  scene.outlets = {{{0.35, 0, 0}, {1, 0, 0}, 0}};
  const double mass = sphere_mass(0.01, 2500);
  add_sphere(scene, {-0.05, 0, 0}, 0.01, {1, 0, 0});       // passes, then is removed
  add_sphere(scene, {-0.055, 0.1, 0}, 0.01, {0.2, 0, 0});  // passes later
  add_sphere(scene, {0.05, 0.2, 0}, 0.01, {-1, 0, 0});     // goes back
  add_sphere(scene, {0.05, 0.3, 0}, 0.01, {1, 0, 0});      // beyond from the start
  auto engine = start(scene);
  Probes probes(with("p", FlowProbe{{{0, 0, 0}, {2, 0, 0}}}), scene, {});
  EXPECT_EQ(measured(probes, *engine, scene)["p_count"], 0);
  engine->advance(100);
  auto flow = measured(probes, *engine, scene);
  EXPECT_EQ(flow["p_count"], 0);  // one has passed, one has gone back
  EXPECT_NEAR(flow["p_mass[kg]"], 0, 1e-15);
  engine->advance(600);
  flow = measured(probes, *engine, scene);
  EXPECT_EQ(flow["p_count"], 1);
  EXPECT_NEAR(flow["p_mass[kg]"], mass, 1e-12 * mass);
  auto late = start(scene);
  Probes rare(with("p", FlowProbe{{{0, 0, 0}, {1, 0, 0}}}), scene, {});
  static_cast<void>(measured(rare, *late, scene));
  late->advance(700);  // the first particle was removed between two rows
  EXPECT_EQ(measured(rare, *late, scene)["p_count"], 1);
}

// Beads in a row, 0.05 m apart, pass at 1 m/s: two in 0.1 s, whenever the window begins. Both times of a window are
// rounded by 3e-17 s.
TEST(Probes, FlowOverAWindowIsTheMeanSinceTheLookBeforeIt) {
  Scene scene = linear_scene(soft, 0, 1e-3);
  for (int k = 0; k < 8; ++k) { add_sphere(scene, {-0.0125 - 0.05 * k, 0, 0}, 0.01, {1, 0, 0}); }
  auto engine = start(scene);
  const double mass = sphere_mass(0.01, 2500);
  Probes probes(with("p", FlowProbe{{{0, 0, 0}, {1, 0, 0}}, 0.1}), scene, {});
  Probes every_look(with("p", FlowProbe{{{0, 0, 0}, {1, 0, 0}}, 1e-4}), scene, {});
  for (int look = 0; look < 12; ++look) {
    const auto flow = measured(probes, *engine, scene), last = measured(every_look, *engine, scene);
    if (look < 4) {
      EXPECT_TRUE(std::isnan(flow.at("p_rate[kg/s]")) && std::isnan(flow.at("p_count_rate[1/s]"))) << look;
    } else {
      EXPECT_NEAR(flow.at("p_count_rate[1/s]"), 20, 1e-12);
      EXPECT_NEAR(flow.at("p_rate[kg/s]"), 20 * mass, 1e-12 * mass);
    }
    // A window shorter than the time between two looks: one bead passes before every second look.
    if (look > 0) { EXPECT_NEAR(last.at("p_count_rate[1/s]"), look % 2 == 1 ? 40 : 0, 1e-11); }
    engine->advance(25);
  }
  // The probe of a resumed run looks once more at the state of its checkpoint, and goes on.
  const auto before = measured(probes, *engine, scene);
  Probes resumed(with("p", FlowProbe{{{0, 0, 0}, {1, 0, 0}}, 0.1}), scene, {});
  EXPECT_TRUE(resumed.restore(probes.save()).empty());
  EXPECT_EQ(measured(resumed, *engine, scene), before);
  engine->advance(25);
  EXPECT_EQ(measured(resumed, *engine, scene), measured(probes, *engine, scene));
}

// Particles of an inlet have the highest ids, and may all be gone at the next look.
TEST(Probes, FlowKnowsParticlesThatLeaveLast) {
  Scene scene = linear_scene(soft, 0, 1e-3);
  scene.outlet_names = {"out"};
  scene.outlets = {{{0.35, 0, 0}, {1, 0, 0}, 0}};
  add_sphere(scene, {-0.5, 0, 0}, 0.01);
  auto engine = start(scene);
  Probes probes(with("p", FlowProbe{{{0, 0, 0}, {1, 0, 0}}}), scene, {});
  static_cast<void>(measured(probes, *engine, scene));
  ParticleSet late;
  for (const double y : {0.1, 0.2}) {
    late.position.push_back({-0.05, y, 0}), late.velocity.push_back({1, 0, 0});
    late.angular_velocity.push_back({}), late.radius.push_back(0.01), late.material.push_back(0);
  }
  engine->insert(late);
  EXPECT_EQ(measured(probes, *engine, scene)["p_count"], 0);
  engine->advance(500);
  ASSERT_EQ(engine->counts().particles, 1u);
  EXPECT_EQ(measured(probes, *engine, scene)["p_count"], 2);
  EXPECT_NEAR(measured(probes, *engine, scene)["p_mass[kg]"], 2 * sphere_mass(0.01, 2500), 1e-15);
}

// The last row of a run that is stopped shows the present values. The run that is continued knows nothing of it.
TEST(Probes, ALookOutOfTurnLeavesNoTrace) {
  Scene scene = hertz_scene(soft, {0.3, 0.4}, 1e-6);
  add_plane(scene, {0.5, 0, 0}, {-1, 0, 0});
  add_sphere(scene, {0.38, 0, 0}, 0.1, {1, 0, 0.5});
  scene.energies = scene.sums_losses = true;
  SeriesOutput output = with("flow", FlowProbe{{{0.39, 0, 0}, {1, 0, 0}}});
  output.probes.emplace_back("loss", ProbeOutput{DissipationProbe{}});
  output.probes.emplace_back("mean", ProbeOutput{StressProbe{unit_box}});
  Probes probes(output, scene, {});
  auto engine = start(scene);
  static_cast<void>(measured(probes, *engine, scene));
  const auto bytes = [&] {
    std::map<std::string, std::vector<std::byte>> all;
    for (const StateArray& array : probes.save()) { all[array.name] = array.bytes; }
    return all;
  };
  const auto before = bytes();
  ASSERT_FALSE(before.empty());
  engine->advance(15000);
  const MeasuredState state(*engine, probes.needs());
  EXPECT_EQ(probes.measure(state, scene, false).at(0), 1) << "it has passed";
  EXPECT_EQ(bytes(), before);
  EXPECT_EQ(measured(probes, *engine, scene)["flow_count"], 1);
  EXPECT_NE(bytes(), before);
}

// The stress of a whole cell follows from its contacts, also while the cell is sheared fast: contacts across faces
// belong to the moment of the forces, as all others do.
TEST(Probes, StressOfAShearedCellIsThatOfItsContacts) {
  Scene scene = packed_cell(5, 0.5);
  scene.cell->velocity_gradient = {{{-20, 100, 0}, {0, 10, 0}, {0, 0, 0}}};
  const auto engine = start(scene);
  engine->advance(40);
  Probes probes(with("probe", StressProbe{CellRegion{}}), scene, {});
  const auto row = measured(probes, *engine, scene);
  const Matrix3 expected = contact_stress(*engine, engine->cell()->volume);
  const char* const axes = "xyz";
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      const std::string name = std::string("probe_contact_") + axes[i] + axes[j] + "[Pa]";
      EXPECT_NEAR(row.at(name), expected[i][j], 1e-9 * std::abs(expected[0][0])) << name;
    }
  }
}

// Two spheres strike walls, one on each side of x = 0. Each region has what is lost there, and rows sum to the ledger.
TEST(Probes, DissipationOfRegionsSumsToTheLedger) {
  Scene scene = hertz_scene(soft, {0.3, 0.4}, 1e-6);
  add_plane(scene, {-0.5, 0, 0}, {1, 0, 0});
  add_plane(scene, {0.5, 0, 0}, {-1, 0, 0});
  add_sphere(scene, {-0.39, 0, 0}, 0.1, {-2, 1, 0});
  add_sphere(scene, {0.38, 0, 0}, 0.1, {1, 0, 0.5});
  scene.energies = scene.sums_losses = true;
  const Region left = BoxRegion{{-1, -1, -1}, {0, 1, 1}}, right = BoxRegion{{0, -1, -1}, {1, 1, 1}};
  SeriesOutput output = with("left", DissipationProbe{left});
  output.probes.emplace_back("right", ProbeOutput{DissipationProbe{right}});
  output.probes.emplace_back("all", ProbeOutput{DissipationProbe{}});
  Probes probes(output, scene, {});
  auto engine = start(scene);
  const auto first = measured(probes, *engine, scene);
  EXPECT_TRUE(std::isnan(first.at("all_power[W]")));
  EXPECT_EQ(first.at("all_energy[J]"), 0);
  std::map<std::string, double> work, row;
  for (int k = 0; k < 20; ++k) {
    engine->advance(2500);
    row = measured(probes, *engine, scene);
    for (const char* name : {"left", "right", "all"}) {
      work[name] += 2500e-6 * row.at(std::string(name) + "_power[W]");
    }
  }
  ASSERT_EQ(engine->counts().boundary_contacts, 0U) << "both impacts must be over";
  const EnergyLedger energies = engine->energies();
  const double lost = energies.friction + energies.viscous;
  EXPECT_NEAR(row.at("all_energy[J]"), lost, 1e-11 * lost);
  EXPECT_GT(row.at("left_energy[J]"), 1.5 * row.at("right_energy[J]")) << "the left one was twice as fast";
  EXPECT_GT(row.at("right_energy[J]"), 0.02 * lost);
  EXPECT_NEAR(row.at("left_energy[J]") + row.at("right_energy[J]"), lost, 1e-11 * lost);
  for (const auto& [name, energy] : work) { EXPECT_NEAR(energy, row.at(name + "_energy[J]"), 1e-9 * lost) << name; }
}

// A sphere goes from one region to another between rows: with samples, each region has what was lost while it was
// there. A row out of turn forgets nothing.
TEST(Probes, DissipationCountsWhereASampleFindsTheParticle) {
  Scene scene = hertz_scene(soft, {0.3, 0.4}, 1e-6);
  scene.gravity = {0, 0, -9.81};
  add_plane(scene, {0, 0, 0}, {0, 0, 1});
  add_sphere(scene, {-0.008, 0, 0.1}, 0.1, {0.5, 0, 0});
  scene.energies = scene.sums_losses = true;
  const Region left = BoxRegion{{-1, -1, -1}, {0, 1, 1}};
  SeriesOutput output = with("sampled", DissipationProbe{left});
  output.probes.back().second.sample_every = 1e-3;
  output.probes.emplace_back("coarse", ProbeOutput{DissipationProbe{left}});
  output.probes.emplace_back("all", ProbeOutput{DissipationProbe{}});
  Probes probes(output, scene, {});
  auto engine = start(scene);
  measured(probes, *engine, scene);
  double on_the_left = 0, last = 0;
  for (int k = 0; k < 200; ++k) {
    engine->advance(1000);
    const Snapshot now = engine->snapshot({.dissipated = true});
    if (now.position[0][0] - scene.time_step * now.velocity[0][0] < 0) { on_the_left += now.dissipated[0] - last; }
    last = now.dissipated[0];
    const MeasuredState state(*engine, probes.needs());
    if (k == 120) {
      const auto early = probes.measure(state, scene, false), again = probes.measure(state, scene, false);
      EXPECT_EQ(early, again);
    }
    if (k < 199) { probes.sample(state, scene, {0}); }
  }
  ASSERT_GT(engine->snapshot().position[0][0], 0);
  const auto row = measured(probes, *engine, scene);
  EXPECT_GT(on_the_left, 0.1 * last);
  EXPECT_LT(on_the_left, 0.9 * last);
  EXPECT_NEAR(row.at("sampled_energy[J]"), on_the_left, 1e-12 * last);
  EXPECT_EQ(row.at("coarse_energy[J]"), 0);
  EXPECT_NEAR(row.at("all_energy[J]"), last, 1e-12 * last);
  EXPECT_NEAR(row.at("sampled_power[W]"), on_the_left / 0.2, 1e-9 * last);
}

TEST(Probes, TrackedParticlesAndWrongIds) {
  Scene scene = linear_scene(soft, 0, 1e-4);
  add_sphere(scene, {0, 0, 0}, 0.01);
  add_sphere(scene, {0.0199, 0, 0}, 0.01, {0, 0, 2});
  auto engine = start(scene);
  engine->advance(1);
  const Snapshot now = engine->snapshot({.force = true});
  auto track = measured_once(TrackProbe{{1}}, *engine, scene);
  EXPECT_EQ(track.size(), 9u);
  EXPECT_EQ(track["p_1_position_z[m]"], now.position[1][2]);
  EXPECT_EQ(track["p_1_velocity_x[m/s]"], now.velocity[1][0]);
  EXPECT_EQ(track["p_1_force_x[N]"], now.force[1][0]);
  EXPECT_GT(track["p_1_force_x[N]"], 1);
  EXPECT_THROW(Probes(with("p", TrackProbe{{2}}), scene, {}), CaseError);
  scene.breakage.emplace();
  EXPECT_NO_THROW(Probes(with("p", TrackProbe{{2}}), scene, {})) << "fragments have ids from 2 on";
}

}  // namespace scree::physics::probes_test
