#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <sstream>

#include "fake_engine.hpp"
#include "host/measure/state_measures.hpp"
#include "host/output/series_writer.hpp"
#include "scratch_folder.hpp"
#include "scree/errors.hpp"

namespace scree::test::series_writer_test {

TEST(SeriesWriter, HeaderNamesOutletsAndBoundariesWithUnits) {
  Scene scene = small_scene();
  scene.boundaries.resize(1);
  EXPECT_EQ(series_header(scene),
            "time[s],step,particles,contacts,wall_contacts,kinetic_energy[J],overlap_max,overlap_max_so_far,critical_"
            "step[s],removed_bottom,removed_mass_bottom[kg],mass_flow_bottom[kg/s],"
            "force_x_floor[N],force_y_floor[N],force_z_floor[N],"
            "torque_x_floor[N m],torque_y_floor[N m],torque_z_floor[N m],work_floor[J]");
  scene.outlet_names.clear();
  scene.boundaries[0].drive =
      Drive{.translation = DrivenTranslation{.mass = 1, .free = {"z", "x"}}, .rotation = DrivenRotation{}};
  EXPECT_TRUE(series_header(scene).ends_with(
      "work_floor[J],power_floor[W],shift_x_floor[m],shift_z_floor[m],velocity_x_floor[m/s],"
      "velocity_z_floor[m/s],angle_floor[rad],rate_floor[rad/s]"));
  scene.boundaries.clear();
  scene.outlet_names = {"a,\"b\""};
  EXPECT_EQ(
      series_header(scene),
      "time[s],step,particles,contacts,wall_contacts,kinetic_energy[J],overlap_max,overlap_max_so_far,critical_step[s],"
      "\"removed_a,\"\"b\"\"\",\"removed_mass_a,\"\"b\"\"[kg]\",\"mass_flow_a,\"\"b\"\"[kg/s]\"");
}

TEST(SeriesWriter, LengthsOfLoadHistoriesWhereALawKeepsThem) {
  Scene scene = small_scene();
  EXPECT_EQ(series_header(scene).find("history_length"), std::string::npos);
  scene.pairs[0].law = LawKind::jaeger;
  ScratchFolder folder;
  FakeEngine engine(scene);
  SeriesWriter series(folder.path(), {.every = scene.time_step}, scene);
  engine.advance(6);  // then 6 contacts and 2 with boundaries have 48 segments
  series.write(engine);
  series.close();
  const auto lines = lines_of(folder / "series.csv");
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_NE(lines[0].find(",critical_step[s],history_length_mean,history_length_max,removed_bottom,"),
            std::string::npos)
      << lines[0];
  EXPECT_NE(lines[1].find(",6,6,6,0.6"), std::string::npos) << lines[1];
}

TEST(SeriesWriter, KineticEnergyHasTranslationAndRotation) {
  Scene scene = small_scene();
  FakeEngine engine(scene);
  const double pi = 3.14159265358979323846;
  const auto mass = [&](double r) { return 2000 * 4.0 / 3.0 * pi * r * r * r; };
  const double expected =
      0.5 * mass(0.1) + 0.2 * mass(0.1) * 0.01 + 0.5 * mass(0.2) + 0.5 * mass(0.3) * 0.09 + 0.2 * mass(0.3) * 0.09 * 9;
  EXPECT_NEAR(kinetic_energy(engine.snapshot(), scene), expected, 1e-12 * expected);
}

TEST(SeriesWriter, NumbersReadBackExactly) {
  const ScratchFolder folder;
  Scene scene = small_scene();
  scene.boundaries.resize(1);
  scene.boundaries[0].drive =
      Drive{.translation = DrivenTranslation{.mass = 1, .free = {"y", "z"}}, .rotation = DrivenRotation{}};
  FakeEngine engine(scene);
  engine.advance(3);
  SeriesWriter series(folder.path(), {.every = 1}, scene);
  series.write(engine);
  series.write(engine);  // the same step: no new row
  const auto lines = lines_of(folder / "series.csv");
  ASSERT_EQ(lines.size(), 2U);
  std::vector<double> values;
  std::stringstream row(lines[1]);
  for (std::string cell; std::getline(row, cell, ',');) { values.push_back(std::stod(cell)); }
  ASSERT_EQ(values.size(), 27U);
  for (const int unknown : {20, 11}) {
    EXPECT_TRUE(std::isnan(values[static_cast<std::size_t>(unknown)])) << "power and flow have no row before";
    values.erase(values.begin() + unknown);
  }
  EXPECT_EQ(values,
            (std::vector<double>{3 * 0x1p-10, 3,         3,   3,  2,         kinetic_energy(engine.snapshot(), scene),
                                 0x1p-10,     0x1p-9,    1e3, 3,  0.1 * 3.0, 1,
                                 2,           1.0 / 3.0, 4,   5,  6,         6,
                                 0.5,         8,         9,   11, 12,        13,
                                 14}));
}

/// An engine whose boundary has done the work step^2 / 4 [J].
class WorkingEngine : public FakeEngine {
 public:
  using FakeEngine::FakeEngine;
  std::vector<BoundaryLoad> boundary_loads() override {
    std::vector<BoundaryLoad> loads = FakeEngine::boundary_loads();
    loads.at(0).work = 0.25 * static_cast<double>(step() * step());
    return loads;
  }
};

std::string last_cell(const std::filesystem::path& file, std::size_t row) {
  const std::string line = lines_of(file).at(1 + row);
  return line.substr(line.rfind(',') + 1);
}

/// Resumes a series at step 4: writes the row of this step once more, and a row two steps later.
void write_resumed_rows(const std::filesystem::path& folder, const SeriesOutput& output, const Scene& scene,
                        const std::vector<StateArray>& state, Engine& engine) {
  SeriesWriter resumed(folder, output, scene, {}, 4);
  resumed.restore_probes(state);
  resumed.write(engine);
  engine.advance(2);
  resumed.write(engine);
  resumed.close();
}

// Rows are due every 2 steps of 1/1024 s. Between the steps a and b the power is (b^2 - a^2) / 4 * 1024 / (b - a) =
// 256 (a + b) W, without rounding.
TEST(SeriesWriter, ThePowerOfABoundaryIsTheWorkSinceTheRowBefore) {
  const ScratchFolder folder;
  Scene scene = small_scene();
  scene.boundaries.resize(1);
  EXPECT_TRUE(series_header(scene).ends_with(",work_floor[J]")) << "it never moves";
  SceneStage stage;
  stage.boundaries.resize(1);
  stage.boundaries[0].motion = {{Translation{{0, 0, 1}}}};
  scene.stages = {stage};
  EXPECT_TRUE(series_header(scene).ends_with(",work_floor[J],power_floor[W]"));
  scene.stages.clear();
  scene.boundaries[0].motion = {{Translation{{0, 0, 1}}}};
  WorkingEngine engine(scene);
  const SeriesOutput output{.every = 2 * scene.time_step};
  const auto file = folder / "series.csv";
  SeriesWriter series(folder.path(), output, scene);
  for (const std::uint64_t steps : {0U, 2U, 1U, 1U}) {
    engine.advance(steps);
    series.write(engine);
  }
  EXPECT_EQ(last_cell(file, 0), "nan");
  EXPECT_EQ(last_cell(file, 1), "512");
  EXPECT_EQ(last_cell(file, 2), "1280") << "since the row of step 2";
  EXPECT_EQ(last_cell(file, 3), "1536") << "the row of step 3, which was not due, does not count";
  const std::vector<StateArray> state = series.probe_states();
  series.close();

  write_resumed_rows(folder.path(), output, scene, state, engine);
  EXPECT_EQ(last_cell(file, 3), "1536");
  EXPECT_EQ(last_cell(file, 4), "2560");
}

/// An engine from which step^2 / 4 [kg] have left.
class LeakingEngine : public FakeEngine {
 public:
  using FakeEngine::FakeEngine;
  EngineCounts counts() override {
    EngineCounts counts = FakeEngine::counts();
    counts.removed_mass.at(0) = 0.25 * static_cast<double>(step() * step());
    return counts;
  }
};

// As the power above: 256 (a + b) kg/s. A resumed run goes on with it, although no boundary moves.
TEST(SeriesWriter, TheFlowThroughAnOutletIsTheMassSinceTheRowBefore) {
  const ScratchFolder folder;
  Scene scene = small_scene();
  scene.boundaries.clear();
  LeakingEngine engine(scene);
  const SeriesOutput output{.every = 2 * scene.time_step};
  const auto file = folder / "series.csv";
  ASSERT_TRUE(series_header(scene).ends_with(",mass_flow_bottom[kg/s]"));
  SeriesWriter series(folder.path(), output, scene);
  for (const std::uint64_t steps : {0U, 2U, 2U}) {
    engine.advance(steps);
    series.write(engine);
  }
  const std::vector<StateArray> state = series.probe_states();
  series.close();
  write_resumed_rows(folder.path(), output, scene, state, engine);
  EXPECT_EQ(last_cell(file, 0), "nan");
  EXPECT_EQ(last_cell(file, 1), "512");
  EXPECT_EQ(last_cell(file, 2), "1536") << "compared with the row of step 2, also when it is written anew";
  EXPECT_EQ(last_cell(file, 3), "2560");
}

/// An engine in which nothing touches, or whose ledger fails.
class OddEngine : public FakeEngine {
 public:
  using FakeEngine::FakeEngine;
  ContactWatch watch() override { return {}; }
  EnergyLedger energies() override {
    ++readings;
    EnergyLedger ledger;
    ledger.error = error;
    return ledger;
  }
  double error = 0;
  int readings = 0;
};

TEST(SeriesWriter, OnlyWhatMayBeUnknownIsNotANumber) {
  const ScratchFolder folder;
  Scene scene = small_scene();
  scene.boundaries.clear();
  scene.outlet_names.clear();
  scene.energies = true;
  OddEngine engine(scene);
  SeriesWriter series(folder.path(), {.every = 1}, scene);
  series.write(engine);
  EXPECT_EQ(engine.readings, 1);
  const auto lines = lines_of(folder / "series.csv");
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_NE(lines[1].find(",0,0,nan,0,0,"), std::string::npos) << lines[1];
  engine.error = -std::numeric_limits<double>::infinity();
  engine.advance(1);
  try {
    series.write(engine);
    FAIL() << "a fault was expected";
  } catch (const KernelFault& fault) { EXPECT_STREQ(fault.what(), "energy_error[J] is -inf, not a finite number"); }
  EXPECT_EQ(lines_of(folder / "series.csv").size(), 2U);
}

}  // namespace scree::test::series_writer_test
