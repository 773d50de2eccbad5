#include <gtest/gtest.h>
#include <zlib.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <functional>
#include <sstream>

#include "case_errors.hpp"
#include "host/geometry/mesh_io.hpp"
#include "host/geometry/mesh_topology.hpp"
#include "host/geometry/polygon.hpp"
#include "host/geometry/real3.hpp"
#include "sample_meshes.hpp"
#include "scratch_folder.hpp"

/// Surfaces in legacy and XML files of VTK, against the same surface in an STL file. The files are written here byte by
/// byte, by the description of the formats.
namespace scree::geometry::vtk_surfaces_test {

using test::error_of;
using test::sample_box;
using test::ScratchFolder;
using test::write_stl;

using Cells = std::vector<std::vector<std::uint32_t>>;

struct Surface {
  std::vector<Real3> points;
  Cells polygons, strips;
};

/// A box of triangles, whose coordinates are exact in single precision.
Surface box_of_triangles() {
  const TriangleMesh box = sample_box({0, 0, 0}, {1, 2, 3.5});
  Surface surface{box.vertices, {}, {}};
  for (const auto& [a, b, c] : box.triangles) surface.polygons.push_back({a, b, c});
  return surface;
}

/// Two squares and four strips that close a cube.
Surface box_of_all() {
  Surface surface;
  for (const double z : {0.0, 1.0}) {
    for (const auto& [x, y] : std::vector<std::pair<double, double>>{{0, 0}, {1, 0}, {1, 1}, {0, 1}}) {
      surface.points.push_back({x, y, z});
    }
  }
  surface.polygons = {{0, 3, 2, 1}, {4, 5, 6, 7}};
  surface.strips = {{0, 1, 4, 5}, {1, 2, 5, 6}, {2, 3, 6, 7}, {3, 0, 7, 4}};
  return surface;
}

template <class T>
std::string bytes_of(T value, bool big) {
  std::string bytes(sizeof value, '\0');
  std::memcpy(bytes.data(), &value, sizeof value);
  if (big == (std::endian::native == std::endian::little)) std::reverse(bytes.begin(), bytes.end());
  return bytes;
}

std::string base64(const std::string& bytes) {
  const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t k = 0; k < bytes.size(); k += 3) {
    unsigned word = 0;
    for (std::size_t j = 0; j < 3; ++j) {
      word = word << 8U | (k + j < bytes.size() ? static_cast<unsigned char>(bytes[k + j]) : 0U);
    }
    for (unsigned j = 0; j < 4; ++j) text += k + j <= bytes.size() ? digits[word >> (18 - 6 * j) & 63U] : '=';
  }
  return text;
}

std::string legacy(const Surface& surface, bool binary, bool new_form) {
  std::ostringstream out;
  out << "# vtk DataFile Version " << (new_form ? "5.1" : "3.0") << "\na box\n"
      << (binary ? "BINARY" : "ASCII") << "\n";
  out << "DATASET POLYDATA\nPOINTS " << surface.points.size() << " double\n";
  const auto put = [&](auto value) { binary ? out << bytes_of(value, true) : out << value << ' '; };
  for (const Real3& point : surface.points) {
    for (const double x : point) put(x);
  }
  out << "\nMETADATA\nINFORMATION 0\n\n";
  const auto cells = [&](const char* name, const Cells& all) {
    if (all.empty()) return;
    std::size_t corners = 0;
    for (const auto& cell : all) corners += cell.size();
    if (new_form) {
      out << name << ' ' << all.size() + 1 << ' ' << corners << "\nOFFSETS vtktypeint64\n";
      std::int64_t end = 0;
      put(end);
      for (const auto& cell : all) put(end += static_cast<std::int64_t>(cell.size()));
      out << "\nCONNECTIVITY vtktypeint64\n";
      for (const auto& cell : all) {
        for (const std::uint32_t corner : cell) put(std::int64_t{corner});
      }
    } else {
      out << name << ' ' << all.size() << ' ' << corners + all.size() << '\n';
      for (const auto& cell : all) {
        put(static_cast<std::int32_t>(cell.size()));
        for (const std::uint32_t corner : cell) put(static_cast<std::int32_t>(corner));
      }
    }
    out << '\n';
  };
  cells("VERTICES", {{0}, {1}});
  cells("POLYGONS", surface.polygons);
  cells("TRIANGLE_STRIPS", surface.strips);
  out << "CELL_DATA " << surface.polygons.size() + surface.strips.size() + 2
      << "\nSCALARS part int 1\nLOOKUP_TABLE x\n";
  for (std::size_t k = 0; k < surface.polygons.size() + surface.strips.size() + 2; ++k) put(std::int32_t{7});
  out << '\n';
  return out.str();
}

/// How the arrays of an XML file are stored.
struct Storage {
  std::string format = "ascii";  ///< ascii, binary or appended
  std::string encoding = "raw";  ///< of appended data
  bool packed = false, big = false, wide = false;
};

std::string header_of(const Storage& how, std::uint64_t value) {
  return how.wide ? bytes_of(value, how.big) : bytes_of(static_cast<std::uint32_t>(value), how.big);
}

/// The bytes of an array with its header.
std::string stored(const Storage& how, const std::string& data, bool in_text) {
  if (!how.packed) {
    const std::string all = header_of(how, data.size()) + data;
    return in_text ? base64(all) : all;
  }
  constexpr std::size_t block = 64;  // small, so that there are several
  const std::size_t blocks = (data.size() + block - 1) / block;
  std::string head = header_of(how, blocks) + header_of(how, block) + header_of(how, data.size() % block), body;
  for (std::size_t k = 0; k < blocks; ++k) {
    const std::string part = data.substr(k * block, block);
    uLongf size = compressBound(static_cast<uLong>(part.size()));
    std::string packed(size, '\0');
    compress(reinterpret_cast<Bytef*>(packed.data()), &size, reinterpret_cast<const Bytef*>(part.data()),
             static_cast<uLong>(part.size()));
    head += header_of(how, size);
    body += packed.substr(0, size);
  }
  return in_text ? base64(head) + base64(body) : head + body;
}

std::string xml(const Surface& surface, const Storage& how) {
  std::ostringstream out;
  std::string appended;
  out << "<?xml version=\"1.0\"?>\n<!-- made <by> a test -->\n<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\""
      << (how.big ? "BigEndian" : "LittleEndian") << "\" header_type=\"" << (how.wide ? "UInt64" : "UInt32") << '"'
      << (how.packed ? " compressor=\"vtkZLibDataCompressor\"" : "") << ">\n <PolyData>\n  <Piece NumberOfPoints=\""
      << surface.points.size() << "\" NumberOfPolys=\"" << surface.polygons.size() << "\">\n";
  const auto array = [&](const std::string& label, const std::string& type, const auto& numbers, const char* more) {
    out << "<DataArray type=\"" << type << "\" Name=\"" << label << "\" " << more << " format=\"" << how.format << '"';
    std::string data;
    for (const auto number : numbers) data += bytes_of(number, how.big);
    if (how.format == "appended") {
      out << " offset=\"" << appended.size() << "\">\n<InformationKey name=\"k\"><Value index=\"0\">1</Value>"
          << "</InformationKey>\n</DataArray>\n";
      appended += stored(how, data, how.encoding == "base64");
      return;
    }
    out << ">\n";
    if (how.format == "ascii") {
      for (const auto number : numbers) out << number << '\n';
    } else {
      out << "  " << stored(how, data, true);
    }
    out << "\n</DataArray>\n";
  };
  std::vector<float> coordinates;
  for (const Real3& point : surface.points) {
    for (const double x : point) coordinates.push_back(static_cast<float>(x));
  }
  out << "<PointData><DataArray type=\"Float32\" Name=\"n\" format=\"ascii\"> 1 2 </DataArray></PointData>\n<Points>\n";
  array("Points", "Float32", coordinates, "NumberOfComponents=\"3\"");
  out << "</Points>\n";
  const auto cells = [&](const std::string& section, const Cells& all) {
    std::vector<std::int64_t> corners;
    std::vector<std::int32_t> ends;
    for (const auto& cell : all) {
      corners.insert(corners.end(), cell.begin(), cell.end());
      ends.push_back(static_cast<std::int32_t>(corners.size()));
    }
    out << '<' << section << ">\n";
    array("connectivity", "Int64", corners, "");
    array("offsets", "Int32", ends, "");
    out << "</" << section << ">\n";
  };
  cells("Verts", {});
  cells("Polys", surface.polygons);
  cells("Strips", surface.strips);
  out << "  </Piece>\n </PolyData>\n";
  if (how.format == "appended") {
    out << " <AppendedData encoding=\"" << how.encoding << "\">\n   _" << appended << "\n </AppendedData>\n";
  }
  out << "</VTKFile>\n";
  return out.str();
}

struct File {
  std::string name, content;
};
std::vector<File> all_forms(const Surface& surface) {
  std::vector<File> files;
  for (const bool binary : {false, true}) {
    for (const bool new_form : {false, true}) {
      const std::string name =
          std::string("legacy_") + (binary ? "binary" : "text") + (new_form ? "_5" : "_3") + ".vtk";
      files.push_back({name, legacy(surface, binary, new_form)});
    }
  }
  files.push_back({"text.vtp", xml(surface, {})});
  for (const bool packed : {false, true}) {
    for (const bool big : {false, true}) {
      const std::string end = std::string(packed ? "_packed" : "") + (big ? "_big" : "") + ".vtp";
      const Storage inside{"binary", "", packed, big, big}, raw{"appended", "raw", packed, big, !big};
      const Storage text{"appended", "base64", packed, big, big};
      files.push_back({"inline" + end, xml(surface, inside)});
      files.push_back({"raw" + end, xml(surface, raw)});
      files.push_back({"base64" + end, xml(surface, text)});
    }
  }
  return files;
}

TriangleMesh read(const std::filesystem::path& file) {
  std::vector<std::string> warnings;
  return read_mesh(file, {.scale = 0.5, .translate = {1, 0, 0}}, warnings);
}

TEST(VtkSurfaces, EveryFormGivesTheMeshOfTheStl) {
  const ScratchFolder folder;
  write_stl(folder / "box.stl", sample_box({0, 0, 0}, {1, 2, 3.5}));
  const TriangleMesh expected = read(folder / "box.stl");
  const std::vector<File> files = all_forms(box_of_triangles());
  EXPECT_EQ(files.size(), 17u);
  for (const auto& [name, content] : files) {
    SCOPED_TRACE(name);
    test::write_text(folder / name, content);
    const TriangleMesh mesh = read(folder / name);
    EXPECT_EQ(mesh.vertices, expected.vertices);
    EXPECT_EQ(mesh.triangles, expected.triangles);
  }
}

TEST(VtkSurfaces, PolygonsAndStripsCloseACube) {
  const ScratchFolder folder;
  for (const auto& [name, content] : all_forms(box_of_all())) {
    SCOPED_TRACE(name);
    test::write_text(folder / name, content);
    const TriangleMesh mesh = read(folder / name);
    EXPECT_EQ(mesh.triangles.size(), 12u);
    EXPECT_TRUE(is_closed(mesh));
    EXPECT_DOUBLE_EQ(signed_volume(mesh), 0.125);  // all faces outwards; the scale is one half
  }
}

TEST(VtkSurfaces, PiecesJoin) {
  const std::string one = xml(box_of_triangles(), {});
  const auto begin = one.find("<Piece"), end = one.find(" </PolyData>");
  const TriangleSoup soup = parse_vtp(one.substr(0, end) + one.substr(begin, end - begin) + one.substr(end), "two.vtp");
  EXPECT_EQ(soup.triangles.size(), 24u);
}

TEST(VtkSurfaces, BadFilesGetASentence) {
  const std::string text = legacy(box_of_triangles(), false, false), tree = xml(box_of_triangles(), {});
  const auto with = [](std::string content, const std::string& from, const std::string& to) {
    return content.replace(content.find(from), from.size(), to);
  };
  const auto of_vtk = [](const std::string& content) {
    return error_of([&] { (void)parse_vtk_surface(content, "a.vtk"); });
  };
  const auto of_vtp = [](const std::string& content) { return error_of([&] { (void)parse_vtp(content, "a.vtp"); }); };
  EXPECT_IN("a.vtk: is empty", of_vtk(""));
  EXPECT_IN("a.vtk: is no legacy VTK file", of_vtk("solid\n"));
  EXPECT_IN("a.vtk: is no POLYDATA", of_vtk(with(text, "POLYDATA", "UNSTRUCTURED_GRID")));
  EXPECT_IN("a.vtk: has a cell with the point 99, but only 8 points", of_vtk(with(text, "\n3 0 ", "\n3 99 ")));
  EXPECT_IN("a.vtk: has no polygons and no triangle strips", of_vtk(text.substr(0, text.find("POLYGONS"))));
  EXPECT_IN(
      "a.vtk: polygon 1: a polygon needs at least three corners",
      of_vtk(
          "# vtk DataFile Version 3.0\na\nASCII\nDATASET POLYDATA\nPOINTS 2 float\n0 0 0 1 0 0\nPOLYGONS 1 3\n2 0 1"));
  EXPECT_IN("a.vtk: polygon 1 crosses itself or has no area",
            of_vtk("# vtk DataFile Version 3.0\na\nASCII\nDATASET POLYDATA\nPOINTS 4 float\n0 0 0 1 0 0 2 0 0 3 0 0\n"
                   "POLYGONS 1 5\n4 0 1 2 3"));
  EXPECT_IN("a.vtp: is no VTK file in XML", of_vtp("<svg></svg>"));
  EXPECT_IN("a.vtp: holds the type \"ImageData\"; a surface is PolyData", of_vtp(with(tree, "PolyData", "ImageData")));
  EXPECT_IN("a.vtp: is compressed by \"vtkLZ4DataCompressor\"; only zlib is understood",
            of_vtp(with(xml(box_of_triangles(), {"binary", "", true}), "vtkZLib", "vtkLZ4")));
  EXPECT_IN("a.vtp: has \"no\" where a number should stand", of_vtp(with(tree, "3.5", "no")));
  EXPECT_IN("a.vtp: has points without three components", of_vtp(with(tree, "\"3\"", "\"2\"")));
  EXPECT_IN("a.vtp: is truncated: a tag does not end", of_vtp("<VTKFile type=\"PolyData\""));
}

/// A file that is cut off anywhere, or with a byte that was changed, is refused or read: nothing else.
TEST(VtkSurfaces, DamageIsAnsweredWithASentence) {
  for (const auto& [name, content] : all_forms(box_of_all())) {
    SCOPED_TRACE(name);
    const auto parse = name.ends_with(".vtk") ? parse_vtk_surface : parse_vtp;
    const auto answers = [&](const std::string& damaged) {
      try {
        std::vector<std::string> warnings;
        (void)weld(parse(damaged, name), name, warnings);
        return false;
      } catch (const CaseError&) { return true; }
    };
    // Without its last fifth a file lacks polygons, strips or data.
    for (std::size_t cut = 0; cut < content.size() * 4 / 5; cut += 7) answers(content.substr(0, cut));
    const auto strips = content.find("TRIANGLE_STRIPS"), polygons = content.find("POLYGONS");
    if (strips != std::string::npos) {
      EXPECT_TRUE(answers(content.substr(0, polygons + 20)));
    } else {
      EXPECT_TRUE(answers(content.substr(0, content.size() / 2)));
    }
    for (std::size_t at = 0; at < content.size(); at += 5) {
      std::string damaged = content;
      damaged[at] = static_cast<char>(damaged[at] ^ 0x15);
      answers(damaged);
    }
  }
}

TEST(VtkSurfaces, PolygonsThatAreNotConvexKeepTheirArea) {
  // A comb and a spiral, in a plane that is no plane of the axes.
  const std::vector<std::vector<std::pair<double, double>>> outlines = {
      {{0, 0}, {5, 0}, {5, 3}, {4, 3}, {4, 1}, {3, 1}, {3, 3}, {2, 3}, {2, 1}, {1, 1}, {1, 3}, {0, 3}},
      {{0, 0}, {6, 0}, {6, 6}, {2, 6}, {2, 3}, {3, 3}, {3, 5}, {5, 5}, {5, 1}, {1, 1}, {1, 6}, {0, 6}}};
  const Real3 u = unit({1, 2, 2}), v = unit(cross(u, {0, 0, 1}));
  for (std::size_t k = 0; k < outlines.size(); ++k) {
    std::vector<Real3> corners;
    double shoelace = 0;
    for (std::size_t j = 0; j < outlines[k].size(); ++j) {
      const auto& [x, y] = outlines[k][j];
      const auto& [next_x, next_y] = outlines[k][(j + 1) % outlines[k].size()];
      shoelace += 0.5 * (x * next_y - next_x * y);
      corners.push_back(along(scaled(u, x), y, v));
    }
    const auto triangles = triangles_of(corners);
    ASSERT_TRUE(triangles.has_value());
    EXPECT_EQ(triangles->size(), corners.size() - 2);
    const Real3 normal = cross(u, v);
    double sum = 0;
    for (const auto& [a, b, c] : *triangles) {
      const double area = 0.5 * dot(cross(subtract(corners[b], corners[a]), subtract(corners[c], corners[a])), normal);
      EXPECT_GT(area, 0);
      sum += area;
    }
    EXPECT_NEAR(sum, shoelace, 1e-12 * shoelace);
  }
}

}  // namespace scree::geometry::vtk_surfaces_test
