#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <map>
#include <sstream>

#include "fake_engine.hpp"
#include "host/commands/info.hpp"
#include "host/output/contact_writer.hpp"
#include "host/output/series_list.hpp"
#include "host/output/vtkhdf.hpp"
#include "host/storage/hdf5_reader.hpp"
#include "rain_case.hpp"
#include "resume_command.hpp"

/// Files of contacts, as a run writes and continues them.
namespace scree::test::contact_output_test {

namespace fs = std::filesystem;

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

TEST_P(ContactOutputRun, AFolderIsUsedAgain) {
  ASSERT_EQ(run(), exit_done);
  arguments_.settings = {"output={\"series\":{\"every\":0.05}}"};
  ASSERT_EQ(run(), exit_done);
  EXPECT_FALSE(fs::exists(folder_ / "out/left.csv"));
  EXPECT_FALSE(fs::exists(folder_ / "out/contacts.vtkhdf.series"));
  EXPECT_FALSE(fs::exists(folder_ / "out/contacts/step_000000000.vtkhdf"));
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

}  // namespace scree::test::contact_output_test
