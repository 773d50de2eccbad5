#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "case_errors.hpp"
#include "host/geometry/volume_mesh.hpp"
#include "scree/errors.hpp"

// Legacy VTK files of unstructured grids, as the libraries VTK and meshio write them.
namespace scree::geometry::vtk_meshes_test {

const std::string points = "POINTS 5 double\n0 0 0 1 0 0 0 1 0 0 0 1 1 1 1\n";
const std::string vectors = "VECTORS first double\n1 2 3 4 5 6 7 8 9 10 11 12 13 14 15\n";

std::string text_file(const std::string& body, const std::string& version = "3.0") {
  return "# vtk DataFile Version " + version + "\ntitle\nASCII\nDATASET UNSTRUCTURED_GRID\n" + body;
}

VolumeMeshFile parse(const std::string& content) { return parse_vtk(content, "a.vtk"); }

std::string refusal(const std::string& content) {
  try {
    static_cast<void>(parse(content));
    return "it was read";
  } catch (const CaseError& error) { return error.what(); }
}

template <class Number>
std::string big_endian(const std::vector<Number>& numbers) {
  std::string bytes;
  for (const Number number : numbers) {
    std::array<char, sizeof number> own{};
    std::memcpy(own.data(), &number, sizeof number);
    bytes.append(own.rbegin(), own.rend());
  }
  return bytes + "\n";
}

void expect_two_tetrahedra(const VolumeMeshFile& file) {
  ASSERT_EQ(file.mesh.points.size(), 5U);
  EXPECT_EQ(file.mesh.points[4], (Real3{1, 1, 1}));
  const std::vector<std::array<std::uint32_t, 4>> cells = {{0, 1, 2, 3}, {1, 2, 3, 4}};
  EXPECT_EQ(file.mesh.tetrahedra, cells);
  EXPECT_TRUE(file.mesh.hexahedra.empty());
  EXPECT_EQ(file.mesh.left_out, 1U);
  ASSERT_EQ(file.vectors.size(), 2U);
  EXPECT_EQ(file.vectors[0].name, "first");
  EXPECT_EQ(file.vectors[0].value[1], (Real3{4, 5, 6}));
  EXPECT_EQ(file.vectors[1].name, "second");
  EXPECT_EQ(file.vectors[1].value[4], (Real3{-0.5, 0.25, 2}));
}

// Of the data, all that has three components at the points is taken, and all else is passed over.
const std::string data_as_text =
    "CELL_DATA 3\nVECTORS of_cells float\n0 0 0 0 0 0 0 0 0\n"
    "POINT_DATA 5\nSCALARS heat float 1\nLOOKUP_TABLE default\n1 2 3 4 5\n" +
    vectors +
    "METADATA\nINFORMATION 0\n\nNORMALS n float\n0 0 1 0 0 1 0 0 1 0 0 1 0 0 1\n"
    "FIELD FieldData 2\nnumber 1 5 vtktypeint64\n0 1 2 3 4\nMETADATA\nINFORMATION 0\n\n"
    "second 3 5 float\n0 0 0 0 0 0 0 0 0 0 0 0 -0.5 0.25 2\n";

TEST(VtkMeshes, OfTextAreRead) {
  expect_two_tetrahedra(
      parse(text_file("FIELD FieldData 1\nTIME 1 1 double\n0.5\n" + points +
                      "CELLS 3 14\n4 0 1 2 3\n3 0 1 2\n4 1 2 3 4\nCELL_TYPES 3\n10 5 10\n" + data_as_text)));
  expect_two_tetrahedra(parse(text_file(points +
                                            "CELLS 4 11\nOFFSETS vtktypeint64\n0 4 7 11\nCONNECTIVITY vtktypeint64\n"
                                            "0 1 2 3 0 1 2 1 2 3 4\nCELL_TYPES 3\n10\n5\n10\n" +
                                            data_as_text,
                                        "5.1")));
}

TEST(VtkMeshes, OfBytesAreRead) {
  const std::string start = "# vtk DataFile Version ", head = "\ntitle\nBINARY\nDATASET UNSTRUCTURED_GRID\n";
  const std::string places = "POINTS 5 float\n" + big_endian<float>({0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 1});
  const std::string data = "POINT_DATA 5\nVECTORS first double\n" +
                           big_endian<double>({1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}) +
                           "SCALARS heat short 1\nLOOKUP_TABLE default\n" + big_endian<std::int16_t>({-1, 2, 3, 4, 5}) +
                           "FIELD FieldData 1\nsecond 3 5 float\n" +
                           big_endian<float>({0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -0.5F, 0.25F, 2});
  const std::string types = "CELL_TYPES 3\n" + big_endian<std::int32_t>({10, 5, 10});
  expect_two_tetrahedra(parse(start + "2.0" + head + places + "CELLS 3 14\n" +
                              big_endian<std::int32_t>({4, 0, 1, 2, 3, 3, 0, 1, 2, 4, 1, 2, 3, 4}) + types + data));
  expect_two_tetrahedra(parse(start + "5.1" + head + places + "CELLS 4 11\nOFFSETS vtktypeint64\n" +
                              big_endian<std::int64_t>({0, 4, 7, 11}) + "CONNECTIVITY vtktypeint64\n" +
                              big_endian<std::int64_t>({0, 1, 2, 3, 0, 1, 2, 1, 2, 3, 4}) + types + data));
}

double six_volumes(const VolumeMesh& mesh, const std::array<std::uint32_t, 4>& cell) {
  const auto edge = [&](std::size_t k, std::size_t axis) {
    return mesh.points[cell[k]][axis] - mesh.points[cell[0]][axis];
  };
  double sum = 0;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const std::size_t next = (axis + 1) % 3, last = (axis + 2) % 3;
    sum += edge(1, axis) * (edge(2, next) * edge(3, last) - edge(2, last) * edge(3, next));
  }
  return sum;
}

TEST(VtkMeshes, CellsOfOtherShapesBecomeTetrahedraAndHexahedra) {
  VolumeMesh mesh;
  mesh.points = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};
  const auto volume_of = [&](std::uint64_t type, const std::vector<std::uint64_t>& corners) {
    mesh.tetrahedra.clear();
    mesh.add_cell(type, corners);
    double sum = 0;
    for (const auto& cell : mesh.tetrahedra) {
      EXPECT_GT(std::fabs(six_volumes(mesh, cell)), 0);
      sum += std::fabs(six_volumes(mesh, cell)) / 6;
    }
    return sum;
  };
  EXPECT_DOUBLE_EQ(volume_of(13, {0, 1, 3, 4, 5, 7}), 0.5);     // a wedge
  EXPECT_DOUBLE_EQ(volume_of(14, {0, 1, 2, 3, 4}), 1.0 / 3.0);  // a pyramid
  mesh.points = {{0, 0, 0}, {2, 0, 0}, {0, 2, 0}, {0, 0, 2}, {1, 0, 0},
                 {1, 1, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {0, 1, 1}};
  EXPECT_DOUBLE_EQ(volume_of(24, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}), 8.0 / 6.0);  // a quadratic tetrahedron
  EXPECT_EQ(mesh.tetrahedra.size(), 8U);
  const std::array<std::uint32_t, 8> cube = {0, 1, 2, 3, 4, 5, 6, 7};
  mesh.add_cell(12, std::vector<std::uint64_t>{0, 1, 2, 3, 4, 5, 6, 7});
  mesh.add_cell(11, std::vector<std::uint64_t>{0, 1, 3, 2, 4, 5, 7, 6});  // a voxel
  EXPECT_EQ(mesh.hexahedra[0], cube);
  EXPECT_EQ(mesh.hexahedra[1], cube);
}

TEST(VtkMeshes, WrongOnesAreRefusedWithASentence) {
  const std::string cells = "CELLS 1 5\n4 0 1 2 3\nCELL_TYPES 1\n10\n";
  EXPECT_IN("is no legacy VTK file", refusal("<VTKFile>"));
  EXPECT_IN("is no legacy VTK file", refusal(""));
  EXPECT_IN("is no UNSTRUCTURED_GRID", refusal("# vtk DataFile Version 3.0\nt\nASCII\nDATASET POLYDATA\n"));
  EXPECT_IN("neither ASCII nor BINARY", refusal("# vtk DataFile Version 3.0\nt\nDATASET\n"));
  EXPECT_IN("is truncated: it should hold 99999999 rows", refusal(text_file("POINTS 99999999 double\n0 0 0")));
  EXPECT_IN("has \"\" where a number should stand", refusal(text_file("POINTS 2 double\n0.000 0.000 0.000")));
  EXPECT_IN("has \"x\" where a number should stand", refusal(text_file("POINTS 1 double\n0 x 0")));
  EXPECT_IN("has \"-1\" where a number of values should stand", refusal(text_file("POINTS -1 double\n")));
  EXPECT_IN("of the type \"string\"", refusal(text_file("POINTS 1 string\n")));
  EXPECT_IN("has a section \"blob\"", refusal(text_file("BLOB 1\n")));
  EXPECT_IN("has a cell with point 9", refusal(text_file(points + "CELLS 1 5\n4 0 1 2 9\nCELL_TYPES 1\n10\n")));
  EXPECT_IN("has a cell with a point that does not exist",
            refusal(text_file(points + "CELLS 1 5\n4 0 1 2 -1\nCELL_TYPES 1\n10\n")));
  EXPECT_IN("a cell of type 12 with 4 points; cells of this type need 8",
            refusal(text_file(points + "CELLS 1 5\n4 0 1 2 3\nCELL_TYPES 1\n12\n")));
  EXPECT_IN("has cells of type 41", refusal(text_file(points + "CELLS 1 5\n4 0 1 2 3\nCELL_TYPES 1\n41\n")));
  EXPECT_IN("has cells of type -3, which is not known",
            refusal(text_file(points + "CELLS 1 5\n4 0 1 2 3\nCELL_TYPES 1\n-3\n")));
  EXPECT_IN("has cells of type 10.5, which is not known",
            refusal(text_file(points + "CELLS 1 5\n4 0 1 2 3\nCELL_TYPES 1\n10.5\n")));
  EXPECT_IN("has a cell whose points are not all there",
            refusal(text_file(points + "CELLS 1 5\n9 0 1 2 3\nCELL_TYPES 1\n10\n")));
  EXPECT_IN("has different numbers of CELLS and of CELL_TYPES",
            refusal(text_file(points + "CELLS 1 5\n4 0 1 2 3\nCELL_TYPES 2\n10 10\n")));
  EXPECT_IN("has different numbers of CELLS and of CELL_TYPES",
            refusal(text_file(points + "CELLS 2 10\n4 0 1 2 3 4 1 2 3 4\nCELL_TYPES 1\n10\n")));
  EXPECT_IN("has a cell with a point that does not exist",
            refusal(text_file(points + "CELLS 1 5\n4 0 1 2 2.5\nCELL_TYPES 1\n10\n")));
  EXPECT_IN("has 5 points, but 1 vectors \"u\"",
            refusal(text_file(points + cells + "POINT_DATA 1\nVECTORS u float\n1 2 3\n")));
}

}  // namespace scree::geometry::vtk_meshes_test
