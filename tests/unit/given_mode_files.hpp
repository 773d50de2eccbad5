#pragma once

#include <cmath>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "host/geometry/volume_mesh.hpp"
#include "host/grains/grain_source.hpp"
#include "host/modes/make_modes.hpp"
#include "host/output/hdf5_file.hpp"

/// Files of modes on grids and on meshes, for tests of those that read them.
namespace scree::modes {

/// A displacement at each place.
using Formula = std::function<Real3(const Real3&)>;

inline GrainShape made(const grains::Solid& solid, double spacing) {
  return grains::make_grain(solid, {spacing, 0.9}, "grain").shape;
}

inline void write_tables(const std::filesystem::path& file, const std::map<std::string, std::vector<double>>& tables,
                         const std::map<std::string, std::size_t>& columns) {
  Hdf5File out(file);
  for (const auto& [name, numbers] : tables) {
    const auto of = columns.find(name);
    out.add_dataset("/" + name, numbers, of == columns.end() ? 1 : of->second, ElementType::float64);
  }
  out.save();
}

inline std::vector<double> flat(const std::vector<Real3>& rows) {
  std::vector<double> all;
  for (const Real3& row : rows) all.insert(all.end(), row.begin(), row.end());
  return all;
}

inline std::vector<Real3> values(const std::vector<Formula>& modes, const std::vector<Real3>& points) {
  std::vector<Real3> all;
  for (const Formula& mode : modes) {
    for (const Real3& point : points) all.push_back(mode(point));
  }
  return all;
}

inline void write_mesh(const std::filesystem::path& file, const geometry::VolumeMesh& mesh,
                       const std::vector<Formula>& modes) {
  std::vector<double> cells;
  for (const auto& cell : mesh.tetrahedra) cells.insert(cells.end(), cell.begin(), cell.end());
  for (const auto& cell : mesh.hexahedra) cells.insert(cells.end(), cell.begin(), cell.end());
  write_tables(file,
               {{"points", flat(mesh.points)}, {"cells", cells}, {"displacement", flat(values(modes, mesh.points))}},
               {{"points", 3}, {"cells", mesh.hexahedra.empty() ? 4 : 8}, {"displacement", 3}});
}

/// A grid from -reach to reach.
inline void write_grid(const std::filesystem::path& file, const Real3& reach, double spacing,
                       const std::vector<Formula>& modes, std::map<std::string, std::vector<double>> more = {}) {
  std::vector<Real3> points;
  Real3 size{};
  for (std::size_t axis = 0; axis < 3; ++axis) size[axis] = 2 * std::ceil(reach[axis] / spacing) + 1;
  const Real3 origin = {-0.5 * (size[0] - 1) * spacing, -0.5 * (size[1] - 1) * spacing, -0.5 * (size[2] - 1) * spacing};
  for (double k = 0; k < size[2]; ++k) {
    for (double j = 0; j < size[1]; ++j) {
      for (double i = 0; i < size[0]; ++i) {
        points.push_back({origin[0] + spacing * i, origin[1] + spacing * j, origin[2] + spacing * k});
      }
    }
  }
  more["origin"] = {origin[0], origin[1], origin[2]};
  more["spacing"] = {spacing};
  more["size"] = {size[0], size[1], size[2]};
  more["displacement"] = flat(values(modes, points));
  write_tables(file, more, {{"displacement", 3}, {"mass", modes.size()}, {"stiffness", modes.size()}});
}

inline GrainModes modes_from(const GrainShape& shape, const std::filesystem::path& file, double poisson_ratio = 0.3,
                             double scale = 1, bool in_body_frame = false) {
  ModesChoice choice;
  choice.given = {file, scale, in_body_frame};
  choice.poisson_ratio = poisson_ratio;
  return make_modes(shape, choice, [](const std::string&) {}).modes;
}

inline Formula strain(std::size_t i, std::size_t j) {
  return [i, j](const Real3& x) {
    Real3 u{};
    u[i] += x[j];
    if (i != j) u[j] += x[i];
    return u;
  };
}

}  // namespace scree::modes
