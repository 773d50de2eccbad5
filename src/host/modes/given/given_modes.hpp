#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "host/geometry/volume_mesh.hpp"

namespace scree::modes {

/// Where modes of a user are, and in which frame.
struct GivenChoice {
  std::filesystem::path file;  ///< legacy VTK if it ends in .vtk, else HDF5; empty: none
  double scale = 1;            ///< from lengths of the file to metres
  bool in_body_frame = false;  ///< else in the frame of the source of the template
};

/// Points of a regular grid along the axes of a file; x is fastest.
struct Lattice {
  Real3 origin{}, spacing{};
  std::array<std::uint32_t, 3> size{};
  [[nodiscard]] std::size_t points() const { return std::size_t{size[0]} * size[1] * size[2]; }
};

/// Modes as they stand in the file of a user: displacements at the points of a grid or of a mesh.
struct GivenModes {
  std::size_t count = 0;
  std::vector<std::string> name;        ///< [count] or empty
  std::optional<Lattice> lattice;       ///< nothing: the points are those of `mesh`
  geometry::VolumeMesh mesh;            ///< with solid cells, unless there is a lattice
  std::vector<Real3> displacement;      ///< [count * points] finite, mode after mode
  std::vector<double> mass, stiffness;  ///< [count * count] each, or empty: they are not given
};

/// Reads modes. Throws CaseError (path: the file) where something is missing, has a wrong size or is not finite, and
/// for more modes than most_modes.
[[nodiscard]] GivenModes read_given_modes(const std::filesystem::path& file);

}  // namespace scree::modes
