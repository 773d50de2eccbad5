#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "scree/grain_modes.hpp"
#include "scree/values.hpp"

namespace scree {

/// A grain of any shape as a level set on a regular grid and as nodes on its surface. All grains of one shape
/// share it, and each one scales it. Body frame: the principal axes, origin at the centre of mass. All lengths in the
/// units of the template, which are metres for a grain of size 1.
struct GrainShape {
  std::string name;

  Real3 origin{};                       ///< [m] place of the grid point (0, 0, 0)
  std::array<std::uint32_t, 3> size{};  ///< grid points along x, y, z
  double spacing = 0;                   ///< [m] between grid points, the same along all axes
  /// [size[0] * size[1] * size[2]] [m] at the point (i, j, k): phi[(k * size[1] + j) * size[0] + i], so x is fastest.
  /// Negative inside. It is the signed distance minus the bias of its trilinear interpolation (interpolation_bias). At
  /// least the two outermost layers of points lie outside of the grain.
  std::vector<float> phi;

  std::vector<Real3> node;         ///< [n_nodes] [m] points on the surface
  std::vector<Real3> node_normal;  ///< [n_nodes] unit vectors outwards; at edges and corners a mean
  std::vector<double> node_area;   ///< [n_nodes] [m2] part of the surface that each node represents

  /// [n_triangles] indices of nodes, counter-clockwise seen from outside: the surface for pictures.
  std::vector<std::array<std::uint32_t, 3>> triangle;

  double volume = 0;             ///< [m3] the mass over the density
  Real3 inertia{};               ///< [m5] moments of inertia about the axes over the density, I1 <= I2 <= I3
  double bounding_radius = 0;    ///< [m] of a ball about the centre of mass with all nodes and all points with phi < 0
  double equivalent_radius = 0;  ///< [m] of the sphere of the same volume

  GrainModes modes;  ///< how it deforms; none: it is rigid

  Real3 center{};                        ///< [m] centre of mass in the frame of the source
  QuaternionWxyz to_source{1, 0, 0, 0};  ///< turns components in the body frame into those in the frame of the source
  std::string hash;                      ///< 32 hexadecimal digits: of all numbers above, not of the name

  [[nodiscard]] std::size_t points() const { return std::size_t{size[0]} * size[1] * size[2]; }
  bool operator==(const GrainShape&) const = default;
};

}  // namespace scree
