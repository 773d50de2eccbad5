#pragma once

#include <cstdint>
#include <vector>

#include "scree/scene.hpp"

namespace scree::grains {

/// Nearest points and sides of the triangles of a mesh, through a tree of boxes. Keeps a reference to the mesh.
class TriangleTree {
 public:
  explicit TriangleTree(const TriangleMesh& mesh);

  struct Nearest {
    double squared = 0;  ///< [m2] squared distance
    Real3 place{};       ///< [m] the nearest point of the mesh; of several the one of the lowest place in the tree
  };
  [[nodiscard]] Nearest nearest(const Real3& point) const;

  /// Generalised winding number (Jacobson et al. 2013): 1 inside of a closed surface that faces outwards, 0 outside,
  /// and close to these where the surface has small holes. Triangles far away count as one dipole (Barill et al. 2018).
  [[nodiscard]] double winding(const Real3& point) const;

 private:
  struct Node {
    Real3 low{}, high{};       ///< box around the triangles
    Real3 center{}, dipole{};  ///< mean place weighted by area; sum of areas times normals
    double radius = 0;         ///< of the ball about the centre that holds the triangles
    std::uint32_t first = 0;   ///< of its triangles in order_; of an inner node: its second child
    std::uint32_t count = 0;   ///< 0: an inner node, whose first child is the next node
  };
  std::uint32_t build(std::uint32_t begin, std::uint32_t end, const std::vector<Real3>& middle);
  void describe(Node& node, std::uint32_t begin, std::uint32_t end) const;
  [[nodiscard]] double solid_angle(std::uint32_t triangle, const Real3& point) const;

  const TriangleMesh& mesh_;
  std::vector<std::uint32_t> order_;
  std::vector<Node> nodes_;
};

/// The point of the closed triangle abc that is nearest.
[[nodiscard]] Real3 nearest_of_triangle(const Real3& point, const Real3& a, const Real3& b, const Real3& c);

}  // namespace scree::grains
