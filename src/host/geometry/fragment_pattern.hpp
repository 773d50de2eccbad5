#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "scree/values.hpp"

/// Spheres that break: into what, when, and how strong they are.
namespace scree::breakage {

/// Spheres inside a sphere of radius 1 about the origin. They do not overlap, and their centre of mass is the origin.
struct FragmentPattern {
  std::vector<Real3> centre;   ///< [n] [-]
  std::vector<double> radius;  ///< [n] [-] in descending order
  double volume = 0;           ///< [-] of all fragments, over that of the sphere

  [[nodiscard]] double largest() const { return radius.front(); }
  [[nodiscard]] double smallest() const { return radius.back(); }
};

/// Whether there is a pattern of so many fragments.
[[nodiscard]] bool has_pattern(std::uint64_t fragments);
/// "2, 4, 6 or 8", with all numbers of fragments.
[[nodiscard]] std::string pattern_sizes_text();

/// The pattern of so many fragments. Equal spheres at the corners of a regular polyhedron touch their neighbours and
/// the sphere around them. Some patterns also have a sphere in each hole between the spheres of a face and the sphere
/// around them, and one in the middle, as an Apollonian packing has them: 8 are a tetrahedron with its holes; 14 an
/// octahedron with its holes, the pattern of Ciantia et al. (2015); 13 an icosahedron with its middle; 33 an
/// icosahedron with its middle and its holes. All radii are a millionth smaller, so that rounding in an engine makes no
/// overlap. Throws ContractError without a pattern.
[[nodiscard]] FragmentPattern fragment_pattern(std::uint64_t fragments);

}  // namespace scree::breakage
