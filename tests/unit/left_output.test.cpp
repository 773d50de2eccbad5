#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "fake_engine.hpp"
#include "host/output/left_writer.hpp"
#include "host/text/csv.hpp"
#include "rain_case.hpp"
#include "resume_command.hpp"

/// left.csv, as a run writes and continues it.
namespace scree::test::left_output_test {

namespace fs = std::filesystem;

class LeftOutputRun : public ResumeCommand {
 protected:
  void SetUp() override {
    ResumeCommand::SetUp();
    write_text(folder_ / "drop.json", rain_case(GetParam()));
  }
};
INSTANTIATE_TEST_SUITE_P(Precisions, LeftOutputRun, testing::Values("mixed", "double"));

TEST_P(LeftOutputRun, TellsAllThatTheSeriesCounts) {
  arguments_.settings = {"output.series={\"every\":0.05}"};
  static_cast<void>(whole());
  const auto rows = lines_of(folder_ / "whole/left.csv");
  const auto header = csv::row_cells(rows.front());
  ASSERT_EQ(header.back(), "inlet");
  ASSERT_EQ(header[header.size() - 2], "group");
  const std::size_t n = header.size();
  double by_side = 0, mass = 0;
  for (std::size_t k = 1; k < rows.size(); ++k) {
    const auto cells = csv::row_cells(rows[k]);
    ASSERT_EQ(cells.size(), header.size()) << rows[k];
    by_side += cells[3] == "side" ? 1 : 0;
    mass += std::stod(cells[5]);
    const int id = std::stoi(cells[2]);
    const double radius = id < 3 ? 0.01 : id == 3 ? 0.012 : 0.004;
    EXPECT_NEAR(std::stod(cells[6]), 2 * radius, 1e-8);  // masses of mixed precision are rounded to single precision
    EXPECT_EQ(cells[4], "glass");
    const double inserted = std::stod(cells[n - 3]), time = std::stod(cells[0]);
    EXPECT_EQ(cells[n - 2], id < 4 ? "first" : "");
    if (std::stoi(cells[2]) < 4) {
      EXPECT_EQ(inserted, 0);
      EXPECT_EQ(cells[n - 1], "");
    } else {
      EXPECT_EQ(cells[n - 1].find("particles."), 0U) << "an inlet without a name";
      // Inlets are fed every 100 steps; number k is due at k / rate.
      EXPECT_NEAR(inserted, (std::stoi(cells[2]) - 3) / 1000.0, 0.002 + 1e-9);
      EXPECT_LT(inserted, time);
    }
  }
  const auto series = lines_of(folder_ / "whole/series.csv");
  const auto names = csv::row_cells(series.front()), last = csv::row_cells(series.back());
  const auto column = [&](const std::string& name) {
    return std::stod(last.at(static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin())));
  };
  EXPECT_EQ(column("removed_side"), by_side);
  EXPECT_NEAR(column("removed_mass_side[kg]"), mass, 1e-6 * mass);
}

/// A resumed run that begins to write left.csv knows that rows of earlier particles are missing.
TEST_P(LeftOutputRun, WhatLeftBeforeIsMissed) {
  arguments_.settings = {"output.left=false"};
  arguments_.steps = 2000;
  ASSERT_EQ(run(), exit_done);
  EXPECT_FALSE(fs::exists(folder_ / "out/left.csv"));
  arguments_.settings.clear();
  arguments_.steps.reset();
  arguments_.resume = true;
  ASSERT_EQ(run(), exit_done);
  EXPECT_NE(terminal_.str().find("particles that had left before this step"), std::string::npos) << terminal_.str();
  EXPECT_NE(terminal_.str().find("\"nan\" stands for those of before"), std::string::npos) << terminal_.str();
  const auto rows = lines_of(folder_ / "out/left.csv");
  ASSERT_GT(rows.size(), 2U);
  EXPECT_TRUE(rows[1].ends_with(",nan,first,") || rows[1].ends_with(",nan,,")) << rows[1];
}

TEST_P(LeftOutputRun, NeedsAnOutlet) {
  arguments_.settings = {"domain={}"};
  EXPECT_EQ(run("output.left: needs something that removes particles"), exit_bad_input);
}

/// An engine whose removed particles the test sets.
class LeavingEngine : public FakeEngine {
 public:
  using FakeEngine::FakeEngine;
  std::uint64_t id_count() const override { return given; }
  std::vector<RemovedParticle> take_removed() override { return std::exchange(removed, {}); }
  std::uint64_t given = 3;
  std::vector<RemovedParticle> removed;
};

TEST(LeftWriter, KnowsWhenParticlesCameInAcrossACheckpoint) {
  const ScratchFolder folder;
  Scene scene = small_scene();
  scene.material_names = {"glass"};
  LeavingEngine engine(scene);
  std::vector<StateArray> saved;
  {
    Insertions insertions(scene);
    LeftWriter writer(folder.path(), scene, insertions);
    writer.open();
    engine.advance(10);
    engine.given = 5;
    insertions.note(engine);
    engine.advance(10);
    engine.removed = {{.step = 15, .time = 15 * 0x1p-10, .id = 1, .mass = 0.5, .position = {1, 2, 3}},
                      {.step = 17, .time = 17 * 0x1p-10, .id = 4, .velocity = {0, 0, -1}}};
    writer.write(engine);
    saved = insertions.save();
  }
  const auto rows = lines_of(folder / "left.csv");
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_TRUE(rows[1].starts_with("0.0146484375,15,1,bottom,glass,0.5,")) << rows[1];
  EXPECT_TRUE(rows[1].ends_with(",1,2,3,0,0,0,0")) << rows[1];
  const double diameter = std::stod(csv::row_cells(rows[1]).at(6));
  EXPECT_NEAR(scene.materials[0].density * 3.14159265358979 / 6 * std::pow(diameter, 3), 0.5, 1e-12);
  EXPECT_EQ(rows[2], "0.0166015625,17,4,bottom,glass,0,0,0,0,0,0,0,-1,0.009765625");
  Insertions insertions(scene);
  insertions.restore(saved, engine);
  EXPECT_EQ(insertions.age(4, 0.5), 0.5 - 0.009765625);
  EXPECT_EQ(insertions.age(2, 0.5), 0.5) << "of the start";
  LeftWriter writer(folder.path(), scene, insertions, 20);
  writer.restore(2);
  EXPECT_TRUE(writer.notes().empty());
  writer.open();
  engine.given = 6;
  engine.advance(10);
  insertions.note(engine);
  engine.removed = {{.step = 30, .id = 3}, {.step = 30, .id = 5}, {.step = 30, .id = 6}};
  writer.write(engine);
  const auto more = lines_of(folder / "left.csv");
  ASSERT_EQ(more.size(), 6U);
  EXPECT_TRUE(more[3].ends_with(",0.009765625")) << more[3];
  EXPECT_TRUE(more[4].ends_with(",0.029296875")) << more[4];
  EXPECT_TRUE(more[5].ends_with(",nan")) << "nobody has told of it";
  engine.advance(10);
  fs::rename(folder / "left.csv", folder / "away.csv");
  fs::remove(folder / "away.csv");
  engine.removed = {{.step = 40, .id = 1}};
  EXPECT_THROW(writer.write(engine), OutputError) << "the file is gone";
  EXPECT_THROW(writer.write(engine), OutputError) << "its rows are not forgotten";
  saved[2].bytes.pop_back();
  Insertions damaged(scene);
  EXPECT_THROW(damaged.restore(saved, engine), StateError);
}

TEST(LeftWriter, TellsInletsTemperaturesAndFilmsWhereThereAreAny) {
  const ScratchFolder folder;
  Scene scene = small_scene();
  scene.material_names = {"glass"};
  scene.inlets = {{.entry = 4, .name = "feed"}, {.entry = 6}};
  scene.heat = SceneHeat{};
  scene.pairs[0].liquid = LiquidBridges{.from_films = true};
  LeavingEngine engine(scene);
  Insertions insertions(scene);
  LeftWriter writer(folder.path(), scene, insertions);
  writer.open();
  engine.advance(10);
  engine.given = 4, insertions.note(engine, 4);
  engine.given = 5, insertions.note(engine, 6);
  engine.given = 6, insertions.note(engine);
  for (std::uint32_t id = 2; id < 6; ++id) {
    engine.removed.push_back({.step = 15, .id = id, .temperature = 300.0 + id, .film = 0.5 * id});
  }
  writer.write(engine);
  const auto rows = lines_of(folder / "left.csv");
  ASSERT_EQ(rows.size(), 5U);
  EXPECT_TRUE(rows[0].ends_with(",inserted[s],inlet,temperature[K],film[m3]")) << rows[0];
  EXPECT_TRUE(rows[1].ends_with(",0,,302,1")) << rows[1];
  EXPECT_TRUE(rows[2].ends_with(",0.009765625,feed,303,1.5")) << rows[2];
  EXPECT_TRUE(rows[3].ends_with(",0.009765625,particles.6,304,2")) << rows[3];
  EXPECT_TRUE(rows[4].ends_with(",0.009765625,,305,2.5")) << rows[4];
  Insertions restored(scene);
  restored.restore(insertions.save(), engine);
  EXPECT_EQ(restored.inlet_of(3), 4U);
  EXPECT_EQ(restored.inlet_of(2), Insertions::no_inlet) << "of the start";
}

TEST(Insertions, UnknownOnesCountFromTheResumedStep) {
  const Scene scene = small_scene();
  LeavingEngine engine(scene);
  engine.advance(10);
  engine.given = 5;
  Insertions insertions(scene);
  insertions.restore({}, engine);
  EXPECT_TRUE(insertions.lacks_some());
  EXPECT_TRUE(std::isnan(insertions.time_of(4)));
  EXPECT_EQ(insertions.age(4, 0.5), 0.5 - engine.time());
  EXPECT_EQ(insertions.age(1, 0.5), 0.5);
}

}  // namespace scree::test::left_output_test
