#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <vector>

#include "fill_cases.hpp"
#include "host/geometry/sphere_volume.hpp"
#include "host/packing/particle_file.hpp"
#include "host/text/text.hpp"
#include "scratch_folder.hpp"
#include "scree/case_file.hpp"

/// Particle files with the columns of a table that Frame.to_dataframe() of the Python package makes.
namespace scree::test::frame_tables_test {

using namespace fill_cases;
using packing::parse_particles;

constexpr const char* place = "position_x,position_y,position_z,radius";

std::string fault(const std::string& content) {
  return error_of([&] { (void)parse_particles(content, "bed.csv"); });
}

// pandas writes the index of a table as a first column without a name.
TEST(FrameTables, HaveThePlacesAndVelocitiesOfTheFrame) {
  const auto table = parse_particles(std::string(",") + place +
                                         ",velocity_x,velocity_y,velocity_z,angular_velocity_x,angular_velocity_y,"
                                         "angular_velocity_z,temperature,id\n0,1,2,3,0.5,4,5,6,7,8,9,300.0,17\n",
                                     "f");
  EXPECT_EQ(table.position, (std::vector<Real3>{{1, 2, 3}}));
  EXPECT_EQ(table.radius, (std::vector<double>{0.5}));
  EXPECT_EQ(table.velocity, (std::vector<Real3>{{4, 5, 6}}));
  EXPECT_EQ(table.angular_velocity, (std::vector<Real3>{{7, 8, 9}}));
  EXPECT_EQ(table.temperature, (std::vector<double>{300}));
  EXPECT_EQ(table.source, packing::ParticleSource::frame);
  EXPECT_TRUE(table.orientation.empty());
  EXPECT_EQ(table.passed_over, (std::vector<std::string>{"id"}));
}

TEST(FrameTables, MayHaveEachFieldOfFrames) {
  for (const std::string& field : frame_field_names()) {
    std::size_t accepted = 0;
    for (const char* parts : {"", "xyz", "wxyz"}) {
      std::string header = place, line = "0,0,0,1";
      for (std::size_t k = 0; k == 0 || k < std::string(parts).size(); ++k) {
        const std::string name = field + (*parts == 0 ? "" : std::string("_") + parts[k]);
        if (name == "radius") { continue; }
        header += "," + name, line += field == "clump" ? ",-1" : ",1";
      }
      header.append("\n").append(line).append("\n");
      accepted += fault(header) == "no error" ? 1 : 0;
    }
    EXPECT_GE(accepted, 1U) << field;
  }
}

TEST(FrameTables, HaveFilmsByVolume) {
  const double volume = geometry::sphere_volume(2);
  const auto of = [&](double film) { return std::string(place) + ",film\n0,0,0,2," + number_text(film) + "\n"; };
  EXPECT_NEAR(parse_particles(of(0.25 * volume), "f").film.at(0), 0.25, 1e-15);
  EXPECT_NEAR(parse_particles(of(0.25 * volume), "f", {1e-3, {}}).film.at(0), 0.25, 1e-15) << "a fraction has no unit";
  EXPECT_EQ(parse_particles(of((1 + 1e-8) * volume), "f").film.at(0), 1);
  EXPECT_IN("line 2: film: must be in [0, 1] of the volume of the particle, got 1.5", fault(of(1.5 * volume)));
}

TEST(FrameTables, GetOneSentenceForEachMistake) {
  EXPECT_IN("line 1: column \"position_z\" is missing", fault("position_x,position_y,radius\n0,0,1\n"));
  EXPECT_IN("line 1: column \"velocity_y\" is missing", fault(std::string(place) + ",velocity_x\n0,0,0,1,0\n"));
  EXPECT_IN("line 1: columns \"position_x\" and \"x\" mean the same; give one of them",
            fault(std::string(place) + ",x\n0,0,0,1,0\n"));
  EXPECT_IN("line 1: column \"position_x\" occurs twice", fault(std::string(place) + ",position_x\n0,0,0,1,0\n"));
  EXPECT_IN("line 1: no column is called \"forces_x\"", fault(std::string(place) + ",forces_x\n0,0,0,1,0\n"));
  EXPECT_IN("line 1: a column has no name; known are \"x\"", fault("x,y,z,radius,\n0,0,0,1,0\n"));
  EXPECT_IN("line 2: position_y: must be finite, got nan", fault(std::string(place) + "\n0,nan,0,1\n"));
  EXPECT_IN(
      "line 3: clump: must be -1, which is that of single spheres, got 4; take clumps and grains from a "
      "checkpoint by \"start\"",
      fault(std::string(place) + ",clump\n0,0,0,1,-1\n5,0,0,1,4\n"));
}

TEST(FrameTables, HaveNumbersOfMaterialsAndGroups) {
  const ScratchFolder folder;
  std::ofstream(folder / "bed.csv") << place << ",material,group,force_x,force_y,force_z\n0,0,0,0.1,1,0,1,2,3\n"
                                    << "1,0,0,0.1,0,2,1,2,3\n2,0,0,0.1,steel,a,1,2,3\n";
  std::ofstream(folder / "far.csv") << place << ",material\n0,0,0,0.1,2\n";
  const std::string groups = R"(, "groups": { "a": {}, "b": {} })";
  const Built built(case_of(R"({ "file": "bed.csv" })", groups), folder.path());
  EXPECT_EQ(built.scene.particles.material, (std::vector<std::uint32_t>{1, 0, 1}));
  EXPECT_EQ(built.scene.particles.group, (std::vector<std::uint32_t>{0, 2, 1}));
  ASSERT_FALSE(built.report.notes.empty());
  EXPECT_EQ(built.report.notes.back(),
            "particles.0.file: passes over \"force_x\", \"force_y\", \"force_z\", which say nothing about the start of "
            "a sphere");
  EXPECT_IN("particles.0.file: line 2: no material is called \"2\"",
            error_with(case_of(R"({ "file": "far.csv" })"), folder.path()));
  // In other files a number is a name.
  std::ofstream(folder / "own.csv") << "x,y,z,radius,material\n0,0,0,0.1,1\n";
  EXPECT_IN("no material is called \"1\"", error_with(case_of(R"({ "file": "own.csv" })"), folder.path()));
}

TEST(FrameTables, TellOnlyOfSpheres) {
  const ScratchFolder folder;
  std::ofstream(folder / "bed.csv") << place << "\n0,0,0,0.1\n";
  EXPECT_IN("has the columns of a frame, which tell of spheres: take clumps and grains from a checkpoint by \"start\"",
            error_with(case_of(R"({ "material": "glass", "shape": "rod", "file": "bed.csv" })",
                               R"(, "shapes": { "rod": { "type": "clump", "spheres": [
                                    { "center": [0, 0, 0], "radius": 1 }, { "center": [1, 0, 0], "radius": 1 } ] } })"),
                       folder.path()));
}

}  // namespace scree::test::frame_tables_test
