#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <vector>

#include "fill_cases.hpp"
#include "host/packing/particle_file.hpp"
#include "scratch_folder.hpp"

/// Packings of other programs: dumps of LAMMPS and LIGGGHTS, and lines of numbers without a header.
namespace scree::test::dump_files_test {

using namespace fill_cases;
using packing::parse_particles;

/// A snapshot with these columns and lines of atoms.
std::string snapshot(int step, int n_atoms, const std::string& columns, const std::string& atoms) {
  return "ITEM: TIMESTEP\n" + std::to_string(step) + "\nITEM: NUMBER OF ATOMS\n" + std::to_string(n_atoms) +
         "\nITEM: BOX BOUNDS pp pp ff\n0 1\n0 1\n0 1\nITEM: ATOMS " + columns + "\n" + atoms;
}

std::string fault(const std::string& content) {
  return error_of([&] { (void)parse_particles(content, "bed.dump"); });
}

// LIGGGHTS ends its lines with a blank. The order of the columns is free.
TEST(DumpFiles, GiveTheAtomsOfTheLastSnapshot) {
  const std::string columns = "id type radius x y z vx vy vz omegax omegay omegaz fx ";
  const auto table = parse_particles(
      snapshot(0, 1, columns, "1 1 9 9 9 9 9 9 9 9 9 9 9 \n") + snapshot(500, 2, columns,
                                                                         "7 1 0.5 1 2 3 4 5 6 7 8 9 99 \n"
                                                                         "3 2 0.25 -1 -2 -3 -4 -5 -6 -7 -8 -9 99 \n"),
      "bed.dump");
  EXPECT_EQ(table.position, (std::vector<Real3>{{1, 2, 3}, {-1, -2, -3}}));
  EXPECT_EQ(table.radius, (std::vector<double>{0.5, 0.25}));
  EXPECT_EQ(table.velocity, (std::vector<Real3>{{4, 5, 6}, {-4, -5, -6}}));
  EXPECT_EQ(table.angular_velocity, (std::vector<Real3>{{7, 8, 9}, {-7, -8, -9}}));
  EXPECT_EQ(table.passed_over, (std::vector<std::string>{"id", "fx"}));
  EXPECT_EQ(table.line, (std::vector<std::size_t>{20, 21}));
  EXPECT_EQ(table.remark, "takes the snapshot of step 500, the last of 2 in the dump");
}

TEST(DumpFiles, MayHaveDiametersAndUnwrappedPlaces) {
  const auto table = parse_particles(snapshot(1, 1, "id diameter xu yu zu", "1 2 3 4 5\n"), "f", {0.5, {1, 0, 0}});
  EXPECT_EQ(table.position, (std::vector<Real3>{{2.5, 2, 2.5}}));
  EXPECT_EQ(table.radius, (std::vector<double>{0.5}));
  const auto both = parse_particles(snapshot(1, 1, "x y z xu yu zu radius diameter", "1 2 3 4 5 6 7 8\n"), "f");
  EXPECT_EQ(both.position, (std::vector<Real3>{{1, 2, 3}}));
  EXPECT_EQ(both.radius, (std::vector<double>{7}));
}

TEST(DumpFiles, GetOneSentenceForEachMistake) {
  EXPECT_IN("the snapshot of step 5 has 1 atoms, but its head says 2",
            fault(snapshot(5, 2, "x y z radius", "0 0 0 1")));
  EXPECT_IN("the snapshot of step 5 has 0 atoms, but its head says nothing of them", fault("ITEM: TIMESTEP\n5\n"));
  EXPECT_IN("is no dump of LAMMPS: it has no \"ITEM: TIMESTEP\"", fault("ITEM: TIME\n5\n"));
  EXPECT_IN("line 9: column \"radius\" is missing", fault(snapshot(0, 1, "id x y z", "1 0 0 0\n")));
  EXPECT_IN("line 9: column \"omegaz\" is missing",
            fault(snapshot(0, 1, "x y z radius omegax omegay", "0 0 0 1 0 0\n")));
  EXPECT_IN("line 9: places are fractions of the box; let the dump write x, y and z",
            fault(snapshot(0, 1, "id xs ys zs radius", "1 0 0 0 1\n")));
  EXPECT_IN("line 11: radius: must be > 0, got -1", fault(snapshot(0, 2, "x y z radius", "0 0 0 1\n3 0 0 -1\n")));
  EXPECT_IN("line 10: has 3 values, but the header has 4", fault(snapshot(0, 1, "x y z radius", "0 0 0\n")));
}

// The case has the materials "glass" and "steel", in this order.
TEST(DumpFiles, HaveTypesThatCountTheMaterials) {
  const ScratchFolder folder;
  std::ofstream(folder / "bed.dump") << snapshot(3, 3, "type x y z radius", "2 0 0 0 0.1\n1 1 0 0 0.1\n2 2 0 0 0.1\n");
  std::ofstream(folder / "far.dump") << snapshot(3, 1, "type x y z radius", "3 0 0 0 0.1\n");
  const Built built(case_of(R"({ "file": "bed.dump" })"), folder.path());
  EXPECT_EQ(built.scene.particles.material, (std::vector<std::uint32_t>{1, 0, 1}));
  EXPECT_IN("particles.0.file: line 10: no material is called \"3\"",
            error_with(case_of(R"({ "file": "far.dump" })"), folder.path()));
  const Built same(case_of(R"({ "material": "glass", "file": "bed.dump" })"), folder.path());
  EXPECT_EQ(same.scene.particles.material, (std::vector<std::uint32_t>{0, 0, 0}));
  ASSERT_FALSE(same.report.notes.empty());
  EXPECT_EQ(same.report.notes.back(),
            "particles.0.file: takes the snapshot of step 3, the only one in the dump; passes over \"type\", which say "
            "nothing about the start of a sphere");
}

TEST(FilesWithoutHeader, HavePlacesAndRadii) {
  const auto table = parse_particles("#format x_y_z_r\n1\t2\t3\t0.5\n-1\t-2\t-3\t0.25\n", "spheres.txt");
  EXPECT_EQ(table.position, (std::vector<Real3>{{1, 2, 3}, {-1, -2, -3}}));
  EXPECT_EQ(table.radius, (std::vector<double>{0.5, 0.25}));
  EXPECT_EQ(table.remark, "has no header; its columns are x, y, z and radius");
  EXPECT_EQ(parse_particles("1 2 3 0.5\n", "f").radius, (std::vector<double>{0.5}));
  EXPECT_IN(
      "line 1: has 5 numbers, but no header such as \"x,y,z,radius,vx,vy,vz\"; without one, lines must have x, y, z "
      "and radius",
      fault("1,2,3,0.5,1\n"));
  EXPECT_IN("line 2: has 3 values, but the header has 4", fault("1 2 3 0.5\n1 2 3\n"));
}

}  // namespace scree::test::dump_files_test
