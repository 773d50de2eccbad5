#include <gtest/gtest.h>

#include <cmath>
#include <sstream>

#include "case_errors.hpp"
#include "host/app/command_line.hpp"
#include "host/grains/grain_file.hpp"
#include "host/grains/grain_source.hpp"
#include "host/storage/hdf5_reader.hpp"
#include "scratch_folder.hpp"

namespace scree::grains::modes_files_test {

GrainTemplate ball() { return make_grain(*make_sphere(3), {1, 0.9}, "ball"); }

/// Two modes with numbers of no meaning.
GrainTemplate ball_with_modes() {
  GrainTemplate grain = ball();
  GrainModes& modes = grain.shape.modes;
  modes.count = 2;
  modes.field.resize(2 * grain.shape.points());
  modes.at_node.resize(2 * grain.shape.node.size());
  for (std::size_t k = 0; k < modes.field.size(); ++k) modes.field[k] = {static_cast<float>(k), 0.5F, -1};
  for (std::size_t k = 0; k < modes.at_node.size(); ++k) modes.at_node[k] = {1, 0.25 * static_cast<double>(k), -3};
  modes.mass = {2, 0.5, 0.5, 3};
  modes.stiffness = {4, 0, 0, 5};
  modes.terms = {{1.5, {0, 0, 1, 1}}, {0.25, {1, 1, 1}}};
  modes.poisson_ratio = 0.2;
  modes.largest = {0.5, 0};
  modes.source = "a test";
  grain.shape.hash = hash_of(grain.shape);
  return grain;
}

TEST(ModesInFiles, AreReadBackToTheSameBits) {
  const test::ScratchFolder folder;
  GrainTemplate grain = ball_with_modes();
  write_grain(grain, folder / "a.h5");
  EXPECT_TRUE(is_grain(folder / "a.h5"));
  EXPECT_EQ(read_grain(folder / "a.h5").shape, grain.shape);
  grain.shape.modes = {};
  const std::string rigid = ball().shape.hash;
  EXPECT_EQ(hash_of(grain.shape), rigid);
  EXPECT_NE(ball_with_modes().shape.hash, rigid);
  EXPECT_GT(memory_of(ball_with_modes().shape), memory_of(grain.shape) + 2 * 12 * grain.shape.points());
  // One mode with a table.
  GrainTemplate single = ball();
  GrainModes& modes = single.shape.modes;
  modes.count = 1;
  modes.field.resize(single.shape.points());
  modes.at_node.resize(single.shape.node.size());
  modes.mass = {2};
  modes.stiffness = {3};
  modes.table = {{0.1, 0.5}, {0.2, 1.5}};
  modes.largest = {0.2};
  single.shape.hash = hash_of(single.shape);
  write_grain(single, folder / "b.h5");
  EXPECT_EQ(read_grain(folder / "b.h5").shape, single.shape);
}

TEST(ModesInFiles, CanBeReadByOthers) {
  const test::ScratchFolder folder;
  write_grain(ball_with_modes(), folder / "a.h5");
  const Hdf5Reader file(folder / "a.h5");
  const auto shape = file.shape("/modes/field");
  EXPECT_EQ(shape.rows, 2 * ball().shape.points());
  EXPECT_EQ(shape.columns, 3U);
  EXPECT_EQ(file.shape("/modes/mass").unit, "m3");
}

TEST(ModesInFiles, RulesAreChecked) {
  const auto fault = [](auto&& change) {
    GrainTemplate grain = ball_with_modes();
    change(grain.shape.modes);
    return fault_of(grain.shape).value_or("no fault");
  };
  EXPECT_EQ(fault([](GrainModes&) {}), "no fault");
  EXPECT_IN("there are 33 modes, at most 32", fault([](GrainModes& m) { m.count = 33; }));
  EXPECT_IN("modes.field has", fault([](GrainModes& m) { m.field.pop_back(); }));
  EXPECT_IN("modes.field has", fault([](GrainModes& m) { m.count = 0; }));
  EXPECT_IN("modes.at_node has", fault([](GrainModes& m) { m.at_node.pop_back(); }));
  EXPECT_IN("modes.mass has 3 rows instead of 4", fault([](GrainModes& m) { m.mass.pop_back(); }));
  EXPECT_IN("modes.largest has 1 rows", fault([](GrainModes& m) { m.largest.pop_back(); }));
  EXPECT_IN("must be finite", fault([](GrainModes& m) { m.field[5][1] = NAN; }));
  EXPECT_IN("must be finite", fault([](GrainModes& m) { m.at_node[5][1] = INFINITY; }));
  EXPECT_IN("the mass of the modes must be", fault([](GrainModes& m) { m.mass[1] = 0.6; }));
  EXPECT_IN("the mass of the modes must be", fault([](GrainModes& m) { m.mass = {1, 2, 2, 1}; }));
  EXPECT_IN("the stiffness of the modes", fault([](GrainModes& m) { m.stiffness[2] = 1; }));
  EXPECT_IN("the largest amplitudes", fault([](GrainModes& m) { m.largest[0] = -1; }));
  EXPECT_IN("Poisson's ratio", fault([](GrainModes& m) { m.poisson_ratio = 0.5; }));
  EXPECT_IN("only a single mode has a table", fault([](GrainModes& m) { m.table = {{1, 1}}; }));
  EXPECT_IN("forces of at least 0", fault([](GrainModes& m) {
              m.count = 1;
              m.field.resize(m.field.size() / 2), m.at_node.resize(m.at_node.size() / 2);
              m.mass = {2}, m.stiffness = {0}, m.largest = {0}, m.terms = {};
              m.table = {{0.1, 0.5}, {0.2, -0.5}};
            }));
  EXPECT_IN("a term of the energy", fault([](GrainModes& m) { m.terms[0].mode = {0, 1}; }));
  EXPECT_IN("a term of the energy", fault([](GrainModes& m) { m.terms[0].mode = {0, 1, 2}; }));
  EXPECT_IN("a term of the energy", fault([](GrainModes& m) { m.terms[0].mode = {1, 0, 1}; }));
}

TEST(ModesInFiles, DamagedOnesAreRefused) {
  const test::ScratchFolder folder;
  GrainTemplate grain = ball_with_modes();
  grain.shape.modes.at_node[7][0] += 1;
  write_grain(grain, folder / "a.h5");
  try {
    static_cast<void>(read_grain(folder / "a.h5"));
    ADD_FAILURE() << "it was read";
  } catch (const StateError& error) {
    EXPECT_IN("do not have the hash that is stored in it", std::string(error.what()));
  }
}

class ModesCommand : public testing::Test {
 protected:
  int run(std::vector<std::string> words) {
    words.insert(words.begin(), "scree");
    std::vector<const char*> argv;
    argv.reserve(words.size());
    for (const std::string& word : words) argv.push_back(word.c_str());
    out_.str("");
    errors_.str("");
    return run_command_line(static_cast<int>(argv.size()), argv.data(), out_, errors_, 0);
  }
  std::string file(const char* name) { return (folder_ / name).string(); }

  test::ScratchFolder folder_;
  std::ostringstream out_, errors_;
};

TEST_F(ModesCommand, WritesATemplateThatInfoTellsOf) {
  write_grain(make_grain(*make_sphere(0.04), {0.01, 0.9}, "ball"), folder_ / "a.h5");
  ASSERT_EQ(run({"modes", file("a.h5"), "--poisson", "0.25", "--vibration", "5", "--out", file("b.h5")}), 0)
      << errors_.str();
  EXPECT_IN("5 lowest free vibrations", out_.str());
  EXPECT_EQ(read_grain(folder_ / "b.h5").shape.modes.count, 5U);
  ASSERT_EQ(run({"info", file("b.h5")}), 0);
  EXPECT_IN("modes    5: 5 lowest free vibrations; Poisson's ratio 0.25", out_.str());
  ASSERT_EQ(
      run({"modes", file("b.h5"), "--poisson", "0.3", "--planes", "x", "xyz",    "--levels", "4",     "--point",   "1",
           "1",     "1",          "--point",   "1",   "0",        "0", "--keep", "7",        "--out", file("c.h5")}),
      0)
      << errors_.str();
  EXPECT_IN("two points along 1 0 0", out_.str());
  const GrainShape made = read_grain(folder_ / "c.h5").shape;
  EXPECT_EQ(made.modes.count, 7U);
  ASSERT_EQ(
      run({"modes", file("b.h5"), "--poisson", "0.3", "--planes", "x", "xyz",    "--levels", "4",     "--point",   "1",
           "1",     "1",          "--point",   "1",   "0",        "0", "--keep", "7",        "--out", file("d.h5")}),
      0);
  EXPECT_EQ(test::read_text(folder_ / "c.h5"), test::read_text(folder_ / "d.h5"));  // the same bits again
}

TEST_F(ModesCommand, TakesModesOfAFile) {
  write_grain(make_grain(*make_sphere(0.04), {0.01, 0.9}, "ball"), folder_ / "a.h5");
  test::write_text(folder_ / "cube.vtk",
                   "# vtk DataFile Version 3.0\ntitle\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 8 float\n"
                   "-33 -33 -33 33 -33 -33 33 33 -33 -33 33 -33 -33 -33 33 33 -33 33 33 33 33 -33 33 33\n"
                   "CELLS 1 9\n8 0 1 2 3 4 5 6 7\nCELL_TYPES 1\n12\nPOINT_DATA 8\nVECTORS wide float\n"
                   "-1 0 0 1 0 0 1 0 0 -1 0 0 -1 0 0 1 0 0 1 0 0 -1 0 0\n");
  ASSERT_EQ(run({"modes", file("a.h5"), "--poisson", "0.25", "--from", file("cube.vtk"), "--scale", "1e-3", "--frame",
                 "body", "--out", file("b.h5")}),
            0)
      << errors_.str();
  EXPECT_IN("1 mode on a mesh of 8 points and 1 cells, whose volume is +7.24 % off that of the grain", out_.str());
  EXPECT_IN("modes: \"wide\"", out_.str());
  EXPECT_EQ(read_grain(folder_ / "b.h5").shape.modes.count, 1U);
  ASSERT_EQ(run({"info", file("b.h5")}), 0);
  EXPECT_IN("modes    1: 1 of the file cube.vtk; Poisson's ratio 0.25", out_.str());
  EXPECT_EQ(run({"modes", file("a.h5"), "--poisson", "0.25", "--from", file("cube.vtk"), "--frame", "world"}), 2);
  EXPECT_EQ(run({"modes", file("a.h5"), "--poisson", "0.25", "--from", file("cube.vtk"), "--vibration", "3"}), 2);
  EXPECT_EQ(run({"modes", file("a.h5"), "--poisson", "0.25", "--vibration", "3", "--scale", "2"}), 2);
}

TEST_F(ModesCommand, SaysWhatIsWrong) {
  write_grain(make_grain(*make_sphere(0.04), {0.01, 0.9}, "ball"), folder_ / "a.h5");
  test::write_text(folder_ / "text", "no grain");
  const auto message = [&](std::vector<std::string> words) {
    words.insert(words.begin(), "modes");
    EXPECT_EQ(run(words), 2) << out_.str();
    return errors_.str();
  };
  EXPECT_IN("there is no such file", message({file("none.h5"), "--poisson", "0.3", "--vibration", "5"}));
  EXPECT_IN("is no template of a grain", message({file("text"), "--poisson", "0.3", "--vibration", "5"}));
  EXPECT_IN("needs --vibration, --planes, --point or --from", message({file("a.h5"), "--poisson", "0.3"}));
  EXPECT_IN("--poisson", message({file("a.h5"), "--vibration", "5"}));
  EXPECT_IN("must be a number from 0 to 0.499", message({file("a.h5"), "--poisson", "0.5", "--vibration", "5"}));
  EXPECT_IN("from 1 to 32", message({file("a.h5"), "--poisson", "0.3", "--vibration", "33"}));
  EXPECT_IN("must be one of x, y, z", message({file("a.h5"), "--poisson", "0.3", "--planes", "w"}));
  EXPECT_IN("excludes", message({file("a.h5"), "--poisson", "0.3", "--planes", "x", "--vibration", "4"}));
  EXPECT_IN("--point: must be a direction, not 0 0 0",
            message({file("a.h5"), "--poisson", "0.3", "--point", "0", "0", "0"}));
}

}  // namespace scree::grains::modes_files_test
