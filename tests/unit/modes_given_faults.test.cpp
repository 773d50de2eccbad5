#include <gtest/gtest.h>

#include <cmath>

#include "case_errors.hpp"
#include "given_mode_files.hpp"
#include "scratch_folder.hpp"
#include "solid_meshes.hpp"

// Files whose modes cannot be taken: each is refused with one sentence.
namespace scree::modes::modes_given_faults_test {

std::string refusal(const GrainShape& shape, const std::filesystem::path& file, double scale = 1) {
  try {
    static_cast<void>(modes_from(shape, file, 0.3, scale));
    return "it was read";
  } catch (const CaseError& error) { return error.what(); }
}

TEST(ModesGivenFaults, WrongOnesAreRefusedWithASentence) {
  const test::ScratchFolder folder;
  const GrainShape shape = made(*grains::make_sphere(3), 1);
  const auto file = folder / "a.h5";
  const auto tables = [&](const std::map<std::string, std::vector<double>>& all, std::size_t columns = 3) {
    write_tables(file, all, {{"displacement", 3}, {"points", 3}, {"cells", columns}});
    return refusal(shape, file);
  };
  const std::vector<double> corners = {0, 0, 0, 9, 0, 0, 0, 9, 0, 0, 0, 9}, some(12, 1.0);
  test::write_text(folder / "text.h5", "no modes");
  EXPECT_IN("there is no such file", refusal(shape, folder / "none.h5"));
  EXPECT_IN("is neither a legacy VTK file whose name ends in .vtk nor an HDF5 file",
            refusal(shape, folder / "text.h5"));
  EXPECT_IN("has neither a dataset \"origin\"", tables({{"displacement", some}}));
  EXPECT_IN("has no dataset \"cells\"", tables({{"points", corners}, {"displacement", some}}));
  EXPECT_IN("has no dataset \"displacement\"", tables({{"points", corners}, {"cells", {0, 1, 2, 3}}}, 4));
  EXPECT_IN("must have four columns", tables({{"points", corners}, {"cells", {0, 1, 2}}, {"displacement", some}}));
  EXPECT_IN("has a cell with point 4; there are 4 points",
            tables({{"points", corners}, {"cells", {0, 1, 2, 4}}, {"displacement", some}}, 4));
  EXPECT_IN("has a cell with point -1; points are numbered from 0",
            tables({{"points", corners}, {"cells", {0, 1, 2, -1}}, {"displacement", some}}, 4));
  EXPECT_IN("has a cell that has no volume or is partly inside out: number 0 of the solid cells",
            tables({{"points", corners}, {"cells", {0, 1, 2, 2}}, {"displacement", some}}, 4));
  EXPECT_IN("has 3 rows; it must have one for each point of each mode, and there are 4 points",
            tables({{"points", corners}, {"cells", {0, 1, 2, 3}}, {"displacement", std::vector<double>(9)}}, 4));
  EXPECT_IN(
      "has a number that is not finite in row 1",
      tables({{"points", corners}, {"cells", {0, 1, 2, 3}}, {"displacement", {1, 2, 3, 4, NAN, 6, 7, 8, 9, 0, 0, 0}}},
             4));
  EXPECT_IN("does not cover the grain: a node of it lies",
            tables({{"points", corners}, {"cells", {0, 1, 2, 3}}, {"displacement", some}}, 4));
  const auto grid = [&](const std::vector<Formula>& modes, std::map<std::string, std::vector<double>> more = {},
                        double reach = 4) {
    write_grid(file, {reach, reach, reach}, 1, modes, std::move(more));
    return refusal(shape, file);
  };
  EXPECT_IN("has 33 modes, a grain can have at most 32", grid(std::vector<Formula>(33, strain(0, 0))));
  EXPECT_IN("a node of it lies 2 m outside of a grid", grid({strain(0, 0)}, {}, 1).substr(0, 400));
  EXPECT_IN("are its frame and its --scale those of the grain?", grid({strain(0, 0)}, {}, 1));
  EXPECT_IN("its mode 0 is only a motion", grid({[](const Real3& x) { return Real3{1 - x[1], x[0], 5}; }}));
  EXPECT_IN("its modes are not independent", grid({strain(0, 0), strain(0, 0)}));
  EXPECT_IN("its dataset \"mass\" must have 1 numbers, has 4", grid({strain(0, 0)}, {{"mass", {1, 2, 3, 4}}}));
  EXPECT_IN("must be a symmetric matrix; entries 1 0 and 0 1 differ",
            grid({strain(0, 0), strain(1, 1)}, {{"stiffness", {1, 2, 3, 1}}}));
  EXPECT_IN("the stiffness of its modes is not positive",
            grid({strain(0, 0), strain(1, 1)}, {{"stiffness", {1, 2, 2, 1}}}));
  write_tables(file, {{"origin", {0, 0, 0}}, {"spacing", {0}}, {"size", {2, 2, 2}}, {"displacement", some}}, {});
  EXPECT_IN("its spacing must be > 0", refusal(shape, file));
  write_tables(file, {{"origin", {0, 0, 0}}, {"spacing", {1}}, {"size", {2, 2, 1}}, {"displacement", some}}, {});
  EXPECT_IN("its size must be three whole numbers from 2", refusal(shape, file));
  write_tables(file, {{"origin", {0, 0}}, {"spacing", {1}}, {"size", {2, 2, 2}}, {"displacement", some}}, {});
  EXPECT_IN("its dataset \"origin\" must have 3 numbers, has 2", refusal(shape, file));
  // Points that all coincide have no volume and no extent.
  EXPECT_IN("all lie at one place",
            tables({{"points", std::vector<double>(12, 1.0)}, {"cells", {0, 1, 2, 3}}, {"displacement", some}}, 4));
  EXPECT_IN("its dataset \"mass\" must be above 0 on the diagonal, is -1 for mode 0",
            grid({strain(0, 0)}, {{"mass", {-1}}}));
  // A mesh that is larger than the grain.
  write_mesh(file, test::box_of_hexahedra({5, 5, 5}, {2, 2, 2}), {strain(0, 0)});
  EXPECT_IN("is not the body of the grain", refusal(shape, file));
}

}  // namespace scree::modes::modes_given_faults_test
