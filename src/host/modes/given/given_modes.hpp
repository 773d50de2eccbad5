#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "host/geometry/volume_mesh.hpp"

namespace scree::modes {

/// The file with modes of a user, and its frame.
struct GivenChoice {
  std::filesystem::path file;  ///< legacy VTK if it ends in .vtk, otherwise HDF5; empty: no file
  double scale = 1;            ///< factor from lengths of the file to metres
  bool in_body_frame = false;  ///< false: the frame is that of the source of the template
};

/// A regular grid of points in the frame of a file; x varies fastest.
struct Lattice {
  Real3 origin{}, spacing{};
  std::array<std::uint32_t, 3> size{};
  [[nodiscard]] std::size_t points() const { return std::size_t{size[0]} * size[1] * size[2]; }
};

/// The modes in the file of a user: displacements at the points of a grid or of a mesh.
struct GivenModes {
  std::size_t count = 0;
  std::vector<std::string> name;        ///< [count] or empty
  std::optional<Lattice> lattice;       ///< none: the points are those of `mesh`
  geometry::VolumeMesh mesh;            ///< has solid cells unless there is a lattice
  std::vector<Real3> displacement;      ///< [count * n_points] finite, mode after mode
  std::vector<double> mass, stiffness;  ///< [count * count] each; empty if the file does not have them
};

/// Reads modes from a file. Throws CaseError (path: the file) if data are missing, have a wrong size or are not finite,
/// or if there are more than most_modes.
[[nodiscard]] GivenModes read_given_modes(const std::filesystem::path& file);

}  // namespace scree::modes
