#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "scree/values.hpp"

/// Patterns of spheres inside a sphere, which a sphere that breaks leaves in its place.
namespace scree::geometry {

/// Fragments inside a sphere of radius 1 about the origin. They do not overlap, and their centre of mass is the origin.
struct FragmentPattern {
  std::vector<Real3> centre;   ///< [n] [-]
  std::vector<double> radius;  ///< [n] [-] in descending order
  double volume = 0;           ///< [-] volume of all fragments over the volume of the sphere

  [[nodiscard]] double largest() const { return radius.front(); }
  [[nodiscard]] double smallest() const { return radius.back(); }
};

/// Whether a pattern with this number of fragments exists.
[[nodiscard]] bool has_pattern(std::uint64_t fragments);
/// All numbers of fragments that have a pattern, as text: "2, 4, 6, 8, 13, 14 or 33".
[[nodiscard]] std::string pattern_sizes_text();

/// The pattern with this number of fragments. Equal spheres at the corners of a regular polyhedron touch their
/// neighbours and the enclosing sphere. As in an Apollonian packing, some patterns add a sphere in each hole (between
/// the spheres of a face and the enclosing sphere) or one in the middle. The pattern of 8 is a tetrahedron with its
/// holes; 14 is an octahedron with its holes (Ciantia et al. 2015); 13 is an icosahedron with its middle; 33 is an
/// icosahedron with its middle and its holes. All radii are reduced by a millionth, so that rounding in an engine
/// causes no overlap. Throws ContractError if no pattern exists.
[[nodiscard]] FragmentPattern fragment_pattern(std::uint64_t fragments);

}  // namespace scree::geometry
