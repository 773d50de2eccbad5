#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <map>
#include <sstream>

#include "fake_engine.hpp"
#include "host/commands/info.hpp"
#include "host/output/contact_writer.hpp"
#include "host/output/left_writer.hpp"
#include "host/output/series_list.hpp"
#include "host/output/vtkhdf.hpp"
#include "host/storage/hdf5_reader.hpp"
#include "host/text/csv.hpp"
#include "resume_command.hpp"

/// Files of contacts and left.csv, as a run writes and continues them.
namespace scree::test::contact_output_test {

namespace fs = std::filesystem;

/// Particles rain through an inlet onto a slide, from which they leave through two outlets.
std::string rain_case(const std::string& precision) {
  return R"({ "time": { "duration": 0.05, "step": 2e-5 }, "precision": ")" + precision + R"(",
    "materials": { "glass": { "density": 2500, "young_modulus": 1e8, "poisson_ratio": 0.25, "friction": 0.4,
                              "restitution": 0.8 } },
    "groups": { "first": {} },
    "particles": [ { "material": "glass", "file": "spheres.csv", "velocity": [0.2, 0, -0.5], "group": "first" },
                   { "material": "glass", "radius": 0.004, "inlet": { "rate": 1000, "velocity": [2, 0, -2],
                     "region": { "box": [[0, 0, 0.05], [0.03, 0.03, 0.08]] } } } ],
    "boundaries": { "floor": { "type": "plane", "point": [0, 0, -0.001], "normal": [0.3, 0, 1], "material": "glass" } },
    "domain": { "outlets": { "side": { "point": [0.065, 0, 0], "normal": [1, 0, 0] },
                             "top, \"lid\"": { "point": [0, 0, 0.085], "normal": [0, 0, 1] } } },
    "output": { "frames": { "every": 0.005, "fields": ["id", "force", "fragment", "group"] },
                "contacts": { "every": 0.005 }, "left": true, "checkpoints": { "every": 0.004 } } })";
}

/// Two grains that lie on each other with flat faces.
class FlatContact : public FakeEngine {
 public:
  using FakeEngine::FakeEngine;
  std::vector<TouchingContact> touching_contacts(std::vector<ContactDetail>* details) override {
    details->assign(1, {.overlap = std::nan("")});
    TouchingContact contact{.first = 0, .second = 1, .force = {0, 0, 2}, .normal = {0, 0, 1}};
    contact.couple = {0.5, -0.25, 0.125};
    return {contact};
  }
};

TEST(ContactOutput, ContactsOfLevelSetGrainsHaveCouples) {
  const ScratchFolder folder;
  Scene scene;
  scene.time_step = 1e-3;
  scene.precision = Precision::mixed;
  for (const bool grains : {false, true}) {
    const fs::path out = folder / (grains ? "grains" : "spheres");
    if (grains) scene.grain_shapes.emplace_back();
    FlatContact engine(scene);
    ContactWriter writer(out, {.every = 1}, scene);
    writer.write(engine);
    const Hdf5Reader file(out / "contacts/step_000000000.vtkhdf");
    const auto names = file.datasets("/VTKHDF/CellData");
    ASSERT_EQ(std::count(names.begin(), names.end(), "/VTKHDF/CellData/couple"), grains ? 1 : 0);
    if (!grains) continue;
    const StateArray couple = file.read("/VTKHDF/CellData/couple");
    ASSERT_EQ(couple.type, ValueType::float32);
    std::array<float, 3> values{};
    ASSERT_EQ(couple.bytes.size(), sizeof values);
    std::memcpy(values.data(), couple.bytes.data(), sizeof values);
    EXPECT_EQ(values, (std::array<float, 3>{0.5F, -0.25F, 0.125F}));
  }
}

// ParaView offers only the arrays that the first file of a series has.
TEST(ContactOutput, AFileWithoutContactsHasCouplesToo) {
  const ScratchFolder folder;
  Scene scene;
  scene.time_step = 1e-3;
  scene.grain_shapes.emplace_back();
  FakeEngine engine(scene);  // nothing touches
  ContactWriter writer(folder.path(), {.every = 1}, scene);
  writer.write(engine);
  const Hdf5Reader file(folder / "contacts/step_000000000.vtkhdf");
  const StateArray couple = file.read("/VTKHDF/CellData/couple");
  EXPECT_EQ(couple.columns, 3U);
  EXPECT_EQ(couple.rows(), 0U);
}

class ContactOutputRun : public ResumeCommand {
 protected:
  void SetUp() override {
    ResumeCommand::SetUp();
    write_text(folder_ / "drop.json", rain_case(GetParam()));
  }
  /// Numbers of a dataset, whatever their type.
  std::vector<double> read(const fs::path& file, const std::string& name) const {
    const StateArray array = Hdf5Reader(file).read("/VTKHDF/" + name);
    std::vector<double> values(array.bytes.size() / size_of(array.type));
    const auto take = [&]<class T>(T) {
      for (std::size_t k = 0; k < values.size(); ++k) {
        T value;
        std::memcpy(&value, array.bytes.data() + k * sizeof(T), sizeof(T));
        values[k] = static_cast<double>(value);
      }
    };
    switch (array.type) {
      case ValueType::float32: take(float{}); break;
      case ValueType::float64: take(double{}); break;
      case ValueType::uint8: take(std::uint8_t{}); break;
      case ValueType::uint32: take(std::uint32_t{}); break;
      case ValueType::uint64: take(std::uint64_t{}); break;
    }
    return values;
  }
  /// Compares the sums of the forces in a file of contacts with the forces in a frame. Returns the number of contacts.
  std::size_t expect_forces(const fs::path& contacts, const fs::path& frame, std::size_t step) const {
    EXPECT_EQ(read(contacts, "FieldData/TimeValue"), read(frame, "FieldData/TimeValue"));
    EXPECT_EQ(read(contacts, "FieldData/Step"), std::vector<double>{double(step)});
    const auto normal = read(contacts, "CellData/normal"), shear = read(contacts, "CellData/shear_force"),
               pressing = read(contacts, "CellData/normal_force"), first = read(contacts, "CellData/first"),
               second = read(contacts, "CellData/second"), at_boundary = read(contacts, "CellData/with_boundary"),
               ends = read(contacts, "Points");
    const std::size_t n = first.size();
    EXPECT_EQ(ends.size(), 6 * n);
    EXPECT_EQ(read(contacts, "NumberOfCells"), std::vector<double>{double(n)});
    EXPECT_EQ(read(contacts, "CellData/bonded"), std::vector<double>(n, 0));
    std::map<double, std::array<double, 3>> sum;
    double largest = 0;
    for (std::size_t c = 0; c < n; ++c) {
      for (std::size_t k = 0; k < 3; ++k) {
        const double f = pressing[c] * normal[3 * c + k] + shear[3 * c + k];
        sum[second[c]][k] += f;
        if (at_boundary[c] == 0) { sum[first[c]][k] -= f; }
        largest = std::fmax(largest, std::fabs(f));
      }
    }
    const auto id = read(frame, "PointData/id"), force = read(frame, "PointData/force");
    for (std::size_t i = 0; i < id.size(); ++i) {
      for (std::size_t k = 0; k < 3; ++k) {
        // All numbers of mixed precision are rounded to single precision.
        EXPECT_NEAR(sum[id[i]][k], force[3 * i + k], (GetParam() == std::string("double") ? 1e-13 : 1e-6) * largest);
      }
    }
    EXPECT_EQ(read(frame, "PointData/fragment"), id) << "without bonds each particle is a piece of its own";
    std::vector<double> groups;  // the particles of the file have ids below 4
    for (const double i : id) { groups.push_back(i < 4 ? 1 : 0); }
    EXPECT_EQ(read(frame, "PointData/group"), groups);
    const auto list = read_file_series(folder_ / "whole/contacts.vtkhdf.series");
    EXPECT_TRUE(list.has_value());
    if (!list) { return n; }
    EXPECT_EQ(list->at(6).first, "contacts/step_000001500.vtkhdf");
    EXPECT_DOUBLE_EQ(list->at(6).second, 0.03);
    std::ostringstream out;
    EXPECT_EQ(run_info(contacts, out), exit_done);
    EXPECT_NE(out.str().find("contacts     " + std::to_string(n)), std::string::npos) << out.str();
    return n;
  }
};
INSTANTIATE_TEST_SUITE_P(Precisions, ContactOutputRun, testing::Values("mixed", "double"));

TEST_P(ContactOutputRun, IsTheSameAfterAnInterruption) {
  const auto expected = whole();
  const auto names = files_below(folder_ / "whole/contacts");
  ASSERT_EQ(names.size(), 11U);
  EXPECT_EQ(names.front(), "step_000000000.vtkhdf");
  EXPECT_EQ(names.back(), "step_000002500.vtkhdf");
  ASSERT_GT(lines_of(folder_ / "whole/left.csv").size(), 15U);
  arguments_.engine.threads = 2;
  for (const std::uint64_t steps : {1U, 777U, 1000U, 2111U}) {
    expect_as_whole_when_interrupted(expected, {steps});
    EXPECT_EQ(terminal_.str().find("warning"), std::string::npos) << terminal_.str();
  }
}

/// A thread that writes frames, files of contacts and checkpoints changes no byte, nor the order of the lists.
TEST_P(ContactOutputRun, AThreadWritesTheSameFiles) {
  const auto files = content_without_and_with_thread();
  EXPECT_GT(files[0].count("contacts/step_000002500.vtkhdf"), 0U);
  EXPECT_EQ(files[1], files[0]);
}

TEST_P(ContactOutputRun, FilesHaveTheForcesOfFrames) {
  // Particles that come to lie on a level floor touch for long.
  for (const char* setting :
       {"materials.glass.restitution=0.05", "boundaries.floor.normal=[0,0,1]", "gravity=[0,0,-80]"}) {
    arguments_.settings.emplace_back(setting);
  }
  static_cast<void>(whole());
  const fs::path frames = folder_ / "whole/frames", files = folder_ / "whole/contacts";
  for (std::size_t k = 1; k <= 10; ++k) {
    const std::string step = std::to_string(250 * k), number = std::to_string(k);
    const std::size_t n =
        expect_forces(files / ("step_" + std::string(9 - step.size(), '0') + step + ".vtkhdf"),
                      frames / ("frame_" + std::string(6 - number.size(), '0') + number + ".vtkhdf"), 250 * k);
    if (k == 6) { EXPECT_GT(n, 5U); }
  }
}

TEST_P(ContactOutputRun, LeftTellsAllThatTheSeriesCounts) {
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

/// A run that begins to list those who leave when it is resumed knows what it lacks.
TEST_P(ContactOutputRun, WhatLeftBeforeIsMissed) {
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

TEST_P(ContactOutputRun, AFolderIsUsedAgain) {
  ASSERT_EQ(run(), exit_done);
  arguments_.settings = {"output={\"series\":{\"every\":0.05}}"};
  ASSERT_EQ(run(), exit_done);
  EXPECT_FALSE(fs::exists(folder_ / "out/left.csv"));
  EXPECT_FALSE(fs::exists(folder_ / "out/contacts.vtkhdf.series"));
  EXPECT_FALSE(fs::exists(folder_ / "out/contacts/step_000000000.vtkhdf"));
}

TEST_P(ContactOutputRun, LeftNeedsAnOutlet) {
  arguments_.settings = {"domain={}"};
  EXPECT_EQ(run("output.left: needs something that removes particles"), exit_bad_input);
}

// The thread of the queue does a job again from its beginning when it has failed.
TEST(ContactWriter, AFileThatFailedIsWrittenAgainAndListedOnce) {
  const ScratchFolder folder;
  const Scene scene = small_scene();
  FakeEngine engine(scene);
  ContactWriter writer(folder.path(), {.every = 1}, scene);
  writer.open();
  const auto contacts = writer.collect(engine);
  ASSERT_TRUE(contacts.has_value());
  EXPECT_FALSE(writer.collect(engine).has_value()) << "once per step";
  fs::rename(folder / "contacts", folder / "away");
  EXPECT_THROW(writer.write(*contacts), OutputError);
  EXPECT_EQ(writer.files(), 0U);
  EXPECT_EQ(writer.frame_bytes(), 0U);
  fs::rename(folder / "away", folder / "contacts");
  writer.write(*contacts);
  writer.write(*contacts);
  EXPECT_EQ(writer.files(), 2U);
  const auto list = read_file_series(folder / "contacts.vtkhdf.series");
  ASSERT_TRUE(list.has_value());
  EXPECT_EQ(list->size(), 1U);
  EXPECT_EQ(writer.frame_bytes(), fs::file_size(folder / list->front().first));
}

/// An engine in which particles 0 and 2 go.
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

}  // namespace scree::test::contact_output_test
