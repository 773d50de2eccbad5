#pragma once

#include <cstdint>
#include <vector>

#include "scree/scene.hpp"

namespace scree::grains {

/// Finds nearest points and winding numbers of the triangles of a mesh, with a tree of boxes. Keeps a reference to the
/// mesh.
class TriangleTree {
 public:
  explicit TriangleTree(const TriangleMesh& mesh);

  struct Nearest {
    double squared = 0;  ///< [m2] squared distance
    Real3 place{};       ///< [m] the nearest point of the mesh; if several are as near, the first that the tree finds
  };
  [[nodiscard]] Nearest nearest(const Real3& point) const;

  /// The generalised winding number (Jacobson et al. 2013) at a point: 1 inside a closed surface that faces outwards, 0
  /// outside, and close to these values if the surface has small holes. Distant triangles are treated as one dipole
  /// (Barill et al. 2018).
  [[nodiscard]] double winding(const Real3& point) const;

 private:
  struct Node {
    Real3 low{}, high{};       ///< box around the triangles
    Real3 center{}, dipole{};  ///< mean place weighted by area; sum of areas times normals
    double radius = 0;         ///< radius of the ball about `center` that contains the triangles
    std::uint32_t first = 0;   ///< leaf: index of its first triangle in order_; inner node: its second child
    std::uint32_t count = 0;   ///< leaf: number of triangles; 0: an inner node, whose first child is the next node
  };
  std::uint32_t build(std::uint32_t begin, std::uint32_t end, const std::vector<Real3>& middle);
  void describe(Node& node, std::uint32_t begin, std::uint32_t end) const;
  [[nodiscard]] double solid_angle(std::uint32_t triangle, const Real3& point) const;

  const TriangleMesh& mesh_;
  std::vector<std::uint32_t> order_;
  std::vector<Node> nodes_;
};

/// The point of the closed triangle abc that is nearest to `point` (Ericson 2005).
[[nodiscard]] Real3 nearest_of_triangle(const Real3& point, const Real3& a, const Real3& b, const Real3& c);

}  // namespace scree::grains
