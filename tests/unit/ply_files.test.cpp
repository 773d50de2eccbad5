#include <gtest/gtest.h>

#include <bit>
#include <cstdint>

#include "case_errors.hpp"
#include "host/geometry/mesh_io.hpp"
#include "host/geometry/mesh_topology.hpp"
#include "host/geometry/real3.hpp"
#include "sample_meshes.hpp"
#include "scratch_folder.hpp"

namespace scree::geometry::ply_files_test {

using test::error_of;

std::string header(const std::string& format, const std::string& more = "") {
  return "ply\nformat " + format + " 1.0\ncomment by hand\nelement vertex 8\nproperty float x\nproperty double y\n" +
         more + "property float z\nelement face 6\nproperty list uchar int vertex_indices\nend_header\n";
}

/// A box of 1 x 2 x 3 as six faces of four corners.
const std::vector<std::array<std::uint32_t, 4>> sides = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4},
                                                         {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};

std::array<double, 3> corner(unsigned n) { return {n & 1U ? 1.0 : 0.0, n & 2U ? 2.0 : 0.0, n & 4U ? 3.0 : 0.0}; }

std::string text_box() {
  std::string text = header("ascii", "property uchar red\n");
  for (unsigned n = 0; n < 8; ++n) {
    const auto [x, y, z] = corner(n);
    text += std::to_string(x) + " " + std::to_string(y) + " 200 " + std::to_string(z) + "\n";
  }
  for (const auto& [a, b, c, d] : sides) {
    text +=
        "4 " + std::to_string(a) + " " + std::to_string(b) + " " + std::to_string(c) + " " + std::to_string(d) + "\n";
  }
  return text;
}

std::string binary_box(bool big_endian) {
  std::string text = header(big_endian ? "binary_big_endian" : "binary_little_endian");
  const auto put = [&](std::uint64_t bits, int bytes) {
    for (int k = 0; k < bytes; ++k) {
      text.push_back(static_cast<char>(bits >> (8 * (big_endian ? bytes - 1 - k : k)) & 0xffU));
    }
  };
  for (unsigned n = 0; n < 8; ++n) {
    const auto [x, y, z] = corner(n);
    put(std::bit_cast<std::uint32_t>(static_cast<float>(x)), 4);
    put(std::bit_cast<std::uint64_t>(y), 8);
    put(std::bit_cast<std::uint32_t>(static_cast<float>(z)), 4);
  }
  for (const auto& side : sides) {
    put(4, 1);
    for (const auto v : side) put(v, 4);
  }
  return text;
}

TEST(PlyFiles, TextAndBothKindsOfBytesGiveTheSameMesh) {
  for (const std::string& content : {text_box(), binary_box(false), binary_box(true)}) {
    std::vector<std::string> warnings;
    const TriangleMesh mesh = weld(parse_ply(content, "box.ply"), "box.ply", warnings);
    EXPECT_EQ(mesh.triangles.size(), 12u);
    EXPECT_TRUE(is_closed(mesh));
    EXPECT_DOUBLE_EQ(signed_volume(mesh), 6);
  }
}

TEST(PlyFiles, PolygonsThatAreNotConvexKeepTheirNotches) {
  const TriangleSoup soup = parse_ply(
      "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\n"
      "element face 1\nproperty list uchar int vertex_indices\nend_header\n"
      "0 0 0\n2 -1 0\n1 0 0\n2 1 0\n4 1 2 3 0\n",
      "a.ply");
  ASSERT_EQ(soup.triangles.size(), 2u);
  for (const auto& [a, b, c] : soup.triangles) { EXPECT_GT(cross(subtract(b, a), subtract(c, a))[2], 0); }
}

TEST(PlyFiles, AreReadByTheirExtension) {
  const test::ScratchFolder folder;
  test::write_text(folder / "box.PLY", binary_box(true));
  std::vector<std::string> warnings;
  EXPECT_DOUBLE_EQ(signed_volume(read_mesh(folder / "box.PLY", {.scale = 2, .translate = {1, 1, 1}}, warnings)), 48);
}

TEST(PlyFiles, FaultsAreNamed) {
  const auto error = [](const std::string& content) { return error_of([&] { (void)parse_ply(content, "a.ply"); }); };
  const auto with = [](const std::string& from, const std::string& to) {
    std::string content = text_box();
    return content.replace(content.find(from), from.size(), to);
  };
  EXPECT_IN("a.ply: is empty", error(""));
  EXPECT_IN("a.ply: is no PLY file: it does not start with a line \"ply\"", error("solid\n"));
  EXPECT_IN("a.ply: is truncated: its header has no \"end_header\"", error("ply\nformat ascii 1.0\n"));
  EXPECT_IN("a.ply: is no PLY file: its header has no \"format\"", error("ply\nend_header\n"));
  EXPECT_IN("a.ply: line 2: \"format\" is not understood", error(with("format ascii", "format utf8")));
  EXPECT_IN("a.ply: line 4: \"-8\" is not a number of rows", error(with("element vertex 8", "element vertex -8")));
  EXPECT_IN("a.ply: line 5: \"property\" is not understood", error(with("property float x", "property real x")));
  EXPECT_IN("a.ply: is truncated: its header says 99999999999 rows of \"vertex\"",
            error(with("element vertex 8", "element vertex 99999999999")));
  EXPECT_IN("a.ply: face 1: a vertex does not exist; 8 vertices stand before the faces",
            error(with("4 0 2 3 1", "4 0 2 8 1")));
  EXPECT_IN("a.ply: face 1: a face needs at least three vertices", error(with("4 0 2 3 1", "2 0 2")));
  EXPECT_IN("a.ply: \"x3\" is not a number", error(with("4 0 2 3 1", "4 0 2 x3 1")));
  EXPECT_IN("a.ply: is truncated", error(text_box().substr(0, text_box().size() - 4)));
  EXPECT_IN("a.ply: is truncated", error(binary_box(false).substr(0, 300)));
}

}  // namespace scree::geometry::ply_files_test
