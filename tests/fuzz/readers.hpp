#pragma once

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <map>
#include <string>
#include <vector>

#include "file_readers.hpp"
#include "host/clumps/clump_file.hpp"
#include "host/commands/contact_path.hpp"
#include "host/geometry/mesh_io.hpp"
#include "host/geometry/volume_mesh.hpp"
#include "host/grains/voxel_image.hpp"
#include "host/packing/particle_file.hpp"
#include "host/scene/build_scene/flow_grid.hpp"
#include "host/scene/build_scene/time_table.hpp"
#include "scree/case_file.hpp"

/// The readers that get the inputs of the fuzz targets and of the test of their corpus.
namespace scree::fuzz {

/// Reads a case; after each zero byte comes a setting of the command line. If the case is accepted, it is written and
/// must be read again to the same text.
inline void read_case_text(const std::string& input) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin <= input.size();) {
    const std::size_t end = std::min(input.find('\0', begin), input.size());
    parts.push_back(input.substr(begin, end - begin));
    begin = end + 1;
  }
  const std::string text = parts.empty() ? "" : parts.front();
  if (!parts.empty()) { parts.erase(parts.begin()); }
  answer([&] {
    const std::filesystem::path nowhere = "/nowhere";
    const std::string once = write_case(parse_case(text, nowhere, parts));
    std::string twice = "not read again";
    try {
      twice = write_case(parse_case(once, nowhere));
    } catch (const CaseError& error) { std::cerr << error.what() << "\n" << once << std::endl; }
    expect(once == twice, "a case that was written does not read as itself");
  });
}

inline void weld_soup(const geometry::TriangleSoup& soup) {
  std::vector<std::string> warnings;
  const TriangleMesh mesh = geometry::weld(soup, "mesh", warnings);
  for (const auto& triangle : mesh.triangles) {
    for (const auto corner : triangle) { expect(corner < mesh.vertices.size(), "a corner that is no vertex"); }
  }
}
inline void read_stl(const std::string& input) {
  answer([&] { weld_soup(geometry::parse_stl(input, "mesh.stl")); });
}
inline void read_obj(const std::string& input) {
  answer([&] { weld_soup(geometry::parse_obj(input, "mesh.obj")); });
}

inline void read_ply(const std::string& input) {
  answer([&] { weld_soup(geometry::parse_ply(input, "mesh.ply")); });
}

inline void read_vtk_surface(const std::string& input) {
  answer([&] { weld_soup(geometry::parse_vtk_surface(input, "mesh.vtk")); });
}
inline void read_vtp(const std::string& input) {
  answer([&] { weld_soup(geometry::parse_vtp(input, "mesh.vtp")); });
}

inline void read_vtk(const std::string& input) {
  answer([&] {
    const auto [mesh, vectors] = geometry::parse_vtk(input, "mesh.vtk");
    for (const auto& cell : mesh.tetrahedra) {
      for (const auto corner : cell) { expect(corner < mesh.points.size(), "a corner that is no point"); }
    }
    for (const auto& cell : mesh.hexahedra) {
      for (const auto corner : cell) { expect(corner < mesh.points.size(), "a corner that is no point"); }
    }
    for (const auto& of : vectors) { expect(of.value.size() == mesh.points.size(), "a point without a vector"); }
  });
}

/// Reads the same bytes as a NRRD file and as the header of raw voxels. No other file is read.
inline void read_images(const std::string& input) {
  const auto check = [](const grains::VoxelImage& image) {
    expect(image.label.size() == std::size_t{image.size[0]} * image.size[1] * image.size[2], "a voxel without a label");
    for (const auto& [label, extent] : grains::labels_of(image)) {
      expect(label != 0 && extent.count > 0, "a label without voxels");
    }
  };
  answer([&] { check(grains::parse_nrrd(input, {}, "image.nrrd")); });
  answer([&] { check(grains::parse_raw_header(input, {}, "image.json")); });
}

inline void read_particles(const std::string& input) {
  answer([&] {
    const auto table = packing::parse_particles(input, "particles.csv");
    const std::size_t n = table.radius.size();
    expect(n > 0 && table.position.size() == n && table.line.size() == n, "columns of different lengths");
    for (const std::size_t size : {table.velocity.size(), table.angular_velocity.size()}) {
      expect(size == 0 || size == n, "columns of different lengths");
    }
  });
}

inline void read_flow(const std::string& input) {
  answer([&] {
    const FlowGrid grid = parse_flow_grid(input, "flow.csv");
    std::size_t n = 1;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      n *= grid.points[axis];
      expect(grid.points[axis] > 1 ? grid.spacing[axis] > 0 : grid.spacing[axis] == 0, "points without a distance");
    }
    expect(n > 0 && grid.velocity.size() == n, "a point of a flow without a velocity");
  });
}

/// Reads the same bytes as a table of times, as a clump and as the path of a contact.
inline void read_tables(const std::string& input) {
  answer([&] { expect_good_table(parse_time_table(input, "table.csv"), "table"); });
  answer([&] { expect(!clumps::parse_clump(input, "clump.csv").empty(), "a clump without a sphere"); });
  answer([&] { expect(parse_contact_path(input, "path.csv").size() > 1, "a path without a way"); });
}

using Reader = void (*)(const std::string& input);

/// The readers by the name of their target, which is also the name of their folder in tests/fuzz/corpus.
inline const std::map<std::string, Reader>& readers() {
  static const std::map<std::string, Reader> all = {{"case", read_case_text},
                                                    {"stl", read_stl},
                                                    {"obj", read_obj},
                                                    {"ply", read_ply},
                                                    {"vtk", read_vtk},
                                                    {"image", read_images},
                                                    {"vtk_surface", read_vtk_surface},
                                                    {"vtp", read_vtp},
                                                    {"grain", read_grain_file},
                                                    {"particles", read_particles},
                                                    {"flow", read_flow},
                                                    {"tables", read_tables},
                                                    {"checkpoint", read_checkpoint_file},
                                                    {"frame", read_frame_file},
                                                    {"continued", read_continued_output}};
  return all;
}

}  // namespace scree::fuzz
