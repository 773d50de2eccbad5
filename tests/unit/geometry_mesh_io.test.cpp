#include <gtest/gtest.h>

#include <cmath>

#include "case_errors.hpp"
#include "host/geometry/mesh_io.hpp"
#include "host/geometry/mesh_topology.hpp"
#include "host/geometry/real3.hpp"
#include "sample_meshes.hpp"
#include "scratch_folder.hpp"

namespace scree::geometry::geometry_mesh_io_test {

using test::error_of;
using test::sample_box;
using test::ScratchFolder;
using test::write_stl;

TriangleMesh read(const std::filesystem::path& file, double scale = 1, const Real3& translate = {}) {
  std::vector<std::string> warnings;
  return read_mesh(file, {.scale = scale, .translate = translate}, warnings);
}

const std::string one_facet =
    "solid a\n facet normal 0 0 1\n  outer loop\n   vertex 0 0 0\n   vertex 1 0 0\n"
    "   vertex 0 1e0 0\n  endloop\n endfacet\nendsolid a\n";

TEST(MeshIo, BinaryStlRoundTripKeepsTheMesh) {
  const ScratchFolder folder;
  const TriangleMesh box = sample_box({0, 0, 0}, {1, 2, 3});
  write_stl(folder.path() / "box.stl", box);
  const TriangleMesh back = read(folder.path() / "box.stl");
  EXPECT_EQ(back.vertices.size(), 8u);
  EXPECT_EQ(back.triangles.size(), 12u);
  EXPECT_TRUE(is_closed(back));
  EXPECT_DOUBLE_EQ(signed_volume(back), 6.0);
}

TEST(MeshIo, SurfacesAreScaledTurnedAndShifted) {
  const ScratchFolder folder;
  const auto file = folder.path() / "box.stl";
  write_stl(file, sample_box({0, 0, 0}, {1, 2, 3}));
  std::vector<std::string> warnings;
  const auto at = [&](const Turn& turn) {
    return read_mesh(file, {.scale = 2, .rotate = turn, .translate = {10, 0, 0}}, warnings);
  };
  constexpr double quarter = 1.5707963267948966;
  const TriangleMesh box = read(file), turned = at({{0, 0, 5}, quarter});
  ASSERT_EQ(box.vertices.size(), turned.vertices.size());
  for (std::size_t i = 0; i < box.vertices.size(); ++i) {  // x goes to y; one rounding of products below 6
    const Real3 &a = box.vertices[i], &b = turned.vertices[i];
    EXPECT_NEAR(b[0], 10 - 2 * a[1], 2e-15);
    EXPECT_NEAR(b[1], 2 * a[0], 1e-15);
    EXPECT_EQ(b[2], 2 * a[2]);
  }
  // A turn about the diagonal by a third exchanges the axes; any turn keeps volume and sense.
  const TriangleMesh third = at({{1, 1, 1}, 4 * quarter / 3});
  for (std::size_t i = 0; i < box.vertices.size(); ++i) {
    EXPECT_NEAR(third.vertices[i][1], 2 * box.vertices[i][0], 4e-15);
  }
  for (const double angle : {-6.0, -1.0, 0.3, 2.5, 5.5}) {
    const TriangleMesh any = at({{0.3, -1, 2}, angle});
    EXPECT_NEAR(signed_volume(any), 8 * 6.0, 1e-12);
    // seen from the tip of the axis, the turn has the cosine of the angle
    const Real3 axis = unit({0.3, -1, 2}), p = subtract(scaled(box.vertices[7], 2), {0, 0, 0});
    const Real3 q = subtract(any.vertices[7], {10, 0, 0});
    const Real3 u = along(p, -dot(p, axis), axis), v = along(q, -dot(q, axis), axis);
    EXPECT_NEAR(dot(u, v), std::cos(angle) * dot(u, u), 1e-13);
    EXPECT_NEAR(dot(cross(u, v), axis), std::sin(angle) * dot(u, u), 1e-13);
  }
}

TEST(MeshIo, BinaryStlThatStartsWithSolidIsBinary) {
  const ScratchFolder folder;
  const auto file = folder.path() / "box.stl";
  write_stl(file, sample_box({0, 0, 0}, {1, 1, 1}));
  std::string content = test::read_text(file);
  content.replace(0, 13, "solid exporte");
  test::write_text(file, content);
  EXPECT_EQ(read(file).triangles.size(), 12u);
  test::write_text(file, content.substr(0, content.size() - 20));
  EXPECT_IN("is truncated: its header says 12 triangles, which is 684 bytes, the file has 664",
            error_of([&] { read(file); }));
}

TEST(MeshIo, TextStlIsReadWithAnyCaseAndSeveralSolids) {
  const ScratchFolder folder;
  std::string upper = one_facet;
  for (char& c : upper) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  const std::string both = "\n" + one_facet + upper;
  EXPECT_EQ(parse_stl(both, "two.STL").triangles.size(), 2u);
  test::write_text(folder.path() / "two.STL", both);
  std::vector<std::string> warnings;
  const TriangleMesh mesh = read_mesh(folder.path() / "two.STL", {.scale = 2, .translate = {1, 0, 0}}, warnings);
  EXPECT_EQ(mesh.triangles.size(), 1u);
  ASSERT_EQ(mesh.vertices.size(), 3u);
  EXPECT_EQ(mesh.vertices[1], (Real3{3, 0, 0}));
  EXPECT_EQ(mesh.vertices[2], (Real3{1, 2, 0}));
  EXPECT_EQ(warnings.size(), 1u) << "both are the same triangle";
}

TEST(MeshIo, OnePartOfAFileIsRead) {
  const ScratchFolder folder;
  const auto part_of = [&](const std::string& file, const std::string& content, const std::string& part) {
    test::write_text(folder.path() / file, content);
    std::vector<std::string> warnings;
    const auto mesh = read_mesh(folder.path() / file, {.part = part}, warnings);
    double x = mesh.vertices.at(0)[0];
    for (const Real3& vertex : mesh.vertices) { x = std::min(x, vertex[0]); }
    return std::pair{mesh.triangles.size(), x};  // each facet of the files begins at an x of its own
  };
  using Part = std::pair<std::size_t, double>;
  const auto facet = [](int x) {
    const std::string at = "vertex " + std::to_string(x);
    return "facet normal 0 0 1\nouter loop\n" + at + " 0 0\nvertex 9 0 0\n" + at + " 1 0\nendloop\nendfacet\n";
  };
  const std::string stl = "solid drum\n" + facet(0) + "endsolid\nsolid left lifter\n" + facet(1) + "endsolid\nsolid\n" +
                          facet(2) + "endsolid\nsolid drum\n" + facet(3) + "endsolid\n";
  EXPECT_EQ(part_of("a.stl", stl, "drum"), (Part{2, 0}));
  EXPECT_EQ(part_of("a.stl", stl, "left lifter"), (Part{1, 1}));
  EXPECT_EQ(part_of("a.stl", stl, ""), (Part{1, 2}));
  EXPECT_IN("a.stl: has no part \"lifter\"; known are \"drum\", \"left lifter\", \"\"",
            error_of([&] { part_of("a.stl", stl, "lifter"); }));
  const std::string obj =
      "v 0 0 0\nv 1 0 0\nv 2 0 0\nv 0 9 0\nf 1 2 4\no a\nf 2 3 4\ng b c\nf 1 3 4\no a\nf 2 4 3\ng d\n";
  EXPECT_EQ(part_of("a.obj", obj, ""), (Part{1, 0}));
  EXPECT_EQ(part_of("a.obj", obj, "a"), (Part{2, 0}));
  EXPECT_EQ(part_of("a.obj", obj, "b c"), (Part{1, 0}));
  EXPECT_IN("has no triangle in its part \"d\"", error_of([&] { part_of("a.obj", obj, "d"); }));
  std::string many;
  for (int k = 0; k < 20; ++k) { many += "g group_" + std::to_string(k) + "\n"; }
  EXPECT_IN("has no part \"z\"; it has 21 others", error_of([&] { part_of("a.obj", obj.substr(0, 40) + many, "z"); }));
  EXPECT_IN("has no parts with names", error_of([&] { part_of("b.obj", obj.substr(0, 40), "a"); }));
}

TEST(MeshIo, FaultyTextStlNamesTheLine) {
  const auto error = [](const std::string& content) { return error_of([&] { (void)parse_stl(content, "f.stl"); }); };
  const auto with = [](const std::string& from, const std::string& to) {
    std::string content = one_facet;
    return content.replace(content.find(from), from.size(), to);
  };
  EXPECT_IN("f.stl: is empty", error(""));
  EXPECT_IN("f.stl: line 5: \"x\" is not a number", error(with("vertex 1 0 0", "vertex x 0 0")));
  EXPECT_IN("line 5: a vertex needs three numbers", error(with("vertex 1 0 0", "vertex 1 0")));
  EXPECT_IN("line 6: a facet needs three vertices, this one has 2", error(with("   vertex 1 0 0\n", "")));
  EXPECT_IN("line 7: \"vertex\" does not belong here",
            error(with("   vertex 1 0 0\n", "vertex 1 0 0\nvertex 1 0 0\n")));
  EXPECT_IN("is truncated: it ends at line 5 inside a facet",
            error(one_facet.substr(0, one_facet.find("   vertex 0 1e0"))));
  EXPECT_IN("is truncated", error(with("endsolid a\n", "")));
  EXPECT_IN("does not start with \"solid\"", error("ply\nformat ascii 1.0\n"));
}

TEST(MeshIo, SurfacesThatAreNoneAreRefused) {
  const ScratchFolder folder;
  const auto error = [&](const std::string& name, const std::string& content) {
    test::write_text(folder.path() / name, content);
    return error_of([&] { read(folder.path() / name); });
  };
  EXPECT_IN("holds no triangle", error("a.stl", "solid a\nendsolid a\n"));
  EXPECT_IN("holds no triangle", error("a.stl", std::string(84, '\0')));
  EXPECT_IN("holds no triangle", error("a.obj", "v 0 0 0\n"));
  EXPECT_IN("ends in .stl, .obj, .ply, .vtk or .vtp", error("a.off", "OFF\n"));
  EXPECT_IN("a.obj: line 4 (triangle 1): a coordinate is not finite",
            error("a.obj", "v 0 0 0\nv 1 0 0\nv 0 nan 0\nf 1 2 3\n"));
  EXPECT_IN("does not exist", error_of([&] { read(folder.path() / "absent.stl"); }));
  EXPECT_IN("scale must be > 0, got -1", error_of([&] { read(folder.path() / "a.stl", -1); }));
}

TEST(MeshIo, ObjPolygonsAreFannedInAllForms) {
  const TriangleSoup soup = parse_obj(
      "# a square, then a triangle\nmtllib x\nv 0 0 0\nv 1 0 0\nv 1 1 0 1.0\nv 0 1 0\nvn 0 0 1\nvt 0 0\n"
      "f 1/1/1 2//1 3/1 4\nv 5 5 5\nf -1 -2 -3\n",
      "f.obj");
  ASSERT_EQ(soup.triangles.size(), 3u);
  EXPECT_EQ(soup.triangles[1], (std::array<Real3, 3>{Real3{0, 0, 0}, Real3{1, 1, 0}, Real3{0, 1, 0}}));
  EXPECT_EQ(soup.triangles[2], (std::array<Real3, 3>{Real3{5, 5, 5}, Real3{0, 1, 0}, Real3{1, 1, 0}}));
}

// An arrow head: the fan around its first corner would cover the notch.
TEST(MeshIo, PolygonsThatAreNotConvexKeepTheirNotches) {
  const std::string corners = "v 0 0 0\nv 2 -1 0\nv 1 0 0\nv 2 1 0\n";
  for (const std::string face : {"f 1 2 3 4", "f 2 3 4 1", "f 3 4 1 2", "f 4 1 2 3"}) {
    const TriangleSoup soup = parse_obj(corners + face, "a.obj");
    ASSERT_EQ(soup.triangles.size(), 2u);
    double area = 0;
    for (const auto& [a, b, c] : soup.triangles) {
      const Real3 twice = cross(subtract(b, a), subtract(c, a));
      EXPECT_GT(twice[2], 0) << face;
      area += 0.5 * twice[2];
    }
    EXPECT_DOUBLE_EQ(area, 1) << face;
  }
  EXPECT_IN("line 5: the face crosses itself",
            error_of([&] { (void)parse_obj("v 0 0 0\nv 2 0 0\nv 0 1 0\nv 3 1 0\nf 1 2 3 4", "a.obj"); }));
}

TEST(MeshIo, AnObjMayBeginWithAByteOrderMark) {
  EXPECT_EQ(parse_obj("\xef\xbb\xbfv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3", "a.obj").triangles.size(), 1u);
}

TEST(MeshIo, ObjIndicesOutOfRangeNameTheLine) {
  const auto error = [](const std::string& face) {
    return error_of([&] { (void)parse_obj("v 0 0 0\nv 1 0 0\nv 0 1 0\n" + face + "\n", "f.obj"); });
  };
  EXPECT_IN("f.obj: line 4: vertex 4 does not exist; 3 vertices were read", error("f 1 2 4"));
  EXPECT_IN("vertex 0 does not exist", error("f 0 1 2"));
  EXPECT_IN("vertex -4 does not exist", error("f 1 2 -4"));
  EXPECT_IN("line 4: a face needs at least three vertices", error("f 1 2"));
  EXPECT_IN("line 4: \"a\" is not a vertex of a face", error("f a 1 2"));
}

TEST(Weld, CornersWithinRoundingBecomeOneVertex) {
  TriangleSoup soup;
  soup.triangles.push_back({Real3{0, 0, 0}, Real3{1, 0, 0}, Real3{0, 1, 0}});
  soup.triangles.push_back({Real3{1, 5e-10, 0}, Real3{1, 1, 0}, Real3{-5e-10, 1, 0}});
  soup.triangles.push_back({Real3{1, 3e-9, 0}, Real3{1, 1, 0}, Real3{0, 1, 1}});
  std::vector<std::string> warnings;
  const TriangleMesh mesh = weld(soup, "f", warnings);
  ASSERT_EQ(mesh.triangles.size(), 3u);
  EXPECT_EQ(mesh.triangles[1], (std::array<std::uint32_t, 3>{1, 3, 2}));
  EXPECT_EQ(mesh.triangles[2], (std::array<std::uint32_t, 3>{4, 3, 5}));  // too far away to be the same vertex
  EXPECT_EQ(mesh.vertices[1], (Real3{1, 0, 0}));                          // the first of the merged vertices remains
}

TEST(Weld, ManyVerticesKeepTheOrderInWhichTheyCome) {
  const TriangleMesh ring = test::sample_torus(2, 1, 80);
  TriangleSoup soup;
  for (const auto& corners : ring.triangles) {
    soup.triangles.push_back({});
    for (std::size_t k = 0; k < 3; ++k) {
      soup.triangles.back()[k] = ring.vertices[corners[k]];
      // Each corner has a place of its own, well within the tolerance of 6e-9.
      soup.triangles.back()[k][soup.triangles.size() % 3] += 4e-10;
    }
  }
  std::vector<std::string> warnings;
  const TriangleMesh mesh = weld(soup, "f", warnings);
  EXPECT_EQ(mesh.vertices.size(), ring.vertices.size());
  ASSERT_EQ(mesh.triangles.size(), ring.triangles.size());
  EXPECT_TRUE(is_closed(mesh));
  std::uint32_t next = 0;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    for (std::size_t k = 0; k < 3; ++k) {
      const std::uint32_t v = mesh.triangles[t][k];
      ASSERT_LE(v, next);
      if (v == next) { EXPECT_EQ(mesh.vertices[next++], soup.triangles[t][k]) << "the first one stays"; }
    }
  }
}

TEST(Weld, TrianglesWithoutAreaAreDropped) {
  TriangleSoup soup;
  soup.triangles.push_back({Real3{0, 0, 0}, Real3{1, 0, 0}, Real3{0, 1, 0}});
  soup.triangles.push_back({Real3{0, 0, 0}, Real3{1, 0, 0}, Real3{1, 0, 0}});
  std::vector<std::string> warnings;
  EXPECT_EQ(weld(soup, "f.stl", warnings).triangles.size(), 1u);
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_IN("f.stl: 1 triangle whose corners coincide was dropped", warnings[0]);
  soup.triangles.push_back({Real3{0, 0, 0}, Real3{0.5, 0, 0}, Real3{1, 0, 0}});
  warnings.clear();
  EXPECT_EQ(weld(soup, "f.stl", warnings).triangles.size(), 1u);
  ASSERT_EQ(warnings.size(), 2u);
  EXPECT_IN("f.stl: 1 triangle without area, whose corners lie on one line, was dropped", warnings[1]);
  soup.triangles.erase(soup.triangles.begin());
  EXPECT_IN("holds no triangle with an area", error_of([&] { (void)weld(soup, "f.stl", warnings); }));
}

TEST(Weld, ATriangleThatStandsTwiceIsDroppedAndItsOtherSideStays) {
  const Real3 a{0, 0, 0}, b{1, 0, 0}, c{0, 1, 0};
  TriangleSoup soup;
  soup.triangles = {{a, b, c}, {b, c, a}, {a, c, b}};
  std::vector<std::string> warnings;
  const TriangleMesh mesh = weld(soup, "f.stl", warnings);
  EXPECT_EQ(mesh.triangles, (std::vector<std::array<std::uint32_t, 3>>{{0, 1, 2}, {0, 2, 1}}));
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_IN("f.stl: 1 triangle listed twice was dropped", warnings[0]);
}

}  // namespace scree::geometry::geometry_mesh_io_test
